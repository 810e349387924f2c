import type { Principal } from './permissions.ts'
import { noPromise } from './tickets/tickets.due.ts'
import { notSnoozed } from './tickets/tickets.snooze.ts'
import type { Ticket } from './tickets/tickets.table.ts'

/** Facts with boring defaults, for tests of decisions: a test says only what matters to it. */

/** Noon of a Thursday in São Paulo. */
export const now = new Date('2026-01-15T15:00:00Z')
export const minutes = (n: number) => n * 60_000
export const before = (ms: number) => new Date(now.getTime() - ms)

/** An agent of queue 1. */
export const person = (values: Partial<Principal> = {}): Principal => ({
  userId: 7,
  companyId: 1,
  name: 'Ana',
  profile: 'user',
  super: false,
  queueIds: [1],
  allTicket: false,
  whatsappId: null,
  ...values,
})

/** A ticket that waits in queue 1. */
export const ticket = (values: Partial<Ticket> = {}): Ticket => ({
  id: 5,
  uuid: '',
  companyId: 1,
  contactId: 3,
  whatsappId: 2,
  queueId: 1,
  userId: null,
  status: 'pending',
  isGroup: false,
  lastMessage: '',
  lastMessageDeleted: false,
  lastMessageAt: now,
  lastMessageFromMe: false,
  unreadMessages: 0,
  fields: {},
  chatbot: false,
  useIntegration: false,
  promptId: null,
  integrationId: null,
  tagIds: [],
  ...notSnoozed,
  ...noPromise,
  supervisorCalledAt: null,
  supervisorCalledBy: null,
  mergedIntoId: null,
  createdAt: now,
  updatedAt: now,
  ...values,
})
