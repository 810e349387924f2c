/** A line that was silent for this long is asked whether it is there, and given up after as long again. */
export const silenceMs = 18_000

/**
 * Notices a line that is dead though nobody closed it: a cable pulled behind a router, a sleeping phone. A browser hears
 * nothing of that for minutes. After a silence of `everyMs` the other end is asked; silent for as long again, it is gone.
 */
export function watchHeartbeat({ everyMs, ask, gone }: { everyMs: number; ask: () => void; gone: () => void }): {
  /** Anything at all came from the other end. */
  received: () => void
  stop: () => void
} {
  let answered = false
  let asked = false
  const timer = setInterval(() => {
    if (answered) {
      answered = asked = false
    } else if (asked) {
      clearInterval(timer)
      gone()
    } else {
      asked = true
      ask()
    }
  }, everyMs)
  return {
    received: () => {
      answered = true
    },
    stop: () => clearInterval(timer),
  }
}
