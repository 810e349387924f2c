import { isSnoozable, isSnoozed, notSnoozed, type Snoozing } from './tickets.snooze.ts'
import type { TicketEventKind } from './tickets.table.ts'
import type { Ticket, TicketStatus } from './tickets.table.ts'
import type { ErrorCode } from '../errors.ts'
import { can, canSeeTicket, type Principal, type TicketScope } from '../permissions.ts'
import type { SweepingChange } from '../command.ts'
import type { ByTable } from '../decided.ts'
import type { Effect } from '../effects.ts'

/**
 * The life of a ticket, as one table: for each status and event a rule, or the code of the refusal. Everything that
 * moves a ticket goes through `transition`: agents, contacts, timers, flows, the external API.
 */
export type TicketMove =
  | { type: 'accept'; who: Principal }
  | { type: 'return'; who: Principal }
  | { type: 'resolve'; who: Principal }
  | { type: 'reopen'; who: Principal }
  /** Who did it a moment ago takes it back; `was` is the ticket before. */
  | {
      type: 'undo'
      who: Principal
      done: UndoneMove
      was: TicketBefore
      /** Where a transfer left it. */
      left?: TicketScope
    }
  | { type: 'transfer'; who: Principal; queueId: number | null; userId: number | null; whatsappId?: number | null }
  /** Puts it aside, or to another time. `keep`: the contact's message does not wake it. */
  | { type: 'snooze'; who: Principal; until: Date; keep: boolean; note: string | null }
  /** It lies aside no more: a person wants it, or, without one, its time has come. */
  | { type: 'wake'; who: Principal | null }
  /** The contact wrote. */
  | { type: 'contactWrote' }
  /** Nobody wrote for too long. */
  | { type: 'expire' }
  /** Nobody took it, and no queue has it: one is given to it. */
  | { type: 'queue'; queueId: number }
  /** The contact answered a campaign that has a queue for its answers. */
  | { type: 'campaignReply'; queueId: number }
  /** The contact chose a queue in a menu, or goes back to the menu; or a flow chose for them. */
  | { type: 'choose'; queueId: number | null }
  /** A flow gives a waiting ticket to an agent, or the rule of its queue does. */
  | { type: 'assign'; userId: number; by?: 'queue' }
  /** Its agent went away: the queue's rule gives it to another, or it waits again. */
  | { type: 'leave'; userId: number | null }
  /** A flow ends a service that nobody had taken. */
  | { type: 'finish' }
  /** A program says who is to answer: a colleague, or whoever serves a queue. Null leaves the queue as it is. */
  | { type: 'place'; queueId: number | null; userId: number | null }
  /** A promise was broken: the ticket goes where its policy says. */
  | { type: 'escalate'; queueId: number }
  /** A bot has said its last word: the ticket is nobody's, and a person is to answer. */
  | { type: 'release' }
  /** What was said in it goes to another ticket of the contact. */
  | { type: 'merge'; who: Principal; intoId: number }
  /** It comes back; `was` is the ticket before. */
  | { type: 'part'; was: TicketBefore }
  /** The contact's data are erased: nobody is there to be served, nor to be told. */
  | { type: 'erase' }

export type TicketFacts = Pick<
  Ticket,
  'id' | 'companyId' | 'status' | 'queueId' | 'userId' | 'whatsappId' | 'isGroup' | 'contactId' | 'mergedIntoId'
> &
  Omit<Snoozing, 'snoozedUntil'> & {
    /** Milliseconds since 1970 where it is a number. */
    snoozedUntil: Date | number | null
  }

/** What can be taken back, by its line in the timeline. */
export const undoneMoves = ['resolved', 'returned', 'accepted', 'transferred', 'snoozed'] as const
export type UndoneMove = (typeof undoneMoves)[number]

/** What is kept of a ticket when something is done with it that can be taken back. */
export interface TicketBefore {
  status: TicketStatus
  userId: number | null
  unreadMessages: number
  /** Where it stood in the list; null in what was kept before this was. */
  updatedAt: Date | null
  /** Where it was before a transfer, which alone changes it. */
  queueId?: number | null
  whatsappId?: number | null
  /** How it lay aside. */
  snooze?: Snoozing
}

export interface TrackingChange {
  /** `open` starts the row of a new service when there is none. */
  queuedAt?: Date
  startedAt?: Date
  finishedAt?: Date
  userId?: number | null
}

/** A change to the clock of a ticket's current service, or to a service that is over. */
export type TrackingStep =
  | { ticketId: number; change: TrackingChange }
  /** The service that ended last goes on as if it had not. */
  | { ticketId: number; resumed: { userId: number | null } }
  | { trackingId: number; change: { ratingAt: Date } | { rated: true } }

/** The columns that say where a ticket stands, and whose it is. */
export type TicketPlaceKey = 'status' | 'queueId' | 'userId'

/** What a move makes of a ticket. */
export type TicketPatch = ByTable<Ticket>

/** What else may change of a ticket: what was said in it, what is shown of it, but not where it stands. */
export type TicketTouch = Partial<Omit<Ticket, TicketPlaceKey>> & { [K in TicketPlaceKey]?: never }

export interface TicketOutcome extends RuleOutcome {
  patch: TicketPatch
}

interface RuleOutcome {
  patch: Partial<Ticket>
  tracking: TrackingChange | { resumed: { userId: number | null } } | null
  event: TicketEventKind | null
  effects: Effect[]
}

type Rule = (ticket: TicketFacts, move: never, context: MoveContext) => RuleOutcome | { refused: ErrorCode }
interface MoveContext {
  now: Date
  /** Id of the command or message that causes the move; effects carry it so that a repeat is recognised. */
  cause: string
}
type MoveOf<T extends TicketMove['type']> = Extract<TicketMove, { type: T }>

const refuse = (code: ErrorCode) => () => ({ refused: code })
const unchanged = (): RuleOutcome => ({ patch: {}, tracking: null, event: null, effects: [] })

/** Automation ends when a person takes over. */
export const botOff = {
  chatbot: false,
  useIntegration: false,
  promptId: null,
  integrationId: null,
} satisfies Partial<Ticket>

const isMine = (ticket: TicketFacts, who: Principal) => ticket.userId === who.userId
const managesOthers = (who: Principal) => can(who, 'tickets-manager:showall')
/** An open ticket is its agent's to end, to put aside and to pass on; one that waits is anybody's who sees it. */
const mayMove = (ticket: TicketFacts, who: Principal) =>
  managesOthers(who) || (ticket.status === 'open' ? isMine(ticket, who) : canSeeTicket(who, ticket))

const accept = (ticket: TicketFacts, { who }: MoveOf<'accept'>, { now, cause }: MoveContext) => {
  if (!canSeeTicket(who, ticket)) return { refused: 'ERR_NO_TICKET_FOUND' as const }
  return {
    patch: { status: 'open', userId: who.userId, unreadMessages: 0, updatedAt: now, ...botOff },
    tracking: { startedAt: now, userId: who.userId },
    event: 'accepted',
    effects: ticket.isGroup ? [] : [{ kind: 'tickets.accepted', ticketId: ticket.id, userId: who.userId, cause }],
  } satisfies RuleOutcome
}

const giveBack = (ticket: TicketFacts, { who }: MoveOf<'return'>, { now }: MoveContext) => {
  if (!isMine(ticket, who) && !managesOthers(who)) return { refused: 'ERR_FORBIDDEN' as const }
  return {
    patch: { status: 'pending', userId: null, updatedAt: now, ...botOff },
    tracking: { queuedAt: now, userId: null },
    event: 'returned',
    effects: [],
  } satisfies RuleOutcome
}

const resolve = (ticket: TicketFacts, { who }: MoveOf<'resolve'>, { now, cause }: MoveContext) => {
  if (!mayMove(ticket, who)) return { refused: 'ERR_FORBIDDEN' as const }
  const userId = ticket.userId ?? who.userId
  return {
    patch: { status: 'closed', userId, unreadMessages: 0, updatedAt: now, ...botOff },
    tracking: { finishedAt: now, userId },
    event: 'resolved',
    effects: ticket.isGroup ? [] : [{ kind: 'tickets.closed', ticketId: ticket.id, userId, cause }],
  } satisfies RuleOutcome
}

const reopen = (ticket: TicketFacts, { who }: MoveOf<'reopen'>, { now }: MoveContext) => {
  if (!canSeeTicket(who, ticket)) return { refused: 'ERR_NO_TICKET_FOUND' as const }
  if (ticket.mergedIntoId !== null) return { refused: 'ERR_TICKET_MERGED' as const }
  if (ticket.userId !== null && !isMine(ticket, who) && !managesOthers(who))
    return { refused: 'ERR_FORBIDDEN' as const }
  return {
    patch: { status: 'open', userId: who.userId, updatedAt: now, ...botOff },
    tracking: { queuedAt: now, startedAt: now, userId: who.userId },
    event: 'reopened',
    effects: [],
  } satisfies RuleOutcome
}

/** Who puts a ticket aside is who may resolve it: until its time comes nobody else is asked to answer. */
const snooze = (ticket: TicketFacts, move: MoveOf<'snooze'>, { now }: MoveContext) => {
  const { who, until, keep, note } = move
  if (!mayMove(ticket, who)) return { refused: 'ERR_FORBIDDEN' as const }
  if (!isSnoozable(until, now)) return { refused: 'ERR_SNOOZE_PAST' as const }
  return {
    patch: {
      ...{ snoozedUntil: until, snoozeKeep: keep, snoozeNote: note, snoozedBy: who.userId || null, updatedAt: now },
      // A bot that answers meanwhile would speak in a conversation that somebody has put aside.
      ...botOff,
    },
    tracking: null,
    event: 'snoozed',
    effects: [],
  } satisfies RuleOutcome
}

/** While it lay aside its queue gave it to nobody, neither as one that waits nor as one of somebody who is away. */
const soughtAgain = ({ queueId }: TicketFacts): Effect[] =>
  queueId === null ? [] : [{ kind: 'queues.assign', queueId }]

/** Its note stays with it, so that whoever takes it up again reads why. */
const wake = (
  ticket: TicketFacts,
  { who }: MoveOf<'wake'>,
  { now }: MoveContext,
): RuleOutcome | { refused: ErrorCode } => {
  if (!isSnoozed(ticket)) return unchanged()
  if (who && !canSeeTicket(who, ticket)) return { refused: 'ERR_NO_TICKET_FOUND' as const }
  const userId = who === null ? (ticket.userId ?? ticket.snoozedBy) : null
  return {
    patch: { snoozedUntil: null, snoozeKeep: false, updatedAt: now },
    tracking: null,
    event: 'woken',
    effects: [
      ...(userId === null ? [] : [{ kind: 'push.notify' as const, wokenTicketId: ticket.id, userId }]),
      ...soughtAgain(ticket),
    ],
  } satisfies RuleOutcome
}

/** What is over lies nowhere else. */
const awake = (): RuleOutcome => ({ ...unchanged(), patch: notSnoozed })

/** The contact's message wakes what lies aside, unless it was told not to; of the message they are told anyway. */
const wakeForContact = (ticket: TicketFacts, _move: MoveOf<'contactWrote'>, { now }: MoveContext) =>
  isSnoozed(ticket) && !ticket.snoozeKeep
    ? ({
        patch: { snoozedUntil: null, snoozeKeep: false, updatedAt: now },
        tracking: null,
        event: 'woken',
        effects: soughtAgain(ticket),
      } satisfies RuleOutcome)
    : unchanged()

/** It goes back to where it lay, and under whose word. */
const unsnooze = (ticket: TicketFacts, { who, was, done }: MoveOf<'undo'>, { now }: MoveContext) => {
  if (done !== 'snoozed' || !isSnoozed(ticket) || ticket.snoozedBy !== who.userId || ticket.userId !== was.userId)
    return { refused: 'ERR_UNDO_LATE' as const }
  return {
    patch: { ...notSnoozed, ...was.snooze, updatedAt: was.updatedAt ?? now },
    tracking: null,
    event: 'undone',
    effects: [],
  } satisfies RuleOutcome
}

/** Whether a ticket is as what is taken back left it: no colleague has it since, and the contact has not begun anew. */
const isAsLeft: Record<MoveOf<'undo'>['done'], (ticket: TicketFacts, move: MoveOf<'undo'>) => boolean> = {
  returned: (ticket) => ticket.userId === null,
  resolved: (ticket, { was }) => was.userId === null || ticket.userId === was.userId,
  accepted: (ticket, { who }) => isMine(ticket, who),
  snoozed: isSnoozed,
  transferred: (ticket, { left }) => ticket.queueId === left?.queueId && ticket.userId === left.userId,
}

/** What may be taken back of a ticket in this status. */
const undoOf =
  (...taken: MoveOf<'undo'>['done'][]) =>
  (ticket: TicketFacts, move: MoveOf<'undo'>, { now }: MoveContext) => {
    const { who, was, done } = move
    const isTheirs = was.userId === null || isMine({ ...ticket, userId: was.userId }, who) || managesOthers(who)
    if (!taken.includes(done) || !isAsLeft[done](ticket, move) || !isTheirs || ticket.mergedIntoId !== null)
      return { refused: 'ERR_UNDO_LATE' as const }
    const { status, userId, unreadMessages, updatedAt, queueId, whatsappId } = was
    const hadUnread = done === 'resolved' || done === 'accepted'
    return {
      patch: {
        ...{ status, userId, updatedAt: updatedAt ?? now, ...was.snooze },
        // A flow that it was given back for does not begin, or is over.
        ...(userId === null ? {} : botOff),
        ...(hadUnread ? { unreadMessages } : {}),
        ...(queueId !== undefined ? { queueId } : {}),
        ...(whatsappId !== undefined ? { whatsappId } : {}),
      },
      // Its end is as if it had not been. Who has it again has it from now on, as after accepting it; else it waits from now on.
      tracking:
        done === 'resolved'
          ? { resumed: { userId } }
          : userId === null
            ? { queuedAt: now, userId }
            : { startedAt: now, userId },
      event: 'undone',
      effects: [],
    } satisfies RuleOutcome
  }

const transfer = (ticket: TicketFacts, move: MoveOf<'transfer'>, { now, cause }: MoveContext) => {
  const { who } = move
  if (!mayMove(ticket, who)) return { refused: 'ERR_FORBIDDEN' as const }
  if (move.queueId === null && move.userId === null) return { refused: 'ERR_QUEUE_REQUIRED' as const }
  const toUser = move.userId !== null
  // With its agent and queue as they are it only goes on over another connection: the service is the same.
  const isSame = move.queueId === ticket.queueId && move.userId === ticket.userId && ticket.status === 'open'
  if (isSame && move.whatsappId != null)
    return {
      patch: { whatsappId: move.whatsappId, updatedAt: now },
      tracking: null,
      event: 'transferred',
      effects: [],
    } satisfies RuleOutcome
  return {
    patch: {
      status: toUser ? 'open' : 'pending',
      queueId: move.queueId,
      userId: move.userId,
      ...(move.whatsappId != null ? { whatsappId: move.whatsappId } : {}),
      updatedAt: now,
      ...botOff,
    },
    tracking: toUser ? { startedAt: now, userId: move.userId } : { queuedAt: now, userId: null },
    event: 'transferred',
    effects: ticket.isGroup
      ? []
      : [{ kind: 'tickets.transferred', ticketId: ticket.id, queueId: move.queueId, userId: move.userId, cause }],
  } satisfies RuleOutcome
}

const reopenForContact = (_ticket: TicketFacts, _move: MoveOf<'contactWrote'>, { now }: MoveContext) =>
  ({
    patch: { status: 'pending', userId: null, updatedAt: now },
    tracking: { queuedAt: now, userId: null },
    event: 'reopened_by_contact',
    effects: [],
  }) satisfies RuleOutcome

const expire = (ticket: TicketFacts, _move: MoveOf<'expire'>, { now }: MoveContext) => {
  if (ticket.isGroup) return unchanged()
  return {
    patch: { status: 'closed', unreadMessages: 0, updatedAt: now, ...botOff },
    tracking: { finishedAt: now },
    event: 'expired',
    effects: [],
  } satisfies RuleOutcome
}

const giveQueue = (ticket: TicketFacts, { queueId }: MoveOf<'queue'>, { now }: MoveContext) => {
  if (ticket.isGroup || ticket.queueId !== null) return unchanged()
  return {
    patch: { queueId, updatedAt: now },
    tracking: { queuedAt: now },
    event: 'queued',
    effects: [],
  } satisfies RuleOutcome
}

/** Its line in the timeline names the campaign, and is written beside it. */
const takeReply = (ticket: TicketFacts, { queueId }: MoveOf<'campaignReply'>) =>
  ticket.queueId === null ? { ...unchanged(), patch: { queueId } } : unchanged()

const choose = (ticket: TicketFacts, { queueId }: MoveOf<'choose'>, { now }: MoveContext) => {
  if (ticket.isGroup || ticket.userId !== null || ticket.queueId === queueId) return unchanged()
  return {
    patch: { queueId, updatedAt: now },
    tracking: { queuedAt: now },
    event: 'chosen',
    effects: [],
  } satisfies RuleOutcome
}

const assign = (ticket: TicketFacts, { userId, by }: MoveOf<'assign'>, { now, cause }: MoveContext) => {
  if (ticket.isGroup) return unchanged()
  return {
    patch: { status: 'open', userId, updatedAt: now, ...botOff },
    tracking: { startedAt: now, userId },
    event: by === 'queue' ? 'assigned' : 'transferred',
    // As if they had accepted it, which they need not do any more.
    effects: by === 'queue' ? [{ kind: 'tickets.accepted', ticketId: ticket.id, userId, cause }] : [],
  } satisfies RuleOutcome
}

const leave = (ticket: TicketFacts, { userId }: MoveOf<'leave'>, { now }: MoveContext) => {
  if (ticket.isGroup || ticket.userId === userId) return unchanged()
  return {
    patch: { status: userId === null ? 'pending' : 'open', userId, updatedAt: now },
    tracking: userId === null ? { queuedAt: now, userId: null } : { userId },
    event: userId === null ? 'left_behind' : 'assigned',
    effects: [],
  } satisfies RuleOutcome
}

const finish = (ticket: TicketFacts, _move: MoveOf<'finish'>, { now }: MoveContext) => {
  if (ticket.isGroup) return unchanged()
  return {
    patch: { status: 'closed', unreadMessages: 0, updatedAt: now, ...botOff },
    tracking: { finishedAt: now },
    event: 'resolved',
    effects: [],
  } satisfies RuleOutcome
}

const place =
  (event: 'reopened' | 'transferred') =>
  (ticket: TicketFacts, { queueId, userId }: MoveOf<'place'>, { now }: MoveContext) => {
    const toUser = userId !== null
    return {
      patch: {
        ...{ status: toUser ? 'open' : 'pending', userId, queueId: queueId ?? ticket.queueId },
        ...{ unreadMessages: 0, updatedAt: now },
        ...(toUser ? botOff : {}),
      },
      tracking: { queuedAt: now, userId, ...(toUser ? { startedAt: now } : {}) },
      event,
      effects: [],
    } satisfies RuleOutcome
  }

/** What waits where the program wants it is left alone. */
const placeWaiting = (ticket: TicketFacts, move: MoveOf<'place'>, context: MoveContext) =>
  move.userId === null && (move.queueId === null || move.queueId === ticket.queueId)
    ? unchanged()
    : place('transferred')(ticket, move, context)

/** Also of a group, and of what lies aside. */
const erase = (_ticket: TicketFacts, _move: MoveOf<'erase'>, { now }: MoveContext) =>
  ({
    patch: { status: 'closed', unreadMessages: 0, updatedAt: now, ...botOff, ...notSnoozed },
    tracking: { finishedAt: now },
    event: 'resolved',
    effects: [],
  }) satisfies RuleOutcome

/** Nobody is told goodbye: the service goes on in the other ticket. */
const merge = (ticket: TicketFacts, { who, intoId }: MoveOf<'merge'>, { now }: MoveContext) => {
  if (ticket.status === 'open' && !isMine(ticket, who) && !managesOthers(who))
    return { refused: 'ERR_FORBIDDEN' as const }
  if (ticket.isGroup || ticket.mergedIntoId !== null || ticket.id === intoId)
    return { refused: 'ERR_TICKET_MERGE' as const }
  return {
    patch: { status: 'closed', unreadMessages: 0, mergedIntoId: intoId, updatedAt: now, ...botOff, ...notSnoozed },
    tracking: ticket.status === 'closed' ? null : { finishedAt: now },
    event: 'merged_into',
    effects: [],
  } satisfies RuleOutcome
}

const part = (ticket: TicketFacts, { was }: MoveOf<'part'>, { now }: MoveContext) => {
  if (ticket.mergedIntoId === null) return { refused: 'ERR_UNDO_LATE' as const }
  const { status, userId, unreadMessages, updatedAt } = was
  return {
    patch: { status, userId, unreadMessages, mergedIntoId: null, updatedAt: updatedAt ?? now },
    tracking: status === 'closed' ? null : { resumed: { userId } },
    event: 'parted',
    effects: [],
  } satisfies RuleOutcome
}

/** Nobody keeps what was promised to be done by then. */
const escalate = (ticket: TicketFacts, { queueId }: MoveOf<'escalate'>, { now, cause }: MoveContext) => {
  if (ticket.isGroup || ticket.queueId === queueId) return unchanged()
  return {
    patch: { status: 'pending', queueId, userId: null, updatedAt: now, ...botOff },
    tracking: { queuedAt: now, userId: null },
    event: 'transferred',
    effects: [{ kind: 'tickets.transferred', ticketId: ticket.id, queueId, userId: null, cause }],
  } satisfies RuleOutcome
}

const release = () => ({ ...unchanged(), patch: botOff })

/** A snooze is looked at first: it was done last. */
const undoAside =
  (...taken: MoveOf<'undo'>['done'][]) =>
  (ticket: TicketFacts, move: MoveOf<'undo'>, context: MoveContext) =>
    move.done === 'snoozed' ? unsnooze(ticket, move, context) : undoOf(...taken)(ticket, move, context)

/** A colleague was first, or the ticket was closed meanwhile: told in one sentence, with nothing changed. */
const takenAlready = (ticket: TicketFacts, { who }: MoveOf<'accept'>) =>
  isMine(ticket, who) ? unchanged() : { refused: 'ERR_TICKET_TAKEN' as const }

export const transitions: { [S in TicketStatus]: { [T in TicketMove['type']]: Rule } } = {
  pending: {
    accept,
    return: unchanged,
    resolve,
    reopen: refuse('ERR_TICKET_TRANSITION'),
    undo: undoAside('returned', 'transferred'),
    transfer,
    snooze,
    wake,
    contactWrote: wakeForContact,
    queue: giveQueue,
    campaignReply: takeReply,
    choose,
    assign,
    leave: unchanged,
    finish,
    place: placeWaiting,
    escalate,
    release,
    expire: unchanged,
    merge,
    part: refuse('ERR_UNDO_LATE'),
    erase,
  },
  open: {
    accept: takenAlready,
    return: giveBack,
    resolve,
    reopen: unchanged,
    undo: undoAside('accepted', 'transferred'),
    transfer,
    snooze,
    wake,
    contactWrote: wakeForContact,
    queue: unchanged,
    campaignReply: unchanged,
    choose: unchanged,
    assign: unchanged,
    leave,
    finish: unchanged,
    place: unchanged,
    escalate,
    release,
    expire,
    merge,
    part: refuse('ERR_UNDO_LATE'),
    erase,
  },
  closed: {
    accept: refuse('ERR_TICKET_TRANSITION'),
    return: refuse('ERR_TICKET_TRANSITION'),
    resolve: unchanged,
    reopen,
    undo: undoOf('resolved'),
    transfer: refuse('ERR_TICKET_TRANSITION'),
    snooze: refuse('ERR_TICKET_TRANSITION'),
    wake: awake,
    contactWrote: reopenForContact,
    queue: unchanged,
    campaignReply: unchanged,
    choose: unchanged,
    assign: unchanged,
    leave: unchanged,
    finish: unchanged,
    place: place('reopened'),
    escalate: unchanged,
    release,
    expire: unchanged,
    merge,
    part,
    erase: unchanged,
  },
}

/** What `move` does to `ticket`, or the code of the refusal. */
export function transition(
  ticket: TicketFacts,
  move: TicketMove,
  context: MoveContext,
): TicketOutcome | { refused: ErrorCode } {
  // The table is checked by its type; only the pairing of a move with its own rule is beyond the compiler here, and that
  // what the table says of a ticket's place is the word.
  const outcome = (
    transitions[ticket.status][move.type] as (
      t: TicketFacts,
      m: TicketMove,
      c: MoveContext,
    ) => TicketOutcome | { refused: ErrorCode }
  )(ticket, move, context)
  return 'refused' in outcome ? outcome : withoutCall(withoutSnooze(ticket, move, outcome))
}

/** Who takes, gets or ends a ticket ends its snooze, too: what was put aside, and why, was about where it stood. */
function withoutSnooze(ticket: TicketFacts, move: TicketMove, outcome: TicketOutcome): TicketOutcome {
  const hasNone = !isSnoozed(ticket) && ticket.snoozeNote === null
  if (hasNone || move.type === 'undo' || outcome.patch.status === undefined) return outcome
  return { ...outcome, patch: { ...outcome.patch, ...notSnoozed } }
}

/** Nobody is called to what is over. */
function withoutCall(outcome: TicketOutcome): TicketOutcome {
  if (outcome.patch.status !== 'closed') return outcome
  return { ...outcome, patch: { ...outcome.patch, supervisorCalledAt: null, supervisorCalledBy: null } }
}

/**
 * Tickets of a queue that is about to be deleted: they keep their history and have no queue. A move of nobody's, and no
 * rule of the table.
 */
export const outOfQueue = (queueId: number): SweepingChange => ({
  ...{ table: 'tickets', op: 'update', where: { column: 'queueId', in: [queueId] } },
  values: { queueId: null } as TicketPatch,
})
