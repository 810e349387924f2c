import { type ErrorCode, isErrorCode, isOurWord } from '../../schema/errors.ts'
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
  /** Of its file so much has left, from 0 to 1. */
  | { type: 'uploaded'; id: string; part: number }
  | { type: 'accepted'; id: string; txid: string; tables: string[] | null; now: number }
  | { type: 'refused'; id: string; error: NonNullable<Entry['error']> }
  /** No usable answer. */
  | { type: 'unanswered'; id: string; notBefore: number }
  | { type: 'retried'; id: string }
  | { type: 'gone'; id: string }
  /** The ticket became known. */
  | { type: 'placed'; id: string; ticketId: number }

/** In the order of the clicks. */
export const inOrder = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1))

type Rule<T extends OutboxEvent['type']> = (entry: Entry, event: Extract<OutboxEvent, { type: T }>) => Entry | null

const unchanged = (entry: Entry): Entry => entry
const gone = () => null
const send: Rule<'sending'> = (entry) => ({ ...entry, state: 'sending', attempts: entry.attempts + 1 })
/** In steps that a person can tell apart: each is told to every tab. */
const upload: Rule<'uploaded'> = (entry, { part }) => {
  const uploaded = Math.floor(part * 20) / 20
  return uploaded === entry.uploaded ? entry : { ...entry, uploaded }
}
const accept: Rule<'accepted'> = (entry, { txid, tables, now }) => ({
  ...entry,
  state: 'sent',
  txid,
  tables,
  sentAt: now,
  error: null,
})
const refuse: Rule<'refused'> = (entry, { error }) => ({ ...entry, state: 'failed', error })
const putBack: Rule<'unanswered'> = (entry, { notBefore }) => {
  const back: Entry = { ...entry, state: 'queued', notBefore }
  delete back.uploaded
  return back
}
/** The server has not done what it refused: it is as if it had never been sent. */
const tryAgain: Rule<'retried'> = (entry) => ({ ...entry, state: 'queued', attempts: 0, error: null, notBefore: 0 })
const waitNoLonger: Rule<'retried'> = (entry) => ({ ...entry, notBefore: 0 })
const place: Rule<'placed'> = (entry, { ticketId }) => (entry.ticketId === null ? { ...entry, ticketId } : entry)

/** The life of a command as one table: what each event makes of it in each state. Null: it is forgotten. */
const rules: { [S in Entry['state']]: { [T in OutboxEvent['type']]: Rule<T> } } = {
  queued: {
    added: unchanged,
    sending: send,
    uploaded: unchanged,
    accepted: unchanged,
    refused: refuse,
    unanswered: unchanged,
    retried: waitNoLonger,
    placed: place,
    gone,
  },
  sending: {
    added: unchanged,
    sending: unchanged,
    uploaded: upload,
    accepted: accept,
    refused: refuse,
    unanswered: putBack,
    retried: waitNoLonger,
    placed: place,
    gone,
  },
  sent: {
    added: unchanged,
    sending: unchanged,
    uploaded: unchanged,
    accepted: unchanged,
    refused: unchanged,
    unanswered: unchanged,
    retried: waitNoLonger,
    placed: place,
    gone,
  },
  failed: {
    added: unchanged,
    sending: unchanged,
    uploaded: unchanged,
    accepted: unchanged,
    refused: unchanged,
    unanswered: unchanged,
    retried: tryAgain,
    placed: place,
    gone,
  },
}

/** The outbox after an event; the same array when nothing changed. Events about entries that are gone are ignored. */
export function reduce(entries: readonly Entry[], event: OutboxEvent): readonly Entry[] {
  const id = event.type === 'added' ? event.entry.id : event.id
  const entry = entries.find((e) => e.id === id)
  if (!entry) return event.type === 'added' ? inOrder([...entries, event.entry]) : entries
  // The table is checked by its type; only the pairing of an event with its own rule is beyond the compiler here.
  const next = (rules[entry.state][event.type] as (e: Entry, event: OutboxEvent) => Entry | null)(entry, event)
  if (next === null) return entries.filter((e) => e !== entry)
  return next === entry ? entries : entries.map((e) => (e === entry ? next : e))
}

/**
 * What the app does by itself while somebody types or reads. It is sent like every command, and it is nothing that a
 * person waits for: not counted, not shown, given up when it is refused.
 */
const silent: ReadonlySet<CommandName> = new Set<CommandName>([
  'drafts.set',
  'tickets.read',
  'chats.read',
  'mentions.read',
])

export const isSilent = ({ name }: Pick<Entry, 'name'>): boolean => silent.has(name)

/** Of this its user would be missing something, were it thrown away. */
export const isUnsent = (entry: Pick<Entry, 'name' | 'state'>): boolean => entry.state !== 'sent' && !isSilent(entry)

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

/** The tickets that a command is about which is about several. */
export const ticketsOf = ({ name, input }: Pick<Entry, 'name' | 'input'>): readonly number[] =>
  name === 'tickets.bulk' || name === 'tickets.undoBulk' ? (input as { ids: number[] }).ids : []

/** All lanes that a command stands in: those of its tickets, where it is about several. */
export function lanesOf(entry: Entry): readonly string[] {
  const several = ticketsOf(entry)
  return several.length > 0 ? several.map((ticketId) => `ticket/${ticketId}`) : [laneOf(entry)]
}

/** Commands of one lane are done one at a time, in order: those of a ticket, of a chat, of a flow, or of a message whose ticket is unknown. */
export function laneOf(entry: Entry): string {
  // What nobody waits for holds up nothing.
  if (isLatestOnly(entry)) return `${entry.name}/${entry.ticketId}`
  if (entry.ticketId !== null) return `ticket/${entry.ticketId}`
  const input = entry.input as { chatId?: number; flowId?: number; messageId?: string; id?: string }
  if (input.flowId !== undefined) return `flow/${input.flowId}`
  if (input.chatId !== undefined) return `chat/${input.chatId}`
  return `row/${input.messageId ?? input.id ?? entry.id}`
}

/** Letters of all commands in one request: with three bytes for each, less than the server takes. */
const mostLetters = 400_000

/**
 * The requests that may be sent now, and when to look again (null: not before something happens). What waits goes
 * together, in the order of the clicks, but a file alone, and so what is about several tickets; and nothing while something before it in its lane is on its way.
 *
 * @param free so many requests may be begun
 * @param together so many commands may go in one request
 */
export function sendable(
  entries: readonly Entry[],
  now: number,
  free: number,
  together: number,
): { send: Entry[][]; lookAgainAt: number | null } {
  const busy = new Set<string>()
  const send: Entry[][] = []
  let open: Entry[] | null = null
  const lanes = new Set<string>()
  let letters = 0
  let lookAgainAt: number | null = null
  for (const entry of entries) {
    // A refused command waits for its user; those behind it do not. A sent one is done as far as order goes.
    if (entry.state === 'failed' || entry.state === 'sent') continue
    const own = lanesOf(entry)
    const isAlone = entry.file !== null || own.length > 1
    if (own.some((lane) => busy.has(lane))) {
      // What comes later in any of its lanes waits behind it.
      for (const lane of own) busy.add(lane)
      continue
    }
    const isDue = entry.state === 'queued' && entry.notBefore <= now
    const size = JSON.stringify(entry.input).length
    if (isDue && !isAlone && open && open.length < together && letters + size <= mostLetters) {
      open.push(entry)
      lanes.add(own[0]!)
      letters += size
      continue
    }
    if (entry.state === 'queued' && !isDue) lookAgainAt = Math.min(lookAgainAt ?? Infinity, entry.notBefore)
    // What comes later in its lanes waits for this one.
    for (const lane of own) busy.add(lane)
    if (!isDue || own.some((lane) => lanes.has(lane)) || free <= 0) continue
    free--
    const request = [entry]
    send.push(request)
    if (isAlone || together === 1) continue
    for (const other of lanes) busy.add(other)
    lanes.clear()
    busy.delete(own[0]!)
    lanes.add(own[0]!)
    letters = size
    open = request
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
  | { kind: 'accepted'; txid: string; tables: string[] | null; result?: Record<string, unknown> }
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * What an answer to a command means. Only the server's own words count: a page of a hotel's network, whatever its
 * status, is no answer.
 */
export function verdict(status: number, body: unknown, waitMs = 0): Verdict {
  const json = isObject(body) ? body : {}
  if (status === 200 && typeof json['txid'] === 'string')
    return {
      kind: 'accepted',
      txid: json['txid'],
      tables: Array.isArray(json['tables']) ? json['tables'].map(String) : null,
      ...(isObject(json['result']) && { result: json['result'] }),
    }
  const { error: code, ...params } = json
  if (isOurWord(body) && (code === 'ERR_TOKEN_EXPIRED' || code === 'ERR_SESSION_EXPIRED' || status === 401))
    return { kind: 'unauthorised' }
  if (status >= 500 || status === 429 || status === 408) return { kind: 'unanswered', waitMs }
  if (status >= 400 && isErrorCode(code)) return { kind: 'refused', error: { code, params } }
  return { kind: 'unanswered' }
}
