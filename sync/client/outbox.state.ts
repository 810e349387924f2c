import { type ErrorCode, errorStatus } from '../../schema/errors.ts'
import type { CommandName } from '../../schema/catalog.ts'
import type { OutboxEntry } from './replica.types.ts'

/**
 * The life of a command between the user's click and its rows' arrival. Pure: the sender, the storage and the tabs
 * act on what these functions say.
 *
 *   queued → sending → sent → (gone, when its rows have arrived)
 *      ↑        ├→ queued   no answer, or the server is not well: the same command again later
 *      │        └→ failed   refused: stays, with its reason, until the user retries or discards
 *      └── retried ──┘
 */
export interface Entry extends OutboxEntry {
  /** Milliseconds since 1970 with fractions: the order of the clicks, also within one millisecond. */
  seq: number
  /** Set by the server's acceptance. */
  txid: string | null
  /** The tables whose rows it changed on the server, when the server said so. */
  tables: string[] | null
  sentAt: number | null
  /** Not before this moment of the worker's own clock, which nobody sets, after a failed attempt. */
  notBefore: number
}

export type OutboxEvent =
  | { type: 'added'; entry: Entry }
  | { type: 'sending'; id: string }
  | { type: 'accepted'; id: string; txid: string; tables: string[] | null; now: number }
  | { type: 'refused'; id: string; error: NonNullable<Entry['error']> }
  /** No usable answer. */
  | { type: 'unanswered'; id: string; notBefore: number }
  | { type: 'retried'; id: string }
  | { type: 'gone'; id: string }
  /** The ticket became known. */
  | { type: 'placed'; id: string; ticketId: number }

/** The outbox after an event; the same array when nothing changed. Events about entries that are gone are ignored. */
export function reduce(entries: readonly Entry[], event: OutboxEvent): readonly Entry[] {
  if (event.type === 'added') {
    if (entries.some((e) => e.id === event.entry.id)) return entries
    return [...entries, event.entry].sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1))
  }
  const entry = entries.find((e) => e.id === event.id)
  if (!entry) return entries
  if (event.type === 'gone') return entries.filter((e) => e !== entry)
  const next = changed(entry, event)
  return next === entry ? entries : entries.map((e) => (e === entry ? next : e))
}

function changed(entry: Entry, event: Exclude<OutboxEvent, { type: 'added' | 'gone' }>): Entry {
  switch (event.type) {
    case 'sending':
      return entry.state === 'queued' ? { ...entry, state: 'sending', attempts: entry.attempts + 1 } : entry
    case 'accepted':
      return entry.state === 'sending'
        ? { ...entry, state: 'sent', txid: event.txid, tables: event.tables, sentAt: event.now, error: null }
        : entry
    case 'refused':
      return entry.state === 'sending' || entry.state === 'queued'
        ? { ...entry, state: 'failed', error: event.error }
        : entry
    case 'unanswered':
      return entry.state === 'sending' ? { ...entry, state: 'queued', notBefore: event.notBefore } : entry
    case 'retried':
      return entry.state === 'failed'
        ? { ...entry, state: 'queued', error: null, notBefore: 0 }
        : { ...entry, notBefore: 0 }
    case 'placed':
      return entry.ticketId === null ? { ...entry, ticketId: event.ticketId } : entry
  }
}

/**
 * What the app does by itself while somebody types or reads. It is sent like every command, and it is nothing that a
 * person waits for: not counted, not shown, given up when it is refused.
 */
const silent: ReadonlySet<CommandName> = new Set<CommandName>(['drafts.set', 'tickets.read', 'chats.read'])

export const isSilent = ({ name }: Pick<Entry, 'name'>): boolean => silent.has(name)

/** Of these only the latest counts, and their order among others does not. */
const isLatestOnly = ({ name }: Pick<Entry, 'name'>): boolean => name === 'drafts.set'

/** The waiting entries that a new one makes pointless. */
export const replacedBy = (entry: Entry, entries: readonly Entry[]): Entry[] =>
  isLatestOnly(entry)
    ? entries.filter(
        (e) => e.name === entry.name && e.ticketId === entry.ticketId && e.state === 'queued' && e.seq < entry.seq,
      )
    : []

/**
 * As found in the storage by a new worker, whose clock begins anew: what was being sent may or may not have arrived, so
 * it is sent again.
 */
export const restored = (entry: Entry): Entry => ({
  ...entry,
  state: entry.state === 'sending' ? 'queued' : entry.state,
  notBefore: 0,
})

/** Commands of one lane are sent one at a time, in order: those of a ticket, of a chat, or of a message whose ticket is unknown. */
function laneOf(entry: Entry): string {
  // What nobody waits for holds up nothing.
  if (isLatestOnly(entry)) return `${entry.name}/${entry.ticketId}`
  if (entry.ticketId !== null) return `ticket/${entry.ticketId}`
  const input = entry.input as { chatId?: number; messageId?: string; id?: string }
  if (input.chatId !== undefined) return `chat/${input.chatId}`
  return `row/${input.messageId ?? input.id ?? entry.id}`
}

/** The entries that may be sent now, and when to look again (null: not before something happens). */
export function sendable(
  entries: readonly Entry[],
  now: number,
  parallel: number,
): { send: Entry[]; lookAgainAt: number | null } {
  const busy = new Set<string>()
  let free = parallel - entries.filter((e) => e.state === 'sending').length
  const send: Entry[] = []
  let lookAgainAt: number | null = null
  for (const entry of entries) {
    // A refused command waits for its user; those behind it do not. A sent one is done as far as order goes.
    if (entry.state === 'failed' || entry.state === 'sent') continue
    const lane = laneOf(entry)
    if (busy.has(lane)) continue
    busy.add(lane)
    if (entry.state === 'sending') continue
    if (entry.notBefore > now) lookAgainAt = Math.min(lookAgainAt ?? Infinity, entry.notBefore)
    else if (free > 0) {
      free--
      send.push(entry)
    }
  }
  return { send, lookAgainAt }
}

/** The ticket a new command is about, as far as its input and the outbox tell. */
export function ticketOf(input: unknown, entries: readonly Entry[]): number | null {
  const { ticketId, messageId } = input as { ticketId?: unknown; messageId?: unknown }
  if (typeof ticketId === 'number') return ticketId
  // An edit of a message that itself still waits belongs behind it.
  return (
    entries.find((e) => messageId !== undefined && (e.input as { id?: unknown }).id === messageId)?.ticketId ?? null
  )
}

/** Milliseconds to wait after the n-th attempt without an answer: short, because someone watches a clock icon. */
export function retryDelay(attempts: number, random: number): number {
  return Math.min(2_000, 250 * 2 ** Math.min(attempts, 6)) * (0.5 + random / 2)
}

export type Verdict =
  | { kind: 'accepted'; txid: string; tables: string[] | null }
  | { kind: 'refused'; error: { code: ErrorCode; params: Record<string, unknown> } }
  /** The token is not good (any more). */
  | { kind: 'unauthorised' }
  /** `waitMs`: how long the server asked to be left alone. */
  | { kind: 'unanswered'; waitMs?: number }

/** Longer than this nobody is made to wait: the server is asked again, and may say the same. */
const longestWaitMs = 60_000

/** A `Retry-After`, which is seconds or a date, in milliseconds from `now`. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), longestWaitMs)
}

/**
 * What an answer to a command means. Only the server's own words count: a page of a hotel's network, whatever its
 * status, is no answer.
 */
export function verdict(status: number, body: unknown, waitMs = 0): Verdict {
  const json = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (status === 200 && typeof json['txid'] === 'string')
    return {
      kind: 'accepted',
      txid: json['txid'],
      tables: Array.isArray(json['tables']) ? json['tables'].map(String) : null,
    }
  const { error: code, ...params } = json
  if (code === 'ERR_TOKEN_EXPIRED' || code === 'ERR_SESSION_EXPIRED' || status === 401) return { kind: 'unauthorised' }
  if (status >= 500 || status === 429 || status === 408) return { kind: 'unanswered', waitMs }
  if (status >= 400 && typeof code === 'string' && Object.hasOwn(errorStatus, code))
    return { kind: 'refused', error: { code: code as ErrorCode, params } }
  return { kind: 'unanswered' }
}
