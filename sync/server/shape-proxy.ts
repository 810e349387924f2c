import { ELECTRIC_PROTOCOL_QUERY_PARAMS } from '@electric-sql/client'
import { getTableName } from 'drizzle-orm'
import { hidesNumbers, maskedValue } from '../../schema/contacts/contacts.masking.ts'
import { Crowd, type Most } from '../../schema/crowd.ts'
import type { ErrorCode } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import {
  type Bounds,
  hiddenNumbersOf,
  nothingOf,
  type ShapeDefinition,
  type ShapeFilter,
  type ShapeName,
  shapes,
} from '../shapes.ts'
import { type Before, createBefore } from './before.ts'

export interface ProxyLog {
  warn(details: object, message: string): void
}

/** What a request for a shape is told, whatever carries it. Those who wait at the same place may get the same one. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | ReadableStream | null
}

/** A request that may wait for its answer. */
export interface Held {
  /** Gives it up; then nothing is answered any more. */
  cancel(): void
}

/**
 * Asks a shape service.
 * @param query of its `/v1/shape`
 * @param answered called once, later than this returns, unless the request is given up before
 */
export type Backend = (query: URLSearchParams, answered: (answer: Answer) => void) => Held

export interface ShapeProxyOptions {
  backend: Backend
  /** The user as they are now, or null when they may not be here any more. */
  principalOf(userId: number): Promise<Principal | null>
  /** The bounds of what this user's browser keeps. */
  since(who: Principal): Promise<Bounds>
  /** Whether the company's plan includes it, as it is now: it is asked again whenever a wait begins. */
  includes(companyId: number, feature: PlanFeature): Promise<boolean>
  log: ProxyLog
  bounds?: Partial<GateBounds>
  before?: Before
}

/** What is beyond them is answered 429 with `retry-after`, which Electric's client obeys by itself. */
export interface GateBounds {
  /** Requests that are held. A browser has one for each shape. */
  waits: Most
  /** Requests that are being answered. A browser has some more than shapes when it begins. */
  reads: Most
  /** Times in a minute that a user may begin to read a shape, or be told to begin again. */
  starts: number
}

const usualBounds: GateBounds = {
  waits: { user: 256, company: 20_000, all: 60_000 },
  reads: { user: 64, company: 4_000, all: 10_000 },
  starts: 600,
}
const startsMs = 60_000

/** Somebody who asks; brought up to date when their rights change while they wait. */
export interface Asker {
  who: Principal
}

export interface ShapeProxy {
  /** `GET /sync/shape/:name`; also for an unmodified `ShapeStream`. Answers every failure, never rejects. */
  handle(asker: Asker, name: string, request: Request): Promise<Response>
  /**
   * The same, from a query string, without HTTP.
   * @param answered called once, later than this returns, unless the request is given up before
   */
  ask(asker: Asker, name: string, query: string, answered: (answer: Answer) => void): Held
  /**
   * Ends what a user waits for. After `rights` they wait on with their new rights: the backend then says by itself that
   * their shape is another one now. After `ended` they are told that the session is over.
   */
  dropUser(userId: number, reason: 'rights' | 'ended'): void
  /** Requests that are held at this moment. */
  waiting(): number
  /** Whether browsers with these tables are answered. */
  knows(version: string | null): boolean
}

// Subsets are arbitrary expressions over the whole table: with them a browser could ask about columns that its shape
// withholds. Server-sent events hold a connection for each shape.
const passed = ELECTRIC_PROTOCOL_QUERY_PARAMS.filter(
  (name) => !name.startsWith('subset__') && !name.includes('live_sse'),
)

const exposed =
  'electric-cursor,electric-handle,electric-has-data,electric-offset,electric-schema,electric-up-to-date,electric-internal-known-error,retry-after'

/** The gate before the shape service: who asks decides which rows and columns, whatever the request says. */
export function createShapeProxy(options: ShapeProxyOptions): ShapeProxy {
  const gate = new Gate(options)
  return {
    ask: (asker, name, query, answered) => gate.ask(asker, name, query, answered),
    handle: async (asker, name, request) => {
      // A body could carry a table and a where of its own, which the real service would prefer to ours.
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return toResponse(refusal(405, 'ERR_VALIDATION', { allow: 'GET, HEAD' }))
      const answer = await new Promise<Answer>((resolve) => {
        const { search } = new URL(request.url)
        const held = gate.ask(asker, name, search, resolve)
        const leave = () => {
          held.cancel()
          resolve(refusal(503, 'ERR_UNAVAILABLE'))
        }
        if (request.signal.aborted) leave()
        else request.signal.addEventListener('abort', leave, { once: true })
      })
      return request.method === 'HEAD' ? toResponse({ ...answer, body: null }) : toResponse(answer)
    },
    dropUser: (userId, reason) => gate.dropUser(userId, reason),
    waiting: () => gate.waiting(),
    knows: (version) => gate.before.knows(version),
  }
}

class Gate {
  /** Requests under way. */
  private readonly waits: Crowd<Asked>
  private readonly reads: Crowd<Asked>
  private readonly bounds: GateBounds
  readonly before: Before
  /** How often each user began to read in this minute. */
  private readonly starts = new Map<number, number>()
  private startsSince = 0

  constructor(readonly options: ShapeProxyOptions) {
    this.bounds = { ...usualBounds, ...options.bounds }
    this.before = options.before ?? createBefore()
    this.waits = new Crowd(this.bounds.waits)
    this.reads = new Crowd(this.bounds.reads)
  }

  ask(asker: Asker, name: string, query: string, answered: (answer: Answer) => void): Held {
    if (!Object.hasOwn(shapes, name)) return answeredSoon(answered, refusal(404, 'ERR_SYNC_SHAPE'))
    const params = new URLSearchParams(query)
    const version = params.get('v')
    // 409 means "fetch again" in this protocol, and would be obeyed forever.
    if (!this.before.knows(version)) return answeredSoon(answered, refusal(400, 'ERR_CLIENT_OUTDATED'))
    const { userId } = asker.who
    const crowd = params.has('live') ? this.waits : this.reads
    if (crowd.full(asker.who) !== null) return answeredSoon(answered, tooMany(2))
    const again = this.startsAgainIn(userId)
    if (again > 0) return answeredSoon(answered, tooMany(again))
    if (params.get('offset') === '-1' || params.get('offset') === 'now') this.started(userId)
    const asked = new Asked(this, asker, name as ShapeName, query, answered, crowd)
    crowd.add(asker.who, asked)
    void asked.put()
    return asked
  }

  /** Seconds until the user may ask again, when they began too often. */
  private startsAgainIn(userId: number): number {
    const now = performance.now()
    if (now - this.startsSince > startsMs) {
      this.startsSince = now
      this.starts.clear()
    }
    if ((this.starts.get(userId) ?? 0) < this.bounds.starts) return 0
    return Math.max(1, Math.ceil((this.startsSince + startsMs - now) / 1000))
  }

  /** A user begins to read a shape, or is told to. */
  started(userId: number): void {
    this.starts.set(userId, (this.starts.get(userId) ?? 0) + 1)
  }

  dropUser(userId: number, reason: 'rights' | 'ended'): void {
    for (const asked of [...this.waits.of(userId), ...this.reads.of(userId)]) void asked.dropped(reason)
  }

  waiting(): number {
    return this.waits.size + this.reads.size
  }

  /** The request as it goes to the shape service: of the browser's words only those of the protocol. */
  query(name: ShapeName, { where, params }: ShapeFilter, asked: string): URLSearchParams {
    const said = new URLSearchParams(asked)
    const { table } = shapes[name]
    const columns = this.before.columns(said.get('v'), name)
    const query = new URLSearchParams()
    for (const name of passed) {
      const value = said.get(name)
      if (value !== null) query.set(name, value)
    }
    query.set('table', `"${getTableName(table)}"`)
    query.set('where', where)
    for (const [i, value] of params.entries()) query.set(`params[${i + 1}]`, value)
    query.set('columns', columns.map((column) => `"${column}"`).join(','))
    return query
  }
}

/** One request. A browser's many waits are these and nothing else, so they hold little. */
class Asked implements Held {
  private held: Held | undefined
  /** Counts how often it was put: what an earlier one is still about no longer matters. */
  private turn = 0

  constructor(
    private readonly gate: Gate,
    readonly asker: Asker,
    private readonly name: ShapeName,
    private readonly query: string,
    private readonly answered: (answer: Answer) => void,
    private readonly crowd: Crowd<Asked>,
  ) {}

  /** Asks the shape service, with the rights of this moment. Never rejects. */
  async put(): Promise<void> {
    const turn = ++this.turn
    const { backend, since, includes, log } = this.gate.options
    const definition: ShapeDefinition = shapes[this.name]
    const { feature } = definition
    const { who } = this.asker
    try {
      const [bounds, included] = await Promise.all([since(who), !feature || includes(who.companyId, feature)])
      if (turn !== this.turn) return
      const isHidden = definition.hasNumbers === true && hidesNumbers(who)
      const filter = definition.filter(who, bounds)
      const rows = isHidden ? hiddenNumbersOf(filter) : filter
      const query = this.gate.query(this.name, included ? rows : nothingOf(filter), this.query)
      this.held = backend(query, (answer) => (isHidden ? void this.answerHidden(answer, turn) : this.answer(answer)))
    } catch (error) {
      if (turn !== this.turn) return
      log.warn({ err: error, table: getTableName(shapes[this.name].table) }, 'A shape could not be asked for')
      this.answer(refusal(503, 'ERR_UNAVAILABLE', { 'retry-after': '1' }))
    }
  }

  async dropped(reason: 'rights' | 'ended'): Promise<void> {
    const turn = this.giveUp()
    const { principalOf, log } = this.gate.options
    const { userId } = this.asker.who
    try {
      const who = reason === 'ended' ? null : await principalOf(userId)
      if (turn !== this.turn) return
      if (!who) return this.answer(refusal(401, 'ERR_SESSION_EXPIRED'))
      this.asker.who = who
      await this.put()
    } catch (error) {
      if (turn !== this.turn) return
      log.warn({ err: error, userId }, 'Rights could not be read again')
      this.answer(refusal(503, 'ERR_UNAVAILABLE', { 'retry-after': '1' }))
    }
  }

  cancel(): void {
    this.giveUp()
    this.crowd.delete(this.asker.who, this)
  }

  private giveUp(): number {
    this.held?.cancel()
    this.held = undefined
    return ++this.turn
  }

  /** Everybody else gets the body as the shape service wrote it, unread. */
  private async answerHidden(answer: Answer, turn: number): Promise<void> {
    const reading: Held = { cancel: () => undefined }
    this.held = reading
    let hidden: Answer
    try {
      const text = typeof answer.body === 'string' ? answer.body : await new Response(answer.body).text()
      hidden = { ...answer, body: text === '' ? text : JSON.stringify(maskedValue(JSON.parse(text))) }
    } catch (error) {
      this.gate.options.log.warn({ err: error }, 'Rows could not be read to hide numbers in them')
      hidden = refusal(503, 'ERR_UNAVAILABLE', { 'retry-after': '1' })
    }
    if (turn === this.turn) this.answer(hidden)
  }

  private answer(answer: Answer): void {
    this.turn++
    this.crowd.delete(this.asker.who, this)
    if (answer.status === 409) this.gate.started(this.asker.who.userId)
    this.answered(answer)
  }
}

/** Answers later than it returns, unless it is given up before. */
export function answeredSoon(answered: (answer: Answer) => void, answer: Answer): Held {
  let isOver = false
  queueMicrotask(() => isOver || answered(answer))
  return { cancel: () => void (isOver = true) }
}

const privately = {
  // What one user gets, the next user of the same browser must never be shown from a cache.
  'cache-control': 'private, no-store',
  vary: 'Authorization',
  'access-control-expose-headers': exposed,
}

const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(body, { status, headers: { ...headers, ...privately } })

/** A failure in our own words. */
export function refusal(status: number, error: ErrorCode, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error }),
  }
}

const tooMany = (seconds: number): Answer => refusal(429, 'ERR_TOO_MANY_REQUESTS', { 'retry-after': String(seconds) })
