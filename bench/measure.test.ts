import { expect, test } from 'bun:test'
import { percentile, spread } from './measure.ts'

test('a percentile is a sample, never something between two', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([0.5, 0.95, 0.99, 1].map((share) => percentile(samples, share))).toEqual([50, 95, 99, 100])
  expect(percentile([7], 0.99)).toBe(7)
})

test('the spread of nothing is no number, not zero', () => {
  expect(spread([]).p50).toBeNaN()
})
