import { expect, test } from 'bun:test'
import { untilText } from './tickets.until.ts'

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

test('what lies aside until later today says the time alone, this week with the day, else with the date', () => {
  // A Monday.
  const now = at(30, 9)
  expect(untilText(at(30, 10), now, 'pt')).toBe('10:00')
  expect(untilText(at(31, 0, 5), now, 'pt')).toBe('ter 00:05')
  expect(untilText(at(35, 9), now, 'pt')).toBe('sáb 09:00')
  expect(untilText(at(37, 9), now, 'pt')).toBe('07/12/26 09:00')
})
