import { expect, test } from 'bun:test'
import { pageOf, waitText } from './wall.parts.ts'

test('a wait is told in seconds at first, and in days at last', () => {
  expect([0, 7_900, 247_000, 3_900_000, 183_600_000].map(waitText)).toEqual([
    '0:00',
    '0:07',
    '4:07',
    '1 h 05',
    '2 d 3 h',
  ])
  // Two clocks never agree to the second.
  expect(waitText(-400)).toBe('0:00')
})

test('what does not fit comes by itself, all of it, and begins again', () => {
  const rows = [1, 2, 3, 4, 5]
  expect([0, 1, 2, 3].map((turn) => pageOf(rows, 2, turn).rows)).toEqual([[1, 2], [3, 4], [5], [1, 2]])
  expect(pageOf([], 2, 7)).toEqual({ rows: [], page: 1, of: 1 })
})
