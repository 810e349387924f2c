import { kindOfName } from '../../schema/fetched-name.ts'
import { clip } from '../../schema/texts.ts'
import { isRecord } from '../outside/outside.call.ts'

/** What every bot is asked and what every bot answers, whoever runs it. */

/** A message that a bot wants said. */
export type BotMessage = (
  | { text: string }
  /** A public address that the file is fetched from. */
  | { mediaUrl: string; type: BotMediaType; caption?: string }
  /** Opus in Ogg, to be sent as a voice note. */
  | { voice: Uint8Array }
) & {
  /** A pause before it, in milliseconds, besides the answer's own `delayMs`. */
  waitMs?: number
}
export type BotMediaType = 'image' | 'video' | 'audio' | 'document'

/** What a bot answers to one message. All of it is bounded; ids are not checked yet, and may be anybody's. */
export interface BotAnswer {
  messages: BotMessage[]
  /** Who takes over. A `queueId` of null is the queue that the ticket would have anyway. */
  transferTo?: { queueId: number | null; userId?: number | null; reason?: string }
  /** The bot is done with this ticket. */
  stop?: boolean
  /** What the bot is told again with the next message: JSON of at most 4 KB. Null forgets it; missing leaves it. */
  session?: unknown
  usage?: BotUsage
  variables?: Record<string, string>
  /** Milliseconds between two messages. */
  delayMs?: number
}
export interface BotUsage {
  model: string
  inputTokens: number
  outputTokens: number
}

/**
 * - `address`: not an address that this server calls; `unreachable`, `timeout`, `too_large`: the call came to nothing
 * - `credentials`: the key is refused; `not_found`: no such bot there; `limit`: too many calls, or no credit
 * - `refused`: it says no; `broken`: it failed itself; `unreadable`: its answer is none; `empty`: it says nothing
 * - `settings`: something that it needs is missing here
 */
export type BotFailureReason =
  | 'address'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'credentials'
  | 'not_found'
  | 'limit'
  | 'refused'
  | 'broken'
  | 'unreadable'
  | 'empty'
  | 'settings'

/** Why there is no answer. */
export interface BotFailure {
  /** Whether the same call may succeed later. */
  failed: 'final' | 'again'
  why: BotFailureReason
  /** In our words, with the host's name and nothing of its answer but a short code. */
  says: string
  /** What the service answered, and its own short word for it. */
  status?: number
  code?: string
  /** The service asks not to be called before, in milliseconds. */
  afterMs?: number
}
export type BotResult = BotAnswer | BotFailure

export const isFailure = (result: object): result is BotFailure => 'failed' in result

/** What a bot is told of the conversation. */
export interface BotConversation {
  ticket: { id: number; uuid: string }
  contact: { id: number; name: string; number: string; email: string }
  connection: { id: number; name: string }
  queue: { id: number; name: string } | null
  /** What was said before the message, oldest first. */
  history: readonly { from: 'contact' | 'us'; text: string }[]
  message: BotQuestion
  /** What the bot's last answer left to be kept. */
  session?: unknown
  /** What a flow has gathered, by its own names: a typebot that begins is given it. */
  variables?: Readonly<Record<string, string>>
}
export interface BotQuestion {
  id: string
  type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'other'
  /** What was written, or what a voice note says. */
  text: string
  /** A signed address under which the bot may fetch the file. */
  mediaUrl?: string
}

/** What an admin who tries a bot is told of its failure. */
export const reasonOf = ({ why, says, status, code }: BotFailure) => ({ why, says, status, code })

/** Thrown inside an adapter; {@link answering} makes a {@link BotFailure} of it. */
export class BotFailed extends Error {
  constructor(readonly failure: BotFailure) {
    super(failure.says)
    this.name = 'BotFailed'
  }
}
/**
 * A failure by name, to be thrown within `answering`.
 * @param says for the log and for who tests it, without secrets
 * @param afterMs when the service wants to be asked again
 */
export const fail = (failed: BotFailure['failed'], why: BotFailureReason, says: string, afterMs?: number): BotFailed =>
  new BotFailed({ failed, why, says, ...(afterMs !== undefined && { afterMs }) })

/** An adapter's work, whose named failures are results. */
export async function answering<T extends object>(work: () => Promise<T>): Promise<T | BotFailure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BotFailed) return error.failure
    throw error
  }
}

// ── bounds ───────────────────────────────────────────────────────────────────────────────────

export const MOST_MESSAGES = 20
/** Characters of one text that a bot sends, and of a caption: what is longer goes in several messages. */
export const MOST_TEXT = 4_096
const MOST_CAPTION = 1_024
/** Characters of what a bot says at once: more than the longest answer that a prompt may ask for. */
export const MOST_SAID = 20_000
const MOST_URL = 2_048
const MOST_VARIABLES = 20
const MOST_VALUE = 1_000
const MOST_SESSION_BYTES = 4_096

/** Text as it is sent: without what no message can hold, cut at {@link MOST_TEXT}; undefined where nothing is left. */
export function textOf(value: unknown, most = MOST_TEXT): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // Cut first: what is cut off is not looked at.
  const text = String(value)
    .slice(0, most + 1_000)
    .toWellFormed()
    .replaceAll('\0', '')
    .trim()
  return text === '' ? undefined : cut(text, most)
}

/** At most so many characters, and no half of one at the end. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '') + '…'

/** What ends a piece of a long text, the best first. */
const seams: readonly (readonly string[])[] = [['\n\n'], ['\n'], ['. ', '! ', '? ', '… '], [' ']]

/**
 * A text in pieces that a message holds, none of them lost: cut after a paragraph, else a line, a sentence, a word, and
 * only where there is none of these in the second half of a piece, within a word.
 */
export function piecesOf(text: string, most = MOST_TEXT): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > most) {
    const head = clip(rest, most)
    const end = seams.map((of) => Math.max(...of.map((seam) => endOfLast(head, seam)))).find((end) => end > most / 2)
    pieces.push(head.slice(0, end).trimEnd())
    rest = rest.slice(end ?? head.length).trimStart()
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

const endOfLast = (text: string, seam: string): number => {
  const at = text.lastIndexOf(seam)
  return at < 0 ? 0 : at + seam.length
}

/** What a bot says, as messages; none where nothing is left of it. At most {@link MOST_SAID} characters. */
export const saidOf = (value: unknown): BotMessage[] =>
  piecesOf(textOf(value, MOST_SAID) ?? '').map((text) => ({ text }))

/** A file that a bot names, with its words: as its caption, or behind it where they are too many for one. */
export function fileOf(mediaUrl: string, type: BotMediaType, words: unknown): BotMessage[] {
  const caption = textOf(words, MOST_SAID)
  if (caption === undefined) return [{ mediaUrl, type }]
  return caption.length <= MOST_CAPTION ? [{ mediaUrl, type, caption }] : [{ mediaUrl, type }, ...saidOf(caption)]
}

/** An address of a file, or undefined for anything else. */
export function mediaUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MOST_URL || !URL.canParse(value)) return undefined
  const { protocol, username, password } = new URL(value)
  return (protocol === 'https:' || protocol === 'http:') && !username && !password ? value : undefined
}

const mediaTypes: readonly unknown[] = ['image', 'video', 'audio', 'document']

/** What kind of file it is by what the bot says, else by the address. */
export function mediaTypeOf(url: string, said?: unknown): BotMediaType {
  if (mediaTypes.includes(said)) return said as BotMediaType
  return kindOfName(new URL(url).pathname)
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31

/** A queue's or person's id, also where it is written as text. */
export function idOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return isId(number) ? number : undefined
}

/** Names and short texts out of whatever was sent. */
export function variablesOf(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value)
    .slice(0, MOST_VARIABLES)
    .filter(([name]) => /^[A-Za-z_]\w{0,39}$/.test(name) && name !== '__proto__')
    .map(([name, one]) => [name, textOf(typeof one === 'boolean' ? String(one) : one, MOST_VALUE)] as const)
    .filter((entry): entry is readonly [string, string] => entry[1] !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** Whether what a bot wants to be remembered of a conversation may be kept, by its length as JSON. */
export const isSmallEnough = (session: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(session) ?? '') <= MOST_SESSION_BYTES
