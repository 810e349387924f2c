import { ownQueues, type Principal } from '../permissions.ts'
import { isSnoozed } from './tickets.snooze.ts'
import type { TicketStatus } from './tickets.table.ts'

/** The part of a ticket that decides whom its unread messages concern. */
export interface NotifiedTicket {
  status: TicketStatus
  queueId: number | null
  userId: number | null
  unreadMessages: number
  snoozedUntil: Date | number | null
}

/**
 * Whether somebody is told of a ticket's unread messages: its agent, and, while nobody has it, the people of its queue,
 * or, where it has no queue, those whose `allTicket` is enabled. Seeing a ticket is more than that: admins see every
 * one, and are not rung for each. Nobody is rung for what lies aside: what is to wake it has woken it.
 */
export function isNotifiedOf(
  who: Pick<Principal, 'userId' | 'queueIds' | 'allTicket' | 'role'>,
  ticket: NotifiedTicket,
): boolean {
  if (ticket.status === 'closed' || ticket.unreadMessages === 0 || isSnoozed(ticket)) return false
  if (ticket.userId !== null) return ticket.userId === who.userId
  return ownQueues(who).includes(ticket.queueId)
}
