import type { CommandInput } from '../../schema/catalog.ts'
import { ownMessage, TAKEN_BACK } from '../../schema/messages/messages.own.ts'
import type { OutboxEntry } from '../../sync/client/replica.types.ts'
import { dayOf, deliveryOf, followsSoon, type Delivery } from '../base/thread.ts'
import type { EventRow, MessageRow } from './messages.rows.ts'
import { FOLDED_LENGTH } from '../kit/text-format.ts'

export interface ThreadMessage {
  row: MessageRow
  delivery: Delivery | null
}

export type ThreadEntry =
  | { kind: 'day'; key: string; day: number }
  | { kind: 'event'; key: string; event: EventRow }
  | { kind: 'unread'; key: 'unread'; count: number }
  /** Messages that are not here yet. */
  | { kind: 'gap'; key: 'gap' }
  | {
      kind: 'message'
      key: string
      message: ThreadMessage
      /** First of several by the same person: carries the name. */
      first: boolean
      /** Last of them: carries the tail. */
      last: boolean
    }

export type SendInput = CommandInput<'messages.send'>

/** A message of ours that was written a moment ago, as its row will be. */
export function rowOfSend(input: SendInput, createdAt: number, authorId: number): MessageRow {
  return { ...ownMessage(input, authorId), quotedMsgId: input.quotedMsgId ?? null, createdAt }
}

export interface ThreadSources {
  /** Of the replica, in any order. */
  rows: readonly MessageRow[]
  /** Fetched from the server because the replica does not reach back so far. */
  older: readonly MessageRow[]
  /** All of the outbox; what concerns other tickets is passed over. */
  outbox: readonly OutboxEntry[]
  /** Sent here a moment ago and perhaps in neither of them yet. */
  justSent: readonly { input: SendInput; createdAt: number }[]
  ticketId: number
  userId: number
}

/** The least that a message takes, px, and a further line of its text, px, which holds at most so many characters. */
const smallest = { message: 33, line: 19, charsPerLine: 100 }

/** The newest messages that surely fill `height`, px: those that are seen first. Of media the least is counted. */
export function fillsWindow(messages: readonly ThreadMessage[], height: number): ThreadMessage[] {
  let from = messages.length
  for (let filled = 0; from > 0 && filled < height; ) {
    const { body, mediaType } = messages[--from]!.row
    const further = Math.floor(Math.min(body.length, FOLDED_LENGTH * 0.9) / smallest.charsPerLine)
    const lines = mediaType === 'chat' ? further : 0
    filled += smallest.message + lines * smallest.line
  }
  return messages.slice(from)
}

/**
 * One list by message id, oldest first. A row of the replica wins over everything, since it already holds the waiting
 * commands; the outbox adds how far a message of ours has come, and its message while there is no row.
 */
export function mergeMessages({ rows, older, outbox, justSent, ticketId, userId }: ThreadSources): ThreadMessage[] {
  const merged = new Map<string, ThreadMessage>()
  const unconfirmed = new Set<string>()
  for (const row of older) merged.set(row.id, { row, delivery: null })
  for (const row of rows) merged.set(row.id, { row, delivery: null })
  for (const { input, createdAt } of justSent) {
    if (input.ticketId !== ticketId || merged.has(input.id)) continue
    unconfirmed.add(input.id)
    merged.set(input.id, {
      row: rowOfSend(input, createdAt, userId),
      delivery: { state: 'queued', entryId: null, error: null },
    })
  }
  for (const entry of outbox) {
    if (entry.name !== 'messages.send') continue
    const input = entry.input as SendInput
    if (input.ticketId !== ticketId) continue
    unconfirmed.add(input.id)
    const row = merged.get(input.id)?.row ?? rowOfSend(input, entry.createdAt, userId)
    merged.set(input.id, { row, delivery: deliveryOf(entry) })
  }
  return [...merged.values()]
    .filter(({ row }) => row.mediaType !== 'reactionMessage')
    .sort(
      (a, b) =>
        // What the server has not placed yet comes last: its time is that of this machine's clock.
        Number(unconfirmed.has(a.row.id)) - Number(unconfirmed.has(b.row.id)) ||
        a.row.createdAt - b.row.createdAt ||
        (a.row.id < b.row.id ? -1 : 1),
    )
}

/** From where the server can be asked for older ones: it does not know a message that is still on its way. */
export const oldestKnown = (messages: readonly ThreadMessage[]): MessageRow | undefined =>
  messages.find(({ delivery }) => delivery === null)?.row

/**
 * The conversation as it is drawn: messages in groups, days between them, what happened to the ticket at its moment,
 * and a line before the first unread message (`unreadFrom`, with the count it announces). Behind the message `gapAfter`
 * some are missing. `isWhole`: none is older than these.
 */
export function threadEntries(
  messages: readonly ThreadMessage[],
  events: readonly EventRow[],
  unread: { from: string; count: number } | null,
  gapAfter: string | null = null,
  isWhole = false,
): ThreadEntry[] {
  const entries: ThreadEntry[] = []
  const oldest = isWhole ? -Infinity : (messages[0]?.row.createdAt ?? -Infinity)
  // Events before the oldest loaded message appear when the messages around them do.
  const waiting = events
    .filter((event) => event.createdAt >= oldest)
    .toSorted((a, b) => a.createdAt - b.createdAt || Number(opens(b)) - Number(opens(a)))
  let nextEvent = 0
  let day = 0
  let previous: MessageRow | null = null
  let lastOfGroup: Extract<ThreadEntry, { kind: 'message' }> | null = null

  const startDay = (at: number) => {
    const its = dayOf(at)
    if (its === day) return
    day = its
    previous = null
    entries.push({ kind: 'day', key: `day-${its}`, day: its })
  }
  const putEvents = (until: number) => {
    for (let event = waiting[nextEvent]; event && standsBefore(event, until); event = waiting[++nextEvent]) {
      startDay(event.createdAt)
      entries.push({ kind: 'event', key: event.id, event })
      previous = null
    }
  }
  for (const message of messages) {
    const { row } = message
    putEvents(row.createdAt)
    startDay(row.createdAt)
    if (unread?.from === row.id) {
      entries.push({ kind: 'unread', key: 'unread', count: unread.count })
      previous = null
    }
    const first = previous === null || !sameSender(previous, row) || !followsSoon(previous, row)
    if (!first && lastOfGroup) lastOfGroup.last = false
    lastOfGroup = { kind: 'message', key: row.id, message, first, last: true }
    entries.push(lastOfGroup)
    previous = row
    if (row.id !== gapAfter) continue
    entries.push({ kind: 'gap', key: 'gap' })
    previous = null
  }
  putEvents(Infinity)
  return entries
}

const opens = ({ kind }: EventRow): boolean => kind === 'created' || kind === 'reopened_by_contact'

/** Whether an event comes before a message of that moment: what a message opened does, what it did otherwise follows it. */
const standsBefore = (event: EventRow, moment: number): boolean =>
  event.createdAt < moment || (event.createdAt === moment && opens(event))

export type DayEntry = Exclude<ThreadEntry, { kind: 'day' }>

/** The entries of each day under its own heading, which stays in sight while its day does. */
export function byDay(entries: readonly ThreadEntry[]): { day: number; entries: DayEntry[] }[] {
  const days: { day: number; entries: DayEntry[] }[] = []
  for (const entry of entries) {
    if (entry.kind === 'day') days.push({ day: entry.day, entries: [] })
    else days.at(-1)?.entries.push(entry)
  }
  return days
}

/** Some consecutive entries of one day, drawn and passed over together. */
export interface Block {
  /** The same for as long as the block is drawn, whatever comes before, behind or into it. */
  id: number
  /** The same array while its entries are the same. */
  entries: readonly DayEntry[]
}

export interface Days {
  days: readonly { day: number; blocks: readonly Block[] }[]
  /** The block of each entry, by its key. */
  blockOf: ReadonlyMap<string, number>
  lastId: number
}

/** Entries of a block: about what fits into a window. */
const blockSize = 16

/**
 * Cuts the days into blocks, so that a new message asks only its own block to be drawn again. An entry stays in the
 * block that it was in `before`: what moves to another would be taken down and built anew.
 */
export function intoBlocks(days: readonly { day: number; entries: DayEntry[] }[], before: Days | null): Days {
  const blockOf = new Map<string, number>()
  const former = new Map<number, Block>()
  for (const { blocks } of before?.days ?? []) for (const block of blocks) former.set(block.id, block)
  let lastId = before?.lastId ?? 0
  // A block is one run of one day: where a day has changed or messages have changed places, the rest begins another.
  const used = new Set<number>()
  const cut = days.map(({ day, entries }) => {
    const blocks: { id: number; entries: DayEntry[] }[] = []
    const firstKnown = entries.findIndex(({ key }) => before?.blockOf.has(key))
    entries.forEach((entry, index) => {
      const known = before?.blockOf.get(entry.key)
      const last = blocks.at(-1)
      const joins =
        last !== undefined &&
        (known === undefined
          ? index < firstKnown
            ? // What comes in front fills blocks from its own end, so that the next page in front leaves them whole.
              (firstKnown - index) % blockSize !== 0
            : last.entries.length < blockSize
          : known === last.id || used.has(known))
      if (joins) last.entries.push(entry)
      else {
        const id = known !== undefined && !used.has(known) ? known : ++lastId
        used.add(id)
        blocks.push({ id, entries: [entry] })
      }
      blockOf.set(entry.key, blocks.at(-1)!.id)
    })
    return { day, blocks: blocks.map((block) => reused(former.get(block.id), block)) }
  })
  return { days: cut, blockOf, lastId }
}

/** The former block, or the former entries in the new one, where they say the same. */
function reused(before: Block | undefined, now: Block): Block {
  if (!before) return now
  const known = new Map(before.entries.map((entry) => [entry.key, entry]))
  const entries = now.entries.map((entry) => {
    const old = known.get(entry.key)
    return old && sameEntry(old, entry) ? old : entry
  })
  const same = entries.length === before.entries.length && entries.every((entry, i) => entry === before.entries[i])
  return same ? before : { id: now.id, entries }
}

function sameEntry(a: DayEntry, b: DayEntry): boolean {
  if (a.kind === 'event') return b.kind === 'event' && a.event === b.event
  if (a.kind === 'unread') return b.kind === 'unread' && a.count === b.count
  if (a.kind === 'gap') return b.kind === 'gap'
  if (b.kind !== 'message' || a.first !== b.first || a.last !== b.last || a.message.row !== b.message.row) return false
  const [one, other] = [a.message.delivery, b.message.delivery]
  return one?.state === other?.state && one?.entryId === other?.entryId && one?.error?.code === other?.error?.code
}

const sameSender = (a: MessageRow, b: MessageRow) =>
  a.fromMe === b.fromMe &&
  a.authorId === b.authorId &&
  a.participantNumber === b.participantNumber &&
  a.participantName === b.participantName

/** What the mark beside an own message says. */
export type AckMark = 'clock' | 'sent' | 'delivered' | 'read' | 'failed'

/** What the machine was about to say when the conversation went on without it. */
export const wasOvertaken = (row: Pick<MessageRow, 'ack' | 'isDeleted' | 'authorId'>): boolean =>
  row.isDeleted && row.authorId === null && row.ack <= 1

/**
 * 0 clock, or failed when there is a reason; 1 and 2 one tick; 3 two; 4 and 5 two blue ones. What was taken back before it
 * left has none: that is no failure.
 */
export function ackMark(
  row: Pick<MessageRow, 'ack' | 'ackError' | 'isDeleted' | 'authorId'>,
  delivery: Delivery | null,
): AckMark | null {
  if (row.ackError === TAKEN_BACK || wasOvertaken(row)) return null
  if (delivery) return delivery.state === 'failed' ? 'failed' : 'clock'
  if (row.ack >= 4) return 'read'
  if (row.ack === 3) return 'delivered'
  if (row.ack >= 1) return 'sent'
  return row.ackError === null ? 'clock' : 'failed'
}

/** `network`: it has not left this machine; `connection`: the server has it, and the ticket's phone is not linked now. */
export type WaitsFor = 'network' | 'connection'

/** What keeps a message of ours from going; null when nothing does, or when it has gone. */
export function waitsFor(
  { row, delivery }: ThreadMessage,
  { online, connected }: { online: boolean; connected: boolean },
): WaitsFor | null {
  if (!row.fromMe) return null
  if (delivery) return delivery.state === 'failed' || online ? null : 'network'
  return row.ack <= 1 && row.ackError === null && !connected ? 'connection' : null
}

/** Reactions by emoji, the most frequent first. `mine` is whether we are among them. */
export function countReactions(reactions: MessageRow['reactions']): { emoji: string; count: number; mine: boolean }[] {
  const counted = new Map<string, { emoji: string; count: number; mine: boolean }>()
  for (const { emoji, by } of reactions) {
    const known = counted.get(emoji) ?? { emoji, count: 0, mine: false }
    counted.set(emoji, { emoji, count: known.count + 1, mine: known.mine || by === 'me' })
  }
  return [...counted.values()].sort((a, b) => b.count - a.count)
}
