import type { Decision, RowChange } from '../command.ts'
import type { ErrorCode } from '../errors.ts'
import type { Ticket, TicketEventKind } from './tickets.table.ts'
import { type TicketMove, type TicketOutcome, type TrackingStep, transition } from './tickets.transition.ts'

/** What makes a ticket move, or begin. */
export interface Cause {
  /** The command, the message or the timer; rows and effects derive their ids from it, so that a repeat is recognised. */
  id: string
  /** Id of the line in the timeline, where it does not follow from `id`. */
  eventId?: string
  /** Who did it; null for the contact, for a clock and for automation. */
  userId: number | null
  now: Date
  /** Names that the line in the timeline shows, such as the queue transferred to. */
  data?: Record<string, string | number | null>
}

/** Whether a move ends what answers in the ticket by itself. What the automation does itself leaves it at work. */
const takesOver: Record<TicketMove['type'], boolean | ((move: TicketMove) => boolean)> = {
  accept: true,
  return: true,
  resolve: true,
  reopen: true,
  undo: (move) => move.type === 'undo' && move.done !== 'snoozed',
  transfer: true,
  // A person has it in hand, though not now.
  snooze: true,
  wake: false,
  expire: true,
  contactWrote: false,
  queue: false,
  campaignReply: false,
  choose: false,
  assign: false,
  leave: false,
  finish: false,
  // In a queue it waits on, and what answers there answers.
  place: (move) => move.type === 'place' && move.userId !== null,
  escalate: true,
  release: false,
  merge: true,
  part: false,
  erase: true,
}
const isTakenOver = (move: TicketMove): boolean => {
  const rule = takesOver[move.type]
  return typeof rule === 'function' ? rule(move) : rule
}

/** Moves a ticket: the decision and the ticket as it is then, or the code of the refusal. */
export function moveTicket(
  ticket: Ticket,
  move: TicketMove,
  cause: Cause,
): { decision: Decision; ticket: Ticket } | { refused: ErrorCode } {
  const outcome = transition(ticket, move, { now: cause.now, cause: cause.id })
  if ('refused' in outcome) return outcome
  return {
    decision: {
      rows: ticketRows(ticket, outcome, cause),
      ...(outcome.tracking ? { tracking: [trackingOf(ticket.id, outcome.tracking)] } : {}),
      moved: [ticket],
      ...(isTakenOver(move) && outcome.event !== null ? { takenOver: [ticket.id] } : {}),
      effects: outcome.effects,
    },
    ticket: { ...ticket, ...outcome.patch },
  }
}

const trackingOf = (ticketId: number, tracking: NonNullable<TicketOutcome['tracking']>): TrackingStep =>
  'resumed' in tracking ? { ticketId, ...tracking } : { ticketId, change: tracking }

/** An outcome as row changes: the ticket's patch and its line in the timeline. */
function ticketRows(
  ticket: Pick<Ticket, 'id' | 'companyId' | 'queueId' | 'userId'>,
  outcome: TicketOutcome,
  cause: Cause,
): RowChange[] {
  const rows: RowChange[] = []
  if (Object.keys(outcome.patch).length > 0)
    rows.push({ table: 'tickets', op: 'update', ids: [ticket.id], values: outcome.patch })
  if (outcome.event) rows.push(timelineRow({ ...ticket, ...outcome.patch }, outcome.event, cause))
  return rows
}

/** A line in the timeline of a ticket, as it is after what the line tells. */
export function timelineRow(
  ticket: Pick<Ticket, 'id' | 'companyId' | 'queueId' | 'userId'>,
  kind: TicketEventKind,
  cause: Cause,
): RowChange {
  return {
    table: 'ticketEvents',
    op: 'insert',
    values: {
      id: cause.eventId ?? `${cause.id}:${ticket.id}`,
      companyId: ticket.companyId,
      ticketId: ticket.id,
      kind,
      userId: cause.userId,
      data: cause.data ?? {},
      queueScope: ticket.queueId,
      userScope: ticket.userId,
      createdAt: cause.now,
    },
  }
}
