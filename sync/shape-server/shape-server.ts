import { Engine, type Health, type SubsetRequest } from './engine.ts'
import type { Log } from './database.ts'
import { RequestError } from './errors.ts'
import {
  type Definition,
  type Generation,
  isAfter,
  type Position,
  type ShapeRequest,
  type Slice,
  type Waiter,
} from './shapes.ts'

export type ShapeServerOptions = {
  /** A direct connection, not through a pooler, whose user may replicate. */
  databaseUrl: string
  /**
   * `closed`: our own code asks, and has authorised what it asks for; shapes cannot be deleted.
   * `open`: anybody who reaches it may ask for any table, for subsets and events too, and delete shapes.
   */
  mode: 'closed' | 'open'
  /** When set, every request for a shape must carry it as `secret` or `api_secret`. */
  secret?: string
  /** Where large snapshots lie until they are read; emptied at the start. Default: a new folder for temporary files. */
  spillDir?: string
  /** Size at which a response is continued in the next one. Bytes, default 10 MB. */
  chunkBytes?: number
  /** How long a live request is held when nothing happens. Default 20 s. */
  liveHoldMs?: number
  /** Names the publication and the slots: servers on one database need different ones only to be told apart. */
  replicationId?: string
  log: Log
}

/** What a request for a shape is told, whatever carries it. Only the protocol's own headers. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob
}

/** A request that may wait for its answer. */
export interface Held {
  /** Gives it up; then nothing is answered any more. */
  cancel(): void
}

export interface ShapeServer {
  /**
   * Answers `/v1/shape` and `/v1/health` as Electric does. Never rejects. An aborted `request.signal`
   * gives up a held request at once.
   */
  fetch(request: Request): Promise<Response>
  /**
   * `GET /v1/shape` for code of this process. Without a connection to hold open, a request that waits is one small
   * object, and whoever waited at the same place is handed the same answer, so that it need be written once.
   * @param query as in the address
   * @param answered called once, later than this returns, unless the request is given up before; must not throw
   */
  hold(query: URLSearchParams, answered: (answer: Answer) => void): Held
  /** To be called right after own commits: it wakes Postgres' sender, which may have fallen asleep. */
  nudge(): void
  health(): Health
  /** `lastLsn` in decimal: everything that committed before it has been told. */
  stats(): { shapes: number; waiters: number; logBytes: number; lastLsn: string }
  /** Answers everybody who waits with 503, and leaves the database. The publication stays. */
  stop(): Promise<void>
}

const electricHeaders =
  'electric-cursor,electric-handle,electric-has-data,electric-offset,electric-schema,electric-up-to-date,electric-internal-known-error,retry-after,etag'

const cors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': electricHeaders,
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
} as const

const json = { 'content-type': 'application/json; charset=utf-8' } as const
const mustRefetch = [{ headers: { control: 'must-refetch' } }]
/** What caches may do with an answer: a snapshot's beginning, other history, a live one. */
const caches = {
  start: 'public, max-age=604800, s-maxage=3600, stale-while-revalidate=2629746',
  history: 'public, max-age=60, stale-while-revalidate=300',
  live: 'public, max-age=5, stale-while-revalidate=5',
} as const
/** A held request may wait this much longer. */
const sweepMs = 500
const keepAlive = ': keep-alive\n\n'
const keepAliveMs = 21_000
const eventsMs = 60_000
const beginning: Position = { lsn: 0, op: Number.POSITIVE_INFINITY }

/**
 * Starts following the database. Resolves once the first connection was made, or failed in a way that
 * may pass: the server then keeps trying, and answers 503 meanwhile.
 * @throws Error with a sentence for the operator when the database is not set up for replication
 */
export async function startShapeServer(options: ShapeServerOptions): Promise<ShapeServer> {
  const engine = new Engine({
    databaseUrl: options.databaseUrl,
    chunkBytes: options.chunkBytes ?? 10 * 2 ** 20,
    replicationId: options.replicationId ?? 'default',
    spillDir: options.spillDir,
    log: options.log,
  })
  await engine.start()
  const http = new Http(engine, options)
  return {
    fetch: (request) => http.fetch(request),
    hold: (query, answered) => http.hold(query, answered),
    nudge: () => engine.nudge(),
    health: () => engine.health,
    stats: () => engine.stats(),
    stop: () => {
      http.stop()
      return engine.stop()
    },
  }
}

type Reason = Parameters<Waiter['wake']>[0]

/** Where a client stands: before a chunk of a snapshot, or in the log. */
type Place = { generation: Generation; chunk: number } | { generation: Generation; offset: Position }

type Offset = { at: 'start' | 'now' } | ({ at: 'snapshot'; chunk: number } | { at: 'log'; position: Position })

type Query = {
  shape: ShapeRequest
  offset: Offset
  offsetText: string
  handle: string | undefined
  live: boolean
  /** As server-sent events. */
  events: boolean
  cursor: string | undefined
}

class Http {
  private readonly liveHoldMs: number
  private emptyCounter = 0
  /** Held requests without HTTP, those that wait longest first. */
  private readonly parked = new Set<Hold>()
  private sweeping: NodeJS.Timeout | undefined

  constructor(
    private readonly engine: Engine,
    private readonly options: ShapeServerOptions,
  ) {
    this.liveHoldMs = options.liveHoldMs ?? 20_000
  }

  async fetch(request: Request): Promise<Response> {
    const { method } = request
    try {
      const url = new URL(request.url)
      const path = pathOf(url)
      if (path === '/' && method === 'GET') return new Response('', { headers: cors })
      if (path === '/v1/health' && method === 'GET') return this.health()
      if (path !== '/v1/shape') return new Response('Not found', { status: 404, headers: cors })
      if (method === 'OPTIONS') return options(request)
      this.authorise(url.searchParams)
      if (method === 'DELETE') return await this.delete(url.searchParams)
      if (method === 'POST') return await this.subset(url.searchParams, await readSubsetBody(request))
      if (method !== 'GET' && method !== 'HEAD') {
        return new Response('Method not allowed', { status: 405, headers: cors })
      }
      const subset = readSubset(url.searchParams)
      const response = subset ? await this.subset(url.searchParams, subset) : await this.get(url.searchParams, request)
      // GET and HEAD differ in the body only.
      return method === 'HEAD' ? new Response(null, { status: response.status, headers: response.headers }) : response
    } catch (error) {
      return this.refuse(error)
    }
  }

  private refuse(error: unknown): Response {
    const { status, headers, body } = this.refusal(error)
    const caching: Record<string, string> =
      status === 409 ? {} : { 'cache-control': 'no-store', 'surrogate-control': 'no-store' }
    return new Response(body, { status, headers: { ...cors, ...caching, ...headers } })
  }

  private refusal(error: unknown): Answer {
    if (error instanceof RequestError)
      return { status: error.status, headers: { ...json, ...error.headers }, body: JSON.stringify(error.body) }
    const lostDatabase = error instanceof Error && 'code' in error && /CONNECT|ECONN|57P|^08/.test(String(error.code))
    if (lostDatabase) {
      this.options.log.warn({ err: error }, 'The database cannot be reached')
      return this.refusal(RequestError.unavailable('The database cannot be reached'))
    }
    this.options.log.error({ err: error }, 'A shape request failed')
    return { status: 500, headers: json, body: JSON.stringify({ message: 'Internal error' }) }
  }

  private health(): Response {
    const status = this.engine.health
    return new Response(JSON.stringify({ status }), {
      status: status === 'active' ? 200 : 202,
      headers: { ...cors, ...json, 'cache-control': 'no-cache, no-store, must-revalidate' },
    })
  }

  private authorise(params: URLSearchParams): void {
    const { secret } = this.options
    if (secret === undefined) return
    const given = params.get('secret') ?? params.get('api_secret') ?? ''
    if (!isSameSecret(given, secret)) {
      throw new RequestError(401, { message: 'Unauthorized - Invalid API secret' })
    }
  }

  private async delete(params: URLSearchParams): Promise<Response> {
    if (this.options.mode === 'closed') throw new RequestError(405, { message: 'DELETE not allowed' })
    await this.engine.whenActive()
    const handle = params.get('handle') || undefined
    const notFound = () => new RequestError(404, { message: 'No existing shape found' })
    if (!params.get('table')) {
      if (!handle) {
        throw RequestError.invalid({ handle: ["can't be blank when shape definition is missing"] })
      }
      if (!this.engine.endHandle(handle)) throw notFound()
    } else {
      const definition = await this.engine.define(readShape(params))
      const existing = this.engine.existing(definition)
      if (!existing) throw notFound()
      const generation = handle ? this.engine.byHandle(handle, definition) : existing
      if (!generation)
        throw new RequestError(400, { message: 'The specified shape definition and handle do not match.' })
      this.engine.end(generation.shape)
    }
    return new Response(null, { status: 202, headers: { ...cors, 'cache-control': 'no-cache' } })
  }

  private async get(params: URLSearchParams, request: Request): Promise<Response> {
    const query = this.readQuery(params)
    const place = await this.locate(query)
    const { generation } = place
    if ('chunk' in place) {
      const caching = query.offset.at === 'start' ? caches.start : caches.history
      return this.overHttp(chunkAnswer(generation, place.chunk, query), query, caching, request)
    }
    const { offset } = place
    const { shape } = generation
    if (query.events) return this.events(generation, query, offset, request.signal)
    if (query.live && !shape.hasMore(generation, offset)) {
      const reason = await this.wait(generation, offset, request.signal, this.liveHoldMs)
      if (reason === 'aborted') return new Response(null, { status: 499, headers: cors })
      if (reason === 'unavailable') throw RequestError.unavailable('The database was lost')
      // While it waited, the log may have lost what it has not read.
      if (reason === 'ended' || shape.ended || !shape.canServe(generation, offset))
        throw await this.refetch(query.shape, query.handle)
    }
    const cursor = query.live ? nextCursor(query.cursor) : undefined
    const answer = this.changes(generation, shape.slice(generation, offset), cursor)
    return this.overHttp(answer, query, query.live ? caches.live : caches.history, request)
  }

  private readQuery(params: URLSearchParams): Query {
    const query = readQuery(params)
    this.refuseOpenOnly(
      query.events,
      'live_sse',
      'Server-sent events are not supported by this server: use long polling',
    )
    this.refuseOpenOnly(query.shape.changesOnly, 'log', 'changes_only is not supported by this server')
    return query
  }

  /** @throws RequestError 409 when the client has to start over */
  private async locate(query: Query): Promise<Place> {
    await this.engine.whenActive()
    if (query.offset.at === 'start' || query.offset.at === 'now') {
      await this.engine.checkCatalog()
      const definition = await this.engine.define(query.shape)
      const generation = await this.engine.begin(definition)
      await generation.ready
      if (query.offset.at === 'start') return { generation, chunk: 0 }
      return { generation, offset: generation.place(generation.shape.end) }
    }

    const definition = await this.engine.define(query.shape)
    const generation = query.handle === undefined ? undefined : this.engine.byHandle(query.handle, definition)
    if (!generation) throw await this.refetch(query.shape, query.handle)
    await generation.ready
    if (query.offset.at === 'snapshot' && query.offset.chunk + 1 < generation.pages.count)
      return { generation, chunk: query.offset.chunk + 1 }
    const { shape } = generation
    const offset = query.offset.at === 'log' ? query.offset.position : beginning
    if (shape.ended || isAfter(offset, shape.end) || !shape.canServe(generation, offset))
      throw await this.refetch(query.shape, query.handle)
    return { generation, offset }
  }

  // ── without HTTP ──────────────────────────────────────────────────────────────────────────

  hold(params: URLSearchParams, answered: (answer: Answer) => void): Held {
    const hold = new Hold(this, answered)
    void this.begin(hold, params)
    return hold
  }

  private async begin(hold: Hold, params: URLSearchParams): Promise<void> {
    try {
      const query = this.readQuery(params)
      this.refuseOpenOnly(query.events, 'live_sse', 'Events need a connection')
      const place = await this.locate(query)
      if (hold.isOver) return
      const { generation } = place
      if ('chunk' in place) hold.answer(chunkAnswer(generation, place.chunk, query))
      else if (query.live && (this.engine.isPausing || !generation.shape.hasMore(generation, place.offset))) {
        // Nothing can come between the last look at the log and this line: there is no await.
        hold.wait(generation, place.offset, Date.now() + this.liveHoldMs)
        this.parked.add(hold)
        this.sweeping ??= setInterval(() => this.sweep(Date.now()), sweepMs)
        if (generation.shape.hasMore(generation, place.offset)) this.engine.tellLater(generation.shape)
      } else hold.answer(this.current(generation, place.offset, query.live))
    } catch (error) {
      hold.answer(this.refusal(error))
    }
  }

  /** What waited goes on: with what there is to say, or to begin again. */
  go(hold: Hold, generation: Generation, offset: Position, reason: Reason | 'timeout'): void {
    // While it waited, the log may have lost what it has not read.
    const goesOn = (reason === 'changes' || reason === 'timeout') && generation.shape.canServe(generation, offset)
    if (goesOn) hold.answer(this.current(generation, offset, true))
    else if (reason === 'unavailable') hold.answer(this.refusal(RequestError.unavailable('The database was lost')))
    else {
      const again = (error: unknown) => hold.answer(this.refusal(error))
      this.refetch(generation.shape.definition.request, generation.handle).then(again, again)
    }
  }

  forget(hold: Hold): void {
    this.parked.delete(hold)
  }

  /** One timer for all who wait: they stand in the order in which they came, and each may wait as long as the others. */
  private sweep(now: number): void {
    for (const hold of this.parked) {
      if (hold.until > now) break
      hold.wake('timeout')
    }
    if (this.parked.size > 0) return
    clearInterval(this.sweeping)
    this.sweeping = undefined
  }

  stop(): void {
    clearInterval(this.sweeping)
  }

  private current(generation: Generation, offset: Position, live: boolean): Answer {
    const slice = generation.shape.slice(generation, offset)
    if (!live || slice.json === '') return this.changes(generation, slice, live ? nextCursor(undefined) : undefined)
    let answer = slice.answers?.get(generation)
    if (!answer) {
      // No cache stands between, so the cursor may follow from the place: then it is the same for all.
      answer = this.changes(generation, slice, String(slice.end.lsn))
      slice.answers ??= new Map()
      slice.answers.set(generation, answer)
    }
    return answer
  }

  /** Resolves when there is more, when there cannot be, or when the time is up. */
  private wait(
    generation: Generation,
    offset: Position,
    signal: AbortSignal,
    holdMs: number,
  ): Promise<'changes' | 'ended' | 'unavailable' | 'timeout' | 'aborted'> {
    const { waiters } = generation.shape
    return new Promise((resolve) => {
      const settle = (reason: 'changes' | 'ended' | 'unavailable' | 'timeout' | 'aborted') => {
        clearTimeout(timer)
        waiters.delete(waiter)
        signal.removeEventListener('abort', abort)
        resolve(reason)
      }
      const abort = () => settle('aborted')
      const waiter = { generation, offset, wake: settle }
      const timer = setTimeout(() => settle('timeout'), holdMs)
      // Nothing can come between the last look at the log and this line: there is no await.
      waiters.add(waiter)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    })
  }

  /** In a closed server only whole shapes are asked for, by long polling: less to guard. */
  private refuseOpenOnly(isAsked: boolean, field: string, sentence: string): void {
    if (isAsked && this.options.mode === 'closed') throw RequestError.invalid({ [field]: [sentence] })
  }

  /** The log as server-sent events: one per message, until the time is up or the shape ends. */
  private events(generation: Generation, query: Query, from: Position, signal: AbortSignal): Response {
    const { shape, handle } = generation
    const gone = new AbortController()
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        const end = Date.now() + eventsMs
        let place = from
        try {
          // Something must be sent for the headers to leave.
          send(keepAlive)
          while (!shape.ended && shape.canServe(generation, place) && Date.now() < end) {
            if (!shape.hasMore(generation, place)) {
              const holdMs = Math.min(keepAliveMs, Math.max(0, end - Date.now()))
              const reason = await this.wait(generation, place, AbortSignal.any([signal, gone.signal]), holdMs)
              if (reason === 'timeout') send(keepAlive)
              else if (reason !== 'changes') break
              continue
            }
            const slice = shape.slice(generation, place)
            place = slice.end
            const found = JSON.parse(`[${slice.json}]`) as unknown[]
            const tail = slice.complete ? `data: ${upToDate(slice.end.lsn)}\n\n` : ''
            send(found.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('') + tail)
          }
          controller.close()
        } catch (error) {
          if (!gone.signal.aborted) this.options.log.debug({ err: error }, 'A stream of events broke off')
        }
      },
      cancel: () => gone.abort(),
    })
    return new Response(body, {
      headers: {
        ...cors,
        'content-type': 'text/event-stream',
        'cache-control': `public, max-age=${eventsMs / 1000 - 1}`,
        'electric-handle': handle,
        'electric-offset': query.offsetText,
        'electric-cursor': nextCursor(query.cursor),
        'electric-has-data': 'true',
      },
    })
  }

  /** Part of a shape as it is now, beside the log. */
  private async subset(params: URLSearchParams, request: SubsetRequest): Promise<Response> {
    this.refuseOpenOnly(true, 'subset', 'Subset snapshots are not supported by this server: ask for the whole shape')
    const query = readQuery(params)
    await this.engine.whenActive()
    await this.engine.checkCatalog()
    const definition = await this.engine.define(query.shape)
    const fromStart = query.offset.at === 'start' || query.offset.at === 'now'
    const known = query.handle === undefined ? undefined : this.engine.byHandle(query.handle, definition)
    if (!known && !fromStart) throw await this.refetch(query.shape, query.handle)
    const generation = known ?? (await this.engine.begin(definition))
    await generation.ready
    const { snapshot, mark, rows, end } = await this.engine.subset(generation, request)
    const metadata = { ...snapshot.texts, snapshot_mark: mark, database_lsn: String(snapshot.insertLsn) }
    return new Response(`{"metadata":${JSON.stringify(metadata)},"data":[${rows.join(',')}]}`, {
      headers: {
        ...cors,
        ...json,
        'cache-control': 'no-cache',
        'electric-snapshot': 'true',
        'electric-handle': generation.handle,
        'electric-offset': offsetText(end),
        'electric-schema': schemaHeader(definition),
      },
    })
  }

  /** 409 with the handle of what the client should read instead; without one when there is nothing. */
  private async refetch(shape: ShapeRequest, avoid: string | undefined): Promise<RequestError> {
    let handle: string | undefined
    try {
      handle = (await this.engine.begin(await this.engine.define(shape), avoid)).handle
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
    }
    return new RequestError(409, mustRefetch, {
      'cache-control': `public, max-age=${handle === undefined ? 1 : 60}, must-revalidate`,
      ...(handle === undefined ? {} : { 'electric-handle': handle }),
    })
  }

  private overHttp(answer: Answer, query: Query, caching: string, request: Request): Response {
    const { 'electric-handle': handle, 'electric-offset': offset, 'electric-has-data': hasData } = answer.headers
    // An answer without changes must not be taken for the next one.
    const unique = hasData === 'false' ? `:${++this.emptyCounter}` : ''
    const etag = `"${handle}:${query.offsetText}:${offset}${unique}"`
    const headers = { ...cors, ...answer.headers, 'cache-control': caching, etag }
    if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
    return new Response(answer.body, { headers })
  }

  /** @param cursor of a live answer; undefined for any other */
  private changes(generation: Generation, slice: Slice, cursor: string | undefined): Answer {
    const isEmpty = slice.json === ''
    const headers: Record<string, string> = {
      ...json,
      'electric-handle': generation.handle,
      'electric-offset': offsetText(slice.end),
      'electric-has-data': String(!isEmpty),
    }
    if (slice.complete) headers['electric-up-to-date'] = ''
    if (cursor === undefined) headers['electric-schema'] = schemaHeader(generation.shape.definition)
    else headers['electric-cursor'] = cursor
    if (!slice.complete) return { status: 200, headers, body: `[${slice.json}]` }
    if (cursor !== undefined && !isEmpty) {
      // One body for all who waited; the position is this shape's own.
      slice.liveBody ??= `[${slice.json},${upToDate(slice.end.lsn)}]`
      return { status: 200, headers, body: slice.liveBody }
    }
    const end = upToDate(Math.max(this.engine.lastLsn, slice.end.lsn))
    return { status: 200, headers, body: isEmpty ? `[${end}]` : `[${slice.json},${end}]` }
  }
}

/** A held request of this process; while it waits it is all that is kept of it. */
class Hold implements Waiter, Held {
  isOver = false
  /** When it is answered though nothing has happened, ms. */
  until = 0
  generation!: Generation
  offset!: Position

  constructor(
    private readonly http: Http,
    private readonly answered: (answer: Answer) => void,
  ) {}

  wait(generation: Generation, offset: Position, until: number): void {
    this.generation = generation
    this.offset = offset
    this.until = until
    generation.shape.waiters.add(this)
  }

  wake(reason: Reason | 'timeout'): void {
    // Whoever was woken before this one may have given it up.
    if (!this.isOver && this.leave()) this.http.go(this, this.generation, this.offset, reason)
  }

  answer(answer: Answer): void {
    if (this.isOver) return
    this.isOver = true
    this.answered(answer)
  }

  cancel(): void {
    this.isOver = true
    this.leave()
  }

  /** False when it does not wait. */
  private leave(): boolean {
    this.http.forget(this)
    return this.generation !== undefined && this.generation.shape.waiters.delete(this)
  }
}

function chunkAnswer(generation: Generation, number: number, { live, cursor }: Query): Answer {
  const body = generation.read(number, Date.now())
  if (!body) throw new RequestError(409, mustRefetch, { 'cache-control': 'public, max-age=1, must-revalidate' })
  return {
    status: 200,
    headers: {
      ...json,
      'electric-handle': generation.handle,
      'electric-offset': `0_${number}`,
      'electric-schema': schemaHeader(generation.shape.definition),
      'electric-has-data': 'true',
      ...(live ? { 'electric-cursor': nextCursor(cursor) } : {}),
    },
    body,
  }
}

/** A place before the first change a client could have read is the end of the snapshot. */
function offsetText({ lsn, op }: Position): string {
  return lsn === 0 || op === Number.POSITIVE_INFINITY ? '0_inf' : `${lsn}_${op}`
}

function upToDate(lsn: number): string {
  return `{"headers":{"control":"up-to-date","global_last_seen_lsn":"${lsn}"}}`
}

/** A path as Electric routes it: parts are decoded one by one, and empty ones do not count. */
function pathOf({ pathname }: URL): string {
  try {
    const parts = pathname.split('/').filter((part) => part !== '')
    return `/${parts.map((part) => decodeURIComponent(part).replaceAll('/', '%2F')).join('/')}`
  } catch {
    return pathname
  }
}

function options(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...cors,
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '86400',
      'cache-control': 'public, max-age=86400',
    },
  })
}

function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  return (
    known !== null &&
    known.split(',').some((one) => one.trim().replace(/^W\//, '').replaceAll('"', '') === etag.replaceAll('"', ''))
  )
}

/** Differs from poll to poll, but is the same for all who poll in the same stretch: caches may join them. */
function nextCursor(previous: string | undefined): string {
  const stretch = 20
  const next = String(Math.ceil(Date.now() / 1000 / stretch) * stretch)
  return next === previous ? String(Number(next) + 1 + Math.floor(Math.random() * 100_000)) : next
}

const schemaHeaders = new WeakMap<Definition, string>()

function schemaHeader(definition: Definition): string {
  let header = schemaHeaders.get(definition)
  if (header === undefined) {
    const entries = definition.columns.flatMap((position) => {
      const column = definition.table.columns[position]
      return column ? [[column.name, column.schemaEntry]] : []
    })
    // Headers carry Latin-1: other characters go as JSON escapes.
    header = JSON.stringify(Object.fromEntries(entries)).replace(
      /[\u007f-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    schemaHeaders.set(definition, header)
  }
  return header
}

// ── reading the query ───────────────────────────────────────────────────────────────────────

function readShape(params: URLSearchParams): ShapeRequest {
  const table = params.get('table')
  if (!table) throw RequestError.invalid({ table: ["can't be blank"] })
  const replica = params.get('replica') || 'default'
  if (replica !== 'default' && replica !== 'full') throw RequestError.invalid({ replica: ['is invalid'] })
  const log = params.get('log') || 'full'
  if (log !== 'full' && log !== 'changes_only') throw RequestError.invalid({ log: ['is invalid'] })
  return {
    table,
    where: params.get('where') || undefined,
    params: readParams(params),
    columns: params.get('columns') ?? undefined,
    full: replica === 'full',
    changesOnly: log === 'changes_only',
  }
}

/** What follows `subset__` in the query; undefined when nothing does. */
function readSubset(params: URLSearchParams): SubsetRequest | undefined {
  const fields = [...params].filter(([name]) => name.startsWith('subset__'))
  if (fields.length === 0) return undefined
  return toSubset(Object.fromEntries(fields.map(([name, value]) => [name.slice('subset__'.length), value])))
}

/** The same from a body. Nothing else in it counts: what the shape is, the query says. */
async function readSubsetBody(request: Request): Promise<SubsetRequest> {
  const body: unknown = await request.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw RequestError.invalid({ subset: ['The body must be a JSON object'] })
  }
  return toSubset(body as Record<string, unknown>)
}

function toSubset(fields: Record<string, unknown>): SubsetRequest {
  const wrong = (field: string, sentence: string) => RequestError.invalid({ subset: [`${field} ${sentence}`] })
  const text = (field: string) => {
    const value = fields[field]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string') throw wrong(field, 'must be a text')
    return value
  }
  const count = (field: string, least: number) => {
    const value = fields[field]
    if (value === undefined || value === null || value === '') return undefined
    const number = Number(value)
    if (!Number.isSafeInteger(number) || number < least) throw wrong(field, `must be a whole number from ${least}`)
    return number
  }
  const { params } = fields
  const orderBy = text('order_by')
  const limit = count('limit', 1)
  const offset = count('offset', 0)
  if (orderBy === undefined && (limit !== undefined || offset !== undefined)) {
    throw wrong('order_by', 'is required when limit or offset is present')
  }
  const whole = params === undefined || params === null || params === '' ? '{}' : params
  return {
    where: text('where'),
    params: parseParams(typeof whole === 'string' ? whole : JSON.stringify(whole)),
    orderBy,
    limit,
    offset,
  }
}

/** `params[1]=a&params[2]=b`, or one JSON object or list. */
function readParams(params: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of params) {
    const match = /^params\[([^\]]*)\]$/.exec(name)
    if (match?.[1] !== undefined) found[match[1]] = value
  }
  const whole = params.get('params')
  return whole ? { ...found, ...parseParams(whole) } : found
}

function parseParams(text: string): Record<string, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw RequestError.invalid({ params: ['params must be valid JSON'] })
  }
  if (typeof parsed !== 'object' || parsed === null) {
    throw RequestError.invalid({ params: ['params must be a JSON object'] })
  }
  const entries = Array.isArray(parsed)
    ? parsed.map((value: unknown, i): [string, unknown] => [String(i + 1), value])
    : Object.entries(parsed)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false'
}

function readQuery(params: URLSearchParams): Query {
  const text = params.get('offset')
  if (!text) {
    throw RequestError.invalid({
      offset: ["can't be blank"],
      ...(params.get('table') ? {} : { table: ["can't be blank"] }),
    })
  }
  const offset = readOffset(text)
  const handle = params.get('handle') || undefined
  const fromStart = offset.at === 'start' || offset.at === 'now'
  if (!fromStart && handle === undefined) {
    throw RequestError.invalid({ handle: ["can't be blank when offset != -1"] })
  }
  const live = isTrue(params.get('live'))
  if (live && offset.at === 'start') throw RequestError.invalid({ live: ["can't be true when offset == -1"] })
  if (live && offset.at === 'now') throw RequestError.invalid({ live: ["can't be true when offset is 'now'"] })
  const events = isTrue(params.get('live_sse')) || isTrue(params.get('experimental_live_sse'))
  if (events && !live) throw RequestError.invalid({ live_sse: ["can't be true unless live is also true"] })
  return {
    shape: readShape(params),
    offset,
    offsetText: text,
    handle,
    live,
    events,
    cursor: params.get('cursor') || undefined,
  }
}

function readOffset(text: string): Offset {
  if (text === '-1') return { at: 'start' }
  if (text === 'now') return { at: 'now' }
  const match = /^(\d+)_(\d+|inf)$/.exec(text)
  if (!match) throw RequestError.invalid({ offset: ['has invalid format'] })
  const lsn = Number(match[1])
  const op = match[2] === 'inf' ? Number.POSITIVE_INFINITY : Number(match[2])
  return lsn === 0 ? { at: 'snapshot', chunk: op } : { at: 'log', position: { lsn, op } }
}

/** Compared by their hashes, whose likeness tells nothing about the secret. */
export function isSameSecret(given: string, right: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return hash(given).equals(hash(right))
}
