import { expect, test } from 'bun:test'
import { dueTone, nextDueDate } from './companies.due.ts'

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

test('rows are coloured from five days before to four after', () => {
  expect([6, 5, 4, 0, -3, -4, -5].map(dueTone)).toEqual([null, 'soon', 'due', 'due', 'due', 'over', null])
})
