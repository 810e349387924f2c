/** The keys of the devices that are read all the time. */
import type { KeyRow } from './store.rows.ts'

const entries = 20_000

/** Chats whose messages disappear, kept among the keys of the device by the name of the chat. */
export const TIMER = 'balcao-timer'

/** Pre-keys are read once each; keeping 812 of them for every device would push out what is read all the time. */
export const isCached = (type: string): boolean => type !== 'pre-key' && type !== TIMER

export type KeyCache = ReturnType<typeof createKeyCache>

/** Values are JSON, null of a key that there is not. */
export function createKeyCache() {
  const cache = new Map<string, string | null>()
  /** How many writes of a value are under way; what is in the cache and not here is what the database has. */
  const underWay = new Map<string, number>()
  return {
    get: (place: string) => cache.get(place),
    isUnderWay: (place: string) => underWay.has(place),
    remember(place: string, value: string | null): void {
      cache.delete(place)
      cache.set(place, value)
      if (cache.size > entries) cache.delete(cache.keys().next().value as string)
    },
    forget(place: string): void {
      cache.delete(place)
    },
    forgetDevice(whatsappId: number): void {
      for (const place of cache.keys()) if (place.startsWith(`key/${whatsappId}/`)) cache.delete(place)
    },
    /** Until a write ends its values are in the cache, whatever their kind: who asks sees them at once. */
    written(keys: ReadonlyMap<string, KeyRow>): void {
      for (const [place, row] of keys) if (!isCached(row.type) && cache.get(place) === row.value) cache.delete(place)
    },
    /** @returns to be called when the write of these has ended */
    writing(places: readonly string[]): () => void {
      for (const place of places) underWay.set(place, (underWay.get(place) ?? 0) + 1)
      return () => {
        for (const place of places) {
          const left = underWay.get(place)! - 1
          if (left > 0) underWay.set(place, left)
          else underWay.delete(place)
        }
      }
    },
  }
}
