import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import { type Log, openPool, sqlState } from './database.ts'
import { RequestError } from './errors.ts'
import { kinds, type RelationMessage, readRelation, readRow, readRowOid, readTruncate, type Tuple } from './pgoutput.ts'
import { followReplication, type Replication, type Transaction } from './replication.ts'
import { type Change, type Message, snapshotSql } from './rows.ts'
import {
  type Definition,
  Generation,
  type Pages,
  type Position,
  Shape,
  ShapeIndex,
  type ShapeRequest,
  type Snapshot,
  sees,
} from './shapes.ts'
import { Spill } from './spill.ts'
import {
  ensurePublication,
  inspectServer,
  loadTable,
  parseColumnList,
  parseTableName,
  publishTable,
  type Table,
  grow,
  unchangedTables,
} from './tables.ts'
import { analyseWhere, checkOrder, evaluationSql } from './where.ts'

export type Health = 'starting' | 'active' | 'waiting'

export type SubsetRequest = {
  where?: string
  params: Record<string, string>
  orderBy?: string
  limit?: number
  offset?: number
}

export type Subset = { snapshot: Snapshot; mark: number; rows: string[]; end: Position }

export type EngineOptions = {
  databaseUrl: string
  chunkBytes: number
  replicationId: string
  spillDir?: string | undefined
  log: Log
}

const catalogCheckMs = 1_000
const housekeepingMs = 5_000
/** A snapshot nobody reads is given up; the next to ask gets a new one. */
const snapshotIdleMs = 60_000
/** The same when the last one has read it to its end: most are one person's. */
const readSnapshotIdleMs = 10_000
/** A client that has been away this long starts over. */
const shapeIdleMs = 60 * 60_000
const mostLogBytesPerShape = 16 * 2 ** 20
/** Of all logs together; what shapes share is counted once. Whoever has been away for longer than it tells of starts over. */
const mostLogBytes = 32 * 2 ** 20
/** Of a message beside its text, and of each mention in the log of a shape. */
const messageBytes = 120
const mentionBytes = 8
/** Of the snapshots' small parts, which are in memory, and of all parts. The longest unread go first. */
const mostSnapshotMemory = 128 * 2 ** 20
const mostSnapshotBytes = 2 * 2 ** 30
/** Each holds up to a chunk, and a connection; the others wait for their turn. */
const mostSnapshotsAtOnce = 3
/** Handles of one shape that are alive. Beyond, the longest unused goes: whoever comes back with it starts over. */
const mostGenerations = 64
/**
 * What one transaction may do to the shapes, by the bytes of its rows and what each row weighs beside. A larger one
 * would not stay in any log: the shapes that it touches end at once, and their clients read them anew.
 */
const mostTransactionBytes = 16 * 2 ** 20
const rowBytes = 400
/**
 * The same, by what there is to tell: of each row, once for every shape that shows it. Hundreds of people who see the same
 * rows by different filters would each be sent all of it at once.
 */
const mostSentBytes = 128 * 2 ** 20
/** Beyond this, what Postgres tells has to wait until what it told before is dealt with. */
const mostQueuedBytes = 2 ** 20
/** Nobody waits longer than this for a large transaction: so long it may have a turn of the event loop to itself. */
const stretchMs = 15
const rowsAtOnce = 500
/**
 * Whoever is told something asks again. So that a crowd that is told of every change does not keep the process from all
 * else, it is left alone for a moment after it was told; what happens meanwhile is told together. The moment is longer
 * where telling takes long, as on a machine with much else to do.
 */
const pausePerAnswerMs = 0.2
const longestUsualPauseMs = 100
const pausePerSending = 6
const longestPauseMs = 200
const mostDefinitions = 50_000
/** How long a request waits for the database to come back before it is told to ask again. */
const databaseWithinMs = 5_000
const startPatienceMs = 5_000
/** Transactions remembered to recognise those that were told before they became visible. */
const rememberedTransactions = 10_000
const evaluatedRows = 2_000
const evaluatedPredicates = 200
/** A clause that failed on so many rows is refused for as long: its clients would start over for ever. */
const mostFailures = 3
const failureMs = 60_000

const bracket = Buffer.from('[')
const comma = Buffer.from(',')

/** The changes of one transaction to one shape; what a predicate says of them may still be open. */
type Item = { op: number; old?: Tuple; tuple?: Tuple; wasIn?: boolean; isIn?: boolean }

/** A transaction that is being told, of which there may be more to come. */
type Open = {
  lsn: number
  xid: number
  /** Of the next change. */
  op: number
  touched: Map<Shape, Item[]>
  /** What Postgres is to be asked, by table. */
  asked: Map<number, { shapes: Set<Shape>; items: Item[] }>
  bytes: number
  /** Of all that will be told, about. */
  toldBytes: number
  rows: number
  isTooLarge: boolean
  hasFailed: boolean
}

type Relation = { message: RelationMessage; matches: boolean; table: Table | undefined }

/** Shapes, fed by replication. Knows nothing of HTTP. */
export class Engine {
  private readonly sql: postgres.Sql
  private readonly log: Log
  private readonly publication: string
  private readonly bootId = randomBytes(4).toString('hex')
  private replication: Replication | undefined
  private state: Health = 'starting'
  private activation = Promise.withResolvers<void>()
  /** Counts connections: what began under an earlier one is void. */
  private epoch = 0
  private stopped = false
  private versionNumber = 0

  private tables = new Map<string, Promise<Table>>()
  private published = new Map<number, Promise<void>>()
  private publishing: Promise<unknown> = Promise.resolve()
  private definitions = new Map<string, Promise<Definition>>()
  private readonly shapes = new Map<string, Shape>()
  private readonly generations = new Map<string, Generation>()
  private readonly indexes = new Map<number, ShapeIndex>()
  private handleCounter = 0
  /** Clauses that Postgres could not answer about a row, by definition. */
  private readonly failures = new Map<string, { count: number; at: number; message: string }>()

  private relations = new Map<number, Relation>()
  private queue: ({ transaction: Transaction } | { lsn: number })[] = []
  private queuedBytes = 0
  private isHeldBack = false
  private draining = false
  /** When what Postgres tells first had to be dealt with in this turn of the event loop. */
  private turnBegan: number | undefined
  private open: Open | undefined
  private recent: { xid: number; lsn: number }[] = []
  /** Every transaction up to here has been matched against the shapes there were. */
  private matchedLsn = 0
  private seenLsn = 0

  private catalogCheck: Promise<void> | undefined
  private nextCatalogCheck: Promise<void> | undefined
  /** What the logs hold, oldest first. */
  private logged: { lsn: number; bytes: number }[] = []
  private loggedBytes = 0
  /** Shapes that have something to tell. */
  private readonly news = new Set<Shape>()
  private pauseEnds = 0
  private telling: NodeJS.Timeout | undefined
  private readonly timers: NodeJS.Timeout[] = []
  private readonly spill: Spill
  private snapshots = 0
  /** Snapshots that wait for their turn. */
  private readonly turns: (() => void)[] = []

  constructor(private readonly options: EngineOptions) {
    this.log = options.log
    this.spill = new Spill(options.spillDir)
    this.sql = openPool(options.databaseUrl)
    const id = options.replicationId.toLowerCase().replace(/[^a-z0-9_]/g, '_')
    this.publication = `shape_server_${id}`
  }

  /** @throws Error when the database is configured in a way that waiting will not change */
  async start(): Promise<void> {
    let misconfigured: Error | undefined
    const { replication, firstAttempt } = followReplication(
      {
        databaseUrl: this.options.databaseUrl,
        publication: this.publication,
        slot: `${this.publication}_${process.pid}_${this.bootId}`,
        log: this.log,
      },
      {
        prepare: async () => {
          const server = await inspectServer(this.sql)
          this.versionNumber = server.versionNumber
          if (server.versionNumber < 150_000) misconfigured = new Error('The shape server needs Postgres 15 or later')
          else if (server.walLevel !== 'logical') {
            misconfigured = new Error(
              `The shape server needs wal_level = logical, but the database has ${server.walLevel}: change postgresql.conf and restart Postgres`,
            )
          } else if (!server.replicationAllowed) {
            misconfigured = new Error(
              'The database user needs the right to replicate: ALTER ROLE … REPLICATION, granted by an administrator',
            )
          } else misconfigured = undefined
          if (misconfigured) throw misconfigured
          await ensurePublication(this.sql, this.publication, server.versionNumber)
        },
        connected: (lsn) => this.connected(lsn),
        transaction: (transaction) => this.enqueue({ transaction }),
        position: (lsn) => this.enqueue({ lsn }),
        lost: () => this.lost(),
      },
    )
    this.replication = replication
    // Making the slot waits for every open transaction of the cluster; the rest of the house need not.
    const slow = Bun.sleep(startPatienceMs).then(() => {
      if (this.state === 'starting' && !this.stopped) {
        this.log.warn({}, 'Not yet following the database: an open transaction may be in the way')
      }
    })
    const failure = await Promise.race([firstAttempt, slow])
    if (misconfigured || (failure !== undefined && ['28', '3D', '42'].some((c) => sqlState(failure)?.startsWith(c)))) {
      await this.stop()
      throw misconfigured ?? failure
    }
    this.timers.push(
      setInterval(() => {
        if (this.shapes.size > 0 && this.state === 'active') {
          this.checkCatalog().catch((error) => this.log.debug({ err: error }, 'Could not look at the catalog'))
        }
      }, catalogCheckMs),
      setInterval(() => this.keepHouse(Date.now()), housekeepingMs),
    )
  }

  get health(): Health {
    return this.state
  }

  get lastLsn(): number {
    return this.seenLsn
  }

  stats(): { shapes: number; waiters: number; logBytes: number; lastLsn: string } {
    let waiters = 0
    let logBytes = 0
    for (const shape of this.shapes.values()) {
      waiters += shape.waiters.size
      logBytes += shape.logBytes
      for (const pages of pagesOf(shape)) if (pages.parts) logBytes += pages.bytes
    }
    return { shapes: this.shapes.size, waiters, logBytes, lastLsn: String(this.seenLsn) }
  }

  nudge(): void {
    this.replication?.nudge()
  }

  async stop(): Promise<void> {
    this.stopped = true
    for (const timer of this.timers) clearInterval(timer)
    clearTimeout(this.telling)
    this.lost()
    this.activation.reject(RequestError.unavailable('The server is stopping'))
    this.activation.promise.catch(() => {})
    await Promise.all([this.replication?.stop(), this.sql.end({ timeout: 1 })])
    this.spill.close()
  }

  /** @throws RequestError 503 when the database does not come back in time */
  async whenActive(): Promise<void> {
    if (this.state === 'active') return
    if (this.stopped) throw RequestError.unavailable('The server is stopping')
    let timer: NodeJS.Timeout | undefined
    const impatience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(RequestError.unavailable('Waiting for the database')), databaseWithinMs)
    })
    try {
      await Promise.race([this.activation.promise, impatience])
    } finally {
      clearTimeout(timer)
    }
  }

  // ── asking for shapes ─────────────────────────────────────────────────────────────────────

  /** What a request means. @throws RequestError 400 */
  define(request: ShapeRequest): Promise<Definition> {
    const key = JSON.stringify([
      request.table,
      request.where,
      request.params,
      request.columns,
      request.full,
      request.changesOnly,
    ])
    const known = this.definitions.get(key)
    if (known) return known
    if (this.definitions.size >= mostDefinitions) this.definitions.clear()
    const made = this.makeDefinition(request)
    this.definitions.set(key, made)
    // A refusal may be cured in the database; the next request looks again.
    made.catch(() => {
      if (this.definitions.get(key) === made) this.definitions.delete(key)
    })
    return made
  }

  private async makeDefinition(request: ShapeRequest): Promise<Definition> {
    const { schema, name } = parseTableName(request.table)
    const tableKey = JSON.stringify([schema, name])
    let loading = this.tables.get(tableKey)
    if (!loading) {
      loading = loadTable(this.sql, schema, name, this.versionNumber)
      this.tables.set(tableKey, loading)
      const made = loading
      made.catch(() => {
        if (this.tables.get(tableKey) === made) this.tables.delete(tableKey)
      })
    }
    const table = await loading
    const columns = selectColumns(table, request.columns)
    const where = await analyseWhere(this.sql, table, request.where, request.params)
    const id = JSON.stringify([
      table.oid,
      table.fingerprint,
      where.sql ?? null,
      columns,
      request.full,
      request.changesOnly,
    ])
    return { id, request, table, where, columns, full: request.full, changesOnly: request.changesOnly }
  }

  /** The generation under a handle, if it is of this definition and alive. */
  byHandle(handle: string, definition: Definition): Generation | undefined {
    const generation = this.generations.get(handle)
    if (!generation || generation.shape.definition.id !== definition.id) return undefined
    this.touch(generation)
    return generation
  }

  /** Ends whatever shape has this handle. False when there is none. */
  endHandle(handle: string): boolean {
    const generation = this.generations.get(handle)
    if (generation) this.end(generation.shape)
    return generation !== undefined
  }

  existing(definition: Definition): Generation | undefined {
    return this.shapes.get(definition.id)?.current
  }

  /**
   * The generation a client should start from; its `ready` resolves when the snapshot can be read.
   * An old snapshot is replaced when its log has outgrown it: reading anew is then less.
   * @param avoid a handle the client cannot use any more; it is given the same snapshot under another one
   */
  async begin(definition: Definition, avoid?: string): Promise<Generation> {
    const { table } = definition
    await this.publish(table)
    await this.whenActive()
    if ((await this.tables.get(JSON.stringify([table.schema, table.name]))) !== table) {
      throw RequestError.unavailable('The table changed')
    }
    const failed = this.failures.get(definition.id)
    if (failed && failed.count >= mostFailures && Date.now() - failed.at < failureMs) {
      throw RequestError.invalid({ where: [`The clause cannot be answered for every row: ${failed.message}`] })
    }
    let shape = this.shapes.get(definition.id)
    if (!shape) {
      shape = new Shape(definition, this.matchedLsn, this.options.chunkBytes, mostLogBytesPerShape)
      this.shapes.set(definition.id, shape)
      this.indexOf(definition.table.oid).add(shape)
    }
    const { current } = shape
    const usable =
      current?.snapshot === undefined
        ? current
        : current.pages.parts &&
            shape.canServe(current, { lsn: 0, op: 0 }) &&
            shape.bytesAfterSnapshot(current) <= Math.max(256 * 1024, current.pages.bytes)
          ? current
          : undefined
    if (usable && usable.failure === undefined) {
      const generation = usable.handle === avoid ? this.again(usable) : usable
      this.touch(generation)
      generation.pages.wanted(generation.lastUsedAt)
      return generation
    }
    const generation = new Generation(this.newHandle(definition), shape, Date.now())
    generation.ready = this.takeSnapshot(generation).catch((error: unknown) => {
      generation.failure = error
      this.forget(generation)
      throw error
    })
    this.become(generation)
    return generation
  }

  /** The snapshot of a generation under a new handle. */
  private again(from: Generation): Generation {
    const { shape } = from
    const handle = this.newHandle(shape.definition)
    const copy = from.again(handle, Date.now())
    if (from.snapshot === undefined)
      copy.ready = from.ready.then(
        () => {
          copy.snapshot = from.snapshot
          copy.cut = from.cut
        },
        (error: unknown) => {
          copy.failure = error
          this.forget(copy)
          throw error
        },
      )
    this.become(copy)
    return copy
  }

  /** From now on whoever begins is given this one. */
  private become(generation: Generation): void {
    const { shape } = generation
    generation.ready.catch(() => {})
    shape.current = generation
    shape.generations.add(generation)
    this.generations.set(generation.handle, generation)
    if (shape.generations.size <= mostGenerations) return
    let oldest = generation
    for (const other of shape.generations) if (other.lastUsedAt < oldest.lastUsedAt) oldest = other
    if (oldest === generation) for (const other of shape.generations) if (other !== generation) oldest = other
    this.forget(oldest)
  }

  /** Never the same twice, over restarts too: clients remember handles that have expired. */
  private newHandle(definition: Definition): string {
    const hash = Bun.hash.crc32(definition.id)
    return `${hash}-${Date.now() * 1000 + (this.handleCounter++ % 1000)}-${this.bootId}${this.handleCounter.toString(36)}`
  }

  private touch(generation: Generation): void {
    generation.lastUsedAt = Date.now()
  }

  private async publish(table: Table): Promise<void> {
    const known = this.published.get(table.oid)
    if (known) return known
    // One at a time: each waits for locks, and two could wait for each other.
    const made = this.publishing.then(() => publishTable(this.sql, table, this.publication))
    this.publishing = made.catch(() => {})
    this.published.set(table.oid, made)
    made.catch(() => this.published.delete(table.oid))
    try {
      await made
    } catch (error) {
      if (error instanceof RequestError) throw error
      if (sqlState(error) === '42P01') this.forgetTable(table)
      throw RequestError.unavailable(`Could not publish ${table.sqlName}: ${messageOf(error)}`)
    }
  }

  /** A few at a time, in the order in which they were asked for. */
  private async takeSnapshot(generation: Generation): Promise<void> {
    if (this.snapshots >= mostSnapshotsAtOnce) await new Promise<void>((resolve) => this.turns.push(resolve))
    else this.snapshots++
    try {
      if (generation.shape.ended) throw RequestError.unavailable('The shape ended before it was read')
      await this.readSnapshot(generation)
    } finally {
      const next = this.turns.shift()
      if (next) next()
      else this.snapshots--
    }
  }

  private async readSnapshot(generation: Generation): Promise<void> {
    const { shape } = generation
    const { table, columns, where, changesOnly } = shape.definition
    const query = snapshotSql(table, columns, { where: changesOnly ? 'false' : where.sql })
    const read = async () => {
      const chunks: Blob[] = []
      let parts: Buffer[] = [bracket]
      let partBytes = 0
      let totalBytes = 0
      const close = () => {
        parts.push(Buffer.from(']'))
        chunks.push(this.spill.keep(Buffer.concat(parts)))
        parts = [bracket]
        partBytes = 0
      }
      const snapshot = await this.readRows(table, query, (message) => {
        if (partBytes > 0) parts.push(comma)
        parts.push(message)
        partBytes += message.length + 1
        totalBytes += message.length + 1
        if (partBytes >= this.options.chunkBytes) close()
      })
      if (partBytes > 0) parts.push(comma)
      const headers = { control: 'snapshot-end', ...snapshot.texts }
      parts.push(Buffer.from(JSON.stringify({ headers })))
      close()
      return { snapshot, chunks, totalBytes }
    }
    const { snapshot, chunks, totalBytes } = await this.withNothingMissed(() => shape.floorLsn, read)
    if (shape.ended) {
      this.spill.drop(chunks)
      throw RequestError.unavailable('The shape ended while it was read')
    }
    shape.settle(generation, snapshot)
    const { pages } = generation
    pages.parts = chunks
    pages.count = chunks.length
    pages.bytes = totalBytes
    pages.wanted(Date.now())
    this.makeRoom(pages)
  }

  /** Reads part of a shape as it is now. The client follows the log from `end` on. */
  async subset(generation: Generation, request: SubsetRequest): Promise<Subset> {
    const { shape } = generation
    const { table, columns, where } = shape.definition
    const own = await analyseWhere(this.sql, table, request.where, request.params)
    const orderBy = await checkOrder(this.sql, table, request.orderBy, request.params)
    const both = [where.sql, own.sql].filter((sql) => sql !== undefined).map((sql) => `(${sql})`)
    const mark = Math.floor(Math.random() * 2 ** 31)
    const query = snapshotSql(table, columns, {
      where: both.length > 0 ? both.join(' AND ') : undefined,
      orderBy,
      limit: request.limit,
      offset: request.offset,
      mark,
    })
    let end = shape.end
    const { snapshot, rows } = await this.withNothingMissed(
      () => end.lsn,
      async () => {
        end = shape.end
        const rows: string[] = []
        const snapshot = await this.readRows(table, query, (message) => rows.push(message.toString()))
        return { snapshot, rows }
      },
    )
    return { snapshot, mark, rows, end: generation.place(end) }
  }

  /** Runs a query made by `snapshotSql`, handing over each row's message as it comes. */
  private async readRows(table: Table, query: string, take: (message: Buffer) => void): Promise<Snapshot> {
    let snapshot: Snapshot | undefined
    try {
      await this.sql
        .unsafe(query)
        .raw()
        .forEach((row: unknown) => {
          const [seen, position, message] = row as [Buffer | null, Buffer | null, Buffer | null]
          if (message) take(message)
          else if (seen && position) {
            const [xmin = '', xmax = '', running = ''] = seen.toString().split(':')
            const ids = running === '' ? [] : running.split(',')
            snapshot = {
              xmin: Number(xmin),
              xmax: Number(xmax),
              running: new Set(ids.map(Number)),
              insertLsn: Number(position.toString()),
              texts: { xmin, xmax, xip_list: ids },
            }
          }
        })
    } catch (error) {
      throw this.explain(error, table)
    }
    if (!snapshot) throw new Error('Postgres returned no snapshot')
    return snapshot
  }

  /**
   * The stream may tell a commit before other transactions can see it. What was told up to `floor`,
   * and so will not be told again, but is not in the snapshot either, would be lost: look again.
   */
  private async withNothingMissed<T extends { snapshot: Snapshot }>(
    floor: () => number,
    read: () => Promise<T>,
  ): Promise<T> {
    const { epoch } = this
    for (let attempt = 1; attempt <= 200; attempt++) {
      const taken = await read()
      if (epoch !== this.epoch) throw RequestError.unavailable('The database was lost')
      const { snapshot } = taken
      if (!this.recent.some(({ lsn, xid }) => lsn <= floor() && lsn < snapshot.insertLsn && !sees(snapshot, xid))) {
        return taken
      }
      await Bun.sleep(5)
    }
    throw RequestError.unavailable('A transaction takes long to become visible')
  }

  private explain(error: unknown, table: Table): unknown {
    const state = sqlState(error)
    // The table changed or went between the check and the query.
    if (state === '42P01' || state === '42703' || state === '42883') {
      this.forgetTable(table)
      return RequestError.unavailable('The table changed while it was read')
    }
    if (state?.startsWith('22') || state?.startsWith('42')) {
      return RequestError.invalid({ where: [messageOf(error)] })
    }
    return RequestError.unavailable(`Could not read ${table.sqlName}: ${messageOf(error)}`)
  }

  /** Ends a shape: its handles are void, whoever waits is told to start over. */
  end(shape: Shape, reason: 'ended' | 'unavailable' = 'ended'): void {
    if (this.shapes.get(shape.definition.id) === shape) this.shapes.delete(shape.definition.id)
    this.indexes.get(shape.definition.table.oid)?.delete(shape)
    for (const pages of pagesOf(shape)) this.drop(pages)
    for (const generation of shape.generations) this.generations.delete(generation.handle)
    shape.finish(reason)
  }

  private forget(generation: Generation): void {
    const { shape } = generation
    this.generations.delete(generation.handle)
    shape.generations.delete(generation)
    if (shape.current === generation) shape.current = undefined
    if (shape.generations.size === 0) this.end(shape)
    if (!pagesOf(shape).has(generation.pages)) this.drop(generation.pages)
  }

  /** Keeps what was read no more. */
  private drop(pages: Pages): void {
    if (pages.parts) this.spill.drop(pages.parts)
    pages.parts = undefined
  }

  private indexOf(oid: number): ShapeIndex {
    let index = this.indexes.get(oid)
    if (!index) this.indexes.set(oid, (index = new ShapeIndex()))
    return index
  }

  // ── tables ────────────────────────────────────────────────────────────────────────────────

  /**
   * Looks whether the tables are still what they were: the stream tells nothing of a dropped table.
   * Whoever calls gets a look that began after the call.
   */
  checkCatalog(): Promise<void> {
    if (this.nextCatalogCheck) return this.nextCatalogCheck
    const next = (async () => {
      await this.catalogCheck?.catch(() => {})
      this.nextCatalogCheck = undefined
      this.catalogCheck = this.lookAtCatalog()
      await this.catalogCheck
    })()
    this.nextCatalogCheck = next
    return next
  }

  private async lookAtCatalog(): Promise<void> {
    const tables: Table[] = []
    const followed = new Set<Table>()
    for (const loading of this.tables.values()) {
      const table = await loading.catch(() => undefined)
      if (!table) continue
      const publishing = this.published.get(table.oid)
      await publishing?.catch(() => {})
      tables.push(table)
      // What is published from here on need not be so when the catalog is read.
      if (publishing) followed.add(table)
    }
    const { unchanged, grown } = await unchangedTables(this.sql, tables, this.publication, (table) =>
      followed.has(table),
    )
    for (const table of tables) {
      if (grown.has(table.oid) && (await this.grew(table))) continue
      if (unchanged.has(table.oid) && !grown.has(table.oid)) continue
      this.log.info({ table: table.sqlName }, 'The table changed; its shapes start over')
      this.forgetTable(table)
    }
  }

  /** @returns whether shapes with columns of their choice may go on */
  private async grew(table: Table): Promise<boolean> {
    const fresh = await loadTable(this.sql, table.schema, table.name, this.versionNumber).catch(() => undefined)
    // Without a primary key all columns are the key.
    if (!fresh || table.primaryKey.length === 0 || !grow(table, fresh)) return false
    this.log.info({ table: table.sqlName }, 'The table has more columns')
    // What asked for all columns is another question now.
    this.definitions.clear()
    for (const shape of [...(this.indexes.get(table.oid)?.shapes ?? [])])
      if (shape.definition.request.columns === undefined) this.end(shape)
    return true
  }

  private forgetTable(table: Table): void {
    this.tables.delete(JSON.stringify([table.schema, table.name]))
    this.published.delete(table.oid)
    this.definitions.clear()
    for (const [oid, relation] of this.relations) {
      if (relation.table === table) this.relations.set(oid, { ...relation, table: undefined, matches: false })
    }
    this.endTable(table.oid)
  }

  private endTable(oid: number): void {
    for (const shape of [...(this.indexes.get(oid)?.shapes ?? [])]) this.end(shape)
  }

  // ── the stream ────────────────────────────────────────────────────────────────────────────

  private connected(lsn: number): void {
    this.epoch++
    this.queue = []
    this.queuedBytes = 0
    this.isHeldBack = false
    this.open = undefined
    this.relations.clear()
    // Normally further than before; less when the database was put back to an earlier state.
    this.matchedLsn = lsn
    this.seenLsn = lsn
    this.recent = []
    this.state = 'active'
    this.activation.resolve()
    this.log.info({ publication: this.publication }, 'Following the database')
  }

  private lost(): void {
    if (this.state !== 'active') return
    this.state = 'waiting'
    this.epoch++
    this.activation = Promise.withResolvers<void>()
    this.activation.promise.catch(() => {})
    // What happens until the next connection is never told: no log may be continued.
    for (const shape of [...this.shapes.values()]) this.end(shape, 'unavailable')
    this.tables.clear()
    this.published.clear()
    this.definitions.clear()
  }

  private enqueue(item: { transaction: Transaction } | { lsn: number }): void {
    this.queue.push(item)
    if ('transaction' in item) {
      this.queuedBytes += item.transaction.bytes
      if (this.queuedBytes > mostQueuedBytes) this.holdBack(true)
    }
    if (!this.draining) void this.drain()
  }

  private holdBack(isHeldBack: boolean): void {
    if (this.isHeldBack === isHeldBack) return
    this.isHeldBack = isHeldBack
    this.replication?.flow(!isHeldBack)
  }

  /** Whether this turn of the event loop has given enough to what Postgres tells; one turn may bring megabytes of it. */
  private isTurnOver(): boolean {
    const now = performance.now()
    if (this.turnBegan === undefined) {
      this.turnBegan = now
      setImmediate(() => {
        this.turnBegan = undefined
      })
    }
    return now - this.turnBegan >= stretchMs
  }

  private async drain(): Promise<void> {
    this.draining = true
    try {
      for (let item = this.queue.shift(); item; item = this.queue.shift()) {
        const epoch = this.epoch
        if ('transaction' in item) {
          const { transaction } = item
          this.queuedBytes -= transaction.bytes
          if (this.queuedBytes < mostQueuedBytes / 2) this.holdBack(false)
          try {
            const waiting = this.apply(transaction)
            if (waiting) await waiting
          } catch (error) {
            // What the transaction did is unknown, so no log may go on.
            this.log.error({ err: error }, 'A transaction could not be read; all shapes start over')
            if (epoch === this.epoch && this.open) this.open.hasFailed = true
            for (const shape of [...this.shapes.values()]) this.end(shape)
          }
          if (epoch !== this.epoch) continue
          if (transaction.end !== undefined) {
            this.open = undefined
            this.seenLsn = Math.max(this.seenLsn, transaction.lsn)
            this.replication?.acknowledge(transaction.end)
          }
        } else {
          this.seenLsn = Math.max(this.seenLsn, item.lsn)
          this.replication?.acknowledge(item.lsn)
        }
        if (this.isTurnOver()) await breath()
      }
    } finally {
      this.draining = false
    }
  }

  /** Gives a transaction, or part of one, to the shapes it concerns. Returns a promise only when that takes longer. */
  private apply(transaction: Transaction): Promise<void> | undefined {
    const { lsn, xid } = transaction
    if (transaction.isFirst) {
      this.matchedLsn = lsn
      this.recent.push({ xid, lsn })
      if (this.recent.length >= rememberedTransactions * 2) this.recent = this.recent.slice(-rememberedTransactions)
      const [touched, asked] = [new Map(), new Map()]
      this.open = {
        ...{ lsn, xid, op: 0, touched, asked },
        ...{ bytes: 0, toldBytes: 0, rows: 0, isTooLarge: false, hasFailed: false },
      }
    }
    const { open } = this
    if (!open || open.hasFailed) return undefined
    for (const message of transaction.messages) {
      const kind = message[0]
      if (kind === kinds.relation) this.learnRelation(readRelation(message))
      else if (kind === kinds.truncate) {
        for (const oid of readTruncate(message)) this.endTable(oid)
      } else if (kind === kinds.insert || kind === kinds.update || kind === kinds.delete) {
        this.match(message, open)
        open.op += 2
      }
    }
    if (transaction.end === undefined) return undefined
    if (open.asked.size > 0) return this.evaluate(open).then(() => this.emit(open))
    return this.emit(open)
  }

  private learnRelation(message: RelationMessage): void {
    const known = this.indexes.get(message.oid)?.table
    const matches = known !== undefined && describes(message, known)
    this.relations.set(message.oid, { message, matches, table: known })
    if (known && !matches) {
      this.log.info({ table: known.sqlName }, 'The table changed; its shapes start over')
      this.forgetTable(known)
    }
  }

  private match(message: Buffer, open: Open): void {
    const { op, touched, asked } = open
    const oid = readRowOid(message)
    const index = this.indexes.get(oid)
    const table = index?.table
    if (!index || !table) return
    let relation = this.relations.get(oid)
    if (relation && relation.table !== table) {
      // The relation was described before anybody asked for it, or before the table changed.
      relation = { ...relation, table, matches: describes(relation.message, table) }
      this.relations.set(oid, relation)
      if (!relation.matches) {
        this.forgetTable(table)
        return
      }
    }
    const row = readRow(message)
    if (message[0] !== kinds.insert && !row.oldTuple) {
      // Somebody changed the replica identity: without the former row nothing can be told.
      this.log.warn(
        { table: table.sqlName },
        'A change came without the former row; the shapes of its table start over',
      )
      this.forgetTable(table)
      return
    }
    const old = row.oldTuple
    const tuple = row.newTuple
    if (old && tuple) {
      for (let i = 0; i < tuple.length; i++) if (tuple[i] === undefined) tuple[i] = old[i]
    }
    let isKept = false
    const bytes = message.length + rowBytes
    // One for all shapes that it concerns in the same way.
    const items: (Item | undefined)[] = []
    for (const shape of index.candidates(old, tuple)) {
      // It began after this transaction, of which its snapshot has all.
      if (shape.floorLsn >= open.lsn) continue
      const { predicate } = shape.definition.where
      if (predicate.kind === 'sql') {
        isKept = true
        if (open.isTooLarge) {
          this.end(shape)
          continue
        }
        let entry = asked.get(oid)
        if (!entry) asked.set(oid, (entry = { shapes: new Set(), items: [] }))
        entry.shapes.add(shape)
        if (entry.items.at(-1)?.op !== op) entry.items.push({ op, old, tuple })
        continue
      }
      const test = predicate.kind === 'all' ? undefined : predicate.test
      const wasIn = old !== undefined && (!test || test(old) === true)
      const isIn = tuple !== undefined && (!test || test(tuple) === true)
      if (!wasIn && !isIn) continue
      isKept = true
      if (open.isTooLarge) {
        this.end(shape)
        continue
      }
      const way = (wasIn ? 1 : 0) + (isIn ? 2 : 0)
      const item = (items[way] ??= { op, old, tuple, wasIn, isIn })
      const found = touched.get(shape)
      if (found) found.push(item)
      else touched.set(shape, [item])
      open.bytes += mentionBytes
      open.toldBytes += bytes
    }
    if (!isKept || open.isTooLarge) return
    open.rows++
    open.bytes += bytes
    if (open.bytes > mostTransactionBytes || open.toldBytes > mostSentBytes) this.cutShort(open)
  }

  /** The transaction is too large to be told: who would be told of it reads anew instead. */
  private cutShort(open: Open): void {
    this.log.info(
      { rows: open.rows },
      'A transaction is too large to be told row by row; the shapes it touches start over',
    )
    open.isTooLarge = true
    for (const shape of open.touched.keys()) this.end(shape)
    for (const { shapes } of open.asked.values()) for (const shape of shapes) this.end(shape)
    open.touched.clear()
    open.asked.clear()
  }

  /** Puts to Postgres what was not compiled: each predicate once, however many shapes share it. */
  private async evaluate({ touched, asked }: Open): Promise<void> {
    for (const { shapes, items } of asked.values()) {
      const byPredicate = new Map<string, Shape[]>()
      for (const shape of shapes) {
        const text = shape.definition.where.sql ?? 'true'
        byPredicate.set(text, [...(byPredicate.get(text) ?? []), shape])
      }
      const table = [...shapes][0]?.definition.table
      if (!table) continue
      const rows = items.flatMap((item) => [item.old, item.tuple].filter((t): t is Tuple => t !== undefined))
      const groups = [...byPredicate.values()]
      for (let g = 0; g < groups.length; g += evaluatedPredicates) {
        const group = groups.slice(g, g + evaluatedPredicates)
        const answers = await this.ask(table, group, rows)
        group.forEach((same, p) => {
          const answer = answers[p]
          for (const shape of same) {
            if (!Array.isArray(answer)) {
              this.failed(shape, answer)
              continue
            }
            let r = 0
            const found: Item[] = []
            for (const { op, old, tuple } of items) {
              const wasIn = old !== undefined && answer[r++] === true
              const isIn = tuple !== undefined && answer[r++] === true
              if (wasIn || isIn) found.push({ op, old, tuple, wasIn, isIn })
            }
            if (found.length > 0) touched.set(shape, found)
          }
        })
      }
    }
  }

  /** Answers per predicate and row; the failure where Postgres could not answer. */
  private async ask(table: Table, group: Shape[][], rows: Tuple[]): Promise<(boolean[] | { failure: unknown })[]> {
    const predicates = group.map(([shape]) => {
      const where = shape?.definition.where
      return { sql: where?.sql ?? 'true', columns: where?.predicate.kind === 'sql' ? where.predicate.columns : [] }
    })
    const answers = predicates.map((): boolean[] => [])
    try {
      for (let r = 0; r < rows.length; r += evaluatedRows) {
        const part = rows.slice(r, r + evaluatedRows)
        const found = await this.sql.unsafe<{ answers: string }[]>(evaluationSql(table, predicates, part))
        if (found.length !== part.length) throw new Error('Postgres answered for another number of rows')
        for (const { answers: bits } of found) answers.forEach((list, p) => list.push(bits[p] === '1'))
      }
      return answers
    } catch (error) {
      if (group.length > 1) {
        const single: (boolean[] | { failure: unknown })[] = []
        for (const one of group) single.push(...(await this.ask(table, [one], rows)))
        return single
      }
      this.log.warn(
        { err: error, table: table.sqlName },
        'A where clause could not be evaluated; its shapes start over',
      )
      return [{ failure: error }]
    }
  }

  /** Ends a shape whose clause could not be answered, and remembers it where the clause is at fault. */
  private failed(shape: Shape, answer: { failure: unknown } | undefined): void {
    this.end(shape)
    const state = sqlState(answer?.failure)
    if (!state?.startsWith('22') && !state?.startsWith('42') && state !== '0A000') return
    const now = Date.now()
    for (const [id, { at }] of this.failures) if (now - at > failureMs) this.failures.delete(id)
    const { id } = shape.definition
    const count = (this.failures.get(id)?.count ?? 0) + 1
    this.failures.set(id, { count, at: now, message: messageOf(answer?.failure) })
  }

  /** Writes what the transaction did into the logs. Returns a promise where that takes longer. */
  private emit(open: Open): Promise<void> | undefined {
    const steps = this.writeLogs(open)
    if (open.rows <= rowsAtOnce) {
      for (const _ of steps);
      return undefined
    }
    return (async () => {
      const { epoch } = this
      let stretch = performance.now()
      for (const _ of steps) {
        if (performance.now() - stretch < stretchMs) continue
        await breath()
        if (epoch !== this.epoch) return
        stretch = performance.now()
      }
    })()
  }

  /** Stops now and then, so that others may go on. */
  private *writeLogs({ lsn, xid, touched }: Open): Iterable<void> {
    const messages = new Set<Message>()
    let mentions = 0
    for (const [shape, items] of touched) {
      const { writer } = shape
      const changes: { change: Change; op: number }[] = []
      for (const { op, old, tuple, wasIn, isIn } of items) {
        if (wasIn && isIn && old && tuple) {
          const oldKey = writer.key(old)
          const newKey = writer.key(tuple)
          if (oldKey !== newKey) {
            changes.push({ op, change: { operation: 'delete', tuple: old, keyChangedTo: newKey } })
            changes.push({ op: op + 1, change: { operation: 'insert', tuple, keyChangedFrom: oldKey } })
          } else if (writer.isVisible(old, tuple)) changes.push({ op, change: { operation: 'update', old, tuple } })
        } else if (isIn && tuple) changes.push({ op, change: { operation: 'insert', tuple } })
        else if (wasIn && old) changes.push({ op, change: { operation: 'delete', tuple: old } })
      }
      if (changes.length === 0) continue
      const written: Message[] = []
      for (const [i, { change, op }] of changes.entries()) {
        written.push(writer.message(change, { xid, lsn, op, last: i === changes.length - 1 }))
        if (i % rowsAtOnce === rowsAtOnce - 1) yield
      }
      if (shape.ended) continue
      shape.add(lsn, xid, written)
      for (const message of written) messages.add(message)
      mentions += written.length
      this.news.add(shape)
      yield
    }
    if (mentions === 0) return
    let bytes = mentions * mentionBytes
    for (const message of messages) bytes += message.bytes + messageBytes
    this.logged.push({ lsn, bytes })
    this.loggedBytes += bytes
    this.tell()
  }

  // ── telling ───────────────────────────────────────────────────────────────────────────────

  /** Whether who waits is being left alone. */
  get isPausing(): boolean {
    return this.telling !== undefined || performance.now() < this.pauseEnds
  }

  /** The shape has more than somebody knows who waits: that is told with the next news. */
  tellLater(shape: Shape): void {
    this.news.add(shape)
    this.tell()
  }

  /** Wakes whoever waits for the news, now or when the pause is over. */
  private tell(): void {
    if (this.telling !== undefined) return
    const now = performance.now()
    if (now >= this.pauseEnds) this.tellNow(now)
    else
      this.telling = setTimeout(() => {
        this.telling = undefined
        this.tellNow(performance.now())
      }, this.pauseEnds - now)
  }

  private tellNow(now: number): void {
    let sent = 0
    for (const shape of this.news) sent += shape.tell()
    this.news.clear()
    const usual = Math.min(longestUsualPauseMs, sent * pausePerAnswerMs)
    const took = performance.now() - now
    this.pauseEnds = now + Math.min(longestPauseMs, Math.max(usual, took * pausePerSending))
  }

  // ── memory ────────────────────────────────────────────────────────────────────────────────

  private keepHouse(now: number): void {
    this.forgetOldest()
    this.spill.sweep()
    for (const shape of [...this.shapes.values()]) {
      shape.forgetSlices()
      for (const pages of pagesOf(shape)) {
        if (pages.parts && now - pages.readAt > (pages.isRead ? readSnapshotIdleMs : snapshotIdleMs)) this.drop(pages)
      }
      for (const generation of [...shape.generations])
        if (now - generation.lastUsedAt > shapeIdleMs) this.forget(generation)
    }
    this.makeRoom()
  }

  /** Drops the snapshots that were read the longest ago, as far as they are too many. */
  private makeRoom(latest?: Pages): void {
    const kept = new Map<Pages, number>()
    let [bytes, memory] = [0, 0]
    for (const shape of this.shapes.values()) {
      for (const pages of pagesOf(shape)) {
        if (!pages.parts) continue
        const small = pages.parts.reduce((sum, part) => sum + (this.spill.isOnDisk(part) ? 0 : part.size), 0)
        kept.set(pages, small)
        bytes += pages.bytes
        memory += small
      }
    }
    if (bytes <= mostSnapshotBytes && memory <= mostSnapshotMemory) return
    // Of what was read to its end others may do without; what is being read, its reader would have to begin anew.
    const order = ([a]: [Pages, number], [b]: [Pages, number]) =>
      Number(b.isRead) - Number(a.isRead) || a.readAt - b.readAt
    for (const [pages, small] of [...kept].sort(order)) {
      if (bytes <= mostSnapshotBytes * 0.75 && memory <= mostSnapshotMemory * 0.75) return
      if (pages === latest) continue
      bytes -= pages.bytes
      memory -= small
      this.drop(pages)
    }
  }

  /** All logs end at the same place, because they share what they hold. */
  private forgetOldest(): void {
    let count = 0
    while (this.loggedBytes > mostLogBytes && count < this.logged.length)
      this.loggedBytes -= this.logged[count++]?.bytes ?? 0
    const last = this.logged.splice(0, count).at(-1)
    if (last) for (const shape of this.shapes.values()) shape.dropUpTo(last.lsn)
  }
}

function pagesOf(shape: Shape): Set<Pages> {
  return new Set([...shape.generations].map(({ pages }) => pages))
}

/** Lets everything else that waits go on. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the stream describes a table as we know it. */
function describes(message: RelationMessage, table: Table): boolean {
  return (
    message.schema === table.schema &&
    message.name === table.name &&
    // Columns may have come since: the stream and the catalog tell of them in either order.
    message.columns.length >= table.born &&
    message.columns.every(
      (c, i) =>
        i >= table.columns.length || (c.name === table.columns[i]?.name && c.typeOid === table.columns[i]?.typeOid),
    )
  )
}

/** @throws RequestError 400 */
function selectColumns(table: Table, list: string | undefined): number[] {
  const notReplicated = 'The following columns are generated and cannot be included in the shape: '
  if (list === undefined) {
    if (table.unreplicated.length > 0) {
      throw RequestError.invalid({
        columns: [
          `${notReplicated}${table.unreplicated.join(', ')}. You can exclude them from the shape by explicitly listing which columns to fetch in the 'columns' query param`,
        ],
      })
    }
    return table.columns.map((_, i) => i)
  }
  const names = [...new Set(parseColumnList(list))]
  const without = (known: string[]) => names.filter((name) => !known.includes(name))
  const missing = table.primaryKey.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    throw RequestError.invalid({
      columns: [`The list of columns must include all primary key columns, missing: ${missing.join(', ')}`],
    })
  }
  const replicated = table.columns.map((c) => c.name)
  const unknown = without([...replicated, ...table.unreplicated])
  if (unknown.length > 0) {
    throw RequestError.invalid({ columns: [`The following columns are not found on the table: ${unknown.join(', ')}`] })
  }
  const generated = without(replicated)
  if (generated.length > 0) throw RequestError.invalid({ columns: [notReplicated + generated.join(', ')] })
  return names.map((name) => replicated.indexOf(name)).sort((a, b) => a - b)
}
