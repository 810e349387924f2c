import { expect, test } from 'bun:test'
import { isQuiet } from './push.quiet.ts'

const at = (time: string) => new Date(`2026-11-21T${time}:00-03:00`)
const zone = 'America/Sao_Paulo'

test('a night over midnight is quiet in the company’s zone, to the minute', () => {
  const night = { quietFrom: '22:00', quietTo: '07:00' }
  const quiet = ['21:59', '22:00', '00:00', '06:59', '07:00', '12:00'].map((time) => isQuiet(night, at(time), zone))
  expect(quiet).toEqual([false, true, true, true, false, false])
  expect(isQuiet(night, at('22:00'), 'UTC')).toBe(true)
  expect(isQuiet(night, at('21:00'), 'UTC')).toBe(true)
  expect(isQuiet(night, at('04:00'), 'UTC')).toBe(false)
})

test('a break at noon is quiet; equal times never are', () => {
  expect(isQuiet({ quietFrom: '12:00', quietTo: '13:00' }, at('12:30'), zone)).toBe(true)
  expect(isQuiet({ quietFrom: '12:00', quietTo: '13:00' }, at('13:00'), zone)).toBe(false)
  expect(isQuiet({ quietFrom: '00:00', quietTo: '00:00' }, at('00:00'), zone)).toBe(false)
})
