import { expect, test } from 'bun:test'
import { readDay, readMoment, readTime } from './typed-date.ts'

const now = new Date(2026, 10, 25)

test('a day counts when it is whole; who leaves it short means this century, and this year', () => {
  for (const text of ['25/12/2026', '25.12.2026', '25-12-2026', '2026-12-25', ' 25/12/2026 '])
    expect([text, readDay(text, 'whole', now)]).toEqual([text, '2026-12-25'])
  for (const text of ['25/12/26', '25/12', '251226', '25122026', '5/1'])
    expect([text, readDay(text, 'left', now)]).toEqual([text, text === '5/1' ? '2026-01-05' : '2026-12-25'])
  // On its way to 2026 it is not 2020.
  for (const text of ['25/12/20', '25/12/202', '25/12', '25', '']) expect(readDay(text, 'whole', now)).toBeNull()
})

test('the day comes first, in all our languages', () => {
  expect(readDay('05/12/2026', 'whole', now)).toBe('2026-12-05')
})

test('what is no day is none', () => {
  for (const text of ['31/02/2026', '29/02/2027', '00/01/2026', '12/25/2026', '25/12/0026', 'amanhã', '2026-13-01'])
    expect([text, readDay(text, 'left', now)]).toEqual([text, null])
  expect(readDay('29/02/2028', 'left', now)).toBe('2028-02-29')
})

test('a time is read as it is said', () => {
  expect(readTime('09:30', 'whole')).toBe('09:30')
  for (const [text, time] of [
    ['9h30', '09:30'],
    ['9h', '09:00'],
    ['9', '09:00'],
    ['0930', '09:30'],
    ['23.59', '23:59'],
    ['24:00', null],
    ['9:75', null],
    ['agora', null],
  ] as const)
    expect([text, readTime(text, 'left')]).toEqual([text, time])
  expect(readTime('9:3', 'whole')).toBeNull()
})

test('a moment has both; who leaves it without a time means that of the day', () => {
  expect(readMoment('25/12/2026 09:30', 'whole', '08:00', now)).toBe('2026-12-25T09:30')
  expect(readMoment('25/12/2026, 09:30', 'whole', '08:00', now)).toBe('2026-12-25T09:30')
  expect(readMoment('2026-12-25T09:30', 'whole', '08:00', now)).toBe('2026-12-25T09:30')
  expect(readMoment('25/12/2026', 'whole', '08:00', now)).toBeNull()
  expect(readMoment('25/12', 'left', '08:00', now)).toBe('2026-12-25T08:00')
  expect(readMoment('25/12 9h', 'left', '08:00', now)).toBe('2026-12-25T09:00')
  expect(readMoment('09:30', 'left', '08:00', now)).toBeNull()
})
