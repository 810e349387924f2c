import { hashKey, QueryClient } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'
import { onConnect } from './events.ts'
import { principalOf, session } from './session-store.ts'
import type { Session } from './session-store.ts'

/** What was fetched is shown at once to who comes back within this, while it is fetched anew; ms. */
const keptMs = 30 * 60_000
/** Events come in bursts (a restart of all connections sends dozens); one fetch answers them all. */
const burstMs = 150
/** So long a first answer may take before it is given up for one that is asked for anew: its connection may be dead. */
const firstMs = 2_000

/** What was fetched from the server outside of the replica: one person's, gone with the session. */
export const fetchedCache = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: keptMs,
      // The server may be on this very network, whatever the browser thinks of the internet.
      networkMode: 'always',
      // A short failure may leave the socket as it was: then nothing else asks again.
      refetchOnReconnect: true,
      // Without the server this computer's copy is shown, which must not wait for attempts; with it, all is asked again.
      retry: false,
      // Events tell what has changed.
      refetchOnWindowFocus: false,
    },
  },
})
// No component of React stands for it, which would bring it to the first screen: it hears of the network by this.
fetchedCache.mount()
session.onEnd(() => {
  unsaved.clear()
  fetchedCache.clear()
})

/** What decides which answers somebody gets, as text. */
const rightsIn = (current: Session | null): string | null => {
  if (!current) return null
  const { profile, role, queueIds, allTicket, numbersHidden = false } = principalOf(current.user)
  return JSON.stringify([current.id, profile, role, queueIds, allTicket, numbersHidden])
}
let rights = rightsIn(session.get())
/** Who may see less than a moment ago is not shown what was fetched before, not even until the next answer. */
session.subscribe(() => {
  const [before, now] = [rights, rightsIn(session.get())]
  if (before === now) return
  rights = now
  if (before === null || now === null) return
  fetchedCache.removeQueries({ type: 'inactive' })
  void fetchedCache.resetQueries({ type: 'active' })
})
onConnect((_, moved) => moved || fetchAllAgain())

const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Fetches everything that is shown again: what happened before the socket opened, or while it was away, was not heard of.
 * A first answer that is under way is shown before it is asked for again, so nobody waits twice for a screen.
 */
export function fetchAllAgain(): void {
  for (const query of fetchedCache.getQueryCache().findAll({ type: 'active' }))
    void Promise.race([Promise.allSettled([query.promise]), late(query.state.data === undefined ? firstMs : 0)]).then(
      () => fetchAgain(query.queryKey),
    )
}

const late = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Fetches what is shown under a key again. Calls that come close together make one request. */
export function fetchAgain(queryKey: QueryKey): void {
  const hash = hashKey(queryKey)
  clearTimeout(waiting.get(hash))
  const fetch = async () => {
    waiting.delete(hash)
    const shown = { queryKey, type: 'active' } as const
    // A first answer that is under way may have been made before the change, and would be taken for the new one.
    await fetchedCache.cancelQueries(shown)
    await fetchedCache.refetchQueries(shown)
  }
  waiting.set(
    hash,
    setTimeout(() => void fetch(), burstMs),
  )
}

type Change = (data: never) => unknown

/** What is being saved of what is shown, by the key under which it is shown, the oldest first. */
const unsaved = new Map<string, Set<Change>>()

/** An answer with what is being saved of it: it may have been made before. */
export const withUnsaved = <T>(queryKey: QueryKey, answer: T): T =>
  [...(unsaved.get(hashKey(queryKey)) ?? [])].reduce((data, change) => change(data as never) as T, answer)

/**
 * Holds `change` against every answer that comes while it is being saved. What is then under way may have been answered
 * before, and is asked for again.
 */
export async function whileUnsaved(queryKey: QueryKey, saving: Promise<unknown>, change: Change): Promise<void> {
  const hash = hashKey(queryKey)
  const changes = unsaved.get(hash) ?? new Set<Change>()
  unsaved.set(hash, changes.add(change))
  try {
    await saving
  } finally {
    changes.delete(change)
    if (changes.size === 0 && unsaved.get(hash) === changes) unsaved.delete(hash)
    void fetchedCache.cancelQueries({ queryKey, exact: true })
    fetchAgain(queryKey)
  }
}
