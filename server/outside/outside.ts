import { lookup } from 'node:dns/promises'
import { rootCertificates } from 'node:tls'
import { type Allowed, isAddress, isAllowed, isPublicAddress, plainAddress } from './addresses.ts'

/**
 * Why a call outside came to nothing.
 * - `address`: not an address that we call: its scheme, its port, a name or password in it
 * - `inside`: it leads to this machine or its network, and the operator has not admitted that
 * - `unknown_host`: nobody knows the name now
 * - `unreachable`: no connection, or no encryption that can be trusted
 * - `timeout`, `too_large`, `redirects`: the limits of the call
 */
export type OutsideFailure =
  | 'address'
  | 'inside'
  | 'unknown_host'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirects'

/** A call outside that came to nothing. Its message names the host and never anything of an answer. */
export class OutsideError extends Error {
  constructor(
    readonly failure: OutsideFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'OutsideError'
  }

  /** Whether the same call may succeed later. */
  get isPassing(): boolean {
    return this.failure === 'unknown_host' || this.failure === 'unreachable' || this.failure === 'timeout'
  }
}

export interface OutsideRules {
  /** Only `https:`; otherwise `http:`, too. Hosts that the operator admitted may be called by either. */
  httpsOnly?: boolean
  /** The ports that may be called. Unset: 80, 443 and all from 1024. Hosts that the operator admitted have any. */
  ports?: readonly number[]
}

export interface OutsideCall extends OutsideRules {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** For all of it: the name, every hop and the last byte of the answer. 15 s, unless said. */
  timeoutMs?: number
  /** Of the answer, unpacked. 1 MB, unless said. */
  maxBytes?: number
  /** How many redirections are followed, each looked at like the first address. None, unless said. */
  redirects?: number
  signal?: AbortSignal
  /** Who we are to a service that wants a certificate (PEM); shown to the address itself, never after a redirection. */
  identity?: { cert: string; key: string }
}

export interface Outside {
  /**
   * Calls an address that somebody else named. The address is looked at when it is connected to: the name is resolved
   * once for each hop, all it leads to must be public, and that address itself is called, so that a name cannot
   * change its mind in between. Certificates are checked against the name.
   * @returns the answer; a redirection that is not followed is one, too. Reading its body fails past `maxBytes`
   * @throws OutsideError
   */
  fetch(address: string | URL, call?: OutsideCall): Promise<Response>
  /** Whether the text can be such an address, before anybody is asked where it leads: for refusing it when it is typed. */
  accepts(address: string, rules?: OutsideRules): boolean
}

export interface OutsideDeps {
  /** What the operator admits besides what is public. */
  allow?: readonly Allowed[]
  /** Certificates (PEM) to be trusted besides the usual ones. */
  ca?: string | undefined
  /** Places that are never called, whatever is admitted: `name:port` and {@link plainAddress}`:port` of our own database. */
  never?: () => readonly string[]
  /** All addresses of a name. */
  resolve?(name: string): Promise<string[]>
  /** For tests. */
  connect?(url: string, init: BunFetchRequestInit): Promise<Response>
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_000_000
const MOST_CHARS = 2_048

/** What goes along to another host: nothing that a caller may have written a secret into. */
const harmless = ['accept', 'accept-language', 'content-type', 'user-agent']
/** What the call itself decides. */
const ours = ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect']

/** A call, with the headers that go along on this hop. */
interface Asked {
  call: OutsideCall
  headers: Record<string, string>
}

/** The one way by which this server calls addresses that its users, their contacts or their browsers name. */
export function createOutside({
  allow = [],
  ca,
  never = () => [],
  resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  // Not the global one, which the WhatsApp session replaces.
  connect = (url, init) => Bun.fetch(url, init),
}: OutsideDeps = {}): Outside {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] }

  /** The addresses to connect to. All are looked at, since any of them may be the one that is called. */
  async function addressesOf(url: URL, signal: AbortSignal): Promise<string[]> {
    const name = bare(url.hostname)
    const found = isAddress(name)
      ? [name]
      : await orAborted(resolve(name), signal).catch((cause: unknown) => {
          if (signal.aborted) throw cause
          throw new OutsideError('unknown_host', `${name} is not known`, { cause })
        })
    if (found.length === 0) throw new OutsideError('unknown_host', `${name} is not known`)
    const kept = [`${name}:${portOf(url)}`, ...found.map((address) => `${plainAddress(address)}:${portOf(url)}`)]
    const closed = never()
    if (
      !found.every((address) => isPublicAddress(address) || isAllowed(allow, name, address)) ||
      kept.some((place) => closed.includes(place))
    )
      throw new OutsideError('inside', `${name} leads inside`)
    // A machine without IPv6 is told of IPv6 addresses, too.
    return found.sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
  }

  async function hop(url: URL, { call, headers }: Asked, signal: AbortSignal) {
    const name = bare(url.hostname)
    const addresses = await addressesOf(url, signal)
    let last: unknown
    for (const address of addresses) {
      const to = new URL(url)
      to.hostname = address.includes(':') ? `[${bare(address)}]` : address
      to.hash = ''
      try {
        return await connect(to.href, {
          method: call.method ?? 'GET',
          headers: { ...headers, host: url.host },
          ...(call.body === undefined ? {} : { body: call.body }),
          redirect: 'manual',
          // A kept connection was made for another name.
          keepalive: false,
          signal,
          ...(url.protocol === 'https:' && {
            tls: { ...(isAddress(name) ? {} : { serverName: name }), ...trusted, ...call.identity },
          }),
        })
      } catch (error) {
        if (signal.aborted || !neverLeft(error)) throw error
        last = error
      }
    }
    throw last
  }

  return {
    accepts: (text, rules = {}) =>
      text.length <= MOST_CHARS && URL.canParse(text) && problemOf(allow, new URL(text), rules) === undefined,

    async fetch(address, call = {}) {
      const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, redirects = 0 } = call
      const timer = AbortSignal.timeout(timeoutMs)
      const signal = call.signal ? AbortSignal.any([timer, call.signal]) : timer
      const host = () => bare(url.hostname)
      /** In our words: those of the network may quote what answered. */
      const failure = (cause: unknown): unknown => {
        if (cause instanceof OutsideError || call.signal?.aborted) return cause
        if (timer.aborted) return new OutsideError('timeout', `${host()} did not answer in time`, { cause })
        return new OutsideError('unreachable', `${host()} cannot be reached (${codeOf(cause)})`, { cause })
      }

      if (String(address).length > MOST_CHARS || !URL.canParse(String(address)))
        throw new OutsideError('address', 'not an address')
      let url = new URL(address)
      const headers = Object.fromEntries(
        Object.entries(call.headers ?? {})
          .map(([key, value]) => [key.toLowerCase(), value] as const)
          .filter(([key]) => !ours.includes(key)),
      )
      let asked: Asked = { call, headers }
      for (let left = redirects; ; left--) {
        const problem = problemOf(allow, url, call)
        if (problem) throw new OutsideError(problem, `${host()} is not an address that is called`)
        try {
          const response = await hop(url, asked, signal)
          const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get('location')
          if (!location || redirects === 0) return limited(response, url, maxBytes, failure)
          await response.body?.cancel()
          if (left === 0) throw new OutsideError('redirects', `${host()} redirects too often`)
          const next = leadsTo(location, url)
          asked = redirected(asked, response.status, url, next)
          url = next
        } catch (error) {
          throw failure(error)
        }
      }
    },
  }
}

/** What the text alone tells. */
function problemOf(
  allow: readonly Allowed[],
  url: URL,
  { httpsOnly = false, ports }: OutsideRules,
): OutsideFailure | undefined {
  const name = bare(url.hostname)
  const admitted = allow.some((entry) => 'name' in entry && entry.name === name)
  const literal = isAddress(name)
  const byOperator = admitted || (literal && isAllowed(allow, name, name))
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'address'
  if (url.username || url.password || name === '') return 'address'
  if (byOperator) return undefined
  if (literal && !isPublicAddress(name)) return 'inside'
  if (httpsOnly && url.protocol !== 'https:') return 'address'
  // A network that the operator admitted may be known by short names.
  if (!literal && isLocalName(name) && allow.length === 0) return 'inside'
  const port = portOf(url)
  if (ports ? !ports.includes(port) : port !== 80 && port !== 443 && port < 1_024) return 'address'
  return undefined
}

/**
 * Where a redirect leads.
 * @throws OutsideError
 */
function leadsTo(location: string, from: URL): URL {
  const host = bare(from.hostname)
  if (!URL.canParse(location, from)) throw new OutsideError('address', `${host} redirects to no address`)
  const to = new URL(location, from)
  // What was asked for under encryption is not answered without.
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new OutsideError('address', `${host} redirects to an address without encryption`)
  return to
}

/** What is asked of where a redirect leads: no other host is shown a secret, and a POST becomes a GET as in browsers. */
function redirected(asked: Asked, status: number, from: URL, to: URL): Asked {
  let { call, headers } = asked
  if (to.origin !== from.origin) {
    const { identity: _identity, ...rest } = call
    call = rest
    headers = Object.fromEntries(Object.entries(headers).filter(([key]) => harmless.includes(key)))
  }
  const method = (call.method ?? 'GET').toUpperCase()
  const asGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  if (!asGet) return { call, headers }
  const { body: _body, ...rest } = call
  const { 'content-type': _type, ...others } = headers
  return { call: { ...rest, method: 'GET' }, headers: others }
}

/** The answer, whose body fails past so many bytes; they are counted unpacked. */
function limited(response: Response, url: URL, maxBytes: number, failure: (cause: unknown) => unknown): Response {
  const headers = new Headers(response.headers)
  // They speak of the packed bytes.
  if (headers.has('content-encoding')) {
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  const init = { status: response.status, statusText: response.statusText, headers }
  const reader = response.body?.getReader()
  // As of any answer that was fetched: where the redirections led to, and not the number that was called.
  const at = (answer: Response) => Object.defineProperty(answer, 'url', { value: url.href })
  if (!reader) return at(new Response(null, init))
  let bytes = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        bytes += value.length
        if (bytes > maxBytes) {
          void reader.cancel().catch(() => undefined)
          throw new OutsideError('too_large', `the answer is longer than ${maxBytes} bytes`)
        }
        controller.enqueue(value)
      } catch (error) {
        controller.error(failure(error))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return at(new Response(response.status === 204 || response.status === 304 ? null : body, init))
}

const bare = (hostname: string) =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/** Names that nobody outside has. */
const isLocalName = (name: string) =>
  !name.includes('.') || /\.(local|localhost|internal|intranet|lan|home|corp|arpa)$/.test(name)

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? 'error').slice(0, 60)

/** No connection came about, so nothing was asked, and the next address may be asked in its place. */
const neverLeft = (error: unknown) =>
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ConnectionRefused|FailedToOpenSocket)$/.test(codeOf(error))

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
