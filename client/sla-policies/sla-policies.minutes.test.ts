import { expect, test } from 'bun:test'
import { inUnit } from './sla-policies.minutes.ts'

test('minutes are told in the largest unit that they are whole in', () => {
  expect(inUnit(15)).toEqual({ count: 15, unit: 'minutes' })
  expect(inUnit(90)).toEqual({ count: 90, unit: 'minutes' })
  expect(inUnit(120)).toEqual({ count: 2, unit: 'hours' })
  expect(inUnit(2 * 24 * 60)).toEqual({ count: 2, unit: 'days' })
})
