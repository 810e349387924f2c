import { expect, test } from 'bun:test'
import { daysLeft } from './due-date.ts'

test('on the due date itself no day is left, whatever the hour', () => {
  expect(daysLeft('2026-11-20', new Date(2026, 10, 20, 0, 0))).toBe(0)
  expect(daysLeft('2026-11-20', new Date(2026, 10, 20, 23, 59))).toBe(0)
})
test('days are counted by the calendar, not by 24 hours', () => {
  expect(daysLeft('2026-11-21', new Date(2026, 10, 20, 23, 59))).toBe(1)
  expect(daysLeft('2026-11-25', new Date(2026, 10, 20, 12))).toBe(5)
  expect(daysLeft('2026-11-19', new Date(2026, 10, 20, 0, 1))).toBe(-1)
})
