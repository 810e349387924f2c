import { MINUTE_MS } from '../../schema/durations.ts'
import { expect, test } from 'bun:test'
import { lastInteraction } from './tickets.last-interaction.ts'

const after = (minutes: number) => lastInteraction(0, minutes * MINUTE_MS)

test('a conversation of a moment ago carries no label', () => {
  expect(after(0)).toBeNull()
  expect(after(2.99)).toBeNull()
})
test('from 3 to 10 minutes the label is green', () => {
  expect(after(3)).toEqual({ tone: 'green', unit: 'minutes', count: 3 })
  expect(after(10.9)).toEqual({ tone: 'green', unit: 'minutes', count: 10 })
})
test('between 10 and 30 minutes there is none', () => {
  expect(after(11)).toBeNull()
  expect(after(29.9)).toBeNull()
})
test('from 30 to 59 minutes it is orange', () => {
  expect(after(30)).toEqual({ tone: 'orange', unit: 'minutes', count: 30 })
  expect(after(59.9)).toEqual({ tone: 'orange', unit: 'minutes', count: 59 })
})
test('exactly 60 minutes is red, and is told in hours until 24', () => {
  expect(after(60)).toEqual({ tone: 'red', unit: 'hours', count: 1 })
  expect(after(24 * 60 - 1)).toEqual({ tone: 'red', unit: 'hours', count: 23 })
})
test('from 24 hours it is told in days', () => {
  expect(after(24 * 60)).toEqual({ tone: 'red', unit: 'days', count: 1 })
  expect(after(75 * 60)).toEqual({ tone: 'red', unit: 'days', count: 3 })
})
test('a clock that runs behind the server shows nothing', () => {
  expect(after(-5)).toBeNull()
})
