import type { ByTable } from '../decided.ts'
import type { TemplateAbout } from '../templates/templates.parts.ts'
import { lastingWords } from '../whatsapps/whatsapps.cloud-failures.ts'
import { CONFIRM_MS } from './campaigns.pace.ts'
import type { ShippingState, SkipReason } from './campaigns.state.ts'
import type { Shipping } from './campaigns.table.ts'

/**
 * The life of a campaign's message to one person, as one table: for each state and event a rule. Everything that changes
 * a shipping goes through `shippingAfter` or `sweepOf`: the sender, ticks, answers, opt-outs, and who starts or stops
 * campaigns. The rules by number are in `SPEC.md`.
 */
export type ShippingEvent =
  /** WhatsApp is being asked about the number; until then nobody else asks. */
  | { type: 'check'; until: Date }
  /** It could not be asked. */
  | { type: 'unsure' }
  /** WhatsApp has an account at the number. */
  | { type: 'found'; number: string; lid: string | null; key: string }
  /** WhatsApp has none. */
  | { type: 'missing'; whatsappId: number }
  /** The number is another spelling of somebody who gets it already. */
  | { type: 'double' }
  /** What is known of them does not fill the template. */
  | { type: 'lack' }
  /** The question leaves. */
  | ({ type: 'ask' } & Leaving)
  /** The message leaves. */
  | ({ type: 'take' } & Leaving)
  /** What was taken has not left, and does not now. */
  | { type: 'giveBack'; isOut: boolean; isCancelled: boolean }
  /** WhatsApp, or the phone, has it. */
  | { type: 'tick'; level: number; isQuestion: boolean }
  /** WhatsApp refused it, or it could not be handed over. */
  | { type: 'fail'; reason: string }
  /** They answered to the message. */
  | { type: 'reply'; ticketId: number }
  /** They answered to the question, and get the message at `dueAt`. */
  | ({ type: 'confirm'; dueAt: Date } & Answering)
  /** They answered to the question that they want no message. */
  | ({ type: 'decline' } & Answering)
  /** They wrote after their answer: what was said until now stands in the ticket, and what follows does. */
  | { type: 'meet'; ticketId: number }
  /** They wrote, whatever it was. */
  | { type: 'wrote' }
  /** They want no messages to many. */
  | { type: 'optOut' }
  /** They left because of this one. */
  | { type: 'blame' }
  /** They were asked, and time has passed. */
  | { type: 'lapse' }
  /** The campaign was cancelled, or has nobody to send it. */
  | { type: 'cancel'; reason?: string }
  /** The cancelled campaign goes on: what was not delivered is sent. */
  | { type: 'restart' }
  /** What failed is tried once more. */
  | { type: 'retry' }

interface Leaving {
  whatsappId: number
  body: string
  /** By which template, where it is one. */
  about?: TemplateAbout | null
  messageId: string
  wid: string
}

/** Where an answer is filed; in no ticket it is kept here. */
type Answering = { ticketId: number } | { ticketId: null; kept: KeptAnswer }
export interface KeptAnswer {
  messageId: string
  wid: string
  body: string
}

type ShippingPatch = Partial<Shipping>
type Rule = (row: Shipping, event: never, now: Date) => ShippingPatch | 'refused'
type EventOf<T extends ShippingEvent['type']> = Extract<ShippingEvent, { type: T }>

const unchanged = (): ShippingPatch => ({})
/** Whoever decided it saw another row: nothing is written. */
const refuse = () => 'refused' as const

/** Of the question, which was asked and has no answer, no other message is due. */
const isAwaiting = ({ confirmationRequestedAt, confirmedAt }: Shipping) =>
  confirmationRequestedAt !== null && confirmedAt === null
const skipped = (reason: SkipReason) => ({ state: 'skipped', reason, dueAt: null }) satisfies ShippingPatch

/** The number of the attempt that is next. */
export const nextAttempt = ({ attempts }: Pick<Shipping, 'attempts'>): number => attempts + 1

const check = (_row: Shipping, { until }: EventOf<'check'>) => ({ dueAt: until })
const unsure = (_row: Shipping, _event: EventOf<'unsure'>, now: Date) => ({ dueAt: now })
const found = (_row: Shipping, { number, lid, key }: EventOf<'found'>, now: Date) => ({
  ...{ number, lid, key, checkedAt: now, dueAt: now },
  // Before all others: what WhatsApp said is fresh.
  turn: 0,
})
const missing = (_row: Shipping, { whatsappId }: EventOf<'missing'>, now: Date) => ({
  ...skipped('not_on_whatsapp'),
  ...{ checkedAt: now, whatsappId },
})
const double = (_row: Shipping, _event: EventOf<'double'>, now: Date) => ({ ...skipped('too_many'), checkedAt: now })

const lack = (): ShippingPatch => skipped('no_values')

const ask = (row: Shipping, { whatsappId, body, messageId, wid }: EventOf<'ask'>, now: Date) =>
  row.confirmedAt !== null
    ? ('refused' as const)
    : {
        ...{ confirmationBody: body, confirmationMessageId: messageId, confirmationWid: wid },
        ...{ confirmationRequestedAt: now, whatsappId, ack: 1, dueAt: null },
      }
const take = (
  row: Shipping,
  { whatsappId, body, about = null, messageId, wid }: EventOf<'take'>,
  now: Date,
): ShippingPatch => ({
  ...{ state: 'sent', reason: null, body, about, messageId, wid, whatsappId, ack: 1, dueAt: null, sentAt: now },
  attempts: nextAttempt(row),
})

/** It leaves another time, under the same id. */
const giveBack = (row: Shipping, { isOut, isCancelled }: EventOf<'giveBack'>, now: Date): ShippingPatch => {
  if (row.ack !== 1) return {}
  const back: ShippingPatch =
    row.sentAt === null ? { confirmationRequestedAt: null } : { sentAt: null, attempts: row.attempts - 1 }
  if (isOut) return { ...back, ...skipped('opted_out'), ack: 0 }
  return {
    ...back,
    ack: 0,
    state: isCancelled ? 'cancelled' : 'planned',
    reason: null,
    dueAt: isCancelled ? null : now,
  }
}

/** A tick only raises. That a question was read matters to nobody: it is answered, or it is not. */
const tick = (row: Shipping, { level, isQuestion }: EventOf<'tick'>, now: Date): ShippingPatch => {
  // A late tick of a question says nothing of the message that followed it.
  if (level < 2 || (isQuestion && row.sentAt !== null)) return {}
  const ack = Math.max(row.ack, level)
  if (isQuestion || level < 3) return ack === row.ack ? {} : { ack }
  return {
    ack,
    deliveredAt: row.deliveredAt ?? now,
    ...(level >= 4 && { readAt: row.readAt ?? now }),
  }
}
const raised =
  (states: { 3: ShippingState; 4: ShippingState }) =>
  (row: Shipping, event: EventOf<'tick'>, now: Date): ShippingPatch => {
    const patch = tick(row, event, now)
    return event.isQuestion || event.level < 3 ? patch : { ...patch, state: states[event.level >= 4 ? 4 : 3] }
  }

/** Only what has no word from WhatsApp fails. */
const fail = (row: Shipping, { reason }: EventOf<'fail'>): ShippingPatch =>
  row.ack === 1 ? { state: 'failed', ack: 0, reason, dueAt: null } : {}

const reply = (_row: Shipping, { ticketId }: EventOf<'reply'>, now: Date): ShippingPatch => ({
  ...{ state: 'replied', repliedAt: now, ticketId },
})
/** Who said yes is served before all others. */
const confirm = (row: Shipping, event: EventOf<'confirm'>, now: Date): ShippingPatch | 'refused' =>
  isAwaiting(row) ? { ...filed(event, now), confirmedAt: now, turn: -1, dueAt: event.dueAt } : 'refused'
/** Their answer says that the question arrived. */
const decline = (row: Shipping, event: EventOf<'decline'>, now: Date): ShippingPatch | 'refused' =>
  isAwaiting(row) ? { ...filed(event, now), ...skipped('declined'), ack: Math.max(row.ack, 3) } : 'refused'
const filed = (event: Answering, now: Date): ShippingPatch =>
  event.ticketId !== null
    ? { ticketId: event.ticketId }
    : {
        ...{ answerBody: event.kept.body, answerWid: event.kept.wid, answerMessageId: event.kept.messageId },
        answeredAt: now,
      }
const meet = (row: Shipping, { ticketId }: EventOf<'meet'>): ShippingPatch =>
  row.answeredAt !== null && row.ticketId === null ? { ticketId } : {}
/** They have written: what is sent to them begins no chat. Of who was asked, the question began it. */
const wrote = (row: Shipping): ShippingPatch =>
  row.isNewChat && row.confirmationRequestedAt === null ? { isNewChat: false } : {}

const optOut = (): ShippingPatch => skipped('opted_out')
const blame = (row: Shipping, _event: EventOf<'blame'>, now: Date): ShippingPatch =>
  row.optedOutAt === null ? { optedOutAt: now } : {}
const lapse = (row: Shipping, _event: EventOf<'lapse'>, now: Date): ShippingPatch =>
  row.dueAt === null && hasLapsed(row, now) ? { state: 'skipped', reason: 'not_confirmed' } : {}
const hasLapsed = ({ confirmationRequestedAt }: Shipping, now: Date) =>
  confirmationRequestedAt !== null && confirmationRequestedAt < lapsedBefore(now)
/** Who was asked before this, and has not answered, is asked for no more. */
export const lapsedBefore = (now: Date) => new Date(now.getTime() - CONFIRM_MS)

const cancel = (_row: Shipping, { reason }: EventOf<'cancel'>): ShippingPatch => ({
  ...{ state: 'cancelled', dueAt: null },
  ...(reason === undefined ? {} : { reason }),
})
/** What was asked and not answered waits for its answer again. */
const goOn = (row: Shipping, _event: EventOf<'restart'>, now: Date): ShippingPatch => ({
  ...{ state: 'planned', reason: null, dueAt: isAwaiting(row) ? null : now },
})
/** What got no word from WhatsApp may have arrived: nobody gets a message twice. */
const NO_WORD = 'no_server_ack'
/** Failures after which nobody gets it once more: that, and what the service keeps from somebody whoever asks again. */
export const finalReasons: readonly string[] = [NO_WORD, ...lastingWords()]
const tryAgain = (row: Shipping, _event: EventOf<'restart' | 'retry'>, now: Date): ShippingPatch =>
  row.reason !== null && finalReasons.includes(row.reason)
    ? {}
    : { state: 'planned', reason: null, dueAt: now, sentAt: null, ack: 0 }

/** What cannot be done with what does not wait: whoever decided it saw another row. */
const onlyPlanned = {
  ...{ check: refuse, unsure: refuse, found: refuse, missing: refuse, double: refuse, lack: refuse },
  ...{
    ask: refuse,
    take: refuse,
    confirm: refuse,
    decline: refuse,
    meet: unchanged,
    lapse: unchanged,
    wrote: unchanged,
    optOut: unchanged,
    cancel: unchanged,
  },
} satisfies Partial<Record<ShippingEvent['type'], Rule>>
/** What ticks, refusals and opt-outs do wherever it stands. */
const always = { giveBack, tick, fail, blame } satisfies Partial<Record<ShippingEvent['type'], Rule>>
const left = { ...onlyPlanned, ...always, restart: unchanged, retry: unchanged }

export const shippingTransitions: { [S in ShippingState]: { [T in ShippingEvent['type']]: Rule } } = {
  planned: {
    ...always,
    ...{ check, unsure, found, missing, double, lack, ask, take, confirm, decline, meet, wrote, optOut, lapse, cancel },
    ...{ reply: refuse, restart: unchanged, retry: unchanged },
  },
  skipped: { ...left, reply: refuse, meet },
  sent: { ...left, reply, tick: raised({ 3: 'delivered', 4: 'read' }) },
  delivered: { ...left, reply, tick: raised({ 3: 'delivered', 4: 'read' }) },
  read: { ...left, reply },
  replied: { ...left, reply: unchanged },
  failed: { ...left, reply: refuse, restart: tryAgain, retry: tryAgain },
  cancelled: { ...left, reply: refuse, restart: goOn },
}

/** What becomes of a shipping, or `refused` where the event is about one that stands otherwise. */
export function shippingAfter(row: Shipping, event: ShippingEvent, now: Date): ByTable<Shipping> | 'refused' {
  // The table is checked by its type; only the pairing of an event with its own rule is beyond the compiler here.
  const rule = shippingTransitions[row.state][event.type] as (
    row: Shipping,
    event: ShippingEvent,
    now: Date,
  ) => ByTable<Shipping> | 'refused'
  return rule(row, event, now)
}
