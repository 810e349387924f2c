import { expect, test } from 'bun:test'
import { isNotifiedOf } from './tickets.notify.ts'
import type { NotifiedTicket } from './tickets.notify.ts'

const ana = { userId: 1, queueIds: [10], allTicket: false }
const eg = (given: Partial<NotifiedTicket>): NotifiedTicket => ({
  status: 'pending',
  queueId: 10,
  userId: null,
  unreadMessages: 1,
  snoozedUntil: null,
  ...given,
})

test('an agent is told of the own tickets, whatever their queue', () => {
  expect(isNotifiedOf(ana, eg({ status: 'open', userId: 1, queueId: 99 }))).toBe(true)
  expect(isNotifiedOf(ana, eg({ status: 'open', userId: 1, queueId: null }))).toBe(true)
})
test('a colleague’s ticket is theirs to hear of, also in the same queue', () => {
  expect(isNotifiedOf(ana, eg({ status: 'open', userId: 2 }))).toBe(false)
})
test('a ticket that waits is told to the people of its queue only', () => {
  expect(isNotifiedOf(ana, eg({ queueId: 10 }))).toBe(true)
  expect(isNotifiedOf(ana, eg({ queueId: 11 }))).toBe(false)
})
test('a ticket without a queue is told to those who see such tickets', () => {
  expect(isNotifiedOf(ana, eg({ queueId: null }))).toBe(false)
  expect(isNotifiedOf({ ...ana, allTicket: true }, eg({ queueId: null }))).toBe(true)
})
test('nothing is told of what is read or closed', () => {
  expect(isNotifiedOf(ana, eg({ unreadMessages: 0 }))).toBe(false)
  expect(isNotifiedOf(ana, eg({ status: 'closed', userId: 1 }))).toBe(false)
})
