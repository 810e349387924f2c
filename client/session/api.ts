import { isOurWord } from '../../schema/errors.ts'
import { endedByOf, session } from './session-store.ts'
import type { Session, SessionUser } from './session-store.ts'

/**
 * A call that did not succeed. `code` is the server's error code, `ERR_OFFLINE` when no answer of it came (status 0), or
 * `ERR_UNREADABLE` when the answer was not ours (a proxy's page).
 */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    /** What the server said besides the code: `{dueDate}`, `{limit}`, the ticket that already exists. */
    readonly params: Record<string, unknown> = {},
  ) {
    super(code)
    this.name = 'ApiError'
  }
}

export interface RequestOptions {
  /** JSON, unless it is FormData or a Blob. */
  body?: unknown
  /** `undefined` and `null` are left out; lists and objects are sent as JSON text, as the API wants them. */
  query?: Record<string, string | number | boolean | null | undefined | readonly unknown[]>
  headers?: Record<string, string>
  signal?: AbortSignal
  /** `false` for the calls that need no login. */
  auth?: boolean
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Calls the server and answers its JSON. A token that has run out, or whose rights do not suffice, is renewed once and the
 * call repeated once.
 * A 401 of our server ends the session.
 *
 * @throws ApiError for every failure except an abort by the caller
 */
export async function request<T = void>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await authorized(path, method, options)
  return (await readBody(response)) as T
}

/** As {@link request}, for files: answers the bytes. */
export async function requestBlob(path: string, options: RequestOptions = {}): Promise<Blob> {
  return (await authorized(path, 'GET', options)).blob()
}

/**
 * As {@link request}, for long work: the values of an answer of JSON lines as they come. Aborting `signal` stops the
 * work at the server, too.
 *
 * @throws ApiError `ERR_OFFLINE` when the answer breaks off, and what the server says in a line `{error}`
 */
export async function* requestLines<T>(method: Method, path: string, options: RequestOptions = {}): AsyncGenerator<T> {
  const response = await authorized(path, method, options)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (options.signal?.aborted) throw error
      throw new ApiError('ERR_OFFLINE', 0)
    })
    text += value ?? ''
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const said = JSON.parse(line) as T | { error: string }
      if (typeof said === 'object' && said !== null && 'error' in said) throw new ApiError(said.error, 500)
      yield said as T
    }
    if (done) return
  }
}

export const api = {
  get: <T>(path: string, options?: Omit<RequestOptions, 'body'>) => request<T>('GET', path, options),
  post: <T = void>(path: string, body?: unknown, options?: RequestOptions) =>
    request<T>('POST', path, { ...options, body }),
  put: <T = void>(path: string, body?: unknown, options?: RequestOptions) =>
    request<T>('PUT', path, { ...options, body }),
  delete: <T = void>(path: string, options?: RequestOptions) => request<T>('DELETE', path, options),
}

async function authorized(path: string, method: Method, options: RequestOptions): Promise<Response> {
  if (options.auth === false) return ensureOk(await send(path, method, options, null))
  const used = session.get()
  if (!used) throw new ApiError('ERR_SESSION_EXPIRED', 401)
  let response = await send(path, method, options, used.token)
  if (response.status === 403) {
    const failure = await failureOf(response)
    if (failure.status === 0) throw failure
    const token = failure.code === 'ERR_TOKEN_EXPIRED' ? await renewToken(used) : await rightsAgain(used, failure)
    if (token === null) throw failure
    response = await send(path, method, options, token)
  }
  if (response.status === 401) {
    const failure = await failureOf(response)
    if (failure.status === 0) throw failure
    // Another tab may have logged in again while this call was under way; its session is not the one refused.
    if (session.latest()?.id === used.id) await endAfter(failure)
    throw failure
  }
  return ensureOk(response)
}

/** The codes that speak of the person's rights; of what else is forbidden a renewal would change nothing. */
const aboutRights: readonly string[] = ['ERR_NO_PERMISSION', 'ERR_FORBIDDEN']
/** The token whose rights are as new as they get: it came of a refusal, or was refused again. */
let rightsOf: string | null = null

/**
 * A token to try once more with, after a refusal: the person's rights may have changed while the screen was open, and the
 * screen then shows those that they have. Null where that has been done for this token, or cannot be done.
 */
async function rightsAgain(used: Session, { code }: ApiError): Promise<string | null> {
  if (!aboutRights.includes(code) || used.user.acting || rightsOf === used.token) return null
  try {
    return (rightsOf = await renewToken(used))
  } catch (error) {
    // The refusal is the news, unless the session has ended over it.
    if (session.get()?.id !== used.id) throw error
    return null
  }
}

/** The server has refused the session, and says which other login ended it, or that a new password did. */
function endAfter({ params }: ApiError): Promise<void> {
  if (params['endedBy'] === 'password') return session.end('password')
  const by = endedByOf(params['by'])
  return session.end(by ? 'elsewhere' : 'expired', by)
}

/**
 * Everything that wants the server waits for a renewal. Short enough to ask twice more while the server still answers
 * the old cookie (`REFRESH_GRACE_MS` there): later than that, an answer that was lost would end the session.
 */
const renewalMs = 10_000

/** The renewal that is under way in this tab: who waits for the same one does not begin another when it fails. */
let renewal: { of: string; token: Promise<string> } | null = null

/**
 * A token that is good now: the one that another tab has just fetched, or a new one. The lock is shared by all tabs,
 * because a refresh cookie works once: two tabs that renew at the same moment would end the session.
 *
 * @param used the session whose token was refused
 * @param withinMs how long the server may take to answer
 * @throws ApiError `ERR_SESSION_EXPIRED` (the session has then ended) or `ERR_OFFLINE` (it has not)
 */
export function renewToken(used: Session, withinMs = renewalMs): Promise<string> {
  // The cookie is the operator's own: their half hour in somebody's name is over.
  if (used.user.acting)
    return session.end('expired').then(() => Promise.reject(new ApiError('ERR_SESSION_EXPIRED', 401)))
  const of = `${used.id} ${used.token}`
  if (renewal?.of === of) return renewal.token
  const token = exclusively('balcao.refresh', () => renewed(used, withinMs)).finally(() => {
    if (renewal?.token === token) renewal = null
  })
  renewal = { of, token }
  return token
}

async function renewed(used: Session, withinMs: number): Promise<string> {
  const latest = session.latest()
  if (!latest || latest.id !== used.id) throw new ApiError('ERR_SESSION_EXPIRED', 401)
  if (latest.token !== used.token) return latest.token
  const signal = AbortSignal.timeout(withinMs)
  try {
    const response = await send('/auth/refresh_token', 'POST', { signal }, null)
    if (response.status === 401 || response.status === 403) {
      const failure = await failureOf(response)
      // From where the company lets nobody in, the session only waits for them to be back.
      if (failure.status !== 0 && failure.code !== 'ERR_IP_REFUSED') await endAfter(failure)
      throw failure
    }
    const { token, user } = (await readBody(await ensureOk(response))) as { token: string; user?: SessionUser }
    session.renew(used.id, token, user)
    return token
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('ERR_OFFLINE', 0)
  }
}

let queue: Promise<unknown> = Promise.resolve()

function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Web Locks exist only in secure contexts; on plain http by address, one tab at a time is the best there is.
  if (typeof navigator !== 'undefined' && navigator.locks) return navigator.locks.request(name, work) as Promise<T>
  const next = queue.then(work, work)
  queue = next.catch(() => undefined)
  return next
}

async function send(path: string, method: Method, options: RequestOptions, token: string | null): Promise<Response> {
  const headers = new Headers(options.headers)
  headers.set('accept', 'application/json')
  if (token) headers.set('authorization', `Bearer ${token}`)
  let body: BodyInit | undefined
  if (options.body instanceof FormData || options.body instanceof Blob) body = options.body
  else if (options.body !== undefined) {
    body = JSON.stringify(options.body)
    headers.set('content-type', 'application/json')
  }
  try {
    return await fetch(withQuery(path, options.query), {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError('ERR_OFFLINE', 0)
  }
}

/** Adds a query string; see {@link RequestOptions.query}. */
export function withQuery(path: string, query: RequestOptions['query']): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    search.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const text = search.toString()
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path
}

/** What is refused with these is refused to a person, or before a door. */
const standInTheWay: readonly number[] = [401, 403, 407, 511]

async function ensureOk(response: Response): Promise<Response> {
  if (response.ok) return response
  throw await failureOf(response)
}

/**
 * What a refusal says. The one place that decides whose it is: a firewall, a hotel's page or a proxy that refuses keeps
 * the call from the server, as no network does, and has no say in sessions and rights.
 */
async function failureOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  if (standInTheWay.includes(response.status) && !isOurWord(body)) return new ApiError('ERR_OFFLINE', 0)
  if (typeof body !== 'object' || body === null || !('error' in body)) {
    return new ApiError(
      response.status >= 502 && response.status <= 504 ? 'ERR_UNAVAILABLE' : 'ERR_UNREADABLE',
      response.status,
    )
  }
  const { error, ...params } = body as { error: unknown }
  if (typeof error !== 'string') return new ApiError('ERR_UNREADABLE', response.status, params)
  // When a ticket exists already, old clients want its JSON text in place of a code.
  if (error.startsWith('{')) {
    try {
      return new ApiError('ERR_OTHER_OPEN_TICKET', response.status, { ...params, ticket: JSON.parse(error) as unknown })
    } catch {
      // Not JSON after all: show it as it is.
    }
  }
  return new ApiError(error, response.status, params)
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  if (!text) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ApiError('ERR_UNREADABLE', response.status)
  }
}
