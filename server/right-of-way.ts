/**
 * What agents write goes before what is sent to many, all the way: from their call until WhatsApp has it, the sending of
 * crowds stands still. It would otherwise share the server's thread, the database and the link with them.
 */

/** Nobody's message is waited for longer; a link may be down, or WhatsApp silent. */
const MOST_MS = 150
/** Each of the crowd waits no longer, however many agents write: it goes on, only slower. */
const PATIENCE_MS = 60

export interface RightOfWay {
  /** An agent's message, by its WhatsApp id, is on its way. */
  begins(wid: string): void
  /** WhatsApp has it, or it was refused. Any other id means nothing. */
  ends(wid: string): void
  /** Resolves at once where no agent's message is on its way, else when none is any more, or after a moment. */
  clear(): Promise<void>
}

export function createRightOfWay({ mostMs = MOST_MS, patienceMs = PATIENCE_MS } = {}): RightOfWay {
  /** Until when each is waited for at most. */
  const underWay = new Map<string, number>()
  const waiting = new Set<() => void>()

  const isClear = (): boolean => {
    const now = performance.now()
    // In the order of their beginning, and so of their end.
    for (const [wid, until] of underWay) {
      if (until > now) return false
      underWay.delete(wid)
    }
    return true
  }

  return {
    begins(wid) {
      underWay.set(wid, performance.now() + mostMs)
    },
    ends(wid) {
      if (underWay.delete(wid) && isClear()) for (const go of waiting) go()
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
