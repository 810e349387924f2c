/** What a phone that shares its number tells of before: its messages and its contact book. Pure. */
import type { MessageContent } from '../../schema/messages/messages.content.ts'
import type { PastMessage, PastPerson } from '../../schema/messages/messages.past.ts'
import type { PastChunk } from '../../schema/whatsapps/whatsapps.cloud-past.ts'
import { nameOf } from '../../schema/texts.ts'
import { isRecord } from '../outside/outside.call.ts'
import { contentOf, digitsOf, idOf, textOf } from './from-cloud.content.ts'
import { bsuidOf, listOf } from './from-cloud.people.ts'

/** What one change tells of the past. */
export interface CloudPast {
  messages: (PastMessage & { mediaId?: string })[]
  people: PastPerson[]
  /** What of the messages it is. */
  chunks: PastChunk[]
  /** The owner of the phone shares no history. */
  isDeclined: boolean
  /** Reasons of what is filed nowhere. */
  ignored: string[]
}

const DECLINED = 2_593_109
const acks: Partial<Record<string, PastMessage['ack']>> = {
  ...{ SENT: 2, DELIVERED: 3, READ: 4, PLAYED: 5, PENDING: 2, ERROR: 0 },
}
/** Stands in the place of a file of which nothing more is told. */
const PLACEHOLDER: MessageContent = { type: 'notice', kind: 'phone_only', text: '' }

type Given = Record<string, unknown>

const MOST_PHASE = 9
const MOST_ORDER = 1_000_000

/** A whole number from 0 on, and no larger than `most`; null for what is none. */
function wholeIn(value: unknown, most: number): number | null {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? Math.min(most, Math.max(0, Math.trunc(number))) : null
}

/** @param now when it was told: nothing is later */
export function pastIn(field: string, value: Given, { portfolio, now }: { portfolio: string; now: Date }): CloudPast {
  const past: CloudPast = { messages: [], people: [], chunks: [], isDeclined: false, ignored: [] }
  if (field === 'smb_app_state_sync') {
    for (const one of listOf(value['state_sync'])) tellPerson(past, one, now)
    return past
  }
  for (const chunk of listOf(value['history'])) {
    if (!isRecord(chunk)) continue
    if (listOf(chunk['errors']).some((error) => isRecord(error) && error['code'] === DECLINED)) past.isDeclined = true
    const metadata = isRecord(chunk['metadata']) ? chunk['metadata'] : {}
    const progress = wholeIn(metadata['progress'], 100)
    const order = wholeIn(metadata['chunk_order'], MOST_ORDER)
    if (progress !== null) past.chunks.push({ phase: wholeIn(metadata['phase'], MOST_PHASE) ?? 0, order, progress })
    for (const thread of listOf(chunk['threads'])) if (isRecord(thread)) tellThread(past, thread, portfolio, now)
  }
  // A file that a placeholder stood for comes as a message of its own.
  for (const message of listOf(value['messages']))
    if (isRecord(message))
      tellMessage(past, message, digitsOf(message['to']) ?? textOf(message['from']), portfolio, now)
  return past
}

function tellThread(past: CloudPast, thread: Given, portfolio: string, now: Date): void {
  const id = textOf(thread['id'])
  for (const message of listOf(thread['messages']))
    if (isRecord(message)) tellMessage(past, message, id, portfolio, now)
    else past.ignored.push('unreadable')
}

/** @param with_ whose chat it is: digits, or the service's id of who has none */
function tellMessage(past: CloudPast, given: Given, with_: string, portfolio: string, now: Date): void {
  const wid = idOf(given['id'])
  const number = digitsOf(with_) ?? null
  const bsuid = number === null ? bsuidOf(portfolio, with_, undefined) : null
  if (!wid) return void past.ignored.push('no_id')
  if (number === null && bsuid === null) return void past.ignored.push('no_number')
  const type = textOf(given['type'])
  const said = type === 'media_placeholder' ? { content: PLACEHOLDER } : contentOf(type, given)
  if ('ignored' in said) return void past.ignored.push(said.ignored)
  if (type === 'reaction' || type === 'edit' || type === 'revoke') return void past.ignored.push(`past_${type}`)
  const fromMe = digitsOf(given['from']) !== number || (number === null && textOf(given['from']) !== with_)
  const context = isRecord(given['history_context']) ? given['history_context'] : {}
  const at = Number(given['timestamp']) * 1_000
  const isMoment = Number.isFinite(at) && at > 0 && at <= now.getTime()
  past.messages.push({
    ...{ wid, fromMe, content: said.content, sentAt: isMoment ? at : now.getTime() },
    chat: { kind: 'person', number, lid: null, ...(bsuid && { bsuid }) },
    ack: fromMe ? (acks[textOf(context['status']).toUpperCase()] ?? 2) : 1,
    hasFile: 'mediaId' in said && said.mediaId !== undefined,
    ...('mediaId' in said && said.mediaId !== undefined && { mediaId: said.mediaId }),
  })
}

function tellPerson(past: CloudPast, given: unknown, now: Date): void {
  if (!isRecord(given) || given['type'] !== 'contact' || !isRecord(given['contact']))
    return void past.ignored.push('state_unknown')
  const { contact } = given
  const number = digitsOf(contact['phone_number'])
  if (!number) return void past.ignored.push('no_number')
  // Whoever leaves the phone's book stays a contact here.
  if (given['action'] !== 'add') return void past.ignored.push('left_book')
  const metadata = isRecord(given['metadata']) ? given['metadata'] : {}
  const at = Number(metadata['timestamp']) * 1_000
  const name = nameOf(textOf(contact['full_name']) || textOf(contact['first_name']))
  past.people.push({ number, name, at: Number.isFinite(at) && at > 0 && at <= now.getTime() ? at : now.getTime() })
}
