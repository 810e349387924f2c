import type { Between } from './between.ts'
import { createLimiter, type Limiter } from './limits.ts'

/** Makes the bucket of a kind of call. `name` is the same at every server. */
export type MakeLimiter = (name: string, limit: { burst: number; perSecond: number }) => Limiter

const TELL_MS = 250
/** Whoever has used less of a bucket than this is far from its end: nobody is told of them. */
const NOTABLE = 0.1

/**
 * Limiters that hold over all servers together: what one gives, the others take out of theirs a quarter of a second later.
 * @param time milliseconds of a clock that never goes back
 */
export function createLimiters(between: Between | undefined, time?: () => number): MakeLimiter {
  if (!between) return (_name, limit) => createLimiter(limit, time)
  const all = new Map<string, Limiter>()
  between.hear('spent', (word) => {
    const [name, key, cost] = word as [string, string, number]
    all.get(name)?.spend(key, cost)
  })
  return (name, limit) => {
    const own = createLimiter(limit, time)
    all.set(name, own)
    /** What was given here and nobody has been told. */
    const untold = new Map<string, number>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      timer = undefined
      for (const [key, cost] of untold) {
        const used = limit.burst - own.left(key)
        if (used >= limit.burst * NOTABLE) between.tell('spent', [name, key, cost])
        else if (used > 0) continue
        untold.delete(key)
      }
      if (untold.size > 0) later()
    }
    const later = () => {
      timer ??= setTimeout(tell, TELL_MS)
      timer.unref()
    }
    return {
      ...own,
      take(key, cost = 1) {
        const wait = own.take(key, cost)
        if (wait > 0) return wait
        untold.set(key, (untold.get(key) ?? 0) + cost)
        later()
        return 0
      },
    }
  }
}
