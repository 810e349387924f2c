/**
 * What `load` brings, fetched once; after a failure it is asked for again. Chromium remembers a file that did not come and
 * does not ask a second time: behind another address it does.
 */
export function repeatable<M>(load: () => Promise<M>): () => Promise<M> {
  let loading: Promise<M> | null = null
  let failures = 0
  const attempt = async () => {
    try {
      return await load()
    } catch (error) {
      const [address] = (error instanceof Error && /https?:\/\/\S+?\.js\b/.exec(error.message)) || []
      if (failures++ === 0 || address === undefined) throw error
      return (await import(/* @vite-ignore */ `${address}?again=${failures}`)) as M
    }
  }
  return () =>
    (loading ??= attempt().catch((error: unknown) => {
      loading = null
      throw error
    }))
}
