import { reuseRows } from '../base/reuse-rows.ts'
import { type EventRow, messagePage, type MessageRow } from './messages.rows.ts'

/**
 * Moments (milliseconds since 1970), the latest first, at which a conversation is cut into pieces that are read apart.
 * From the first moment on, all is one piece, to which new messages come; each further piece holds the messages from
 * its own moment until the one before, so that every message belongs to exactly one. `-Infinity` is the last moment
 * there can be. Without any, the newest page is read, which moves on with what is new.
 */
export type Cuts = readonly number[]

/** The newest piece is cut when it has grown by new messages to this many: it is read again at each of them. */
const mostInNewest = 3 * messagePage

/** The same cuts and those at `moments`; the same array where nothing is new. */
export function cutAt(cuts: Cuts, moments: readonly number[]): Cuts {
  const all = new Set([...cuts, ...moments])
  return all.size === cuts.length ? cuts : [...all].sort((a, b) => b - a)
}

/** The pieces that are older than the newest one, the latest first. */
export const olderPieces = (cuts: Cuts): { since: number; before: number }[] =>
  cuts.slice(1).map((since, index) => ({ since, before: cuts[index]! }))

/**
 * What is shown of the replica, oldest first; rows that say the same as in `shown` are the same objects, and so is the
 * list. A piece without an answer shows what was known of its time, so that cutting anew never takes a message away.
 *
 * @param answers the rows of each piece, newest first as they were read; undefined before its first answer
 * @param shown what was returned before
 */
export function windowOf(
  cuts: Cuts,
  answers: readonly (readonly MessageRow[] | undefined)[],
  shown: readonly MessageRow[] | undefined,
): readonly MessageRow[] | undefined {
  const [newest, ...older] = answers
  if (!newest && !shown) return undefined
  const known = (since: number, before: number) =>
    (shown ?? []).filter(({ createdAt }) => createdAt >= since && createdAt < before)
  const pieces = olderPieces(cuts).map(({ since, before }, index) => older[index]?.toReversed() ?? known(since, before))
  const rows = [
    ...pieces.reverse().flat(),
    ...(cuts.length === 0 ? pushedOut(newest, shown) : []),
    ...(newest?.toReversed() ?? known(cuts[0] ?? -Infinity, Infinity)),
  ]
  return reuseRows(shown, rows, ({ id }) => id)
}

/** What new messages push out of the newest page at its old end stays, or it would vanish from under who reads it. */
function pushedOut(newest: readonly MessageRow[] | undefined, shown: readonly MessageRow[] | undefined): MessageRow[] {
  if (!newest || !shown || newest.length < messagePage) return []
  const oldest = newest.at(-1)!
  return shown.slice(
    0,
    Math.max(
      0,
      shown.findIndex(({ id }) => id === oldest.id),
    ),
  )
}

/**
 * Where the newest piece should be cut next: at its old end when messages have been pushed out of it, which nobody
 * watches any more; further up when it has become long. Null while it is good as it is.
 */
export function dueCut(
  cuts: Cuts,
  newest: readonly MessageRow[] | undefined,
  shown: readonly MessageRow[] | undefined,
): number | null {
  if (!newest || !shown) return null
  if (cuts.length === 0) return shown.length > newest.length ? shown[0]!.createdAt : null
  return newest.length > mostInNewest ? newest[messagePage - 1]!.createdAt : null
}

/** A ticket and what begins it are made at one moment; the clocks of the phone and of the server differ by less than this, ms. */
const beginningMs = 60_000

/**
 * Whether a browser has all messages of a ticket once it has no more of them: a ticket begins with its first message, or
 * with the line that says who began it. That one is kept as long as a message of its moment would be.
 */
export function isFromStart(
  ticketCreatedAt: number,
  oldest: Pick<MessageRow, 'createdAt'> | undefined,
  events: readonly Pick<EventRow, 'kind' | 'createdAt'>[],
): boolean {
  const isBeginning = ({ createdAt }: { createdAt: number }) => createdAt <= ticketCreatedAt + beginningMs
  return (
    (oldest !== undefined && isBeginning(oldest)) ||
    events.some((event) => event.kind === 'created' && isBeginning(event))
  )
}
