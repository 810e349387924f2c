/**
 * Webhooks of the official API in the product's words. Pure: what is told twice becomes the same values twice. What is not for
 * the product is a result too, with its reason, and is counted.
 */
import { type Charge, classOf, classRanks } from '../../schema/costs/costs.class.ts'
import { marketOf } from '../../schema/costs/costs.market.ts'
import { clip } from '../../schema/texts.ts'
import type { Bsuid } from '../../schema/contacts/contacts.aliases.ts'
import type { MessageAbout } from '../../schema/messages/messages.content.ts'
import type { InboundEvent, InboundMessage } from '../../schema/messages/messages.inbound.ts'
import { cloudFailureOf, cloudWord } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { isRecord } from '../outside/outside.call.ts'
import { bsuidOf, givenNumber, listOf, pairOf, personOf, profileOf, renamingOf } from './from-cloud.people.ts'
import { type CloudPast, pastIn } from './from-cloud.history.ts'
import { type CloudContent, contentOf, digitsOf, idOf, textOf, words } from './from-cloud.content.ts'

/** Whose number it is, and when it was heard. */
export interface CloudFacts {
  companyId: number
  whatsappId: number
  /** Within it people's ids are good. */
  portfolio: string
  now: Date
}

/** How far a message of ours came. */
export interface CloudStatus {
  wamid: string
  state: SendState
  /** Our word for it, see `cloud_sends`; null for what was sent without one. */
  callback: string | null
  error: string | null
  /** It failed because this person wants no marketing. */
  stopped?: Stopped & { at: Date }
  /** What it says of the price; null where that is nothing. */
  charge: Omit<Charge, 'wid' | 'template'> | null
  /** Whom it reached, where the service tells both of their names. */
  pair: ReturnType<typeof pairOf>
}

/** Who wants no marketing: by their number, by their id, or both. */
export interface Stopped {
  /** Digits. */
  number: string | null
  bsuid: Bsuid | null
}

export type CloudUpdate =
  | {
      is: 'event'
      event: InboundEvent
      /** The service's id of a file that came with it. */
      mediaId?: string
      /** Changes of one thing may come in any order: the latest holds. */
      change?: { key: string; wid: string; at: Date }
    }
  | { is: 'status'; status: CloudStatus }
  /** Somebody stops marketing, or wants it again. */
  | ({ is: 'preference'; wants: boolean; at: Date } & Stopped)
  /** What was before, by the phone that shares the number. */
  | { is: 'past'; past: CloudPast }
  | { is: 'ignored'; reason: string }

/** Names of states in `cloud_sends`, in the order in which one takes another's place. */
export const sendStates = { asked: 0, sent: 1, failed: 2, delivered: 3, read: 4, played: 5 } as const
export type SendState = (typeof sendStates)[keyof typeof sendStates]
/** The ticks that the product shows for them. */
export const ackOf: Record<SendState, 0 | 2 | 3 | 4 | 5 | null> = { 0: null, 1: 2, 2: 0, 3: 3, 4: 4, 5: 5 }

/** What is older was told late, and nothing answers it by itself. */
const LATE_MS = 10 * 60_000

const ignored = (reason: string): CloudUpdate => ({ is: 'ignored', reason })

/** Fields that one may subscribe to and that say nothing here yet. */
const quietFields = new Set([
  ...['account_update', 'account_alerts', 'account_review_update'],
  ...['business_capability_update', 'phone_number_quality_update', 'phone_number_name_update', 'security'],
  ...['payment_configuration_update', 'standby'],
  'business_username_updates',
])

/** The number that a change is about; undefined where it names none. */
export function numberIdOf(value: unknown): string | undefined {
  const metadata = isRecord(value) ? value['metadata'] : undefined
  const id = isRecord(metadata) ? metadata['phone_number_id'] : undefined
  return typeof id === 'string' && /^\d{1,32}$/.test(id) ? id : undefined
}

/** All that a change says, in its order. */
export function fromCloud(field: string, value: unknown, facts: CloudFacts): CloudUpdate[] {
  if (!isRecord(value)) return [ignored('unreadable')]
  if (field === 'smb_message_echoes')
    return listOf(value['message_echoes']).flatMap((message) => ofMessage(message, value, facts, true))
  if (field === 'history' || field === 'smb_app_state_sync') {
    const past = pastIn(field, value, facts)
    return [{ is: 'past', past }, ...past.ignored.map(ignored)]
  }
  if (field === 'calls') return listOf(value['calls']).map((call) => ofCall(call, value, facts))
  if (field === 'user_preferences') return listOf(value['user_preferences']).map((given) => ofPreference(given, facts))
  if (field !== 'messages') return [ignored(quietFields.has(field) ? field : 'field_unknown')]
  const given = [
    ...listOf(value['messages']).flatMap((message) => ofMessage(message, value, facts, false)),
    ...listOf(value['statuses']).map((status) => ofStatus(status, facts)),
    ...listOf(value['errors']).map(() => ignored('value_error')),
  ]
  return given.length === 0 ? [ignored('empty')] : given
}

const states: Record<string, SendState | undefined> = {
  sent: sendStates.sent,
  delivered: sendStates.delivered,
  read: sendStates.read,
  played: sendStates.played,
  failed: sendStates.failed,
}

/** What comes with a delivery is what was charged; before it the service only says what it will charge. */
const rankOf: Record<SendState, Charge['rank']> = {
  ...{ 0: classRanks.none, 1: classRanks.sent, 2: classRanks.none },
  ...{ 3: classRanks.delivered, 4: classRanks.read, 5: classRanks.played },
}

/** Somebody rings: nobody answers over this wire, and one may write to them for a day. */
function ofCall(given: unknown, value: Record<string, unknown>, facts: CloudFacts): CloudUpdate {
  if (!isRecord(given)) return ignored('unreadable')
  const callId = idOf(given['id'])
  if (!callId) return ignored('no_id')
  // Its end, and calls of ours.
  if (given['event'] !== 'connect' || given['direction'] === 'BUSINESS_INITIATED') return ignored('calls')
  const from = personOf(given, value, facts.portfolio, false)
  if (!from) return ignored('no_number')
  const { companyId, whatsappId, now } = facts
  const at = momentOf(given['timestamp'], now)
  return { is: 'event', event: { companyId, whatsappId, kind: 'call', callId, from, at, video: false, opens: true } }
}

function ofPreference(given: unknown, { portfolio, now }: CloudFacts): CloudUpdate {
  if (!isRecord(given)) return ignored('unreadable')
  const number = digitsOf(given['wa_id']) ?? null
  const bsuid = bsuidOf(portfolio, given['user_id'], given['parent_user_id'])
  const wish = given['value']
  if (!number && !bsuid) return ignored('no_number')
  if (given['category'] !== 'marketing_messages' || (wish !== 'stop' && wish !== 'resume')) return ignored('preference')
  return { is: 'preference', number, bsuid, wants: wish === 'resume', at: momentOf(given['timestamp'], now) }
}

function ofStatus(given: unknown, facts: CloudFacts): CloudUpdate {
  if (!isRecord(given)) return ignored('unreadable')
  const { id, status, errors, biz_opaque_callback_data: callback } = given
  const wamid = idOf(id)
  const state = typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined
  if (!wamid) return ignored('no_id')
  if (state === undefined) return ignored('status_unknown')
  const [error] = listOf(errors)
  const code = isRecord(error) && typeof error['code'] === 'number' ? error['code'] : undefined
  const failure = state === sendStates.failed ? cloudFailureOf(code) : null
  const number = digitsOf(given['recipient_id']) ?? null
  const bsuid = bsuidOf(facts.portfolio, given['recipient_user_id'], given['recipient_parent_user_id'])
  const isStopped = failure === 'stopped_marketing' && (number !== null || bsuid !== null)
  return {
    is: 'status',
    status: {
      ...{ wamid, state, callback: idOf(callback) ?? null },
      error: failure && cloudWord(failure, code),
      ...(isStopped && { stopped: { number, bsuid, at: momentOf(given['timestamp'], facts.now) } }),
      charge: chargeOf(given, { wamid, state, now: facts.now }),
      pair: state >= sendStates.delivered ? pairOf(given, facts.portfolio) : null,
    },
  }
}

function chargeOf(
  given: Record<string, unknown>,
  { wamid, state, now }: { wamid: string; state: SendState; now: Date },
): CloudStatus['charge'] {
  const isDelivered = state >= sendStates.delivered
  const found = rankOf[state] === classRanks.none ? null : classOf(given['pricing'])
  if (!isDelivered && !found) return null
  return {
    wamid,
    deliveredAt: isDelivered ? momentOf(given['timestamp'], now) : null,
    class: found,
    rank: found ? rankOf[state] : classRanks.none,
    market: marketOf(digitsOf(given['recipient_id']) || null, idOf(given['recipient_user_id']) ?? null),
  }
}

/** @param fromMe it was written on the phone that shares the number */
function ofMessage(given: unknown, value: Record<string, unknown>, facts: CloudFacts, fromMe: boolean): CloudUpdate[] {
  if (!isRecord(given)) return [ignored('unreadable')]
  const update = oneMessage(given, value, facts, fromMe)
  const number = fromMe || update.is === 'ignored' ? null : givenNumber(given)
  const who = number === null ? null : personOf(given, value, facts.portfolio, false)
  if (number === null || !who?.bsuid) return [update]
  const { companyId, whatsappId, portfolio, now } = facts
  const bsuid = { ...who.bsuid, portfolio }
  const at = momentOf(given['timestamp'], now)
  return [update, { is: 'event', event: { companyId, whatsappId, kind: 'identity', number, lid: null, bsuid, at } }]
}

function oneMessage(
  given: Record<string, unknown>,
  value: Record<string, unknown>,
  facts: CloudFacts,
  fromMe: boolean,
): CloudUpdate {
  const wid = idOf(given['id'])
  if (!wid) return ignored('no_id')
  if (given['group_id'] !== undefined) return ignored('group')
  const { companyId, whatsappId, now } = facts
  const from = { companyId, whatsappId }
  const type = typeof given['type'] === 'string' ? given['type'] : ''
  const at = momentOf(given['timestamp'], now)
  if (type === 'system') {
    const renaming = renamingOf(given, facts.portfolio)
    return renaming ? { is: 'event', event: { ...from, kind: 'renamed', ...renaming, at } } : ignored('system')
  }
  const chat = personOf(given, value, facts.portfolio, fromMe)
  if (!chat) return ignored('no_number')
  const part = isRecord(given[type]) ? given[type] : {}
  const change = (about: string, key: string) => ({ key: `${key}:${about}`, wid, at })

  if (type === 'reaction') {
    const target = idOf(part['message_id'])
    if (!target) return ignored('no_target')
    const emoji = clip(textOf(part['emoji']), REACTION_LENGTH)
    const by = fromMe ? 'me' : (chat.number ?? chat.bsuid?.id ?? '')
    // What they took back opens nothing.
    const opens = !fromMe && emoji !== '' && ({ opens: true } as const)
    return {
      is: 'event',
      event: { ...from, kind: 'reaction', wid: target, chat, emoji, by, at, ...opens },
      change: change(target, `reaction:${by}`),
    }
  }
  if (type === 'edit' || type === 'revoke') {
    const target = idOf(part['original_message_id'])
    if (!target) return ignored('no_target')
    if (type === 'revoke') return { is: 'event', event: { ...from, kind: 'revoke', wid: target, chat, fromMe, at } }
    const body = editedText(part['message'])
    if (body === null) return ignored('edit_without_text')
    return {
      is: 'event',
      event: { ...from, kind: 'edit', wid: target, chat, fromMe, body, at },
      change: change(target, 'edit'),
    }
  }
  const said = contentOf(type, given)
  if ('ignored' in said) return ignored(said.ignored)
  return messageOf(
    given,
    said,
    { ...from, kind: 'message', wid, chat, participant: null, fromMe, sentAt: at, ...lateness(at, now) },
    value,
  )
}

/** Of what somebody reacts with. */
const REACTION_LENGTH = 64

const lateness = (at: Date, now: Date) => ({ offline: now.getTime() - at.getTime() > LATE_MS })

type Begun = Omit<InboundMessage, 'content' | 'quotedWid' | 'chatName'>

function messageOf(
  given: Record<string, unknown>,
  { content, mediaId, pressed }: CloudContent,
  begun: Begun,
  value: Record<string, unknown>,
): CloudUpdate {
  const context = isRecord(given['context']) ? given['context'] : {}
  const { name, username } = begun.fromMe ? { name: null, username: null } : profileOf(value, given)
  const event: InboundMessage = {
    ...begun,
    content,
    chatName: name,
    ...(username !== null && { username }),
    quotedWid: idOf(context['id']) ?? null,
    about: adOf(given['referral']),
    ...(pressed !== undefined && !begun.fromMe && { pressed }),
  }
  return { is: 'event', event, ...(mediaId !== undefined && { mediaId }) }
}

/** The ad that somebody came by. */
function adOf(referral: unknown): MessageAbout | null {
  if (!isRecord(referral)) return null
  const url = textOf(referral['source_url'])
  const short = (given: unknown) => clip(textOf(given), ABOUT_LENGTH)
  const isAddress = /^https?:\/\//.test(url) && url.length <= ADDRESS_LENGTH
  return { is: 'ad', title: short(referral['headline']), text: short(referral['body']), url: isAddress ? url : null }
}
const ABOUT_LENGTH = 1_024
const ADDRESS_LENGTH = 2_048

/** The new words of a message that its writer changed; null where it has none. */
function editedText(message: unknown): string | null {
  if (!isRecord(message) || typeof message['type'] !== 'string') return null
  const part = message[message['type']]
  if (!isRecord(part)) return null
  const text = message['type'] === 'text' ? part['body'] : part['caption']
  return typeof text === 'string' ? words(text) : null
}

/** Told in seconds; what is later than now was told by another clock. */
function momentOf(seconds: unknown, now: Date): Date {
  const at = Number(seconds) * 1000
  return Number.isFinite(at) && at > 0 && at <= now.getTime() ? new Date(at) : now
}
