import { type Change, type Message, type RowWriter, writerFor } from './rows.ts'
import type { Tuple } from './pgoutput.ts'
import type { Table } from './tables.ts'
import type { Where } from './where.ts'

export type ShapeRequest = {
  table: string
  where?: string
  params: Record<string, string>
  columns?: string
  full: boolean
  changesOnly: boolean
}

export type Definition = {
  /** Equal for equal shapes, however they were asked for. */
  id: string
  /** As it was asked for. */
  request: ShapeRequest
  table: Table
  where: Where
  /** Positions in `table.columns`. */
  columns: number[]
  full: boolean
  /** Without a snapshot: the client reads subsets instead. */
  changesOnly: boolean
}

/** A place in a log: transaction, and change within it. */
export type Position = { lsn: number; op: number }

export function isAfter(a: Position, b: Position): boolean {
  return a.lsn > b.lsn || (a.lsn === b.lsn && a.op > b.op)
}

/** What one query saw: the transactions before it. */
export type Snapshot = {
  xmin: number
  xmax: number
  running: Set<number>
  /** Whatever commits at or after this position was not seen. */
  insertLsn: number
  /** The same for the wire. */
  texts: { xmin: string; xmax: string; xip_list: string[] }
}

/** Whether the query saw a transaction, given the low 32 bits of its id, as the stream tells it. */
export function sees(snapshot: Snapshot, xid: number): boolean {
  const epoch = 2 ** 32
  let full = snapshot.xmax - (snapshot.xmax % epoch) + xid
  if (full > snapshot.xmax + epoch / 2) full -= epoch
  else if (full < snapshot.xmax - epoch / 2) full += epoch
  return full < snapshot.xmin || (full < snapshot.xmax && !snapshot.running.has(full))
}

/** What a snapshot read, in parts as they are sent. Generations may share it. */
export class Pages {
  /** Undefined when they are kept no more. */
  parts: Blob[] | undefined
  count = 0
  bytes = 0
  /** When somebody was last given a part, and whether that was the last one. */
  readAt: number
  isRead = false

  constructor(now: number) {
    this.readAt = now
  }

  /** Somebody is about to read them from the first. */
  wanted(now: number): void {
    this.readAt = now
    this.isRead = false
  }
}

/**
 * A snapshot under its own handle. Clients page through its chunks, then follow the shape's log,
 * which all generations of a shape share; each leaves out what its snapshot had already seen.
 */
export class Generation {
  snapshot: Snapshot | undefined
  pages: Pages
  /** Everything up to here was seen by the snapshot. */
  cut: Position = { lsn: 0, op: 0 }
  /** Transactions after the cut that were seen nonetheless: they overtook another in becoming visible. */
  seen = new Set<number>()
  lastUsedAt: number
  failure: unknown
  ready: Promise<void> = Promise.resolve()

  constructor(
    readonly handle: string,
    readonly shape: Shape,
    now: number,
  ) {
    this.lastUsedAt = now
    this.pages = new Pages(now)
  }

  /** A chunk of the snapshot, for somebody who reads it; undefined when it is kept no more. */
  read(number: number, now: number): Blob | undefined {
    this.pages.readAt = now
    this.pages.isRead = number === this.pages.count - 1
    return this.pages.parts?.[number]
  }

  /** The same snapshot under another handle: a client that may not go on under the first reads what is there. */
  again(handle: string, now: number): Generation {
    const copy = new Generation(handle, this.shape, now)
    copy.snapshot = this.snapshot
    copy.pages = this.pages
    copy.cut = this.cut
    // What is added to the one is true of the other.
    copy.seen = this.seen
    return copy
  }

  /** Where this generation's client stands in the shared log. */
  place(offset: Position): Position {
    return offset.lsn === 0 || isAfter(this.cut, offset) ? this.cut : offset
  }
}

export type Waiter = {
  generation: Generation
  offset: Position
  wake: (reason: 'changes' | 'ended' | 'unavailable') => void
}

export type Slice = {
  /** Messages joined by commas, without the brackets. */
  json: string
  end: Position
  /** The end of the log is reached. */
  complete: boolean
  /** The answer to a live request, made by the first who needs it. */
  liveBody?: string
  /** The same with its headers, by the generation whose handle they name. */
  answers?: Map<Generation, { status: number; headers: Readonly<Record<string, string>>; body: string | Blob }>
}

/** Clients that lag behind differ in where they are; those that keep up do not. */
const mostSlices = 32
/** Hundreds of shapes may tell of one large transaction. Of each, this much is kept for who comes a little later. */
const mostKeptSliceChars = 256 * 1024

/** One definition's log, and who waits for it to grow. */
export class Shape {
  readonly writer: RowWriter
  readonly generations = new Set<Generation>()
  current: Generation | undefined
  readonly waiters = new Set<Waiter>()
  logBytes = 0
  ended = false
  private entries: Message[] = []
  /** The last of each full chunk. */
  private readonly chunkEnds = new Set<Message>()
  private openChunkBytes = 0
  /** Of the last change dropped from the log to save memory. */
  private droppedUpTo: Position
  private last: Position
  private slices = new Map<string, Slice>()

  /** @param startLsn what committed up to here is not recorded */
  constructor(
    readonly definition: Definition,
    startLsn: number,
    private readonly chunkBytes: number,
    private readonly mostLogBytes: number,
  ) {
    this.writer = writerFor(definition.table, definition.columns, definition.full)
    this.droppedUpTo = { lsn: startLsn, op: Number.POSITIVE_INFINITY }
    this.last = this.droppedUpTo
  }

  get end(): Position {
    return this.last
  }

  /** What committed up to here is not in the log, and must have been seen by every new snapshot. */
  get floorLsn(): number {
    return this.droppedUpTo.lsn
  }

  /** Adds what one transaction did to the shape. Always whole transactions. Who waits is told by `tell`. */
  append(lsn: number, xid: number, changes: { change: Change; op: number }[]): Message[] {
    const messages = changes.map(({ change, op }, i) =>
      this.writer.message(change, { xid, lsn, op, last: i === changes.length - 1 }),
    )
    this.add(lsn, xid, messages)
    return messages
  }

  /** The same for messages that were written already. */
  add(lsn: number, xid: number, messages: Message[]): void {
    for (const message of messages) {
      this.openChunkBytes += message.bytes
      if (this.openChunkBytes >= this.chunkBytes) {
        this.openChunkBytes = 0
        this.chunkEnds.add(message)
      }
      this.entries.push(message)
      this.logBytes += message.bytes
    }
    this.last = { lsn, op: messages.at(-1)?.op ?? 0 }
    for (const generation of this.generations) {
      const { snapshot } = generation
      if (snapshot && lsn < snapshot.insertLsn && sees(snapshot, xid)) generation.seen.add(lsn)
    }
    this.slices.clear()
    this.trim()
  }

  /** Wakes those who wait for what there is by now. @returns how many */
  tell(): number {
    let sent = 0
    for (const waiter of [...this.waiters]) {
      if (!this.hasMore(waiter.generation, waiter.offset)) continue
      waiter.wake('changes')
      sent++
    }
    let chars = 0
    for (const { json } of this.slices.values()) chars += json.length
    if (chars > mostKeptSliceChars) this.forgetSlices()
    return sent
  }

  /** What was made for those who asked: they have it. */
  forgetSlices(): void {
    this.slices.clear()
  }

  /** Settles which recorded transactions a finished snapshot has already seen. */
  settle(generation: Generation, snapshot: Snapshot): void {
    generation.snapshot = snapshot
    generation.cut = this.droppedUpTo
    let unbroken = true
    for (const { lsn, op, xid } of this.entries) {
      if (lsn >= snapshot.insertLsn) break
      if (sees(snapshot, xid)) {
        if (unbroken) generation.cut = { lsn, op }
        else generation.seen.add(lsn)
      } else unbroken = false
    }
  }

  /** False when changes after this place have been dropped from the log. */
  canServe(generation: Generation, offset: Position): boolean {
    return !isAfter(this.droppedUpTo, generation.place(offset))
  }

  hasMore(generation: Generation, offset: Position): boolean {
    const from = generation.place(offset)
    if (!isAfter(this.last, from)) return false
    if (generation.seen.size === 0) return true
    return this.entries.slice(this.indexAfter(from)).some((e) => !generation.seen.has(e.lsn))
  }

  /** The changes after a place, up to the end of the chunk it lies in. Computed once for all who ask. */
  slice(generation: Generation, offset: Position): Slice {
    const from = generation.place(offset)
    const cacheKey = generation.seen.size === 0 ? `${from.lsn}_${from.op}` : undefined
    const cached = cacheKey === undefined ? undefined : this.slices.get(cacheKey)
    if (cached) return cached
    const messages: string[] = []
    let end = offset
    let complete = true
    for (let i = this.indexAfter(from); i < this.entries.length; i++) {
      const entry = this.entries[i]
      if (!entry) break
      if (!generation.seen.has(entry.lsn)) {
        messages.push(entry.json)
        end = entry
      }
      if (messages.length > 0 && this.chunkEnds.has(entry)) {
        complete = i === this.entries.length - 1
        break
      }
    }
    const slice = { json: messages.join(','), end: { lsn: end.lsn, op: end.op }, complete }
    if (cacheKey !== undefined && messages.length > 0) {
      if (this.slices.size >= mostSlices) this.slices.clear()
      this.slices.set(cacheKey, slice)
    }
    return slice
  }

  /** Bytes a client of this generation has yet to read when it starts now. */
  bytesAfterSnapshot(generation: Generation): number {
    let bytes = 0
    for (let i = this.indexAfter(generation.cut); i < this.entries.length; i++) bytes += this.entries[i]?.bytes ?? 0
    return bytes
  }

  finish(reason: 'ended' | 'unavailable'): void {
    this.ended = true
    for (const waiter of [...this.waiters]) waiter.wake(reason)
    this.waiters.clear()
    this.entries = []
    this.chunkEnds.clear()
    this.slices.clear()
    this.logBytes = 0
  }

  private indexAfter(position: Position): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = this.entries[middle]
      if (entry && isAfter(entry, position)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Drops what committed up to there; who has not read it starts over. */
  dropUpTo(lsn: number): void {
    this.drop(this.indexAfter({ lsn, op: Number.POSITIVE_INFINITY }))
  }

  /** Drops the oldest transactions when the log is too long. */
  private trim(): void {
    if (this.logBytes <= this.mostLogBytes) return
    let bytes = this.logBytes
    let count = 0
    while (bytes > this.mostLogBytes * 0.75 && count < this.entries.length) bytes -= this.entries[count++]?.bytes ?? 0
    const last = this.entries[count - 1]
    while (last && this.entries[count]?.lsn === last.lsn) count++
    this.drop(count)
  }

  private drop(count: number): void {
    const dropped = this.entries.splice(0, count)
    for (const message of dropped) {
      this.logBytes -= message.bytes
      this.chunkEnds.delete(message)
    }
    const last = dropped.at(-1)
    if (last) this.droppedUpTo = { lsn: last.lsn, op: last.op }
  }
}

/**
 * The shapes of one table, found by the values a row has: of thousands of shapes only those are
 * asked that the row could be in.
 */
export class ShapeIndex {
  readonly shapes = new Set<Shape>()
  private readonly others = new Set<Shape>()
  private readonly byColumn = new Map<number, Map<string, Set<Shape>>>()
  private readonly places = new Map<Shape, { column: number; values: string[] }>()

  /** The table they are of; undefined when there are none. */
  get table(): Table | undefined {
    for (const shape of this.shapes) return shape.definition.table
    return undefined
  }

  add(shape: Shape): void {
    this.shapes.add(shape)
    const { predicate } = shape.definition.where
    const choices = predicate.kind === 'compiled' ? (predicate.equality ?? []) : []
    // The most telling column is the one whose values the fewest shapes share.
    const crowd = (c: { column: number; values: string[] }) =>
      c.values.reduce((n, value) => n + (this.byColumn.get(c.column)?.get(value)?.size ?? 0), 0)
    const best = choices.map((c) => ({ c, size: crowd(c) })).sort((a, b) => a.size - b.size)[0]?.c
    if (!best) {
      this.others.add(shape)
      return
    }
    this.places.set(shape, best)
    let values = this.byColumn.get(best.column)
    if (!values) this.byColumn.set(best.column, (values = new Map()))
    for (const value of best.values) {
      const bucket = values.get(value)
      if (bucket) bucket.add(shape)
      else values.set(value, new Set([shape]))
    }
  }

  delete(shape: Shape): void {
    this.shapes.delete(shape)
    this.others.delete(shape)
    const place = this.places.get(shape)
    this.places.delete(shape)
    const values = place && this.byColumn.get(place.column)
    if (!values) return
    for (const value of place.values) {
      const bucket = values.get(value)
      bucket?.delete(shape)
      if (bucket?.size === 0) values.delete(value)
    }
    if (values.size === 0) this.byColumn.delete(place.column)
  }

  /** Every shape that the row before or after may be in. */
  *candidates(old: Tuple | undefined, tuple: Tuple | undefined): Iterable<Shape> {
    yield* this.others
    for (const [column, values] of this.byColumn) {
      const before = old?.[column]
      const after = tuple?.[column]
      const oldBucket = typeof before === 'string' ? values.get(before) : undefined
      const newBucket = typeof after === 'string' && after !== before ? values.get(after) : undefined
      if (oldBucket) yield* oldBucket
      if (newBucket) {
        // A shape with several values may stand in both.
        for (const shape of newBucket) if (!oldBucket?.has(shape)) yield shape
      }
    }
  }
}
