import { expect, test } from 'bun:test'
import { catalog } from '../catalog.ts'
import { before, minutes, now, person, ticket } from '../example-facts.fixture.ts'
import type { RowChange } from '../command.ts'
import type { Ticket, TicketEvent } from './tickets.table.ts'

const who = person({ userId: 7 })
const open = ticket({ status: 'open', userId: 7, lastMessageAt: before(minutes(9)), updatedAt: before(minutes(8)) })
const changed = (rows: readonly RowChange[]) =>
  rows.flatMap((row) => (row.table === 'tickets' && row.op === 'update' ? [row.values] : []))
const line = (rows: readonly RowChange[]) =>
  rows.flatMap((row) => (row.table === 'ticketEvents' && row.op === 'insert' ? [row.values] : []))[0] as TicketEvent

/** Where a ticket stands in the list after it was resolved and that was taken back; `since`: the row as it is by then. */
function standsAt(since: Partial<Ticket>): unknown {
  const resolve = catalog['tickets.resolve']
  const resolved = resolve.decide({ ticketId: open.id, undoable: true }, { ticket: open, fields: [] } as never, {
    who,
    now,
    commandId: 'resolve',
  })
  const [values] = changed(resolved.rows)
  const undone = catalog['tickets.undo'].decide(
    { ticketId: open.id, commandId: 'resolve' },
    { ticket: { ...open, ...values, ...since }, event: line(resolved.rows) },
    { who, now, commandId: 'undo' },
  )
  return changed(undone.rows)[0]?.updatedAt
}

test('a ticket whose resolving is taken back stands where it stood, also where its row has come by the server’s clock and the line of its timeline not', () => {
  expect(standsAt({})).toEqual(open.updatedAt)
  expect(standsAt({ updatedAt: new Date(now.getTime() + 50) })).toEqual(open.updatedAt)
  expect(standsAt({ updatedAt: new Date(now.getTime() - 50) })).toEqual(open.updatedAt)
})

test('a message that came meanwhile keeps its moment when the resolving is taken back', () => {
  const since = new Date(now.getTime() + 50)
  expect(standsAt({ updatedAt: since, lastMessageAt: since })).toEqual(since)
})
