import type { Decision, RowChange } from '../command.ts'
import { DomainError, type ErrorCode } from '../errors.ts'
import { canAnswer, type Principal } from '../permissions.ts'
import { type Cause, moveTicket, timelineRow } from './tickets.move.ts'
import { type Ticket, type TicketEvent, ticketStatuses } from './tickets.table.ts'

/**
 * Two tickets of a contact become one, and one becomes two again (rules T26 to T29). What was said, noted and done in the
 * one that goes comes to stand in the other, which keeps its queue, its agent and its connection; the one that went is
 * closed, and leads there.
 */
export type TicketJoin =
  | { id: string; fromId: number; intoId: number }
  /** All that came with this merge and is still there goes back. */
  | { parts: string; fromId: number; intoId: number }

/** So long after it was done a merge is taken back, ms. */
export const PART_MS = 24 * 3_600_000

/** So many messages move at once. */
export const MERGED_MESSAGES = 10_000

type Merged = Pick<Ticket, 'id' | 'contactId' | 'isGroup' | 'status' | 'userId' | 'mergedIntoId'>

/** Why what was said in `from` cannot come to stand in `into`; null where it can. What of `from` itself forbids it, its move says. */
export function mergeRefusal(from: Merged, into: Merged, who: Principal): ErrorCode | null {
  const isOver = (ticket: Merged) => ticket.status === 'closed'
  if (
    from.id === into.id ||
    from.contactId !== into.contactId ||
    into.isGroup ||
    into.mergedIntoId !== null ||
    // Where somebody waits must not end unseen in what is over.
    (!isOver(from) && isOver(into))
  )
    return 'ERR_TICKET_MERGE'
  return into.status === 'open' && !canAnswer(who, into) ? 'ERR_FORBIDDEN' : null
}

/** @throws DomainError `ERR_TICKET_MERGE` where the two cannot be one, `ERR_FORBIDDEN` where a colleague serves in either */
export function mergeTickets(from: Ticket, into: Ticket, who: Principal, cause: Cause): Decision {
  const refused = mergeRefusal(from, into, who)
  if (refused) throw new DomainError(refused)
  const brought = from.tagIds.filter((id) => !into.tagIds.includes(id))
  const outcome = moveTicket(from, { type: 'merge', who, intoId: into.id }, { ...cause, data: kept(from, into) })
  if ('refused' in outcome) throw new DomainError(outcome.refused, { ticketId: from.id })
  // What is filled in in both stays as it is where the conversation goes on.
  const fields = Object.fromEntries(Object.entries(from.fields).filter(([id]) => into.fields[id] == null))
  const isLast = from.lastMessageAt > into.lastMessageAt
  const rows: RowChange[] = [
    ...outcome.decision.rows,
    {
      table: 'tickets',
      op: 'update',
      ids: [into.id],
      values: {
        unreadMessages: into.unreadMessages + from.unreadMessages,
        tagIds: [...into.tagIds, ...brought].toSorted((a, b) => a - b),
        ...(isLast ? lastLine(from) : {}),
        ...(Object.keys(fields).length > 0 ? { fields } : {}),
        updatedAt: from.updatedAt > into.updatedAt ? from.updatedAt : into.updatedAt,
      },
    },
    timelineRow(into, 'merged', {
      ...cause,
      data: { ticket: from.id, ...line(into), brought: brought.join(), filled: Object.keys(fields).join() },
    }),
  ]
  return {
    ...outcome.decision,
    rows,
    joins: [{ id: cause.id, fromId: from.id, intoId: into.id }],
    result: { ticketId: into.id },
  }
}

/**
 * @param went the line in the timeline of the ticket that went
 * @param came the one in that of the other
 * @throws DomainError `ERR_UNDO_LATE` a day after, or where it was taken back already
 */
export function partTickets(
  { from, into, went, came }: { from: Ticket; into: Ticket; went: TicketEvent; came: TicketEvent },
  mergeId: string,
  cause: Cause,
): Decision {
  const { status, userId = null, unread, updatedAt } = went.data
  const known = ticketStatuses.find((one) => one === status)
  const isLate = cause.now.getTime() - went.createdAt.getTime() > PART_MS
  if (isLate || !known || typeof userId === 'string' || from.mergedIntoId !== into.id)
    throw new DomainError('ERR_UNDO_LATE')
  const was = {
    ...{ status: known, userId, unreadMessages: Number(unread) },
    updatedAt: typeof updatedAt === 'number' ? new Date(updatedAt) : null,
  }
  const outcome = moveTicket(from, { type: 'part', was }, { ...cause, data: { ticket: into.id } })
  if ('refused' in outcome) throw new DomainError(outcome.refused, { ticketId: from.id })
  const brought = new Set(String(came.data['brought']).split(',').map(Number))
  const filled = String(came.data['filled'] ?? '')
    .split(',')
    .filter((id) => id !== '' && into.fields[id] === from.fields[id])
  // What the other one brought is its last line still.
  const isLast = into.lastMessageAt.getTime() === from.lastMessageAt.getTime()
  return {
    ...outcome.decision,
    rows: [
      ...outcome.decision.rows,
      {
        table: 'tickets',
        op: 'update',
        ids: [into.id],
        values: {
          unreadMessages: Math.max(0, into.unreadMessages - was.unreadMessages),
          tagIds: into.tagIds.filter((id) => !brought.has(id)),
          ...(isLast ? lastLineOf(came) : {}),
          ...(filled.length > 0 ? { fields: Object.fromEntries(filled.map((id) => [id, null])) } : {}),
        },
      },
      timelineRow(into, 'parted', { ...cause, eventId: `${cause.id}:${into.id}`, data: { ticket: from.id } }),
    ],
    joins: [{ parts: mergeId, fromId: from.id, intoId: into.id }],
    result: { ticketId: from.id },
  }
}

/** What the line in the timeline keeps of the ticket that goes. */
const kept = ({ status, userId, unreadMessages, updatedAt }: Ticket, into: Ticket) => ({
  ...{ ticket: into.id, status, userId },
  ...{ unread: unreadMessages, updatedAt: updatedAt.getTime() },
})

const lastLine = ({ lastMessage, lastMessageDeleted, lastMessageAt, lastMessageFromMe }: Ticket) => ({
  ...{ lastMessage, lastMessageDeleted, lastMessageAt, lastMessageFromMe },
})

/** The same as a line in the timeline keeps it, and as it is read. */
const line = (ticket: Ticket) => ({
  lastMessage: ticket.lastMessage,
  lastMessageAt: ticket.lastMessageAt.getTime(),
  lastMessageFromMe: Number(ticket.lastMessageFromMe),
  lastMessageDeleted: Number(ticket.lastMessageDeleted),
})
const lastLineOf = ({ data }: TicketEvent) => ({
  lastMessage: String(data['lastMessage'] ?? ''),
  lastMessageAt: new Date(Number(data['lastMessageAt'])),
  lastMessageFromMe: data['lastMessageFromMe'] === 1,
  lastMessageDeleted: data['lastMessageDeleted'] === 1,
})
