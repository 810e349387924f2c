import { expect, test } from 'bun:test'
import { backoffMs } from './backoff.ts'

test('the first retry comes within half a second, later ones at most every half minute', () => {
  expect(backoffMs(0, 0)).toBe(250)
  expect(backoffMs(0, 1)).toBe(500)
  expect(backoffMs(50, 1)).toBe(30_000)
})
test('each wait may be longer than the one before', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6].map((attempt) => backoffMs(attempt, 0.5))
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
})
