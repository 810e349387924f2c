/**
 * IndexedDB in memory, as far as it is used here and by Emscripten: stores by key, transactions that end by themselves,
 * answers that come later, copies in and out. The real one is met in `tests/e2e/replica.spec.ts`.
 */
interface Store {
  rows: Map<string, unknown>
  keyPath: string | null
}
export class MemoryIndexedDb {
  readonly stores = new Map<string, Map<string, Store>>()
  /** Every request fails, as on a disk that is full. */
  broken = false
  /** Writing under this key throws, as where memory for the copy is lacking. */
  refused: string | null = null
  /** Keys in the order in which they were written. */
  written: string[] = []
  /** Grows when a page is killed. */
  #page = 0

  /** Kills the page: whatever it has opened writes no more. */
  kill(): void {
    this.#page++
  }

  /** In the place of `globalThis.indexedDB`; the returned function puts the former one back. */
  install(): () => void {
    const before = globalThis.indexedDB
    globalThis.indexedDB = this as unknown as IDBFactory
    return () => {
      globalThis.indexedDB = before
    }
  }

  databases = async () => [...this.stores.keys()].map((name) => ({ name, version: 1 }))

  open = (name: string) => {
    const fresh = !this.stores.has(name)
    const request = this.#request(() => this.#database(name))
    if (fresh && !this.broken)
      queueMicrotask(() => {
        this.stores.set(name, new Map())
        Object.assign(request, { result: this.#database(name), transaction: this.#transaction(name, this.#page) })
        request.onupgradeneeded?.({ target: request })
      })
    return request
  }

  deleteDatabase = (name: string) => this.#request(() => void this.stores.delete(name))

  /** @param done after its answer was heard */
  #request(answer: () => unknown, done: () => void = () => undefined) {
    const request = {
      result: undefined as unknown,
      transaction: null as unknown,
      error: new Error('The disk is full'),
      onsuccess: null as ((event: unknown) => void) | null,
      onerror: null as ((event: unknown) => void) | null,
      onupgradeneeded: null as ((event: unknown) => void) | null,
    }
    setTimeout(() => {
      const event = { target: request, preventDefault: () => undefined }
      if (this.broken) request.onerror?.(event)
      else {
        request.result = answer()
        request.onsuccess?.(event)
      }
      done()
    })
    return request
  }

  #database(name: string) {
    const page = this.#page
    return {
      objectStoreNames: { contains: (store: string) => this.stores.get(name)!.has(store) },
      createObjectStore: (store: string, { keyPath = null }: { keyPath?: string | null } = {}) => {
        this.stores.get(name)!.set(store, { rows: new Map(), keyPath })
        return this.#store(name, store, page)
      },
      transaction: () => this.#transaction(name, page),
      close: () => undefined,
    }
  }

  #transaction(name: string, page: number) {
    let open = 1
    const ended = () => {
      if (--open === 0) setTimeout(() => (this.broken ? transaction.onabort?.() : transaction.oncomplete?.()))
    }
    const before = new Map([...this.stores.get(name)!].map(([store, { rows }]) => [store, new Map(rows)]))
    const transaction = {
      error: new Error('The disk is full'),
      objectStore: (store: string) =>
        this.#store(name, store, page, (answer) => {
          open++
          return this.#request(answer, ended)
        }),
      oncomplete: null as (() => void) | null,
      onabort: null as (() => void) | null,
      onerror: null,
      abort: () => {
        if (page !== this.#page) return
        for (const [store, rows] of before) this.stores.get(name)!.get(store)!.rows = rows
      },
      commit: () => undefined,
    }
    // One in which nothing is asked ends, too.
    setTimeout(ended)
    return transaction
  }

  #store(name: string, store: string, page: number, ask = (answer: () => unknown) => this.#request(answer)) {
    const { rows, keyPath } = this.stores.get(name)!.get(store)!
    return {
      indexNames: { contains: () => false },
      createIndex: () => undefined,
      put: (row: Record<string, unknown>, key = String(row[keyPath ?? ''])) => {
        const copy = structuredClone(row)
        if (key === this.refused) throw new RangeError('Array buffer allocation failed')
        if (!this.broken && page === this.#page) {
          rows.set(key, copy)
          this.written.push(key)
        }
        return ask(() => key)
      },
      get: (key: string) => ask(() => structuredClone(rows.get(key))),
      delete: (key: string) => {
        if (!this.broken && page === this.#page) rows.delete(key)
        return ask(() => undefined)
      },
      count: () => ask(() => rows.size),
      getAll: () => ask(() => structuredClone([...rows.values()])),
      index: (column: string) => ({
        openKeyCursor: () => {
          const left = [...rows]
          const request = ask(() => next())
          const next = (): unknown => {
            const [entry] = left.splice(0, 1)
            if (!entry) return null
            const [primaryKey, row] = entry
            return {
              primaryKey,
              key: (row as Record<string, unknown>)[column],
              continue: () => {
                const following = next()
                queueMicrotask(() => {
                  request.result = following
                  request.onsuccess?.({ target: request })
                })
              },
            }
          }
          return request
        },
      }),
    }
  }
}
