import { expect, test } from 'bun:test'
import { MINUTE_MS } from '../../schema/durations.ts'
import { dueIn } from './tickets.due-in.ts'

const due = 1_000 * MINUTE_MS
const left = (minutes: number) => dueIn(due, due - 10 * MINUTE_MS, due - minutes * MINUTE_MS)

test('what is left is told in minutes, hours and days, and the minute that runs counts', () => {
  expect(left(0.2)).toMatchObject({ unit: 'minutes', count: 1 })
  expect(left(59)).toMatchObject({ unit: 'minutes', count: 59 })
  expect(left(119)).toMatchObject({ unit: 'hours', count: 1 })
  expect(left(24 * 60)).toMatchObject({ unit: 'days', count: 1 })
})

test('it is at risk from its moment on, and late from the very moment at which it was due', () => {
  expect([left(10.1), left(10), left(0.1), left(0)].map(({ tone }) => tone)).toEqual(['calm', 'risk', 'risk', 'late'])
  expect(left(0)).toEqual({ tone: 'late', unit: 'minutes', count: 0 })
  expect(left(-61)).toEqual({ tone: 'late', unit: 'hours', count: 1 })
  expect(dueIn(due, null, due - 1).tone).toBe('calm')
})
