import { useMemo, useRef, useSyncExternalStore } from 'react'
import { useReplica } from './replica.tsx'
import type { Replica } from '../../sync/client/replica.types.ts'
import { reuseRows } from '../base/reuse-rows.ts'
import type { Rows, RowsState } from './rows.ts'

/** Answers of queries nobody watches now; enough for going back and forth between conversations. */
const keptQueries = 60
/** A query that is left is watched a little longer, so that going back and forth does not restart it, ms. */
const lingerMs = 4000

interface LiveStore<Row> {
  get(): RowsState<Row>
  isFromLastTime(): boolean
  isStale(): boolean
  /** Nobody watches it, not even in the moment after leaving. */
  idle(): boolean
  subscribe(listener: () => void): () => void
}

// By replica, so that what one user saw is gone with their session.
const stores = new WeakMap<Replica, Map<string, LiveStore<never>>>()
const nothing: RowsState<never> = { rows: undefined, previous: false, error: null }
const none: LiveStore<never> = {
  get: () => nothing,
  isFromLastTime: () => false,
  isStale: () => false,
  idle: () => true,
  subscribe: () => () => undefined,
}

/**
 * Watches a query while mounted; `null` watches nothing. Rows that did not change keep their identity. With
 * `keepPrevious`, the rows of the query before stay, marked as `previous`, until the first answer to the new one: what
 * somebody types would otherwise empty the list at each letter.
 */
export function useRows<Row extends object>(
  rows: Rows<Row> | null,
  { keepPrevious = false }: { keepPrevious?: boolean } = {},
): RowsState<Row> {
  const replica = useReplica()
  const store: LiveStore<Row> = rows ? storeOf(replica, rows) : none
  const state = useSyncExternalStore(store.subscribe, store.get)
  const answered = useRef<readonly Row[]>(undefined)
  if (state.rows) answered.current = state.rows
  if (!keepPrevious || state.rows || !answered.current) return state
  return { ...state, rows: answered.current, previous: true }
}

/** The same for several queries, whose answers come in their order. Give the same array while it says the same. */
export function useEachRows<Row extends object>(queries: readonly Rows<Row>[]): readonly RowsState<Row>[] {
  const replica = useReplica()
  const all = useMemo(() => inOne(queries.map((rows) => storeOf(replica, rows))), [replica, queries])
  return useSyncExternalStore(all.subscribe, all.get)
}

/**
 * Whether the rows of a query are those of the last visit, and the replica has not answered yet. Apart from them, so that
 * an answer that says the same has nothing drawn again.
 */
export function useIsFromLastTime<Row extends object>(rows: Rows<Row>): boolean {
  const store = storeOf(useReplica(), rows)
  return useSyncExternalStore(store.subscribe, store.isFromLastTime)
}

/**
 * Whether the rows of a query are those that it had when it was last watched, some time ago, and the replica has not
 * answered since. They are shown, and nothing is decided by them that cannot wait for the answer.
 */
export function useIsStale<Row extends object>(rows: Rows<Row> | null): boolean {
  const replica = useReplica()
  const store = rows ? storeOf(replica, rows) : none
  return useSyncExternalStore(store.subscribe, store.isStale)
}

/**
 * Resolves when a query has rows: who begins to watch it within the next seconds has them in the first drawing.
 * Rejects with the query's error.
 */
export async function rowsReady<Row extends object>(replica: Replica, rows: Rows<Row>): Promise<void> {
  const store = storeOf(replica, rows)
  const { promise: shown, resolve } = Promise.withResolvers<void>()
  const stop = store.subscribe(resolve)
  if (!store.get().rows) await shown
  stop()
  const { rows: there, error } = store.get()
  if (!there && error) throw error
}

/** Runs a query ahead of its use, for a pointer that rests on what will be opened. */
export function prefetchRows<Row extends object>(replica: Replica, rows: Rows<Row>): void {
  storeOf(replica, rows).subscribe(() => undefined)()
}

function inOne<Row>(stores: readonly LiveStore<Row>[]) {
  let states = stores.map((store) => store.get())
  return {
    get: () => {
      if (stores.some((store, i) => store.get() !== states[i])) states = stores.map((store) => store.get())
      return states
    },
    subscribe: (listener: () => void) => {
      const stops = stores.map((store) => store.subscribe(listener))
      return () => stops.forEach((stop) => stop())
    },
  }
}

function storeOf<Row extends object>(replica: Replica, rows: Rows<Row>): LiveStore<Row> {
  let known = stores.get(replica)
  if (!known) stores.set(replica, (known = new Map()))
  const key = JSON.stringify([rows.query.sql, rows.query.params])
  const found = known.get(key)
  if (found) {
    // To the end: the map's order is that of the last use.
    known.delete(key)
    known.set(key, found)
    return found as unknown as LiveStore<Row>
  }
  const made = createLiveStore(replica, rows)
  known.set(key, made as unknown as LiveStore<never>)
  if (known.size > keptQueries) {
    // One that is watched must stay, however long ago it was asked for: its next reader would begin with nothing.
    for (const [oldKey, store] of known) {
      if (!store.idle() || oldKey === key) continue
      known.delete(oldKey)
      break
    }
  }
  return made
}

function createLiveStore<Row extends object>(replica: Replica, { query, read, keyOf }: Rows<Row>): LiveStore<Row> {
  const listeners = new Set<() => void>()
  // The replica hands over the same object for a row that is the same.
  const known = new WeakMap<Record<string, unknown>, Row>()
  const readOnce = (raw: Record<string, unknown>): Row => {
    let row = known.get(raw)
    if (!row) known.set(raw, (row = read ? read(raw) : (raw as Row)))
    return row
  }
  // Known before the first drawing, they are in it: told after it, all of it would be drawn again.
  const last = replica.lastTime?.<Record<string, unknown>>(query)
  let state: RowsState<Row> = last ? { rows: last.map(readOnce), previous: false, error: null } : nothing
  let fromLastTime = last !== undefined
  let stale = false
  let stop: (() => void) | null = null
  /** Takes back an answer that is held: see `whenLoaded`. */
  let unhold: (() => void) | null = null
  let lingering: ReturnType<typeof setTimeout> | undefined

  const show = (next: RowsState<Row>, old = fromLastTime) => {
    const isSame = next.rows === state.rows && next.error === state.error
    if (isSame && old === fromLastTime && !stale) return
    if (!isSame) state = next
    fromLastTime = old
    stale = false
    for (const listener of [...listeners]) listener()
  }
  return {
    get: () => state,
    isFromLastTime: () => fromLastTime,
    isStale: () => stale,
    idle: () => stop === null && listeners.size === 0,
    subscribe(listener) {
      listeners.add(listener)
      clearTimeout(lingering)
      stop ??= replica.live<Record<string, unknown>>(
        query,
        (raw, old) => {
          const publish = () =>
            show({ ...state, rows: reuseRows(state.rows, raw.map(readOnce), keyOf), error: null }, old)
          unhold?.()
          // Nothing among rows that have yet to come is no answer.
          unhold = raw.length === 0 && !old && !state.rows ? whenLoaded(replica, publish) : null
          if (!unhold) publish()
        },
        (error) => show({ ...state, error }),
      )
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        const end = () => {
          if (listeners.size > 0) return
          stop?.()
          unhold?.()
          stop = unhold = null
          stale = state.rows !== undefined
        }
        // What failed has nothing to come back to: the next reader has it asked again.
        if (state.error) end()
        else lingering = setTimeout(end, lingerMs)
      }
    },
  }
}

/**
 * Calls `then` once the first load is over, in which a list is empty because its rows are still on their way.
 * @returns what takes that back; null, and nothing is called, where it is over already
 */
function whenLoaded({ status }: Replica, then: () => void): (() => void) | null {
  const isLoading = () => status.get().state === 'loading'
  if (!isLoading()) return null
  const stop = status.subscribe(() => {
    if (isLoading()) return
    stop()
    then()
  })
  return stop
}
