import type { TicketRow } from '../tickets/tickets.rows.ts'

type Listed = Pick<TicketRow, 'uuid' | 'unreadMessages' | 'lastMessageAt' | 'lastMessageFromMe'>

/** What has been heard of each ticket, by uuid: the moment of its last message. */
export type Seen = ReadonlyMap<string, number>

export const seenOf = (tickets: readonly Listed[]): Seen =>
  new Map(tickets.map(({ uuid, lastMessageAt }) => [uuid, lastMessageAt]))

/**
 * Tickets in which a contact has written something since.
 *
 * @param inSight the ticket whose conversation somebody is looking at: it needs no bell
 */
export function newsSince<T extends Listed>(seen: Seen, tickets: readonly T[], inSight: string | null): T[] {
  return tickets.filter(
    ({ uuid, unreadMessages, lastMessageAt, lastMessageFromMe }) =>
      unreadMessages > 0 && !lastMessageFromMe && uuid !== inSight && lastMessageAt > (seen.get(uuid) ?? -Infinity),
  )
}
