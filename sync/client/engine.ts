import type { PGlite } from '@electric-sql/pglite'
import type { ShapeStream } from '@electric-sql/client'
import type { CommandTable } from '../../schema/command.ts'
import type { Principal } from '../../schema/permissions.ts'
import { type ShapeName, shapeNames, shapesVersion } from '../shapes.ts'
import { type Batch, savedOffsets, type Snapshot, visibleIn } from './applier.ts'
import { Changes } from './changes.ts'
import { LiveQueries, type Subscriber } from './live-queries.ts'
import { LiveSocket } from './live-socket.ts'
import { MessageSearch } from './message-search.ts'
import type { OutboxStorage } from './outbox.dexie.ts'
import { Sender, type Upload } from './outbox.sender.ts'
import { type Entry, isSilent, restored, ticketsOf } from './outbox.state.ts'
import { Overlay, type Waiting } from './overlay.ts'
import type { FoundMessage, LiveQuery, SyncStatus } from './replica.types.ts'
import { type Sql, Statements } from './statements.ts'
import { startStream, type StreamDeps } from './streams.ts'
import { createIndexes, dropIndexes, id, localTables } from './tables.ts'
import type { Fetch } from './wire.ts'

export interface EngineDeps {
  who: Principal
  /** Absolute, without a slash at the end. */
  baseUrl: string
  token(refresh: boolean): Promise<string | null>
  storage: OutboxStorage
  /** Opens the replica, empty or as it was left. */
  openDatabase(): Promise<PGlite>
  /** Resolves when the rows that were applied until now survive a reload. */
  kept?(): Promise<void>
  fetch: Fetch
  upload?: Upload
  /** How long the server may say nothing while it is to send rows. */
  silenceMs?: number
  WebSocket: typeof WebSocket
  /** Whether rows survive a reload at all. */
  durable?(): boolean
  /** Whether the machine believes that it has a network. */
  hasNetwork(): boolean
  statusChanged(status: SyncStatus): void
  outboxChanged(entries: readonly Entry[]): void
  /** Live queries have answered what is to be seen together. */
  answered?(): void
}

/** What the inbox needs comes first; conversations follow. */
const lateShapes: ReadonlySet<ShapeName> = new Set([
  'messages',
  'ticketNotes',
  'mentions',
  'ticketEvents',
  'chatMessages',
  'templates',
  'flows',
  'flowNodes',
])
const bulkRows = 1_000
/** A command whose rows do not come, because they are outside of what this user sees, is let go after this. */
const givenUpAfterMs = 10_000
const rememberedTxids = 2_000
/** While more commands than this are in the outbox, a shape rests for `crowdedMs` between its rows. */
const crowd = 20
const crowdedMs = 120
/** Nothing sweeps dead rows in the browser by itself. So many changed rows of a table are worth it, when it is quiet. */
const sweptRows = 10_000
const quietMs = 5_000
/** So many changed rows are in a log that is worth bringing to an end. */
const loggedRows = 1_000
/** The composer of a chat that has left stands for a moment, and keeps what is typed into it. */
const lastLettersMs = 5_000
/** So many are found again after a reload: an answer or its noting may have been lost while the rows had come. */
const keptTxids = 200

interface Job {
  run(tx: Sql, changes: Changes): Promise<void>
  /** Other commands wait than before it: what is shown is to be brought up to date. */
  redo: boolean
  /** It shows a command, on top of the rows that are committed with it. */
  shows: boolean
  /** After the commit. */
  done(error?: unknown): void
}

/**
 * One user's replica at work: rows come in through shapes, commands wait in the outbox and show their effect, live
 * queries answer. Everything is written here, by one writer, so that each local transaction is a whole step.
 */
export class Engine {
  readonly live: LiveQueries
  readonly sender: Sender
  readonly #overlay: Overlay
  readonly #search = new MessageSearch(() => this.#opened.promise)
  readonly #socket: LiveSocket
  #db: Statements | null = null
  readonly #opened = Promise.withResolvers<Statements>()
  #jobs: Job[] = []
  #pumping: Promise<void> | null = null
  #streams = new Map<ShapeName, { stream: ShapeStream<never>; abort: AbortController }>()
  readonly #complete = new Set<ShapeName>()
  readonly #current = new Map<ShapeName, number>()
  readonly #failures = new Map<ShapeName, number>()
  /** Transactions whose rows have come, by table. */
  readonly #seen = new Map<ShapeName, Set<string>>()
  readonly #snapshots = new Map<ShapeName, Snapshot>()
  /** Rows that were changed since their table was last swept. */
  readonly #changed = new Map<ShapeName, number>()
  /** Rows that were changed since the last checkpoint. */
  #logged = 0
  #busyAt = 0
  #loadedRows = 0
  #reachable = true
  #outdated = false
  #error: string | null = null
  #ready = false
  #closed = false
  /** A transaction failed: what the overlay remembers of `base` may not be so. */
  #distrust = false
  #status = ''
  #patience: ReturnType<typeof setInterval> | undefined

  constructor(private readonly deps: EngineDeps) {
    this.#overlay = new Overlay(deps.who)
    this.live = new LiveQueries(
      // Without a detour: it must be in the line for the database before the next rows are.
      (sql, params) => this.#db?.answer(sql, params) ?? this.#opened.promise.then((db) => db.answer(sql, params)),
      () => deps.answered?.(),
    )
    this.sender = new Sender({
      baseUrl: deps.baseUrl,
      storage: deps.storage,
      fetch: deps.fetch,
      ...(deps.upload ? { upload: deps.upload } : {}),
      token: deps.token,
      changed: (entries) => {
        deps.outboxChanged(entries)
        this.#publishStatus()
      },
      accepted: () => void this.#settle(),
      withdrawn: () => void this.#redecide(),
    })
    this.#socket = new LiveSocket({
      url: `${deps.baseUrl.replace(/^http/, 'ws')}/sync`,
      passes: `${deps.baseUrl}/auth/passes`,
      fetch: (input, init) => deps.fetch(input, init),
      version: shapesVersion,
      token: deps.token,
      WebSocket: deps.WebSocket,
      outdated: () => this.#setOutdated(),
    })
  }

  /** Resolves when queries can be answered; syncing goes on. Rejects when the replica cannot be opened. */
  async start(): Promise<void> {
    this.#publishStatus()
    const opening = this.deps.openDatabase()
    // Awaited below; it may fail before the outbox is read.
    opening.catch(() => undefined)
    // An outbox that cannot be read keeps out nobody's rows; what is in it is sent after another start.
    this.sender.load((await this.deps.storage.load().catch(() => [])).map(restored))
    await this.#open(new Statements(await opening))
    this.#patience = setInterval(() => {
      void this.#settle()
      void this.#sweep()
    }, 2_000)
    void this.#startStreams()
  }

  async query(sql: string, params: unknown[]): Promise<unknown[]> {
    return (await (await this.#opened.promise).queryOnce(sql, params)).rows
  }

  /** Messages by what they say: see `MessageSearch`. */
  search(text: string, ticketId?: number): Promise<FoundMessage[]> {
    return this.#search.find(text, ticketId)
  }

  subscribe(query: LiveQuery, subscriber: Subscriber): () => void {
    return this.live.subscribe(query, subscriber)
  }

  /**
   * Shows a command and queues it. Throws `DomainError` when the rows that are here refuse it already; it is then not
   * kept.
   * @param awaited false when nobody would hear of that: then the server is asked, whose refusal stays in the outbox
   */
  async mutate(entry: Entry, awaited = true): Promise<void> {
    const replaces = this.sender.announce(entry, !this.#ready || !awaited)
    // Nothing to judge it by yet: it is shown with the first rows, and the server has the last word anyway.
    if (!this.#ready) return
    const show: Job['run'] = (tx, changes) => this.#overlay.add(tx, waitingOf(entry), changes)
    await this.#job(show, { shows: true }).catch((error: unknown) => {
      // Not the user's fault, and no reason to lose what they did: the server decides.
      this.sender.judged(entry.id)
      throw error
    })
    const refusal = this.#overlay.refusal(entry.id)
    if (awaited && refusal?.known) {
      await this.sender.remove(entry.id)
      await this.#redecide()
      throw refusal.error
    }
    const ticketId = ticketsOf(entry).length > 0 ? null : this.#overlay.ticketOf(entry.id)
    if (ticketId !== null) this.sender.place(entry.id, ticketId)
    this.sender.judged(entry.id)
    if (replaces) await this.#redecide()
  }

  /** The storage holds an announced command: it may be sent. */
  async stored(id: string, memory?: { file: Blob | null }): Promise<void> {
    const known = this.sender.entries.some((e) => e.id === id)
    await this.sender.stored(id, memory)
    if (!known) await this.#redecide()
  }

  async retry(id: string): Promise<void> {
    await this.sender.retry(id)
    await this.#redecide()
  }

  async discard(id: string): Promise<void> {
    await this.sender.remove(id)
    await this.#redecide()
  }

  /** A tab is gone: what it announced is in the storage, or never will be. */
  async tabGone(): Promise<void> {
    if (this.sender.unstored().length === 0) return
    this.sender.load((await this.deps.storage.load()).map(restored))
    // Another tab may be about to store its own; only what stays unstored for long is given up.
    setTimeout(() => {
      const late = this.sender.unstored()
      for (const id of late) this.sender.giveUp(id)
      if (late.length > 0 && !this.#closed) void this.#redecide()
    }, 10_000)
  }

  /** The network is back, or somebody looks again: ask and send right now. */
  wake(): void {
    if (this.#closed) return
    this.sender.kick(true)
    this.#socket.checkUp()
    for (const { stream } of this.#streams.values()) void stream.forceDisconnectAndRefresh().catch(() => undefined)
    this.#publishStatus()
  }

  /** The network is gone, or the disk is full: say so at once. */
  statusMoved(): void {
    this.#publishStatus()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#patience)
    this.sender.close()
    for (const { abort } of this.#streams.values()) abort.abort()
    this.#streams.clear()
    this.#socket.close()
    await this.#pumping
    this.deps.storage.close()
    await this.#db?.close()
  }

  // ── rows ────────────────────────────────────────────────────────────────────────────────────

  async #open(db: Statements): Promise<void> {
    this.#db = db
    for (const [shape, { txids }] of await savedOffsets(db)) this.#seen.set(shape as ShapeName, new Set(txids))
    do {
      this.#distrust = true
      await this.#commit([])
      // Again for rows that had come when the replica was last open: they are not to be covered by what was decided
      // without them. And for what somebody did meanwhile.
    } while (this.#confirmAll() || this.#waiting().some(({ id }) => !this.#overlay.has(id)))
    for (const entry of this.sender.entries) {
      const ticketId = this.#overlay.ticketOf(entry.id)
      if (ticketId !== null) this.sender.place(entry.id, ticketId)
    }
    this.#ready = true
    this.#opened.resolve(db)
    void this.#settle()
    this.#publishStatus()
  }

  async #transaction(work: (tx: Sql, changes: Changes) => Promise<void>): Promise<void> {
    const changes = new Changes((table) => {
      const columns = this.live.watched(table)
      return table === 'messages' && this.#search.wants && !columns.includes('id') ? [...columns, 'id'] : columns
    })
    await this.#db!.transaction((tx) => work(tx, changes))
    if (changes.empty) return
    this.#search.changed(changes)
    this.live.changed(changes)
  }

  /** Queues work on the tables. What is queued together is committed together. */
  #job(run: Job['run'], { redo = false, shows = false } = {}): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#jobs.push({ run, redo, shows, done: (error) => (error === undefined ? resolve() : reject(error)) })
    this.#pumping ??= this.#pump()
    return promise
  }

  async #pump(): Promise<void> {
    await this.#opened.promise
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs
      this.#jobs = []
      try {
        await this.#commit(jobs)
        for (const job of jobs) job.done()
      } catch (error) {
        this.#distrust = true
        if (jobs.length === 1) {
          jobs[0]!.done(error)
          continue
        }
        // One of them is to blame; the others are not to suffer.
        for (const job of jobs)
          await this.#commit([job]).then(
            () => job.done(),
            (e: unknown) => job.done(e ?? new Error('failed')),
          )
      }
    }
    // In the same breath as the look at the queue: a job that comes later must find nobody at work.
    this.#pumping = null
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    for (;;) {
      const { faults } = this.#overlay
      try {
        return await this.#tryCommit(jobs)
      } catch (error) {
        this.#distrust = true
        // A command that cannot be shown must not keep out the rows of everything else: again without it.
        if (this.#overlay.faults === faults) throw error
      }
    }
  }

  #tryCommit(jobs: readonly Job[]): Promise<void> {
    this.#busyAt = Date.now()
    const anew = this.#distrust
    this.#distrust = false
    return this.#transaction(async (tx, changes) => {
      if (anew) await this.#overlay.undo(tx, changes)
      // The rows first: a command keeps those that are there before it, to be brought back when it is taken back.
      for (const job of jobs) if (!job.shows) await job.run(tx, changes)
      if (this.#overlay.stale || jobs.some((job) => job.redo)) await this.#overlay.refresh(tx, this.#waiting(), changes)
      for (const job of jobs) if (job.shows) await job.run(tx, changes)
    })
  }

  #waiting(): Waiting[] {
    return this.sender.entries.filter((e) => e.state !== 'failed').map(waitingOf)
  }

  #redecide(): Promise<void> {
    return this.#job(async () => undefined, { redo: true })
  }

  async #apply(batch: Batch): Promise<void> {
    if (batch.whole && batch.upserts.length > bulkRows && (await this.#firstOf(batch.shape))) await this.#load(batch)
    // Begun before the rows are: after a crash in between, the batch comes again.
    if (batch.shape === 'chats') this.#forgetDrafts(batch)
    let confirms = false
    await this.#job((tx, changes) => {
      // Not before their turn: what a command shows goes in the transaction that brings its rows.
      confirms = this.#note(batch) || confirms
      const seen = [...(this.#seen.get(batch.shape) ?? [])].slice(-keptTxids)
      return this.#overlay.apply(tx, batch, changes, seen)
    })
    // First rows leave nothing dead behind.
    const changed = batch.whole ? 0 : batch.upserts.length + batch.patches.length + batch.deletes.length
    this.#logged += changed
    this.#changed.set(batch.shape, (this.#changed.get(batch.shape) ?? 0) + changed)
    if (confirms) await this.#settle()
    // Each of hundreds of commands has its own transaction on the server. What comes of them meanwhile comes together.
    if (this.sender.entries.length > crowd) await new Promise((resolve) => setTimeout(resolve, crowdedMs))
  }

  /** What was begun in chats that were deleted, or that this user was taken out of, has nobody to be sent to. */
  #forgetDrafts({ whole, upserts, deletes }: Batch): void {
    const said = new Set((whole ? upserts : deletes).map((row) => Number(row['id'])))
    // No chat at all is also what a plan without them looks like, which may be given back with all of them.
    if (said.size === 0) return
    const left = (chatId: number) => said.has(chatId) !== whole
    const { storage } = this.deps
    const lastLetters = async () => {
      if (this.#closed) return
      // Whom somebody has taken in again meanwhile keeps what they begin.
      const here = (await this.query('SELECT "id" FROM chats', [])) as { id: number }[]
      await storage.dropChatDrafts((chatId) => left(chatId) && !here.some(({ id }) => id === chatId))
    }
    void storage.dropChatDrafts(left).catch(() => undefined)
    setTimeout(() => void lastLetters().catch(() => undefined), lastLettersMs)
  }

  /** One table at a time, and only while nobody waits for the database. */
  async #sweep(): Promise<void> {
    const quiet = this.#ready && !this.#closed && !this.#pumping && Date.now() - this.#busyAt > quietMs
    if (!quiet) return
    const due = [...this.#changed].find(([, rows]) => rows >= sweptRows)?.[0]
    if (due) {
      this.#changed.delete(due)
      // Another time will do.
      await this.#db?.exec(`VACUUM (ANALYZE) ${id(localTables[due].name)}`).catch(() => undefined)
    } else if (this.#logged >= loggedRows) await this.checkpoint()
  }

  /**
   * Brings Postgres' log to an end: what is in it would be done again at the next opening. Nothing in the browser does
   * it by itself.
   */
  async checkpoint(): Promise<void> {
    this.#logged = 0
    await this.#db?.exec('CHECKPOINT').catch(() => undefined)
  }

  /** The shape has never been complete here: its rows may appear bit by bit. */
  async #firstOf(shape: ShapeName): Promise<boolean> {
    return !(await savedOffsets(this.#db!)).has(shape)
  }

  /**
   * A first load in steps, so that the inbox answers meanwhile. The rows stay in the batch, whose application then
   * finds nothing to add but the offset; until that, a crash begins the shape anew.
   */
  async #load(batch: Batch): Promise<void> {
    const table = localTables[batch.shape]
    const rows = batch.upserts
    const bare = rows.length > 5_000
    if (bare) await this.#job(async (tx) => void (await tx.exec(dropIndexes(table).join(';'))))
    for (let i = 0; i < rows.length; i += bulkRows) {
      const part = rows.slice(i, i + bulkRows)
      await this.#job((tx, changes) => this.#overlay.load(tx, batch.shape, part, changes))
    }
    await this.#job(async (tx) => void (await tx.exec([...createIndexes(table), `ANALYZE "${table.name}"`].join(';'))))
    batch.loaded = true
  }

  // ── confirmation ────────────────────────────────────────────────────────────────────────────

  /** Remembers what a batch proves; tells whether a waiting command is among it. */
  #note(batch: Batch): boolean {
    let seen = this.#seen.get(batch.shape)
    if (!seen) this.#seen.set(batch.shape, (seen = new Set()))
    for (const txid of batch.txids) seen.add(txid)
    for (const txid of seen) {
      if (seen.size <= rememberedTxids) break
      seen.delete(txid)
    }
    if (batch.snapshot) this.#snapshots.set(batch.shape, batch.snapshot)
    return this.#confirmAll()
  }

  #confirmAll(): boolean {
    let any = false
    for (const entry of this.sender.entries) any = this.#confirm(entry) || any
    return any
  }

  /** Marks the tables whose rows of an accepted command are here; true when one is new. */
  #confirm(entry: Entry): boolean {
    const arrived = this.#arrivedOf(entry)
    for (const table of arrived) this.#overlay.arrived(entry.id, table)
    return arrived.length > 0
  }

  #arrivedOf(entry: Entry): CommandTable[] {
    const { txid, tables } = entry
    if (entry.state !== 'sent' || txid === null) return []
    return this.#overlay.pendingTables(entry.id).filter((table) => {
      const snapshot = this.#snapshots.get(table)
      return (
        this.#seen.get(table)?.has(txid) ||
        (snapshot !== undefined && visibleIn(snapshot, txid)) ||
        // An entry of an earlier version of the app has no tables.
        (tables && !tables.includes(table)) ||
        this.#givenUp(entry, table)
      )
    })
  }

  /** Only a shape that has been up to date since can be said not to bring the rows. */
  #givenUp(entry: Entry, table: CommandTable): boolean {
    const since = Math.max(entry.sentAt ?? 0, this.#current.get(table) ?? Infinity)
    return Date.now() - since > givenUpAfterMs
  }

  /** Lets go of commands whose rows are all here. */
  async #settle(): Promise<void> {
    if (!this.#ready || this.#closed) return
    // In its turn: nobody decides commands meanwhile.
    if (this.sender.entries.some((entry) => this.#arrivedOf(entry).length > 0))
      await this.#job(async () => void this.#confirmAll())
    // One that has not been decided yet is not one that changed nothing.
    const gone = this.sender.entries.filter(
      ({ id, state }) => state === 'sent' && this.#overlay.has(id) && this.#overlay.pendingTables(id).length === 0,
    )
    if (gone.length === 0) return
    // Their rows may yet have to reach the disk. After a reload without a network, they must show what these would.
    this.sender.confirmed(
      gone.map(({ id }) => id),
      this.deps.kept?.() ?? Promise.resolve(),
    )
  }

  // ── shapes ──────────────────────────────────────────────────────────────────────────────────

  async #startStreams(): Promise<void> {
    const saved = await savedOffsets(this.#db!)
    for (const shape of shapeNames) if (saved.has(shape)) this.#complete.add(shape)
    this.#publishStatus()
    const early = shapeNames.filter((shape) => !lateShapes.has(shape))
    for (const shape of early) this.#stream(shape, saved.get(shape))
    // On a first visit the inbox gets the whole line and the whole processor.
    while (!this.#closed && early.some((shape) => !this.#complete.has(shape)))
      await new Promise((resolve) => setTimeout(resolve, 20))
    for (const shape of shapeNames) if (lateShapes.has(shape)) this.#stream(shape, saved.get(shape))
  }

  #stream(shape: ShapeName, saved: { handle: string; offset: string } | undefined): void {
    if (this.#closed || this.#outdated) return
    const abort = new AbortController()
    const { deps } = this
    const streamDeps: StreamDeps = {
      url: `${deps.baseUrl}/sync/shape`,
      scope: `${deps.who.companyId}-${deps.who.userId}`,
      fetch: deps.fetch,
      ...(deps.silenceMs ? { silenceMs: deps.silenceMs } : {}),
      socket: this.#socket,
      token: deps.token,
      apply: (batch) => this.#apply(batch),
      received: (rows) => {
        if (this.#complete.has(shape)) return
        this.#loadedRows += rows
        this.#publishStatus()
      },
      upToDate: () => {
        this.#failures.delete(shape)
        if (this.#failures.size === 0) this.#error = null
        this.#complete.add(shape)
        if (!this.#current.has(shape)) this.#current.set(shape, Date.now())
        this.#publishStatus()
      },
      behind: () => {
        this.#current.delete(shape)
        this.#publishStatus()
      },
      reachable: (yes) => {
        if (this.#reachable === yes) return
        this.#reachable = yes
        if (yes) this.sender.kick(true)
        this.#publishStatus()
      },
      outdated: () => this.#setOutdated(),
      ended: (_, error, restart) => {
        abort.abort()
        this.#current.delete(shape)
        void this.#again(shape, error, restart)
      },
    }
    this.#streams.set(shape, {
      stream: startStream(shape, saved, streamDeps, abort.signal) as ShapeStream<never>,
      abort,
    })
  }

  /** A stream ended: begins it again, from nothing where its rows were the problem. */
  async #again(shape: ShapeName, error: Error, restart: boolean): Promise<void> {
    const failures = (this.#failures.get(shape) ?? 0) + 1
    this.#failures.set(shape, failures)
    if (this.#closed || this.#outdated) return
    if (failures > 2) this.#error = error.message
    this.#publishStatus()
    await new Promise((resolve) => setTimeout(resolve, Math.min(30_000, 250 * 2 ** failures)))
    if (this.#closed) return
    try {
      if (restart) await this.#db!.query('DELETE FROM sync.shapes WHERE "shape" = $1', [shape])
      this.#stream(shape, (await savedOffsets(this.#db!)).get(shape))
    } catch {
      // The database itself is broken. The next worker opens it anew, or rebuilds it.
      this.#error = error.message
      this.#publishStatus()
    }
  }

  #setOutdated(): void {
    this.#outdated = true
    for (const { abort } of this.#streams.values()) abort.abort()
    this.#publishStatus()
  }

  // ── status ──────────────────────────────────────────────────────────────────────────────────

  status(): SyncStatus {
    const state = (): SyncStatus['state'] => {
      if (this.#error !== null) return 'failed'
      if (!this.#ready) return 'starting'
      if (shapeNames.some((shape) => !this.#complete.has(shape))) return 'loading'
      return shapeNames.every((shape) => this.#current.has(shape)) ? 'live' : 'catching-up'
    }
    return {
      online: this.deps.hasNetwork() && this.#reachable,
      state: state(),
      loadedRows: this.#loadedRows,
      waiting: this.sender.waiting.filter((e) => !isSilent(e)).length,
      failed: this.sender.entries.filter((e) => e.state === 'failed' && !isSilent(e)).length,
      error: this.#error,
      durable: this.deps.durable?.() ?? true,
      outdated: this.#outdated,
    }
  }

  #publishStatus(): void {
    if (this.#closed) return
    const status = this.status()
    const text = JSON.stringify(status)
    if (text === this.#status) return
    this.#status = text
    this.deps.statusChanged(status)
  }
}

function waitingOf(entry: Entry): Waiting {
  return {
    id: entry.id,
    name: entry.name,
    input: entry.input,
    createdAt: entry.createdAt,
    sent: entry.attempts > 0,
    accepted: entry.state === 'sent',
  }
}
