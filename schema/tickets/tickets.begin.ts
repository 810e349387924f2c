import type { Decision } from '../command.ts'
import { nothing } from '../command.ts'
import type { ErrorCode } from '../errors.ts'
import { canAnswer, canSeeTicket, type Principal } from '../permissions.ts'
import { chooseTicket } from './tickets.open.ts'
import { noPromise } from './tickets.due.ts'
import { notSnoozed } from './tickets.snooze.ts'
import { type Cause, timelineRow } from './tickets.move.ts'
import type { Ticket, TicketStatus } from './tickets.table.ts'

/** A service that begins. `id` was reserved for it, so that what is said in it can name it in the same decision. */
export interface Beginning {
  id: number
  companyId: number
  contactId: number
  isGroup: boolean
  whatsappId: number
  queueId: number | null
  userId: number | null
  /** `pending`: the contact wrote. `open`: an agent did. `closed`: we write of our own accord, and nobody waits. */
  status: TicketStatus
}

/** A new ticket, its line in the timeline, and its clock where somebody waits or serves. */
export function beginTicket(beginning: Beginning, cause: Cause): { decision: Decision; ticket: Ticket } {
  const { now } = cause
  const { id, status, userId } = beginning
  const row = { ...beginning, lastMessageAt: now, createdAt: now, updatedAt: now }
  const started = status === 'open' ? { startedAt: now } : {}
  return {
    ticket: {
      ...row,
      // Made by the database; nothing that is decided together with the beginning asks for it.
      uuid: '',
      lastMessage: '',
      lastMessageDeleted: false,
      lastMessageFromMe: false,
      unreadMessages: 0,
      chatbot: false,
      useIntegration: false,
      promptId: null,
      integrationId: null,
      tagIds: [],
      ...notSnoozed,
      ...noPromise,
      supervisorCalledAt: null,
      supervisorCalledBy: null,
      fields: {},
      mergedIntoId: null,
    },
    decision: {
      rows: [{ table: 'tickets', op: 'insert', values: row }, timelineRow(row, 'created', cause)],
      tracking: status === 'closed' ? [] : [{ ticketId: id, change: { queuedAt: now, ...started, userId } }],
      effects: [],
    },
  }
}

/** What is known of a contact on a connection, when the company writes of its own accord. */
export interface OutboundFacts {
  /** The newest ticket of the two, active or closed. */
  latest: Ticket | undefined
  /** The queue that its tickets begin in: the connection's only one, or none. Not asked for beside an active ticket. */
  onlyQueueId: number | null
  /** As in `chooseTicket`. */
  reopenWindowMs: number
  /** Reserved for a new ticket; 0 beside an active one, where none can begin. */
  newTicketId: number
}

/**
 * The ticket in which a message is kept that nobody is there to send (a schedule, a campaign): the active one; else the
 * latest, if a reply would reopen it; else a new one that is closed from the start. None waits for an agent before the
 * contact replies, and then it is reopened like any other.
 *
 * @param to.author in whose name it is said: what they may not answer now is not written into. Null is the company's own
 * accord
 * @returns `refused`: `ERR_NO_TICKET_FOUND` where the author may not see the ticket, `ERR_TICKET_TAKEN` where a colleague
 * is answering
 */
export function ticketForOutbound(
  to: { companyId: number; contactId: number; isGroup: boolean; whatsappId: number; author: Principal | null },
  facts: OutboundFacts,
  cause: Cause,
): { decision: Decision; ticket: Ticket } | { refused: ErrorCode } {
  const { author, ...where } = to
  const choice = chooseTicket(facts.latest, to.isGroup, cause.now, facts.reopenWindowMs)
  const isHidden = choice.use !== 'new' && author !== null && !canSeeTicket(author, choice.ticket)
  // A group is one conversation, and has one ticket after the other for all.
  if (isHidden && (choice.use === 'active' || to.isGroup)) return { refused: 'ERR_NO_TICKET_FOUND' }
  if (choice.use === 'active') {
    if (author !== null && !canAnswer(author, choice.ticket)) return { refused: 'ERR_TICKET_TAKEN' }
    return { decision: nothing, ticket: choice.ticket }
  }
  if (choice.use === 'reopen' && !isHidden) {
    // What is said now is the last change: the reply has the whole window.
    const { id } = choice.ticket
    const updatedAt = cause.now
    return {
      decision: { rows: [{ table: 'tickets', op: 'update', ids: [id], values: { updatedAt } }], effects: [] },
      ticket: { ...choice.ticket, updatedAt },
    }
  }
  const { newTicketId: id, onlyQueueId: queueId } = facts
  return beginTicket({ ...where, id, queueId, userId: author?.userId ?? null, status: 'closed' }, cause)
}
