import type { Decision } from '../command.ts'
import type { Ticket } from './tickets.table.ts'

/** What was put on a ticket, and taken off. */
export interface TagChange {
  ticketId: number
  added: number[]
  removed: number[]
}

/** What a ticket's tags become, as a change; null where they stay. */
export function tagChange({ id, tagIds }: Pick<Ticket, 'id' | 'tagIds'>, after: readonly number[]): TagChange | null {
  const added = after.filter((tag) => !tagIds.includes(tag))
  const removed = tagIds.filter((tag) => !after.includes(tag))
  return added.length + removed.length === 0 ? null : { ticketId: id, added, removed }
}

/** The part of a decision that says so, for whoever follows it. */
export function taggedAs(ticket: Pick<Ticket, 'id' | 'tagIds'>, after: readonly number[]): Pick<Decision, 'tagged'> {
  const change = tagChange(ticket, after)
  return change ? { tagged: [change] } : {}
}
