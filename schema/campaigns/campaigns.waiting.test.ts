import { expect, test } from 'bun:test'
import { standardHours } from './campaigns.hours.ts'
import { type WaitingFacts, waitingOf } from './campaigns.waiting.ts'

/** A Tuesday, 10:00 in São Paulo. */
const now = new Date('2030-03-05T13:00:00Z')
const midnight = new Date('2030-03-06T03:00:00Z')
const soon = new Date('2030-03-05T14:20:00Z')
const days = new Date('2030-03-08T12:00:00Z')
const facts = (some: Partial<WaitingFacts> = {}): WaitingFacts => ({
  ...{ now, timeZone: 'America/Sao_Paulo', isConnected: true, ready: 9, readyNew: 5, readyWithoutChat: 6 },
  ...{ asked: 0, askedUntil: null, lockedUntil: soon, guard: null },
  ...some,
})
const guard = (newToday: number): WaitingFacts['guard'] => ({
  ...{ dailyCap: 1_000, newChatCap: 5, warmupStep: 0, warmupDay: null, sentToday: newToday, newToday },
  hours: standardHours,
})

test('while new chats are locked those wait who never wrote to the connection, until the lock ends', () => {
  expect(waitingOf(facts())).toEqual([{ reason: 'locked', n: 6, until: soon }])
  expect(waitingOf(facts({ now: soon }))).toEqual([])
  expect(waitingOf(facts({ lockedUntil: null }))).toEqual([])
  expect(waitingOf(facts({ readyWithoutChat: 0 }))).toEqual([])
})

test('what holds everybody is told before the lock, and of the lock and the company’s cap what lasts longer', () => {
  expect(waitingOf(facts({ isConnected: false }))).toEqual([{ reason: 'connection', n: 9, until: null }])
  expect(waitingOf(facts({ guard: guard(0) }))).toEqual([{ reason: 'locked', n: 6, until: soon }])
  expect(waitingOf(facts({ guard: guard(5) }))).toEqual([{ reason: 'new_chats', n: 5, until: midnight }])
  expect(waitingOf(facts({ guard: guard(5), lockedUntil: days }))).toEqual([{ reason: 'locked', n: 6, until: days }])
})
