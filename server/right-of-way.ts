import type { Between } from './between.ts'

/**
 * Who goes before what is sent to many. Crowds share the server's thread, the database and the link with agents who
 * write and programs that call; they hold still while one of these is on its way, each of them for a moment only, so that
 * a crowd goes on whatever happens, only slower.
 */
export interface RightOfWay {
  /** Something with the right of way begins. */
  begins(id: string): void
  /** It has arrived, or was refused. An id that nobody knows means nothing. */
  ends(id: string): void
  /** Resolves at once where nothing is on its way, else when nothing is any more, or when the patience is over. */
  clear(): Promise<void>
}

/** What others have under way. They say once in a while that there is something, and not when it has arrived. */
const ELSEWHERE = 'at another server'

/**
 * @param mostMs so long something is waited for at most: a link may be down, or WhatsApp silent
 * @param patienceMs so long one of the crowd waits at most
 * @param between tells other servers, whose crowds use the same database, and may hold the link
 */
export function createRightOfWay({
  mostMs,
  patienceMs,
  between,
}: {
  mostMs: number
  patienceMs: number
  between?: Between
}): RightOfWay {
  /** Until when each is waited for at most. */
  const underWay = new Map<string, number>()
  const waiting = new Set<() => void>()
  let toldUntil = 0
  between?.hear('way', () => {
    underWay.delete(ELSEWHERE)
    underWay.set(ELSEWHERE, performance.now() + mostMs)
  })

  const isClear = (): boolean => {
    const now = performance.now()
    // In the order of their beginning, and so of their end.
    for (const [id, until] of underWay) {
      if (until > now) return false
      underWay.delete(id)
    }
    return true
  }

  return {
    begins(id) {
      const now = performance.now()
      underWay.delete(id)
      underWay.set(id, now + mostMs)
      if (between && now > toldUntil) {
        toldUntil = now + mostMs / 2
        between.tell('way', 1)
      }
    },
    ends(id) {
      if (underWay.delete(id) && isClear()) for (const go of waiting) go()
    },
    clear() {
      if (isClear()) return Promise.resolve()
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(timer)
          waiting.delete(go)
          resolve()
        }
        const timer = setTimeout(go, patienceMs)
        waiting.add(go)
      })
    },
  }
}
