import { expect, test } from 'bun:test'
import { isTooLate } from './campaigns.state.ts'

const now = new Date('2026-11-27T12:05:40Z')
const at = (time: string) => new Date(`2026-11-27T${time}Z`)

test('a date may be written until a minute after it', () => {
  expect(isTooLate(null, null, now)).toBe(false)
  expect(isTooLate(at('12:06:00'), null, now)).toBe(false)
  expect(isTooLate(at('12:05:00'), null, now)).toBe(false)
  expect(isTooLate(at('12:04:40'), null, now)).toBe(true)
})

test('a date that stands is never too late, also as a form shows it, without its seconds', () => {
  expect(isTooLate(at('11:00:30'), at('11:00:30'), now)).toBe(false)
  expect(isTooLate(at('11:00:00'), at('11:00:30'), now)).toBe(false)
  expect(isTooLate(at('11:01:00'), at('11:00:30'), now)).toBe(true)
})
