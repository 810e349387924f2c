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
  type Position,
  Shape,
  ShapeIndex,
  type ShapeRequest,
  type Snapshot,
  sees,
} from './shapes.ts'
import {
  ensurePublication,
  inspectServer,
  loadTable,
  parseColumnList,
  parseTableName,
  publishTable,
  type Table,
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
const mostSnapshotBytes = 512 * 2 ** 20
/**
 * Whoever is told something asks again. So that a crowd that is told of every change does not keep the process from all
 * else, it is left alone for a moment after it was told; what happens meanwhile is told together. The moment is longer
 * where telling takes long, as on a machine with much else to do.
 */
const pausePerAnswerMs = 0.2
const longestUsualPauseMs = 100
const pausePerTelling = 6
const longestPauseMs = 200
const mostDefinitions = 50_000
/** How long a request waits for the database to come back before it is told to ask again. */
const patienceMs = 5_000
const startPatienceMs = 5_000
/** Transactions remembered to recognise those that were told before they became visible. */
const rememberedTransactions = 10_000
const evaluatedRows = 2_000
const evaluatedPredicates = 200

const bracket = Buffer.from('[')
const comma = Buffer.from(',')

/** The changes of one transaction to one shape; what a predicate says of them may still be open. */
type Item = { op: number; old?: Tuple; tuple?: Tuple; wasIn?: boolean; isIn?: boolean }

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

  private relations = new Map<number, Relation>()
  private queue: ({ transaction: Transaction } | { lsn: number })[] = []
  private draining = false
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

  constructor(private readonly options: EngineOptions) {
    this.log = options.log
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
      for (const generation of shape.generations) if (generation.chunks) logBytes += generation.snapshotBytes
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
  }

  /** @throws RequestError 503 when the database does not come back in time */
  async whenActive(): Promise<void> {
    if (this.state === 'active') return
    if (this.stopped) throw RequestError.unavailable('The server is stopping')
    let timer: NodeJS.Timeout | undefined
    const impatience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(RequestError.unavailable('Waiting for the database')), patienceMs)
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
   * @param avoid a handle the client cannot use any more
   */
  async begin(definition: Definition, avoid?: string): Promise<Generation> {
    const { table } = definition
    await this.publish(table)
    await this.whenActive()
    if ((await this.tables.get(JSON.stringify([table.schema, table.name]))) !== table) {
      throw RequestError.unavailable('The table changed')
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
        : current.chunks &&
            shape.canServe(current, { lsn: 0, op: 0 }) &&
            shape.bytesAfterSnapshot(current) <= Math.max(256 * 1024, current.snapshotBytes)
          ? current
          : undefined
    if (usable && usable.failure === undefined && usable.handle !== avoid) {
      this.touch(usable)
      usable.readAt = usable.lastUsedAt
      usable.isRead = false
      return usable
    }
    const generation = new Generation(this.newHandle(definition), shape, Date.now())
    shape.current = generation
    shape.generations.add(generation)
    this.generations.set(generation.handle, generation)
    generation.ready = this.takeSnapshot(generation).catch((error: unknown) => {
      generation.failure = error
      this.forget(generation)
      throw error
    })
    generation.ready.catch(() => {})
    return generation
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

  private async takeSnapshot(generation: Generation): Promise<void> {
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
        chunks.push(new Blob([Buffer.concat(parts)]))
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
      if (!changesOnly) parts.push(Buffer.from(JSON.stringify({ headers })))
      close()
      return { snapshot, chunks, totalBytes }
    }
    const { snapshot, chunks, totalBytes } = await this.withNothingMissed(() => shape.floorLsn, read)
    if (shape.ended) throw RequestError.unavailable('The shape ended while it was read')
    shape.settle(generation, snapshot)
    generation.chunks = chunks
    generation.chunkCount = chunks.length
    generation.readAt = Date.now()
    generation.snapshotBytes = totalBytes
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
    for (const generation of shape.generations) this.generations.delete(generation.handle)
    shape.finish(reason)
  }

  private forget(generation: Generation): void {
    const { shape } = generation
    this.generations.delete(generation.handle)
    shape.generations.delete(generation)
    if (shape.current === generation) shape.current = undefined
    if (shape.generations.size === 0) this.end(shape)
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
    for (const loading of this.tables.values()) {
      const table = await loading.catch(() => undefined)
      if (table && this.published.has(table.oid)) {
        await this.published.get(table.oid)?.catch(() => {})
        tables.push(table)
      }
    }
    const unchanged = await unchangedTables(this.sql, tables, this.publication)
    for (const table of tables) {
      if (unchanged.has(table.oid)) continue
      this.log.info({ table: table.sqlName }, 'The table changed; its shapes start over')
      this.forgetTable(table)
    }
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
    if (!this.draining) void this.drain()
  }

  private async drain(): Promise<void> {
    this.draining = true
    try {
      for (let item = this.queue.shift(); item; item = this.queue.shift()) {
        const epoch = this.epoch
        if ('transaction' in item) {
          try {
            const waiting = this.apply(item.transaction)
            if (waiting) await waiting
          } catch (error) {
            // What the transaction did is unknown, so no log may go on.
            this.log.error({ err: error }, 'A transaction could not be read; all shapes start over')
            for (const shape of [...this.shapes.values()]) this.end(shape)
          }
          if (epoch !== this.epoch) continue
          this.seenLsn = Math.max(this.seenLsn, item.transaction.lsn)
          this.replication?.acknowledge(item.transaction.end)
        } else {
          this.seenLsn = Math.max(this.seenLsn, item.lsn)
          this.replication?.acknowledge(item.lsn)
        }
      }
    } finally {
      this.draining = false
    }
  }

  /** Gives a transaction to the shapes it concerns. Returns a promise only when Postgres must be asked. */
  private apply(transaction: Transaction): Promise<void> | undefined {
    const { lsn, xid } = transaction
    this.matchedLsn = lsn
    this.recent.push({ xid, lsn })
    if (this.recent.length >= rememberedTransactions * 2) this.recent = this.recent.slice(-rememberedTransactions)

    const touched = new Map<Shape, Item[]>()
    const open = new Map<number, { shapes: Set<Shape>; items: Item[] }>()
    let op = 0
    for (const message of transaction.messages) {
      const kind = message[0]
      if (kind === kinds.relation) this.learnRelation(readRelation(message))
      else if (kind === kinds.truncate) {
        for (const oid of readTruncate(message)) this.endTable(oid)
      } else if (kind === kinds.insert || kind === kinds.update || kind === kinds.delete) {
        this.match(message, op, touched, open)
        op += 2
      }
    }
    if (open.size === 0) {
      this.emit(transaction, touched)
      return undefined
    }
    return this.evaluate(touched, open).then(() => this.emit(transaction, touched))
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

  private match(
    message: Buffer,
    op: number,
    touched: Map<Shape, Item[]>,
    open: Map<number, { shapes: Set<Shape>; items: Item[] }>,
  ): void {
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
    for (const shape of index.candidates(old, tuple)) {
      const { predicate } = shape.definition.where
      if (predicate.kind === 'sql') {
        let entry = open.get(oid)
        if (!entry) open.set(oid, (entry = { shapes: new Set(), items: [] }))
        entry.shapes.add(shape)
        if (entry.items.at(-1)?.op !== op) entry.items.push({ op, old, tuple })
        continue
      }
      const test = predicate.kind === 'all' ? undefined : predicate.test
      const wasIn = old !== undefined && (!test || test(old) === true)
      const isIn = tuple !== undefined && (!test || test(tuple) === true)
      if (!wasIn && !isIn) continue
      const item = { op, old, tuple, wasIn, isIn }
      const items = touched.get(shape)
      if (items) items.push(item)
      else touched.set(shape, [item])
    }
  }

  /** Puts to Postgres what was not compiled: each predicate once, however many shapes share it. */
  private async evaluate(
    touched: Map<Shape, Item[]>,
    open: Map<number, { shapes: Set<Shape>; items: Item[] }>,
  ): Promise<void> {
    for (const { shapes, items } of open.values()) {
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
            if (!answer) {
              this.end(shape)
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

  /** Answers per predicate and row; undefined for a predicate that Postgres could not answer. */
  private async ask(table: Table, group: Shape[][], rows: Tuple[]): Promise<(boolean[] | undefined)[]> {
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
        const single: (boolean[] | undefined)[] = []
        for (const one of group) single.push(...(await this.ask(table, [one], rows)))
        return single
      }
      this.log.warn(
        { err: error, table: table.sqlName },
        'A where clause could not be evaluated; its shapes start over',
      )
      return [undefined]
    }
  }

  private emit(transaction: Transaction, touched: Map<Shape, Item[]>): void {
    const messages = new Set<Message>()
    let mentions = 0
    for (const [shape, items] of touched) {
      if (shape.ended) continue
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
      const added = shape.append(transaction.lsn, transaction.xid, changes)
      for (const message of added) messages.add(message)
      mentions += added.length
      this.news.add(shape)
    }
    if (mentions === 0) return
    let bytes = mentions * mentionBytes
    for (const message of messages) bytes += message.bytes + messageBytes
    this.logged.push({ lsn: transaction.lsn, bytes })
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
    let told = 0
    for (const shape of this.news) told += shape.tell()
    this.news.clear()
    const usual = Math.min(longestUsualPauseMs, told * pausePerAnswerMs)
    const took = performance.now() - now
    this.pauseEnds = now + Math.min(longestPauseMs, Math.max(usual, took * pausePerTelling))
  }

  // ── memory ────────────────────────────────────────────────────────────────────────────────

  private keepHouse(now: number): void {
    this.forgetOldest()
    let bytes = 0
    for (const shape of [...this.shapes.values()]) {
      shape.forgetSlices()
      for (const generation of [...shape.generations]) {
        const { chunks, isRead, readAt, lastUsedAt } = generation
        if (chunks && now - readAt > (isRead ? readSnapshotIdleMs : snapshotIdleMs)) generation.chunks = undefined
        if (now - lastUsedAt > shapeIdleMs) this.forget(generation)
        else if (generation.chunks) bytes += generation.snapshotBytes
      }
    }
    if (bytes <= mostSnapshotBytes) return
    const read = [...this.generations.values()].filter((generation) => generation.chunks)
    for (const generation of read.sort((a, b) => a.readAt - b.readAt)) {
      if (bytes <= mostSnapshotBytes * 0.75) return
      bytes -= generation.snapshotBytes
      generation.chunks = undefined
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the stream describes a table as we know it. */
function describes(message: RelationMessage, table: Table): boolean {
  return (
    message.schema === table.schema &&
    message.name === table.name &&
    message.columns.length === table.columns.length &&
    message.columns.every((c, i) => c.name === table.columns[i]?.name && c.typeOid === table.columns[i]?.typeOid)
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
