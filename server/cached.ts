/** What is known of companies, or of anything else that has a number. */
export interface Cached<T> {
  of(id: number): Promise<T>
  /** Forget what is known of one, because it changed. */
  forget(id: number): void
}

/** What is read often and changes rarely: kept for a few seconds, so other servers' changes arrive too. */
export function cached<T>(load: (id: number) => Promise<T>, ttlMs = 5_000): Cached<T> {
  const known = new Map<number, { until: number; value: Promise<T> }>()
  return {
    of(id) {
      const hit = known.get(id)
      if (hit && hit.until > Date.now()) return hit.value
      const value = load(id)
      known.set(id, { until: Date.now() + ttlMs, value })
      // A failure is not worth remembering.
      value.catch(() => known.delete(id))
      return value
    },
    forget: (id) => void known.delete(id),
  }
}
