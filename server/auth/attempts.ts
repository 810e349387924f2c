import { createHash } from 'node:crypto'
import { DomainError } from '../../schema/errors.ts'
import type { Between } from '../between.ts'

/** Something that tries are counted under, such as an e-mail together with an address. */
export interface Count {
  name: string
  /** So many within the window. */
  most: number
  /** Ten when it is not said. */
  minutes?: number
}

/** What was tried, remembered for a while. */
export interface Attempts {
  /**
   * Counts an attempt as failed before it is made, so that many at once are no way around.
   * @param onLocked told when one is refused, once until it is over
   * @throws DomainError `ERR_TOO_MANY_ATTEMPTS` with `retryAfter` (seconds)
   */
  begin(counts: readonly Count[], now: Date, onLocked?: () => void): void
  /** The attempt was right after all: everything that it was counted under has one failure less. */
  succeeded(counts: readonly Count[]): void
  /** What was counted under these names is forgotten. */
  forget(counts: readonly Pick<Count, 'name'>[]): void
  /** Counts and never refuses. */
  note(count: Count, now: Date): void
  /** Failures within the window, at most so many as would be refused. */
  failures(count: Count, now: Date): number
}

const WINDOW_MINUTES = 10
/** Past this many names, the oldest are forgotten: an attacker does not choose how much memory we use. */
const MOST_NAMES = 50_000

interface Kept {
  times: number[]
  /** Until then its lock has been told. */
  toldUntil: number
}

/** What one server tells the others: under which key something was tried, was right after all, or is forgotten. */
type Word = ['tried', string, { most: number; at: number; windowMs: number }] | ['right' | 'forget', string]

/**
 * Counts tries by name in memory.
 * @param between counts what is tried at any server, of the same `topic`; others are told of keys, not of names
 * @param mostNames names that are remembered; the oldest are forgotten first
 */
export function createAttempts({
  topic = '',
  between,
  mostNames = MOST_NAMES,
}: {
  topic?: string
  between?: Between | undefined
  mostNames?: number
} = {}): Attempts {
  const kept = new Map<string, Kept>()
  const keyOf = ({ name }: { name: string }) => createHash('sha256').update(name).digest('base64').slice(0, 22)
  const windowOf = ({ minutes = WINDOW_MINUTES }: Count) => minutes * 60_000
  const within = (key: string, time: number, windowMs: number) =>
    (kept.get(key)?.times ?? []).filter((at) => at > time - windowMs)
  const recent = (count: Count, time: number) => within(keyOf(count), time, windowOf(count))
  const put = (key: string, most: number, times: number[]) => {
    const toldUntil = kept.get(key)?.toldUntil ?? 0
    // Moved to the end, where the youngest are.
    kept.delete(key)
    kept.set(key, { times: times.slice(-most), toldUntil })
    while (kept.size > mostNames) kept.delete(kept.keys().next().value!)
  }
  const right = (key: string) => {
    const entry = kept.get(key)
    entry?.times.pop()
    if (entry?.times.length === 0) kept.delete(key)
  }
  const tell = (word: Word) => between?.tell(`tries ${topic}`, word)
  between?.hear(`tries ${topic}`, (word) => {
    const [is, key, tried] = word as Word
    if (is === 'tried') put(key, tried!.most, [...within(key, tried!.at, tried!.windowMs), tried!.at])
    else if (is === 'right') right(key)
    else kept.delete(key)
  })
  const add = (count: Count, before: number[], time: number) => {
    const { most } = count
    put(keyOf(count), most, [...before, time])
    tell(['tried', keyOf(count), { most, at: time, windowMs: windowOf(count) }])
  }

  return {
    begin(counts, now, onLocked) {
      const time = now.getTime()
      const timesOf = counts.map((count) => {
        const times = recent(count, time)
        if (times.length < count.most) return times
        const free = times[times.length - count.most]! + windowOf(count)
        const entry = kept.get(keyOf(count))!
        if (entry.toldUntil <= time) {
          entry.toldUntil = free
          onLocked?.()
        }
        throw new DomainError('ERR_TOO_MANY_ATTEMPTS', { retryAfter: Math.max(1, Math.ceil((free - time) / 1000)) })
      })
      for (const [i, count] of counts.entries()) add(count, timesOf[i]!, time)
    },
    note: (count, now) => add(count, recent(count, now.getTime()), now.getTime()),
    succeeded(counts) {
      for (const key of counts.map(keyOf)) {
        right(key)
        tell(['right', key])
      }
    },
    forget(counts) {
      for (const key of counts.map(keyOf)) {
        kept.delete(key)
        tell(['forget', key])
      }
    },
    failures: (count, now) => recent(count, now.getTime()).length,
  }
}
