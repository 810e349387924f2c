import type { TicketRow } from '../tickets/tickets.rows.ts'

type Told = Pick<TicketRow, 'uuid' | 'unreadMessages' | 'lastMessageAt' | 'lastMessageFromMe'>

/** What has been heard of each ticket, by uuid: the moment of its last message. */
export type Heard = ReadonlyMap<string, number>

export const heardOf = (tickets: readonly Told[]): Heard =>
  new Map(tickets.map(({ uuid, lastMessageAt }) => [uuid, lastMessageAt]))

/**
 * Tickets in which a contact has written something since.
 *
 * @param inSight the ticket whose conversation somebody is looking at: it needs no bell
 */
export function newsSince<T extends Told>(heard: Heard, tickets: readonly T[], inSight: string | null): T[] {
  return tickets.filter(
    ({ uuid, unreadMessages, lastMessageAt, lastMessageFromMe }) =>
      unreadMessages > 0 && !lastMessageFromMe && uuid !== inSight && lastMessageAt > (heard.get(uuid) ?? -Infinity),
  )
}
