import type { FirstAnswer, LiveQuery } from './replica.types.ts'

/** The last answer of a query that is to be shown at once after the next start. */
interface Kept {
  /** `LiveQuery.remember`. */
  key: string
  /** The rows fit only what asked for exactly these columns. */
  sql: string
  version: string
  rows: unknown[]
  /** Milliseconds since 1970. */
  at: number
}

/** Of the tables, put here by the build: to work it out, every table of the schema would have to be fetched first. */
declare const __SHAPES_VERSION__: string | undefined
const shapesVersion = typeof __SHAPES_VERSION__ === 'string' ? __SHAPES_VERSION__ : ''

/** What fills a window; further rows are read when the replica answers. */
const rowsKept = 60
/** Of one answer, as JSON. */
const lengthKept = 200_000
/** Of one kind, which is the first word of the name: conversations must not push out the lists. */
const answersKept = 20
/** An answer is written this long after it came, together with those that came meanwhile. */
const quietMs = 400

export const lastRowsName = (prefix: string): string => `${prefix}-last-rows`

/**
 * The last rows of some live queries, in IndexedDB. A replica takes a second or two to open, this takes a few
 * milliseconds: a start shows the last known inbox from here until the replica answers. Whatever goes wrong here is
 * of no consequence: the replica answers anyway.
 */
export class LastRows {
  readonly #db: Promise<IDBDatabase>
  readonly #kept = new Map<string, Kept>()
  readonly #unwritten = new Set<string>()
  /** Names under which the replica has answered since the start. */
  readonly #answered = new Set<string>()
  #over = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  /** Resolves when `of` can answer. */
  readonly loaded: Promise<void>

  /** @param prefix null keeps nothing */
  constructor(prefix: string | null) {
    this.#db = prefix === null ? Promise.reject(new Error('nothing is kept')) : open(lastRowsName(prefix))
    this.#db.catch(() => undefined)
    this.loaded = this.#load().catch(() => undefined)
  }

  /** Whether anything was kept, as far as it is loaded. */
  get any(): boolean {
    return this.#kept.size > 0
  }

  /** The last rows of a query, empty only where they are lent; undefined where none fit, or the replica knows better. */
  of({ remember, sql }: LiveQuery): unknown[] | undefined {
    if (remember === undefined || this.#over || this.#answered.has(remember)) return undefined
    const kept = this.#kept.get(remember)
    return kept?.sql === sql ? kept.rows : undefined
  }

  /** Takes an answer that is not the last one of here: it is shown until the replica answers, and not kept. */
  lend({ query: { remember: key, sql }, rows }: FirstAnswer): void {
    // Rows of its own that fit are as good; those of an older client's columns are not.
    if (key === undefined || this.#answered.has(key) || this.#kept.get(key)?.sql === sql) return
    this.#kept.set(key, { key, sql, version: shapesVersion, rows: [...rows], at: Date.now() })
  }

  /** The replica answers within milliseconds from now on: what was there before the start is never shown again. */
  replaced(): void {
    this.#over = true
  }

  /** Takes an answer of the replica. */
  keep({ remember: key, sql }: LiveQuery, answer: readonly unknown[]): void {
    if (key === undefined || this.#closed) return
    this.#answered.add(key)
    this.#kept.delete(key)
    // That there was nothing is nothing to show.
    if (answer.length > 0)
      this.#kept.set(key, { key, sql, version: shapesVersion, rows: answer.slice(0, rowsKept), at: Date.now() })
    this.#unwritten.add(key)
    this.#timer ??= setTimeout(() => whenIdle(() => this.flush()), quietMs)
  }

  /** Writes now what waits for its turn: the page may be gone before it. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#closed || this.#unwritten.size === 0) return
    const kinds = Map.groupBy(this.#kept.values(), ({ key }) => key.split(' ', 1)[0])
    for (const kind of kinds.values())
      for (const { key } of kind.sort((a, b) => b.at - a.at).slice(answersKept)) {
        this.#kept.delete(key)
        this.#unwritten.add(key)
      }
    const put: Kept[] = []
    const gone: string[] = []
    for (const key of this.#unwritten) {
      const kept = this.#kept.get(key)
      if (kept && JSON.stringify(kept.rows).length <= lengthKept) put.push(kept)
      else gone.push(key)
    }
    this.#unwritten.clear()
    this.#db
      .then((db) => {
        const store = db.transaction(table, 'readwrite').objectStore(table)
        for (const kept of put) store.put(kept)
        for (const key of gone) store.delete(key)
      })
      .catch(() => undefined)
  }

  /** Forgets all of them, also on the disk: the replica is to be made of what the server has now. */
  async forget(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#over = true
    this.#kept.clear()
    this.#unwritten.clear()
    const db = await this.#db.catch(() => undefined)
    if (!db || this.#closed) return
    const kept = await all(db)
    const store = db.transaction(table, 'readwrite').objectStore(table)
    for (const { key } of kept) store.delete(key)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#db.then((db) => db.close()).catch(() => undefined)
  }

  async #load(): Promise<void> {
    // What came meanwhile is newer; what an earlier version wrote goes with the next that is written.
    for (const kept of await all(await this.#db))
      if (kept.version === shapesVersion && !this.#answered.has(kept.key)) this.#kept.set(kept.key, kept)
  }
}

/** Between frames, where the browser can tell: for what takes a few milliseconds of the page, as rows as JSON do. */
export const whenIdle = (work: () => void): void =>
  'requestIdleCallback' in globalThis ? void requestIdleCallback(work, { timeout: 1_000 }) : work()

const table = 'kept'

/** IndexedDB as it is: whatever is imported here is fetched before the first screen. */
function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 10)
    request.onupgradeneeded = () => void request.result.createObjectStore(table, { keyPath: 'key' })
    request.onsuccess = () => {
      const db = request.result
      // Another tab deletes the database at logout, and waits for this.
      db.onversionchange = () => db.close()
      resolve(db)
    }
    request.onerror = () => reject(request.error)
  })
}

const all = (db: IDBDatabase) =>
  new Promise<Kept[]>((resolve, reject) => {
    const request = db.transaction(table).objectStore(table).getAll()
    request.onsuccess = () => resolve(request.result as Kept[])
    request.onerror = () => reject(request.error)
  })
