import { expect, test } from 'bun:test'
import { shownSince } from './announcements.audience.ts'

test('an announcement that waited for its day is news on that day, not on the one it was written', () => {
  const createdAt = '2026-11-20T10:00:00.000Z'
  const day = (at: string | null) => new Date(shownSince({ createdAt, startsAt: at })).toISOString().slice(0, 10)
  expect([null, '2026-11-23T10:00:00.000Z', '2026-11-01T10:00:00.000Z'].map(day)).toEqual([
    '2026-11-20',
    '2026-11-23',
    '2026-11-20',
  ])
})
