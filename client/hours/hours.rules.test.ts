import { describe, expect, test } from 'bun:test'
import { companyHours } from '../../schema/companies/companies.inputs.ts'
import { isOpen } from '../../schema/hours/hours.open.ts'
import { problemsOf } from '../base/form-rules.ts'
import { dayMeaning, fullWeek, maskTime, withPeriod } from './hours.rules.ts'

describe('a new queue', () => {
  test('is open on weekdays from 8 to 18, on Saturday until noon, and closed on Sunday', () =>
    expect(fullWeek().map((day) => `${day.weekdayEn} ${day.startTime}-${day.endTime}`)).toEqual([
      'monday 08:00-18:00',
      'tuesday 08:00-18:00',
      'wednesday 08:00-18:00',
      'thursday 08:00-18:00',
      'friday 08:00-18:00',
      'saturday 08:00-12:00',
      'sunday 00:00-00:00',
    ]))

  test('those hours are good input, and mean closed on Sundays to the rule that the server follows', () => {
    expect(problemsOf(companyHours, { schedules: fullWeek(), holidays: [] })).toEqual({})
    expect(isOpen(fullWeek(), new Date('2026-11-22T15:00:00Z'), 'America/Sao_Paulo')).toBe(false)
    expect(isOpen(fullWeek(), new Date('2026-11-23T15:00:00Z'), 'America/Sao_Paulo')).toBe(true)
  })
})

test('stored days are kept, in the order of the week', () => {
  const sunday = { weekday: 'Dom', weekdayEn: 'sunday' as const, startTime: '09:00', endTime: '10:00' }
  const monday = { weekday: 'Seg', weekdayEn: 'monday' as const, startTime: '', endTime: '' }
  const week = fullWeek([sunday, monday])
  expect(week[0]).toEqual(monday)
  expect(week[6]).toEqual(sunday)
  expect(week).toHaveLength(7)
})

test('days that a stored week lacks are without a limit, as the server has them', () => {
  const sunday = { weekday: 'Dom', weekdayEn: 'sunday' as const, startTime: '09:00', endTime: '10:00' }
  expect(fullWeek([sunday]).map(dayMeaning)).toEqual([...Array(6).fill('always'), 'open'])
})

test('times are typed with or without the colon', () => {
  expect(['0830', '08:30', '8:30', '083', '08', '', '12345', 'ab9'].map(maskTime)).toEqual([
    '08:30',
    '08:30',
    '08:30',
    '08:3',
    '08',
    '',
    '12:34',
    '9',
  ])
})

test('an hour that does not exist is refused, an empty one is not', () => {
  const problems = (startTime: string) =>
    problemsOf(companyHours, { schedules: [{ ...fullWeek()[0], startTime }], holidays: [] })
  expect(problems('24:00')).toEqual({ 'schedules.0.startTime': { kind: 'format' } })
  expect(problems('08:6')).toEqual({ 'schedules.0.startTime': { kind: 'format' } })
  expect(problems('')).toEqual({})
})

test('a day says what its hours mean', () => {
  const day = fullWeek()[0]!
  expect(dayMeaning(day)).toBe('open')
  expect(dayMeaning({ ...day, startTime: '18:00', endTime: '02:00' })).toBe('overnight')
  expect(dayMeaning({ ...day, startTime: '00:00', endTime: '00:00' })).toBe('closed')
  expect(dayMeaning({ ...day, endTime: '' })).toBe('always')
})

test('a day keeps all its periods, and takes another after the last', () => {
  const week = withPeriod(fullWeek(), 'monday')
  expect(week).toHaveLength(8)
  expect(week[1]).toEqual({ weekday: 'Segunda-feira', weekdayEn: 'monday', startTime: '', endTime: '' })
  expect(fullWeek(week)).toEqual(week)
})
