import type { Ticket } from './tickets.table.ts'

/**
 * Which ticket a message belongs to: the active one; else a group's latest; else the
 * latest that was closed within the window; else a new one. One that went into another is over for good.
 */
export type TicketChoice = { use: 'active'; ticket: Ticket } | { use: 'reopen'; ticket: Ticket } | { use: 'new' }

/**
 * @param latest the newest ticket of the contact on the connection, active or closed; undefined when none
 * @param reopenWindowMs how long after its last change a closed ticket is the same service; 0 never
 */
export function chooseTicket(
  latest: Ticket | undefined,
  isGroup: boolean,
  now: Date,
  reopenWindowMs: number,
): TicketChoice {
  if (!latest || latest.mergedIntoId !== null) return { use: 'new' }
  if (latest.status !== 'closed') return { use: 'active', ticket: latest }
  if (isGroup) return { use: 'reopen', ticket: latest }
  return now.getTime() - latest.updatedAt.getTime() <= reopenWindowMs
    ? { use: 'reopen', ticket: latest }
    : { use: 'new' }
}
