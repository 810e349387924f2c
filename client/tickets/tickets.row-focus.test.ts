import { expect, test } from 'bun:test'
import { successor } from './tickets.row-focus.ts'

const now = (...ids: number[]) => new Set(ids)

test('the next row takes the place of one that left; of the last, the one before it', () => {
  expect(successor([1, 2, 3], now(1, 3), 2)).toBe(3)
  expect(successor([1, 2, 3], now(1, 2), 3)).toBe(2)
})

test('what left together with it takes no place, and what came above neither', () => {
  expect(successor([1, 2, 3, 4], now(9, 1, 4), 2)).toBe(4)
  expect(successor([1, 2, 3], now(1), 2)).toBe(1)
})

test('nothing takes the place of the only one', () => {
  expect(successor([1], now(), 1)).toBeNull()
  expect(successor([], now(5), 1)).toBeNull()
})
