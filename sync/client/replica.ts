import type { CommandInput, CommandName } from '../../schema/catalog.ts'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import { deleteDatabase, deleteReplicas } from './disk.ts'
import { LastRows, lastRowsName, whenIdle } from './last-rows.ts'
import { deleteShared, outboxName, passingPrefix, userPrefix } from './leftovers.ts'
import type { OutboxStorage } from './outbox.dexie.ts'
import { type Entry, inOrder, isSilent, isUnsent, reduce, ticketOf } from './outbox.state.ts'
import type {
  Drafts,
  FirstAnswer,
  FoundMessage,
  LiveQuery,
  Outbox,
  OutboxEntry,
  Readable,
  Replica,
  ReplicaOptions,
  SyncStatus,
} from './replica.types.ts'
import { once, repeatable } from './repeatable.ts'
import { type FromTab, type OfOpening, type ToTab, type ToTabs, unfetched, type WorkerStart } from './wire.ts'
import type * as DexieModule from './outbox.dexie.ts'
import type * as WritingModule from './writing.ts'

/** What writing needs and looking does not: fetched after the first rows, or when the first command comes. */
type Writing = Pick<typeof WritingModule, 'validate'> & Pick<typeof DexieModule, 'dexieStorage'>
let writing: Writing | null = null
const loads = [repeatable(() => import('./writing.ts')), repeatable(() => import('./outbox.dexie.ts'))] as const
const fetchWriting = once(async () => {
  const [{ validate }, { dexieStorage }] = await Promise.all([loads[0](), loads[1]()])
  return (writing = { validate, dexieStorage })
})

/** A query that nobody shows any more is kept for a moment: people go back and forth. */
const lingerMs = 3_000
/** A tab that was hidden for longer than this asks for news at once when it is looked at again. */
const sleptMs = 5_000
/** Reading the rows of the last time takes some 10 ms. */
const lastRowsMs = 300
/** They and what is around them are drawn within a second; whatever keeps them from it does not keep the database. */
const drawnMs = 1_500
/** A replica's files are waited for this long: they take half a second, and many rows on a slow phone some more. */
const filesSeconds = 20
/** Postgres' program is waited for this long, and twice as long after each time that it did not come: some lines are slow. */
const programSeconds = (failures: number) => Math.min(600, 50 * 2 ** failures)

const starting: SyncStatus = {
  online: true,
  state: 'starting',
  loadedRows: 0,
  waiting: 0,
  failed: 0,
  error: null,
  durable: true,
  outdated: false,
}

/** The replica of `options.who` in this tab. All tabs of the user share one database and one connection. */
export function createReplica(options: ReplicaOptions): Replica {
  return new TabReplica(options)
}

class Cell<T> implements Readable<T> {
  readonly #listeners = new Set<(value: T) => void>()
  constructor(private value: T) {}
  get = (): T => this.value
  set(value: T): void {
    this.value = value
    for (const listener of this.#listeners) listener(value)
  }
  subscribe = (listener: (value: T) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

interface Watched {
  q: number
  query: LiveQuery
  rows: unknown[] | null
  /** An answer of a replica that is not complete yet, held back while better rows of the last time are shown. */
  held: boolean
  /** Its last run failed. */
  failed: boolean
  listeners: Set<{ onRows(rows: unknown[], fromLastTime: boolean): void; onError?: (error: Error) => void }>
  lingering: ReturnType<typeof setTimeout> | undefined
}

interface Request {
  message: FromTab
  resolve(value: unknown): void
  reject(error: Error): void
}

class TabReplica implements Replica {
  readonly status = new Cell<SyncStatus>(starting)
  readonly outbox: Outbox
  readonly drafts: Drafts

  readonly #tab = newId()
  readonly #name: string
  readonly #storage: OutboxStorage
  readonly #entries = new Cell<readonly Entry[]>([])
  /** What the worker says, and what it has not heard of yet. */
  #fromWorker: readonly Entry[] = []
  readonly #own = new Map<string, { entry: Entry; stored: boolean }>()
  readonly #files = new Map<string, Blob>()
  /** What the disk did not take: a new worker must be told all of it. */
  readonly #unkept = new Map<string, Entry>()
  readonly #unkeptDrafts = new Map<string, string>()
  /** The disk did not take the last command. */
  #full = false
  readonly #lastRows: LastRows
  readonly #queries = new Map<string, Watched>()
  readonly #byNumber = new Map<number, Watched>()
  /** The worker is about to hear of them. */
  readonly #unwatched = new Set<Watched>()
  readonly #requests = new Map<number, Request>()
  #next = 1
  #lastSeq = 0
  #send: ((message: FromTab) => void) | null = null
  #worker: Worker | null = null
  /** The replica did not open and was deleted: what fails again is not its rows. */
  #rebuilt = false
  #leads = false
  /** Grows when the person begins anew: what waits for another attempt is then of the past. */
  #life = 0
  /** Openings that failed for another reason than the files. */
  #failures = 0
  /** Why it did not open: said until it opens, also while it is tried again. */
  #trouble: string | null = null
  readonly #control: BroadcastChannel | null
  readonly #channel: BroadcastChannel | null
  readonly #ended = new AbortController()
  #releaseLead: (() => void) | null = null
  #hiddenAt: number | null = null

  constructor(private readonly options: ReplicaOptions) {
    const { passing } = options
    this.#name = passing ? passingPrefix(passing) : userPrefix(options.who)
    this.#lastRows = new LastRows(passing ? null : this.#name)
    void this.#lastRows.loaded.then(() => {
      for (const watched of this.#queries.values()) this.#showLast(watched, watched.listeners)
    })
    this.#storage = lateStorage(outboxName(this.#name))
    this.outbox = {
      get: this.#entries.get,
      subscribe: (fn) => this.#entries.subscribe(fn),
      retry: async (id) => void (await this.#ask((r) => ({ t: 'retry', r, id }))),
      discard: async (id) => void (await this.#ask((r) => ({ t: 'discard', r, id }))),
      file: async (id) => this.#files.get(id) ?? (await this.#storage.file(id)),
    }
    this.drafts = {
      get: async (of) => this.#unkeptDrafts.get(JSON.stringify(of)) ?? this.#storage.draft(of),
      set: async (of, text) => {
        // The older text that a full disk still has must not come back over this one.
        this.#unkeptDrafts.set(JSON.stringify(of), text)
        await this.#storage.setDraft(of, text)
        this.#unkeptDrafts.delete(JSON.stringify(of))
      },
    }
    document.addEventListener('visibilitychange', this.#visibility, { signal: this.#ended.signal })
    window.addEventListener('offline', () => this.#send?.({ t: 'keep' }), { signal: this.#ended.signal })
    if (this.#shares) {
      this.#control = new BroadcastChannel(this.#name)
      this.#channel = new BroadcastChannel(`${this.#name}:${this.#tab}`)
      this.#control.onmessage = ({ data }: MessageEvent<ToTabs>) => {
        if (data.t === 'destroy') void this.close()
        else if (data.t === 'restart') void (this.#leads && this.restart({ rebuild: data.rebuild }))
        else if (data.t === 'trouble') this.#troubled(data.message)
        else if (data.t === 'up') this.#here()
      }
      this.#channel.onmessage = ({ data }: MessageEvent<ToTab>) =>
        this.#receive(data, (m) => this.#channel?.postMessage(m))
      void this.#begin().then(() => this.#join())
    } else {
      // An insecure address has no locks: each tab works for itself, and the outbox alone is kept. So does who passes by.
      this.#control = this.#channel = null
      this.#lead(false)
    }
  }

  async first(query: LiveQuery, answers: () => Promise<FirstAnswer[]>): Promise<void> {
    await this.#lastRows.loaded
    if (!this.#filling() || this.#lastRows.of(query) !== undefined) return
    const found = await answers().catch(() => [])
    if (!this.#filling() || this.#ended.signal.aborted) return
    for (const answer of found) this.#lastRows.lend(answer)
    for (const watched of this.#queries.values()) {
      if (this.#lastRows.of(watched.query) === undefined) continue
      // What it has answered meanwhile is of rows that have yet to come.
      watched.held = watched.rows !== null
      this.#showLast(watched, watched.listeners)
    }
  }

  live<Row>(
    query: LiveQuery,
    onRows: (rows: Row[], fromLastTime: boolean) => void,
    onError?: (error: Error) => void,
  ): () => void {
    const key = JSON.stringify([query.sql, query.params ?? [], query.tables])
    let watched = this.#queries.get(key)
    if (!watched) {
      watched = {
        q: this.#next++,
        query,
        rows: null,
        held: false,
        failed: false,
        listeners: new Set(),
        lingering: undefined,
      }
      this.#queries.set(key, watched)
      this.#byNumber.set(watched.q, watched)
      this.#watch(watched)
    }
    clearTimeout(watched.lingering)
    const entry = watched
    // The rows' type is the caller's word for what its SQL returns.
    const listener = {
      onRows: onRows as (rows: unknown[], fromLastTime: boolean) => void,
      ...(onError ? { onError } : {}),
    }
    entry.listeners.add(listener)
    if (entry.rows && !entry.held) listener.onRows(entry.rows, false)
    else this.#showLast(entry, [listener])
    return () => {
      if (!entry.listeners.delete(listener) || entry.listeners.size > 0) return
      clearTimeout(entry.lingering)
      const end = () => {
        this.#queries.delete(key)
        this.#byNumber.delete(entry.q)
        if (!this.#unwatched.delete(entry)) this.#send?.({ t: 'unlive', q: entry.q })
      }
      // What failed is run again for the next who asks, who would else wait for an answer that was given.
      if (entry.failed) end()
      else entry.lingering = setTimeout(end, lingerMs)
    }
  }

  lastTime<Row>(query: LiveQuery): Row[] | undefined {
    // The rows' type is the caller's word for what its SQL returns.
    return this.#lastRows.of(query) as Row[] | undefined
  }

  async query<Row>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return (await this.#ask((r) => ({ t: 'query', r, sql, params }))) as Row[]
  }

  async search(text: string, ticketId?: number): Promise<FoundMessage[]> {
    return (await this.#ask((r) => ({ t: 'search', r, text, ticketId }))) as FoundMessage[]
  }

  async mutate<N extends CommandName>(
    name: N,
    input: CommandInput<N>,
    { file }: { file?: Blob } = {},
  ): Promise<OutboxEntry> {
    if (this.#ended.signal.aborted) throw new DomainError('ERR_SESSION_EXPIRED')
    if (this.options.passing?.readOnly) throw new DomainError('ERR_IMPERSONATION_READ_ONLY')
    // Once it is here, a command is on the screen before this function returns.
    const { validate } = writing ?? (await fetchWriting())
    validate(name, input)
    const now = Date.now()
    // Behind all that waits, also after somebody set the clock back.
    const last = Math.max(this.#lastSeq, this.#fromWorker.at(-1)?.seq ?? 0)
    this.#lastSeq = Math.max(performance.timeOrigin + performance.now(), last + 0.001)
    const entry: Entry = {
      id: newId(),
      name,
      input,
      state: 'queued',
      createdAt: now,
      attempts: 0,
      error: null,
      ticketId: ticketOf(input, this.#entries.get()),
      file: file ? { name: file instanceof File ? file.name : 'file', mimetype: file.type, size: file.size } : null,
      seq: this.#lastSeq,
      txid: null,
      tables: null,
      sentAt: null,
      notBefore: 0,
    }
    // The screen has it now; the disk and the server follow.
    const own = { entry, stored: false }
    this.#own.set(entry.id, own)
    if (file) this.#files.set(entry.id, file)
    this.#mirror()
    const canJudge = this.#send !== null && this.status.get().state !== 'starting'
    const judged = this.#ask((r) => ({ t: 'mutate', r, entry, awaited: canJudge }))
    const verdict = judged.then(
      () => null,
      (error: unknown) => error,
    )
    try {
      await this.#storage.add(entry, file ?? null)
      this.#kept(true)
      this.#files.delete(entry.id)
      this.#send?.({ t: 'stored', id: entry.id })
    } catch {
      if (this.#ended.signal.aborted) throw new DomainError('ERR_SESSION_EXPIRED')
      // A disk that is full keeps nobody from working: it is sent from memory, and the person is told that this is so.
      this.#kept(false)
      this.#unkept.set(entry.id, entry)
      this.#send?.({ t: 'stored', id: entry.id, memory: { file: file ?? null } })
    }
    own.stored = true
    const refused = canJudge ? await verdict : null
    if (refused instanceof DomainError) {
      this.#own.delete(entry.id)
      this.#mirror()
      this.#forget([entry.id])
      await this.#storage.remove([entry.id]).catch(() => undefined)
      throw refused
    }
    return entry
  }

  #kept(well: boolean): void {
    if (this.#full !== well) return
    this.#full = !well
    this.status.set({ ...this.status.get(), durable: well })
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) if (this.#unkept.delete(id)) this.#files.delete(id)
  }

  wake(): void {
    this.#send?.({ t: 'wake' })
  }

  async restart({ rebuild = false }: { rebuild?: boolean } = {}): Promise<void> {
    if (this.#ended.signal.aborted) return
    this.#trouble = null
    if (!this.#leads) return this.#postToTabs({ t: 'restart', rebuild })
    const life = ++this.#life
    const [worker, send] = [this.#worker, this.#send]
    this.#worker = this.#send = null
    if (worker && send) {
      // One that still works writes what it has; one that is stuck is not waited for.
      const r = this.#next++
      const closed = new Promise<unknown>((resolve) => {
        this.#requests.set(r, { message: { t: 'close', r }, resolve, reject: resolve })
        worker.postMessage({ t: 'close', r })
      })
      await Promise.race([closed, sleep(2_000)])
      this.#requests.delete(r)
    }
    worker?.terminate()
    this.#rebuilt = false
    this.#failures = 0
    this.status.set({ ...this.status.get(), state: 'starting', error: null })
    if (rebuild) {
      await this.#lastRows.forget()
      await deleteReplicas(this.#name)
    }
    if (life === this.#life) this.#lead(this.#shares)
  }

  /** Whether the tabs of this user share one database, which is kept. */
  get #shares(): boolean {
    return navigator.locks !== undefined && !this.options.passing
  }

  async close(): Promise<void> {
    if (this.#ended.signal.aborted) return
    this.#ended.abort()
    if (this.#worker && this.#send) {
      // Postgres is told goodbye; a worker that is stuck is not waited for.
      await Promise.race([this.#ask((r) => ({ t: 'close', r })).catch(() => undefined), sleep(2_000)])
    } else this.#send?.({ t: 'bye' })
    this.#worker?.terminate()
    this.#send = null
    this.#releaseLead?.()
    this.#control?.close()
    this.#channel?.close()
    this.#storage.close()
    this.#lastRows.close()
    for (const request of this.#requests.values())
      request.reject(new DOMException('The replica is closed', 'AbortError'))
    this.#requests.clear()
  }

  async destroy({ keepUnsent = false }: { keepUnsent?: boolean } = {}): Promise<void> {
    const unsent = keepUnsent && (await this.#hasUnsent())
    this.#postToTabs({ t: 'destroy' })
    await this.close()
    // Whoever leads lets go of this lock when its worker is gone. One that hangs is not allowed to keep the data.
    if (navigator.locks) {
      const free = navigator.locks.request(this.#name, () => undefined)
      await Promise.race([free, sleep(4_000)])
    }
    await deleteReplicas(this.#name)
    await deleteDatabase(lastRowsName(this.#name))
    if (!unsent) await deleteDatabase(outboxName(this.#name))
    await deleteShared()
  }

  /** Asks the storage itself: a session can end before its worker has said what waits. True where it cannot be read. */
  async #hasUnsent(): Promise<boolean> {
    if (this.#entries.get().some(isUnsent)) return true
    const stored = await Promise.race([this.#storage.load(), sleep(2_000)]).catch(() => undefined)
    return !stored || stored.some(isUnsent)
  }

  // ── leading and following ───────────────────────────────────────────────────────────────────

  /** Resolves when there is nothing to be shown first, or it is shown. */
  async #begin(): Promise<void> {
    // A database that does not open, because another tab deletes it, holds up nothing.
    await Promise.race([this.#lastRows.loaded, sleep(lastRowsMs)])
    if (this.#lastRows.any) await Promise.race([this.options.drawn, sleep(drawnMs)])
  }

  /** Says that this tab lives, and stands for the lead; the browser gives it to the next when a tab is gone. */
  async #join(): Promise<void> {
    const { signal } = this.#ended
    const alive = Promise.withResolvers<void>()
    void navigator.locks
      .request(`${this.#name}:${this.#tab}`, { signal }, () => {
        alive.resolve()
        return aborted(signal)
      })
      .catch(() => undefined)
    await alive.promise
    this.#here()
    await navigator.locks
      .request(this.#name, { signal }, () => {
        this.#lead(true)
        return new Promise<void>((resolve) => (this.#releaseLead = resolve))
      })
      .catch(() => undefined)
  }

  #here(): void {
    if (!this.#worker) this.#postToTabs({ t: 'here', tab: this.#tab })
  }

  #postToTabs(message: ToTabs): void {
    this.#control?.postMessage(message)
  }

  #troubled(message: string): void {
    this.#trouble = message
    this.status.set({ ...this.status.get(), state: 'failed', error: message })
  }

  #lead(persistent: boolean): void {
    if (this.#ended.signal.aborted) return
    this.#leads = true
    this.#send = null
    const worker = new Worker(new URL('./replica.worker.ts', import.meta.url), { type: 'module', name: 'replica' })
    this.#worker = worker
    const { signal } = this.#ended
    let opened = false
    let files: string | null = null
    let clock: ReturnType<typeof setInterval> | undefined
    const waitsFor = (database: string | null) => {
      clearInterval(clock)
      files = database
      let seconds = 0
      // Counted while this machine is awake: a lid that was closed in mid-opening is no reason to begin anew.
      const most = database === null ? programSeconds(this.#failures) : filesSeconds
      clock = setInterval(() => ++seconds > most && failed(database === null ? unfetched : 'timeout'), 1_000)
    }
    const failed = (message: string) => {
      const database = files
      clearInterval(clock)
      if (this.#worker !== worker || signal.aborted) return
      // With it go the connections that it holds, and a Postgres that hangs.
      worker.terminate()
      this.#send = null
      void this.#leadAgain(persistent, database, message)
    }
    signal.addEventListener('abort', () => clearInterval(clock))
    worker.onmessage = ({ data }: MessageEvent<ToTab | OfOpening>) => {
      if (data.t === 'files') waitsFor(data.waits ? data.database : null)
      else if (data.t === 'unopened') failed(data.message)
      else if (data.t === 'opened') {
        opened = true
        this.#failures = 0
        clearInterval(clock)
      } else this.#receive(data, (m) => worker.postMessage(m))
    }
    worker.onerror = (event) => {
      if (this.#worker !== worker) return
      // A script that could not be fetched says nothing.
      const message = event.message || unfetched
      if (opened) this.status.set({ ...this.status.get(), state: 'failed', error: message })
      else failed(message)
    }
    const { who, baseUrl } = this.options
    const start: WorkerStart = {
      t: 'start',
      name: this.#name,
      leader: this.#tab,
      who,
      baseUrl: new URL(baseUrl || '/', location.href).href.replace(/\/$/, ''),
      persistent,
    }
    worker.postMessage(start)
    waitsFor(null)
  }

  /**
   * After an opening that failed. Files that were to blame are worth nothing, since everything in them is on the server
   * and the outbox is elsewhere: they are deleted once, and then done without, as memory is enough to work with.
   */
  async #leadAgain(persistent: boolean, database: string | null, message: string): Promise<void> {
    const life = this.#life
    if (database !== null) {
      this.status.set({ ...this.status.get(), state: 'starting', error: null })
      const gone = await deleteDatabase(database)
      if (life !== this.#life) return
      this.#lead(gone && !this.#rebuilt)
      this.#rebuilt = true
    } else {
      // The network, or a machine without memory to spare: the files are not to suffer for it.
      this.#troubled(message)
      this.#postToTabs({ t: 'trouble', message })
      await sleep(Math.min(60_000, 2_000 * 2 ** this.#failures++))
      if (life === this.#life) this.#lead(persistent)
    }
  }

  #receive(message: ToTab, send: (message: FromTab) => void): void {
    switch (message.t) {
      case 'ready':
        // A new worker knows nothing of us.
        this.#send = send
        send({ t: 'hello', visible: !document.hidden })
        this.#unwatched.clear()
        send({ t: 'live', queries: [...this.#queries.values()].map(({ q, query }) => ({ q, query })) })
        for (const { message: waiting } of this.#requests.values()) send(waiting)
        for (const entry of this.#unkept.values()) this.#sayAgain(entry, send)
        for (const [id, { stored }] of this.#own) if (stored && !this.#unkept.has(id)) send({ t: 'stored', id })
        break
      case 'rows':
        for (const { q, rows, whole } of message.answers) {
          const watched = this.#byNumber.get(q)
          if (!watched || (!whole && !watched.rows)) continue
          watched.failed = false
          const before = watched.rows ?? []
          watched.rows = rows.map((row) => (typeof row === 'number' ? before[row] : row.row))
          // A replica that is still being filled knows less than the last rows do.
          watched.held = this.#filling() && this.#lastRows.of(watched.query) !== undefined
          if (!watched.held) this.#show(watched)
        }
        break
      case 'failed': {
        const watched = this.#byNumber.get(message.q)
        if (!watched) break
        watched.failed = true
        for (const listener of [...watched.listeners]) listener.onError?.(new Error(message.message))
        break
      }
      case 'done': {
        const request = this.#requests.get(message.r)
        this.#requests.delete(message.r)
        if (!message.error) request?.resolve(message.value)
        else {
          const { code, params, message: text } = message.error
          request?.reject(code ? new DomainError(code, params) : new Error(text))
        }
        break
      }
      case 'status': {
        const wasFilling = this.#filling()
        if (message.status.state !== 'starting') this.#trouble = null
        this.status.set({
          ...message.status,
          durable: message.status.durable && !this.#full,
          ...(this.#trouble !== null && { state: 'failed', error: this.#trouble }),
        })
        if (this.#filling() || message.status.state === 'failed' || this.#trouble !== null) break
        for (const watched of this.#queries.values())
          if (watched.held) this.#show(watched)
          else if (wasFilling && watched.rows) this.#lastRows.keep(watched.query, watched.rows)
        this.#lastRows.replaced()
        // Now, while there is a network: what is done without one must not wait for it.
        if (!writing && message.status.online) whenIdle(() => void fetchWriting().catch(() => undefined))
        break
      }
      case 'outbox': {
        const known = new Map(
          [...this.#fromWorker, ...[...this.#own.values()].map((own) => own.entry)].map((e) => [e.id, e]),
        )
        // What is said again is the same object again.
        const changed = message.changed.map((entry) => {
          const before = known.get(entry.id)
          return before && JSON.stringify(before) === JSON.stringify(entry) ? before : entry
        })
        const over = new Set([...message.gone, ...changed.map(({ id }) => id)])
        const rest = message.whole ? [] : this.#fromWorker.filter(({ id }) => !over.has(id))
        this.#fromWorker = inOrder([...rest, ...changed])
        for (const { id } of changed) this.#own.delete(id)
        this.#forget(message.gone)
        this.#mirror()
        break
      }
      case 'token': {
        const { r } = message
        this.options.token(message.refresh).then(
          (token) => send({ t: 'token', r, token, lost: false }),
          () => send({ t: 'token', r, token: null, lost: true }),
        )
      }
    }
  }

  #filling(): boolean {
    const { state } = this.status.get()
    return state === 'starting' || state === 'loading'
  }

  #show(watched: Watched): void {
    watched.held = false
    const rows = watched.rows ?? []
    // While rows are on their way an answer is none to be kept, nor one that better rows give way to.
    if (!this.#filling()) this.#lastRows.keep(watched.query, rows)
    for (const listener of [...watched.listeners]) listener.onRows(rows, false)
  }

  /** A screen that opens asks several questions in one go, and gets its answers in one. */
  #watch(watched: Watched): void {
    if (this.#unwatched.size === 0)
      queueMicrotask(() => {
        const queries = [...this.#unwatched].map(({ q, query }) => ({ q, query }))
        this.#unwatched.clear()
        if (queries.length > 0) this.#send?.({ t: 'live', queries })
      })
    this.#unwatched.add(watched)
  }

  /** Shows what was there when the app was last open, while the replica has no answer. */
  #showLast(watched: Watched, listeners: Iterable<Watched['listeners'] extends Set<infer L> ? L : never>): void {
    const rows = watched.rows && !watched.held ? undefined : this.#lastRows.of(watched.query)
    if (rows) for (const listener of [...listeners]) listener.onRows(rows, true)
  }

  /** Tells a new worker of a command that is in no storage. Under its key, so that the server does it once. */
  #sayAgain(entry: Entry, send: (message: FromTab) => void): void {
    const asked = [...this.#requests.values()].some(
      ({ message }) => message.t === 'mutate' && message.entry.id === entry.id,
    )
    if (!asked) void this.#ask((r) => ({ t: 'mutate', r, entry, awaited: false })).catch(() => undefined)
    send({ t: 'stored', id: entry.id, memory: { file: this.#files.get(entry.id) ?? null } })
  }

  /** Asks the worker; a request that a leader's death leaves open is asked again of the next one. */
  #ask(message: (r: number) => FromTab): Promise<unknown> {
    if (this.#ended.signal.aborted && !this.#send)
      return Promise.reject(new DOMException('The replica is closed', 'AbortError'))
    const r = this.#next++
    const request = message(r)
    return new Promise((resolve, reject) => {
      this.#requests.set(r, { message: request, resolve, reject })
      this.#send?.(request)
    })
  }

  #mirror(): void {
    let entries = this.#fromWorker
    for (const { entry } of this.#own.values()) entries = reduce(entries, { type: 'added', entry })
    const listed = entries.filter((entry) => !isSilent(entry))
    // A draft or a mark of reading that comes and goes is no reason to draw anything again.
    const shown = this.#entries.get()
    if (listed.length !== shown.length || listed.some((entry, i) => entry !== shown[i])) this.#entries.set(listed)
  }

  #visibility = (): void => {
    this.#send?.({ t: 'visible', visible: !document.hidden })
    if (document.hidden) {
      this.#hiddenAt = Date.now()
      this.#lastRows.flush()
    } else if (this.#hiddenAt !== null && Date.now() - this.#hiddenAt > sleptMs) this.wake()
  }
}

/** The storage of a tab, opened when something is first kept in it or read from it. */
function lateStorage(name: string): OutboxStorage {
  let opened: Promise<OutboxStorage> | null = null
  let closed = false
  const storage = () =>
    (opened ??= fetchWriting().then(({ dexieStorage }) => {
      if (closed) throw new DOMException('The replica is closed', 'AbortError')
      return dexieStorage(name)
    }))
  return {
    load: async () => (await storage()).load(),
    add: async (entry, file) => (await storage()).add(entry, file),
    put: async (entries) => (await storage()).put(entries),
    remove: async (ids) => (await storage()).remove(ids),
    file: async (id) => (await storage()).file(id),
    draft: async (id) => (await storage()).draft(id),
    setDraft: async (id, text) => (await storage()).setDraft(id, text),
    dropChatDrafts: async (gone) => (await storage()).dropChatDrafts(gone),
    close: () => {
      closed = true
      void opened?.then((storage) => storage.close()).catch(() => undefined)
    },
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
