import { expect, test } from 'bun:test'
import { dueTone, isDayOf, nextDueDate } from './companies.due.ts'

test('a due date goes on by what the company pays for at once', () => {
  const later = (['MENSAL', 'BIMESTRAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'] as const).map((recurrence) =>
    nextDueDate('2026-11-20', recurrence),
  )
  expect(later).toEqual(['2026-12-20', '2027-01-20', '2027-02-20', '2027-05-20', '2027-11-20'])
})

test('a day that the month does not have is its last', () => {
  expect(nextDueDate('2027-01-31', 'MENSAL')).toBe('2027-02-28')
  expect(nextDueDate('2028-01-31', 'MENSAL')).toBe('2028-02-29')
  expect(nextDueDate('2026-08-31', 'SEMESTRAL')).toBe('2027-02-28')
})

test('the last of a month stays the last: a short month between does not move the day for good', () => {
  const year = (from: string, months: number, times: number, dueDay: number) => {
    const days = [from]
    for (let n = 0; n < times; n++) days.push(nextDueDate(days.at(-1)!, months, dueDay))
    return days.slice(1)
  }
  expect(year('2027-01-31', 1, 5, 31)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'])
  expect(year('2027-11-30', 3, 3, 30)).toEqual(['2028-02-29', '2028-05-30', '2028-08-30'])
  expect(year('2027-08-31', 6, 3, 31)).toEqual(['2028-02-29', '2028-08-31', '2029-02-28'])
  expect(year('2028-02-29', 12, 4, 29)).toEqual(['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'])
})

test('a day of the month belongs to a date that is it, or the last of a month without it', () => {
  expect([31, 30, 28, 27].map((day) => isDayOf('2027-02-28', day))).toEqual([true, true, true, false])
  expect([31, 30, 29].map((day) => isDayOf('2027-04-30', day))).toEqual([true, true, false])
  expect(isDayOf('2027-03-28', 31)).toBe(false)
})

test('rows are coloured from five days before they are due until they are paid', () => {
  expect([6, 5, 4, 0, -3, -4, -5, -400].map(dueTone)).toEqual([
    null,
    'soon',
    'due',
    'due',
    'due',
    'over',
    'over',
    'over',
  ])
})
