/** How fast a number may be spoken over: what the service counts is counted here first, so that it has nothing to refuse. */

/** Milliseconds of a clock that never goes back. */
type Clock = () => number

/** Messages a second over one number; fewer where the Business app shares it, more where the service says so. */
const PER_SECOND = { alone: 80, coexistence: 20, high: 1_000 } as const
/** To one contact: one in six seconds, and forty-five at once on credit. */
const PAIR = { burst: 45, everyMs: 6_000 } as const
/** Past this many, contacts that were not written to for longest have their whole credit again. */
const MOST_PAIRS = 50_000
const MOST_WAIT_MS = 15 * 60_000

export type Pace = ReturnType<typeof createPace>

export function createPace({ coexistence, time = () => performance.now() }: { coexistence: boolean; time?: Clock }) {
  let every = 1_000 / (coexistence ? PER_SECOND.coexistence : PER_SECOND.alone)
  let numberFullAt = 0
  const pairFullAt = new Map<string, number>()
  /** How often in a row the service found us too fast, with one contact and as a whole. */
  const pairTimes = new Map<string, number>()
  const pairUntil = new Map<string, number>()
  let rateTimes = 0
  let rateUntil = 0

  const remembered = (map: Map<string, number>, key: string, value: number) => {
    map.delete(key)
    map.set(key, value)
    if (map.size > MOST_PAIRS) map.delete(map.keys().next().value!)
  }

  return {
    /** What the service lets the number do, in its own word. */
    may(level: 'STANDARD' | 'HIGH'): void {
      if (!coexistence) every = 1_000 / (level === 'HIGH' ? PER_SECOND.high : PER_SECOND.alone)
    },
    /** @returns milliseconds until this contact may be written to; 0 when it was counted */
    take(contact: string): number {
      const now = time()
      const held = Math.max(rateUntil, pairUntil.get(contact) ?? 0) - now
      const pairFull = Math.max(now, pairFullAt.get(contact) ?? 0) + PAIR.everyMs
      const pairWait = pairFull - now - PAIR.burst * PAIR.everyMs
      const numberFull = Math.max(now, numberFullAt) + every
      // A second's worth may leave at once.
      const numberWait = numberFull - now - 1_000
      const wait = Math.max(held, pairWait, numberWait)
      if (wait > 0) return Math.ceil(wait)
      remembered(pairFullAt, contact, pairFull)
      numberFullAt = numberFull
      return 0
    },
    /** 131056: 4 to the power of x seconds. @returns milliseconds */
    tooFastTo(contact: string): number {
      const times = pairTimes.get(contact) ?? 0
      const wait = Math.min(4 ** times * 1_000, MOST_WAIT_MS)
      remembered(pairTimes, contact, times + 1)
      remembered(pairUntil, contact, time() + wait)
      return wait
    },
    /** Too fast as a whole. @returns milliseconds */
    tooFast(): number {
      const wait = Math.min(2 ** rateTimes++ * 1_000, 60_000)
      rateUntil = time() + wait
      return wait
    },
    /** The service took one. */
    went(contact: string): void {
      rateTimes = 0
      pairTimes.delete(contact)
    },
  }
}
