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
const isRefusal = (status: number) => status === 401 || status === 403

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
  const shared = new Map<string, Shared>()
  /** Since when it is not asked, until when, and how long the next pause is, s. */
  let away: { since: number; until: number; pause: number } | null = null
  let isRefused = false
  let looking: Promise<boolean> | null = null

  const addressOf = (query: URLSearchParams): URL => {
    const address = new URL(`/v1/shape?${query.toString()}`, url)
    if (secret !== undefined) address.searchParams.set('secret', secret)
    return address
  }

  function wentAway(error: unknown): void {
    // One outage meets many questions that are under way.
    if (away && now() < away.until) return
    if (!away) log.warn({ code: codeOf(error) }, 'Electric is away')
    const { since, pause } = away ?? { since: now(), pause: firstPause }
    away = { since, until: now() + pause * 1_000, pause: Math.min(lastPause, 2 * pause) }
  }

  async function status(): Promise<string> {
    const response = await fetch(new Request(new URL('/v1/health', url), { signal: AbortSignal.timeout(healthMs) }))
    return ((await response.json()) as { status?: string }).status ?? 'unknown'
  }

  /** Whether it answers again. Those who ask meanwhile wait for the same look. */
  const isBack = () =>
    (looking ??= status()
      .then(
        () => {
          if (away) log.info({ seconds: Math.round((now() - away.since) / 1_000) }, 'Electric is back')
          away = null
          return true
        },
        (error: unknown) => {
          wentAway(error)
          return false
        },
      )
      .finally(() => (looking = null)))

  const unavailable = (): Answer =>
    refusal(503, 'ERR_UNAVAILABLE', {
      'retry-after': String(away ? Math.max(1, Math.ceil((away.until - now()) / 1_000)) : isRefused ? refusedPause : 1),
    })

  /** A refusal is a fault of ours: a browser that sees it would stop asking for good. */
  function judged({ status: code, body }: Response): boolean {
    if (!isRefusal(code)) {
      if (isRefused && code < 500) log.info({}, 'Electric takes ELECTRIC_SECRET')
      if (code < 500) isRefused = false
      return true
    }
    if (!isRefused) log.warn({ status: code }, 'Electric refuses ELECTRIC_SECRET')
    isRefused = true
    void body?.cancel()
    return false
  }

  /** @returns null where it does not answer, or refuses us */
  async function put(query: URLSearchParams, signal: AbortSignal): Promise<Response | null> {
    if (away && !(await isBack())) return null
    if (signal.aborted) return null
    try {
      const response = await fetch(new Request(addressOf(query), { signal }))
      return judged(response) ? response : null
    } catch (error) {
      if (!signal.aborted) wentAway(error)
      return null
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

  function askAlone(query: URLSearchParams, answered: (answer: Answer) => void): Held {
    const giveUp = new AbortController()
    void put(query, giveUp.signal).then((response) => {
      if (giveUp.signal.aborted) return void response?.body?.cancel()
      answered(response ? answerOf(response, response.body) : unavailable())
    })
    return { cancel: () => giveUp.abort() }
  }

  async function waitFor(key: string, query: URLSearchParams, { askers, giveUp }: Shared): Promise<void> {
    let answer: Answer
    try {
      const response = await put(query, giveUp.signal)
      answer = response ? answerOf(response, await response.text()) : unavailable()
    } catch (error) {
      if (!giveUp.signal.aborted) wentAway(error)
      answer = unavailable()
    }
    if (giveUp.signal.aborted) return
    shared.delete(key)
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
      if (away && now() < away.until) return answeredSoon(answered, unavailable())
      return query.get('live') === 'true' ? askTogether(query, answered) : askAlone(query, answered)
    },
    health: async () => {
      try {
        const said = await status()
        // It answers without a secret. What names no table costs it nothing, and is refused first for a wrong one.
        const probe = new Request(addressOf(new URLSearchParams()), { signal: AbortSignal.timeout(healthMs) })
        return judged(await fetch(probe)) ? said : REFUSES_SECRET
      } catch {
        return 'down'
      }
    },
  }
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}
