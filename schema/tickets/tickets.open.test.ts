import { expect, test } from 'bun:test'
import { before, minutes, now, ticket } from '../example-facts.fixture.ts'
import { chooseTicket } from './tickets.open.ts'
import type { Ticket } from './tickets.table.ts'

const window = minutes(120)
const use = (latest: Partial<Ticket> | undefined, isGroup = false, windowMs = window) =>
  chooseTicket(latest && ticket(latest), isGroup, now, windowMs).use

test('[T10] a message belongs to the active ticket of its contact, however old it is', () => {
  expect(use({ status: 'pending', updatedAt: new Date(0) })).toBe('active')
  expect(use({ status: 'open', updatedAt: new Date(0) })).toBe('active')
})

test('[T11] a closed ticket is the same service within the window, its last moment included; then a new one begins', () => {
  const closed = (ms: number) => ({ status: 'closed' as const, updatedAt: before(ms) })
  expect(use(closed(window))).toBe('reopen')
  expect(use(closed(window + 1))).toBe('new')
  expect(use(closed(1), false, 0)).toBe('new')
  expect(use(undefined)).toBe('new')
})

test('[T12] a group has one ticket, which is reopened at any time', () => {
  expect(use({ status: 'closed', updatedAt: new Date(0) }, true, 0)).toBe('reopen')
  expect(use(undefined, true)).toBe('new')
})

test('[T28] what went into another ticket is over: the next message begins a new one', () => {
  expect(use({ status: 'closed', updatedAt: now, mergedIntoId: 6 })).toBe('new')
})
