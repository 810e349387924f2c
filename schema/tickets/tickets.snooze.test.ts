import { expect, test } from 'bun:test'
import { type SnoozeChoice, snoozedUntil } from './tickets.snooze-choices.ts'

const until = (choice: SnoozeChoice, now: string, zone = 'America/Sao_Paulo') =>
  snoozedUntil(choice, new Date(now), zone).toISOString()

test('tomorrow and Monday are mornings on the company’s wall', () => {
  // Thursday, 23:30 in São Paulo, where it is Friday in London already.
  const late = '2026-01-16T02:30:00Z'
  expect([until('tomorrow', late), until('monday', late)]).toEqual([
    '2026-01-16T12:00:00.000Z',
    '2026-01-19T12:00:00.000Z',
  ])
  expect(until('tomorrow', late, 'Europe/London')).toBe('2026-01-17T09:00:00.000Z')
  // On a Monday it is the next one.
  expect(until('monday', '2026-01-19T12:00:00Z')).toBe('2026-01-26T12:00:00.000Z')
})

test('a night in which the clocks are changed has its morning at the same hour', () => {
  expect(until('tomorrow', '2026-03-28T12:00:00Z', 'Europe/Lisbon')).toBe('2026-03-29T08:00:00.000Z')
  expect(until('tomorrow', '2026-10-24T12:00:00Z', 'Europe/Lisbon')).toBe('2026-10-25T09:00:00.000Z')
  expect(until('monday', '2026-10-23T23:30:00Z', 'America/New_York')).toBe('2026-10-26T13:00:00.000Z')
})

test('an hour is an hour', () => {
  expect(until('hour', '2026-01-15T15:00:00Z')).toBe('2026-01-15T16:00:00.000Z')
  expect(until('threeHours', '2026-01-15T15:00:00Z')).toBe('2026-01-15T18:00:00.000Z')
})
