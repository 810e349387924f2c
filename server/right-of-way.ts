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

/**
 * @param mostMs so long something is waited for at most: a link may be down, or WhatsApp silent
 * @param patienceMs so long one of the crowd waits at most
 */
export function createRightOfWay({ mostMs, patienceMs }: { mostMs: number; patienceMs: number }): RightOfWay {
  /** Until when each is waited for at most. */
  const underWay = new Map<string, number>()
  const waiting = new Set<() => void>()

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
      underWay.delete(id)
      underWay.set(id, performance.now() + mostMs)
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
