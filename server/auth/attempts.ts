import { DomainError } from '../../schema/errors.ts'

/** Something that tries are counted under, such as an e-mail together with an address. */
export interface Count {
  name: string
  /** So many within the window. */
  most: number
  /** Ten when it is not said. */
  minutes?: number
}

/** What was tried, remembered for a while. Each server process counts for itself. */
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

/**
 * Counts tries by name in memory, for this process alone.
 * @param mostNames names that are remembered; the oldest are forgotten first
 */
export function createAttempts(mostNames = MOST_NAMES): Attempts {
  const kept = new Map<string, Kept>()
  const windowOf = ({ minutes = WINDOW_MINUTES }: Count) => minutes * 60_000
  const recent = (count: Count, time: number) =>
    (kept.get(count.name)?.times ?? []).filter((at) => at > time - windowOf(count))
  const add = ({ name, most }: Count, before: number[], time: number) => {
    const toldUntil = kept.get(name)?.toldUntil ?? 0
    // Moved to the end, where the youngest are.
    kept.delete(name)
    kept.set(name, { times: [...before, time].slice(-most), toldUntil })
    while (kept.size > mostNames) kept.delete(kept.keys().next().value!)
  }

  return {
    begin(counts, now, onLocked) {
      const time = now.getTime()
      const timesOf = counts.map((count) => {
        const times = recent(count, time)
        if (times.length < count.most) return times
        const free = times[times.length - count.most]! + windowOf(count)
        const entry = kept.get(count.name)!
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
      for (const { name } of counts) {
        const entry = kept.get(name)
        entry?.times.pop()
        if (entry?.times.length === 0) kept.delete(name)
      }
    },
    forget(counts) {
      for (const { name } of counts) kept.delete(name)
    },
    failures: (count, now) => recent(count, now.getTime()).length,
  }
}
