import type { Changes } from './changes.ts'
import type { LiveQuery } from './replica.types.ts'
import type { Answer } from './statements.ts'
import { localTables, tableOfName } from './tables.ts'

/** A row of the answer: one that the receiver has, by its place in the former answer, or a new one. */
export type RowOrPlace = number | { row: unknown }

export interface Subscriber {
  /** Whether somebody looks at it now; those are served first. */
  visible(): boolean
  /** @param whole false when the numbers in `rows` refer to the answer sent to this subscriber before */
  rows(rows: RowOrPlace[], whole: boolean): void
  error(error: Error): void
}

interface Registered {
  query: LiveQuery
  subscribers: Map<Subscriber, { hasRows: boolean }>
  /** The keys of the last answer's rows; null before the first. */
  answer: readonly string[] | null
  running: boolean
  /** Rows changed since the run that is under way began. */
  stale: boolean
  /** Since when it waits for a run, by `performance.now()`. */
  dueSince: number
}

/** A frame and the work before it: so long, what a `first` query has just told has the screen to itself. */
const frameMs = 40
/** However much goes on, nothing waits longer than this. */
const longestWaitMs = 120

/**
 * Live queries of all tabs: equal ones share one run, a run happens only when rows they depend on changed, at most
 * one at a time for each query, and only answers that differ are told, as what is new in them.
 *
 * A message that arrives concerns the open conversation and half a dozen lists and counts. The conversation's bubble is
 * what somebody waits for: its query runs first, and the others after the frame that shows it, all together, so that
 * they are drawn once.
 */
export class LiveQueries {
  readonly #queries = new Map<string, Registered>()
  readonly #due = new Set<Registered>()
  #pumping = false
  /** Until then, by `performance.now()`, the screen belongs to what was told last. */
  #quietUntil = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param told after answers that are to be seen together */
  constructor(
    private readonly run: (sql: string, params: readonly unknown[]) => Promise<Answer>,
    private readonly told: () => void = () => undefined,
  ) {}

  /** Columns to tell apart rows of a table by, for `Changes`. */
  watched = (table: string): readonly string[] => {
    const columns = new Set<string>()
    for (const { query } of this.#queries.values())
      for (const read of query.tables)
        if (typeof read !== 'string' && sqlName(read.table) === table) columns.add(read.only.column)
    const known = tableOfName.get(table)?.columns ?? []
    return [...columns].filter((column) => known.some((c) => c.name === column))
  }

  subscribe(query: LiveQuery, subscriber: Subscriber): () => void {
    const key = JSON.stringify([query.sql, query.params ?? [], query.tables])
    let registered = this.#queries.get(key)
    if (!registered) {
      registered = { query, subscribers: new Map(), answer: null, running: false, stale: false, dueSince: 0 }
      this.#queries.set(key, registered)
    }
    const entry = registered
    entry.subscribers.set(subscriber, { hasRows: false })
    // A second subscriber needs the rows themselves, and only their keys are kept.
    this.#schedule(entry)
    return () => {
      entry.subscribers.delete(subscriber)
      if (entry.subscribers.size > 0) return
      this.#due.delete(entry)
      if (this.#queries.get(key) === entry) this.#queries.delete(key)
    }
  }

  /** Rows changed: runs what depends on them. */
  changed(changes: Changes): void {
    for (const entry of this.#queries.values()) {
      const affected = entry.query.tables.some((read) =>
        typeof read === 'string' ? changes.touch(sqlName(read)) : changes.touch(sqlName(read.table), read.only),
      )
      if (affected) this.#schedule(entry)
    }
  }

  #schedule(entry: Registered): void {
    if (entry.running) entry.stale = true
    else if (!this.#due.has(entry)) {
      entry.dueSince = performance.now()
      this.#due.add(entry)
    }
    void this.#pump()
  }

  /** One after the other, as the database does anyway. */
  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    // What became due in one go is put in order first.
    await Promise.resolve()
    let urgent = false
    let first = false
    for (;;) {
      const next = this.#nextDue()
      if (urgent && !next?.urgent) {
        this.told()
        if (first) this.#quietUntil = performance.now() + frameMs
        urgent = first = false
        continue
      }
      if (!next) break
      this.#due.delete(next.entry)
      const news = await this.#answer(next.entry)
      if (!news || !next.urgent) continue
      urgent = true
      first ||= next.entry.query.first === true
    }
    this.told()
    this.#pumping = false
  }

  /** What is urgent, what somebody sees, the rest; null when there is nothing, or it can wait for a moment. */
  #nextDue(): { entry: Registered; urgent: boolean } | null {
    let best: Registered | null = null
    let rank = 3
    let oldest = Infinity
    for (const entry of this.#due) {
      const visible = [...entry.subscribers.keys()].some((s) => s.visible())
      // Whoever has nothing to show yet waits more than anybody.
      const urgent = visible && (entry.query.first === true || [...entry.subscribers.values()].some((s) => !s.hasRows))
      const own = urgent ? 0 : visible ? 1 : 2
      oldest = Math.min(oldest, entry.dueSince)
      if (own < rank) {
        best = entry
        rank = own
      }
    }
    if (!best) return null
    const wait = Math.min(this.#quietUntil, oldest + longestWaitMs) - performance.now()
    if (rank > 0 && wait > 0) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#pump(), wait)
      return null
    }
    return { entry: best, urgent: rank === 0 }
  }

  /** @returns whether there was something to tell */
  async #answer(entry: Registered): Promise<boolean> {
    entry.running = true
    entry.stale = false
    let news = true
    try {
      news = this.#tell(entry, await this.run(entry.query.sql, entry.query.params ?? []))
    } catch (error) {
      entry.answer = null
      for (const [subscriber, state] of entry.subscribers) {
        state.hasRows = false
        subscriber.error(error instanceof Error ? error : new Error(String(error)))
      }
    }
    entry.running = false
    if (entry.stale && entry.subscribers.size > 0) {
      entry.dueSince = performance.now()
      this.#due.add(entry)
    }
    return news
  }

  #tell(entry: Registered, { keys, row }: Answer): boolean {
    const before = entry.answer
    entry.answer = keys
    const same = before !== null && before.length === keys.length && keys.every((key, i) => key === before[i])
    let delta: RowOrPlace[] | undefined
    let whole: RowOrPlace[] | undefined
    for (const [subscriber, state] of entry.subscribers) {
      if (state.hasRows && before) {
        if (same) continue
        if (!delta) {
          const places = new Map(before.map((key, place) => [key, place]))
          delta = keys.map((key, i) => (key === before[i] ? i : (places.get(key) ?? { row: row(i) })))
        }
        subscriber.rows(delta, false)
      } else {
        whole ??= keys.map((_, i) => ({ row: row(i) }))
        state.hasRows = true
        subscriber.rows(whole, true)
      }
    }
    return delta !== undefined || whole !== undefined
  }
}

/** Screens may name a table as the schema does (`ticketNotes`) or as SQL does (`ticket_notes`). */
const sqlName = (table: string): string =>
  table in localTables ? localTables[table as keyof typeof localTables].name : table
