import type { Decision } from '../command.ts'
import { nothing, together } from '../command.ts'
import { type Saying, sayWhole } from '../messages/messages.say.ts'
import type { Language } from '../languages.ts'
import { timelineRow } from '../tickets/tickets.move.ts'
import type { Ticket, TicketTracking } from '../tickets/tickets.table.ts'
import { asksForRating, commentRequest, ratingRequest } from './ratings.rules.ts'

/** What is said at the end of a service, in the words of its connection. */
export interface LastWords {
  completionMessage: string
  ratingMessage: string
  /** Fills in the placeholders; null where no message would hold it. */
  words(text: string): string | null
  language: Language
  goodbye: Pick<Saying, 'id' | 'isSaid'>
  /** The question why, where the company wishes it. */
  why?: Pick<Saying, 'id' | 'isSaid'> | undefined
}

/** A ticket that was closed, and its last service that is over. */
export interface EndFacts extends LastWords {
  ticket: Ticket
  service: TicketTracking | undefined
  /** The company's setting. */
  userRating: string
  question: Pick<Saying, 'id' | 'isSaid'>
}

/** The last words of a service: the question how it was, or the farewell. Said once, however often it is decided. */
export function endService(facts: EndFacts, now: Date): Decision {
  const { ticket, service, question, language, userRating } = facts
  // Each service ends once, so whoever was asked about this one was asked by this very end.
  if (service?.ratingAt) return nothing
  const asks =
    service !== undefined &&
    ticket.status === 'closed' &&
    ticket.whatsappId !== null &&
    asksForRating({ ...service, userRating, isGroup: ticket.isGroup })
  if (!asks) return farewell(ticket, facts, now)
  const words = facts.words(facts.ratingMessage)
  const body = words === null ? null : ratingRequest(words, language)
  return together(
    { ...nothing, tracking: [{ trackingId: service.id, change: { ratingAt: now } }] },
    sayWhole(ticket, { ...question, body, at: now }, language),
  )
}

/** How a contact found a service. */
export interface GivenRate {
  rate: 1 | 2 | 3
  trackingId: number
  /** The agent who closed it. */
  userId: number | null
}

/** What a contact says of the rate that they gave. */
export interface GivenComment {
  comment: string
  trackingId: number
}

/** Keeps the rate, and asks why or says goodbye. The ticket stays closed. */
export function keepRate(
  ticket: Ticket,
  { rate, trackingId, userId }: GivenRate,
  last: LastWords,
  now: Date,
): Decision {
  const { companyId, id: ticketId } = ticket
  const cause = { id: `rated:${trackingId}`, eventId: `rated:${trackingId}`, userId: null, now, data: { rate } }
  return together(
    {
      rows: [timelineRow(ticket, 'rated', cause)],
      tracking: [{ trackingId, change: { rated: true } }],
      ratings: [
        { companyId, ticketId, trackingId, userId, rate, createdAt: now, commentAskedAt: last.why ? now : null },
      ],
      effects: [],
    },
    // After the answer, also where the clock is too coarse to tell.
    last.why
      ? sayWhole(ticket, { ...last.why, body: commentRequest(last.language), at: after(now) }, last.language)
      : farewell(ticket, last, after(now)),
  )
}

/** Keeps why, and says goodbye. The ticket stays closed. */
export const keepComment = (ticket: Ticket, given: GivenComment, last: LastWords, now: Date): Decision =>
  together({ ...nothing, comments: [given] }, farewell(ticket, last, after(now)))

const after = (now: Date) => new Date(now.getTime() + 1)

function farewell(ticket: Ticket, last: LastWords, at: Date): Decision {
  const { completionMessage, words, goodbye, language } = last
  if (!completionMessage.trim()) return nothing
  return sayWhole(ticket, { ...goodbye, body: words(completionMessage), at }, language)
}
