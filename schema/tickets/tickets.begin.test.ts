import { expect, test } from 'bun:test'
import { before, minutes, now, person, ticket } from '../example-facts.fixture.ts'
import type { Principal } from '../permissions.ts'
import { beginTicket, ticketForOutbound } from './tickets.begin.ts'
import type { Ticket, TicketStatus } from './tickets.table.ts'

const cause = { id: 'c', userId: null, now }
const begin = (status: TicketStatus, userId: number | null) =>
  beginTicket({ id: 5, companyId: 1, contactId: 3, isGroup: false, whatsappId: 2, queueId: 1, userId, status }, cause)
    .decision

test('[T13] a ticket begins with a line in its timeline; its clock runs where somebody waits or serves', () => {
  expect(begin('pending', null).rows.map(({ table, op }) => [table, op])).toEqual([
    ['tickets', 'insert'],
    ['ticketEvents', 'insert'],
  ])
  expect(begin('pending', null).tracking).toEqual([{ ticketId: 5, change: { queuedAt: now, userId: null } }])
  expect(begin('open', 7).tracking).toEqual([{ ticketId: 5, change: { queuedAt: now, startedAt: now, userId: 7 } }])
  expect(begin('closed', null).tracking).toEqual([])
})

const outbound = (latest: Partial<Ticket> | undefined, author: Principal | null = null) => {
  const result = ticketForOutbound(
    { companyId: 1, contactId: 3, isGroup: latest?.isGroup ?? false, whatsappId: 2, author },
    { latest: latest && ticket(latest), onlyQueueId: 4, reopenWindowMs: minutes(120), newTicketId: 6 },
    cause,
  )
  return 'refused' in result ? result.refused : result
}

test('[T14] what the company writes of its own accord makes nobody wait: it is kept in the active ticket, the last or a closed one', () => {
  expect(outbound({ status: 'open', userId: 8 })).toMatchObject({ decision: { rows: [] }, ticket: { id: 5 } })
  expect(outbound({ status: 'closed', updatedAt: before(minutes(60)) })).toMatchObject({
    decision: { rows: [{ table: 'tickets', op: 'update', ids: [5], values: { updatedAt: now } }] },
    ticket: { status: 'closed' },
  })
  expect(outbound({ status: 'closed', updatedAt: before(minutes(121)) })).toMatchObject({
    ticket: { id: 6, status: 'closed', queueId: 4, userId: null },
  })
  expect(outbound(undefined, person())).toMatchObject({ ticket: { id: 6, status: 'closed', userId: 7 } })
})

test('[T15] in whose name it is written, who may not see the ticket or answer in it, is refused', () => {
  const elsewhere = { queueId: 2, userId: 8 }
  expect(outbound({ status: 'open', ...elsewhere }, person())).toBe('ERR_NO_TICKET_FOUND')
  expect(outbound({ status: 'open', queueId: 1, userId: 8 }, person())).toBe('ERR_TICKET_TAKEN')
  expect(outbound({ status: 'closed', isGroup: true, ...elsewhere }, person())).toBe('ERR_NO_TICKET_FOUND')
  // A closed one that they do not see says nothing of itself: theirs is a new one.
  expect(outbound({ status: 'closed', ...elsewhere }, person())).toMatchObject({ ticket: { id: 6 } })
})
