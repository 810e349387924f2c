/**
 * Who may write on a link next. Baileys takes messages one after the other, as they came; what people write must not
 * stand behind a crowd there.
 */

/** One leaves while the next is being written down; a third would only stand before an agent's. */
const TOGETHER = 2
/** Agents who never cease to write hold up the others no longer than so. */
const PATIENCE_MS = 1_000

export interface Turns {
  /** @param isOwn an agent's: it waits for nobody. The others, in their order, wait for these and for each other */
  take<T>(isOwn: boolean, work: () => Promise<T>): Promise<T>
}

/**
 * Lets an agent’s message on a link stand before those that are sent to many.
 * @param together how many of a crowd may be leaving at once
 * @param patienceMs how long one of a crowd waits at most for agents
 */
export function createFairQueue({ together = TOGETHER, patienceMs = PATIENCE_MS } = {}): Turns {
  const waiting: { go: () => void; since: number }[] = []
  let own = 0
  let others = 0
  let timer: ReturnType<typeof setTimeout> | null = null

  const next = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    while (waiting.length > 0 && others < together) {
      const left = waiting[0]!.since + patienceMs - performance.now()
      if (own > 0 && left > 0) {
        timer = setTimeout(next, left)
        return
      }
      others++
      waiting.shift()!.go()
    }
  }

  return {
    async take(isOwn, work) {
      if (isOwn) own++
      else
        await new Promise<void>((go) => {
          waiting.push({ go, since: performance.now() })
          next()
        })
      try {
        return await work()
      } finally {
        if (isOwn) own--
        else others--
        next()
      }
    },
  }
}
