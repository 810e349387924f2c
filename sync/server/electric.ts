import { type Answer, answeredSoon, type Backend, type Held, type ProxyLog, refusal } from './shape-proxy.ts'

export interface Electric {
  ask: Backend
  /**
   * What it says of itself (`active` when it serves rows), `down` where it says nothing, or that it refuses our secret.
   * Takes 2 s at most.
   */
  health(): Promise<string>
}

export interface ElectricOptions {
  fetch(request: Request): Promise<Response>
  /** Where it lives, without the path. */
  url: string
  /** What it demands (`ELECTRIC_SECRET`). */
  secret: string | undefined
  log: ProxyLog & { info(details: object, message: string): void }
  /** ms, of a clock that only goes forward. */
  now?(): number
}

/** What {@link Electric.health} says where the secrets differ. */
export const REFUSES_SECRET = 'refuses ELECTRIC_SECRET'

/** Pauses between two looks at a service that is away, s: the first, doubled each time up to the last. */
const [firstPause, lastPause] = [1, 30]
/** So long a secret that was refused is not tried again, s. */
const refusedPause = 10
const healthMs = 2_000

const returned = ['content-type', 'etag', 'retry-after']
/** Whether Electric answers, and takes our secret. While it does not, one look tells for all who ask. */
class Line {
  /** Since when it is not asked, until when, ms; and how long the next pause is, s. */
  private away: { since: number; until: number; pause: number } | null = null
  private isRefused = false
  private looking: Promise<boolean> | null = null

  constructor(
    private readonly log: ElectricOptions['log'],
    private readonly now: () => number,
    /** Rejects where it does not answer. */
    private readonly look: () => Promise<unknown>,
  ) {}

  /** It was looked for a moment ago, and is not asked. */
  get isResting(): boolean {
    return this.away !== null && this.now() < this.away.until
  }

  /** Whether it can be asked. Where it was away, it is looked for first; who asks meanwhile waits for the same look. */
  async isThere(): Promise<boolean> {
    if (!this.away) return true
    this.looking ??= this.look()
      .then(
        () => this.cameBack(),
        (error: unknown) => this.wentAway(error),
      )
      .finally(() => (this.looking = null))
    return this.looking
  }

  private cameBack(): boolean {
    if (this.away) this.log.info({ seconds: Math.round((this.now() - this.away.since) / 1_000) }, 'Electric is back')
    this.away = null
    return true
  }

  wentAway(error: unknown): boolean {
    // One outage meets many questions that are under way.
    if (this.isResting) return false
    // No more of the error: it names the address, and with it the secret.
    if (!this.away) this.log.warn({ code: codeOf(error) }, 'Electric is away')
    const { since, pause } = this.away ?? { since: this.now(), pause: firstPause }
    this.away = { since, until: this.now() + pause * 1_000, pause: Math.min(lastPause, 2 * pause) }
    return false
  }

  /** @returns whether it took our secret. That it does not is a fault of ours: a browser that sees it stops for good. */
  takes({ status, body }: Response): boolean {
    if (status === 401 || status === 403) {
      if (!this.isRefused) this.log.warn({ status }, 'Electric refuses ELECTRIC_SECRET')
      this.isRefused = true
      void body?.cancel()
      return false
    }
    if (status >= 500) return true
    if (this.isRefused) this.log.info({}, 'Electric takes ELECTRIC_SECRET')
    this.isRefused = false
    return true
  }

  unavailable(): Answer {
    const rest = this.away ? Math.max(1, Math.ceil((this.away.until - this.now()) / 1_000)) : 1
    return refusal(503, 'ERR_UNAVAILABLE', { 'retry-after': String(this.isRefused ? refusedPause : rest) })
  }
}

/** One wait that several browsers share. */
interface Shared {
  readonly askers: Set<(answer: Answer) => void>
  readonly giveUp: AbortController
}

/**
 * The real Electric, or whatever answers HTTP as it does. It is spared: equal waits are one question, and while it is
 * away one look tells for all browsers of this server whether it is back. Its secret is known here alone; no address
 * is logged, because each carries it.
 */
export function createElectric({ fetch, url, secret, log, now = () => performance.now() }: ElectricOptions): Electric {
  const line = new Line(log, now, status)
  const shared = new Map<string, Shared>()

  function addressOf(query: URLSearchParams): URL {
    const address = new URL(`/v1/shape?${query.toString()}`, url)
    if (secret !== undefined) address.searchParams.set('secret', secret)
    return address
  }

  async function status(): Promise<string> {
    const response = await fetch(new Request(new URL('/v1/health', url), { signal: AbortSignal.timeout(healthMs) }))
    return ((await response.json()) as { status?: string }).status ?? 'unknown'
  }

  /** @returns null where it does not answer, or refuses us */
  async function put(query: URLSearchParams, signal: AbortSignal): Promise<Response | null> {
    if (!(await line.isThere()) || signal.aborted) return null
    try {
      const response = await fetch(new Request(addressOf(query), { signal }))
      return line.takes(response) ? response : null
    } catch (error) {
      if (!signal.aborted) line.wentAway(error)
      return null
    }
  }

  function askAlone(query: URLSearchParams, answered: (answer: Answer) => void): Held {
    const giveUp = new AbortController()
    void put(query, giveUp.signal).then((response) => {
      if (giveUp.signal.aborted) return void response?.body?.cancel()
      answered(response ? answerOf(response, response.body) : line.unavailable())
    })
    return { cancel: () => giveUp.abort() }
  }

  async function waitFor(key: string, query: URLSearchParams, { askers, giveUp }: Shared): Promise<void> {
    let answer: Answer | undefined
    try {
      const response = await put(query, giveUp.signal)
      if (response) answer = answerOf(response, await response.text())
    } catch (error) {
      if (!giveUp.signal.aborted) line.wentAway(error)
    }
    if (giveUp.signal.aborted) return
    shared.delete(key)
    answer ??= line.unavailable()
    for (const answered of askers) answered(answer)
  }

  function askTogether(query: URLSearchParams, answered: (answer: Answer) => void): Held {
    const key = query.toString()
    let wait = shared.get(key)
    if (!wait) {
      wait = { askers: new Set(), giveUp: new AbortController() }
      shared.set(key, wait)
      void waitFor(key, query, wait)
    }
    const { askers, giveUp } = wait
    // A function of its own: two who ask may have been given the same.
    const mine = (answer: Answer) => answered(answer)
    askers.add(mine)
    return {
      cancel: () => {
        if (!askers.delete(mine) || askers.size > 0) return
        giveUp.abort()
        if (shared.get(key)?.askers === askers) shared.delete(key)
      },
    }
  }

  return {
    ask: (query, answered) => {
      if (line.isResting) return answeredSoon(answered, line.unavailable())
      return query.get('live') === 'true' ? askTogether(query, answered) : askAlone(query, answered)
    },
    health: async () => {
      try {
        const said = await status()
        // It answers without a secret. What names no table costs it nothing, and is refused first for a wrong one.
        const probe = new Request(addressOf(new URLSearchParams()), { signal: AbortSignal.timeout(healthMs) })
        return line.takes(await fetch(probe)) ? said : REFUSES_SECRET
      } catch {
        return 'down'
      }
    },
  }
}

/** The body goes on as it comes. Its length and encoding were those of another connection. */
const answerOf = (response: Response, body: Answer['body']): Answer => ({
  status: response.status,
  headers: Object.fromEntries(
    [...response.headers].filter(([name]) => name.startsWith('electric-') || returned.includes(name)),
  ),
  body,
})

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}
