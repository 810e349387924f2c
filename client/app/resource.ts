import { useCallback, useEffect, useRef, useState } from 'react'
import { api, ApiError } from './api.ts'
import type { RequestOptions } from './api.ts'
import { firstScreenShown } from './late.tsx'
import { session } from './session-store.ts'
import { useReconnected } from './use-event.ts'

export interface Resource<T> {
  /** What came last; it stays while it is being fetched again, and when that fails. */
  data: T | undefined
  error: ApiError | null
  loading: boolean
  /** Fetches again. Calls that come close together make one request. */
  reload: () => void
  /** Changes what is shown until the next fetch, from what an event said. */
  patch: (change: (data: T) => T) => void
}

/** Events come in bursts (a restart of all connections sends dozens); one fetch answers them all. */
const burstMs = 150

/** Fetches `path`, again when it changes, when `reload` is called and when the connection is back. `null` fetches nothing. */
export function useResource<T>(path: string | null, query?: RequestOptions['query']): Resource<T> {
  const key = path === null ? null : JSON.stringify([path, query])
  const { load: _, ...resource } = useFetched(key, (signal) => api.get<T>(path ?? '', { query, signal }))
  return resource
}

/**
 * What was fetched last, by key: a screen that is opened again shows it at once, and what has changed since when it has
 * been fetched anew. Gone with the session, because it is one person's.
 */
const kept = new Map<string, unknown>()
/** Searches fill it too; the oldest go. */
const mostKept = 50
session.onEnd(() => kept.clear())

function keep(key: string, data: unknown): void {
  kept.delete(key)
  kept.set(key, data)
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
}

interface Fetched<T> {
  key: string | null
  data: T | undefined
  error: ApiError | null
  loading: boolean
}

function useFetched<T>(
  key: string | null,
  fetchIt: (signal: AbortSignal) => Promise<T>,
): Resource<T> & { load: () => void } {
  // The type is the word of whoever fetches under this key.
  const fresh = (): Fetched<T> => ({
    key,
    data: key === null ? undefined : (kept.get(key) as T | undefined),
    error: null,
    loading: key !== null,
  })
  const [stored, setStored] = useState(fresh)
  // What was fetched for another key is not shown for a moment either.
  const state = stored.key === key ? stored : fresh()
  const latest = useRef(fetchIt)
  useEffect(() => {
    latest.current = fetchIt
  })
  const running = useRef<AbortController | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const load = useCallback(() => {
    running.current?.abort()
    if (key === null) return
    const controller = new AbortController()
    running.current = controller
    setStored((old) => ({
      key,
      data: old.key === key ? old.data : (kept.get(key) as T | undefined),
      error: old.key === key ? old.error : null,
      loading: true,
    }))
    latest.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setStored({ key, data, error: null, loading: false })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        const failure = error instanceof ApiError ? error : new ApiError('ERR_UNREADABLE', 0)
        setStored((old) => ({ ...old, error: failure, loading: false }))
      },
    )
  }, [key])

  const { data } = stored
  useEffect(() => {
    if (stored.key !== null && data !== undefined) keep(stored.key, data)
  }, [stored.key, data])
  const answered = state.data !== undefined || state.error !== null
  useEffect(() => {
    if (answered) firstScreenShown()
  }, [answered])

  useEffect(() => {
    load()
    return () => {
      running.current?.abort()
      clearTimeout(timer.current)
    }
  }, [load])

  const reload = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(load, burstMs)
  }, [load])

  // What happened while the socket was away was not heard of.
  useReconnected(reload)

  const patch = useCallback((change: (data: T) => T) => {
    setStored((old) => (old.data === undefined ? old : { ...old, data: change(old.data) }))
  }, [])

  return { data: state.data, error: state.error, loading: state.loading, reload, patch, load }
}

export interface Pages<Row> extends Resource<Row[]> {
  hasMore: boolean
  loadMore: () => void
}

/**
 * A list that the server hands out page by page. A new search begins at page 1; fetching again fetches as many
 * pages as are shown.
 *
 * @param rowsKey the field of the answer that holds the rows, beside `hasMore`
 */
export function usePages<Row>(path: string, rowsKey: string, searchParam: string): Pages<Row> {
  const book = useRef({ searchParam, wanted: 1, pages: [] as Row[][], more: false, adding: false })
  const { load, ...list } = useFetched<Row[]>(JSON.stringify([path, searchParam]), async (signal) => {
    if (book.current.searchParam !== searchParam)
      book.current = { searchParam, wanted: 1, pages: [], more: false, adding: false }
    const { current } = book
    const pages = current.adding ? [...current.pages] : []
    current.adding = false
    let more = true
    while (more && pages.length < current.wanted) {
      const query = { searchParam, pageNumber: pages.length + 1 }
      const answer = await api.get<Record<string, Row[] | undefined> & { hasMore: boolean }>(path, { query, signal })
      pages.push(answer[rowsKey] ?? [])
      more = answer.hasMore
    }
    Object.assign(current, { pages, more, wanted: pages.length })
    return pages.flat()
  })
  const { loading, error, data } = list
  const hasMore = data !== undefined && book.current.more
  const loadMore = useCallback(() => {
    if (loading || error || !book.current.more) return
    book.current.wanted += 1
    book.current.adding = true
    load()
  }, [loading, error, load])
  // The next page is added to what is shown now, not to what was fetched once.
  const { patch: show } = list
  const patch = useCallback(
    (change: (rows: Row[]) => Row[]) => {
      book.current.pages = book.current.pages.map(change)
      show(change)
    },
    [show],
  )
  return { ...list, patch, hasMore, loadMore }
}

/** `value` once it has stayed the same for `ms`. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
