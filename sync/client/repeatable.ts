/** Does `work` once, whoever asks; after a failure the next who asks has it done anew: there may be a network by then. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let doing: Promise<T> | null = null
  return () =>
    (doing ??= work().catch((error: unknown) => {
      doing = null
      throw error
    }))
}

/**
 * What `load` brings, fetched {@link once}. Chromium remembers a file that did not come and does not ask a second time:
 * behind another address it does.
 */
export function repeatable<M>(load: () => Promise<M>): () => Promise<M> {
  let failures = 0
  return once(async () => {
    try {
      return await load()
    } catch (error) {
      const [address] = (error instanceof Error && /https?:\/\/\S+?\.js\b/.exec(error.message)) || []
      if (failures++ === 0 || address === undefined) throw error
      return (await import(/* @vite-ignore */ `${address}?again=${failures}`)) as M
    }
  })
}

/** Between two attempts of {@link patient}, ms: the first, doubled each time up to the last. */
const [firstWaitMs, lastWaitMs] = [1_000, 60_000]

/**
 * What `load` brings, fetched {@link once} and asked for until it comes: for what nobody waits for, and what no screen
 * may fail for. Never rejects.
 */
export function patient<M>(load: () => Promise<M>): () => Promise<M> {
  const again = repeatable(load)
  return once(async () => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(lastWaitMs, 2 * waitMs)) {
      try {
        return await again()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
  })
}
