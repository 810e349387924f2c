import { type Decision, together } from '../command.ts'
import type { Card } from '../messages/messages.cards.ts'
import type { Place } from '../messages/messages.content.ts'
import type { OwnFile } from '../messages/messages.own.ts'
import { say } from '../messages/messages.say.ts'
import type { TemplateAbout } from '../templates/templates.parts.ts'
import { beginTicket } from '../tickets/tickets.begin.ts'
import { type Cause, moveTicket } from '../tickets/tickets.move.ts'
import { chooseTicket } from '../tickets/tickets.open.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { TicketMove } from '../tickets/tickets.transition.ts'

/** What a program says to a contact. */
export interface ProgramSaying {
  companyId: number
  contactId: number
  isGroup: boolean
  whatsappId: number
  /** One for the text, or one for each file. */
  parts: { id: string; body: string; file: OwnFile | null }[]
  /** In place of a text. */
  place?: Place | null
  /** People whose cards are sent, in place of a text. */
  cards?: readonly Card[] | null
  /** By which template it is said. */
  about?: TemplateAbout | null
  /** A message of the contact that it answers. */
  quotedMsgId?: string | null
  queueId: number | null
  /** A colleague who is to answer. */
  userId: number | null
  /** Nobody is to wait for it. */
  isClosed: boolean
}

export interface ProgramFacts {
  /** The newest ticket of the contact on the connection, active or closed. */
  latest: Ticket | undefined
  /** The connection's only queue. */
  onlyQueueId: number | null
  reopenWindowMs: number
  /** Reserved for a new ticket. */
  newTicketId: number
}

/**
 * Files what a program says, and has it sent. Its ticket is the contact's active one, the one that was closed a moment
 * ago, or a new one; nothing in it is unread. Where an agent has it, it stays as it is: the program's wishes for queue,
 * agent and closing are for tickets that nobody has taken.
 */
export function sayForProgram(
  saying: ProgramSaying,
  facts: ProgramFacts,
  cause: Cause,
): { decision: Decision; ticket: Ticket } {
  const { decision, ticket } = ticketForProgram(saying, facts, cause)
  return {
    decision: together(decision, sayParts(ticket, saying, cause.now)),
    ticket: { ...ticket, updatedAt: cause.now },
  }
}

/** What a program says in a ticket, and that the ticket has changed. */
export function sayParts(
  ticket: Ticket,
  {
    parts,
    place = null,
    cards = null,
    about = null,
    quotedMsgId = null,
  }: Pick<ProgramSaying, 'parts' | 'place' | 'cards' | 'about' | 'quotedMsgId'>,
  at: Date,
): Decision {
  const said = parts.map(({ id, body, file }) =>
    say(ticket, { ...{ id, isSaid: false, body, file, place, cards, about, quotedMsgId, at, toMany: true } }),
  )
  return together(...said, touched(ticket, at))
}

/** What is said is the ticket's last change: an answer finds it for as long as its window is. */
const touched = ({ id }: Ticket, updatedAt: Date): Decision => ({
  rows: [{ table: 'tickets', op: 'update', ids: [id], values: { updatedAt } }],
  effects: [],
})

function ticketForProgram(
  { companyId, contactId, isGroup, whatsappId, queueId, userId, isClosed }: ProgramSaying,
  facts: ProgramFacts,
  cause: Cause,
): { decision: Decision; ticket: Ticket } {
  const choice = chooseTicket(facts.latest, isGroup, cause.now, facts.reopenWindowMs)
  const status = isClosed ? 'closed' : userId === null ? 'pending' : 'open'
  if (choice.use === 'new')
    return beginTicket(
      {
        ...{ id: facts.newTicketId, companyId, contactId, isGroup, whatsappId, status },
        queueId: queueId ?? facts.onlyQueueId,
        userId,
      },
      cause,
    )
  const { ticket } = choice
  if (choice.use === 'reopen')
    return isClosed ? { decision: none, ticket } : moved(ticket, { type: 'place', queueId, userId }, cause)
  if (ticket.status === 'open') return { decision: none, ticket }
  return moved(ticket, isClosed ? { type: 'finish' } : { type: 'place', queueId, userId }, cause)
}

const none: Decision = { rows: [], effects: [] }

/** Where the table refuses, it stays as it is. */
function moved(ticket: Ticket, move: TicketMove, cause: Cause): { decision: Decision; ticket: Ticket } {
  const outcome = moveTicket(ticket, move, cause)
  return 'refused' in outcome ? { decision: none, ticket } : outcome
}
