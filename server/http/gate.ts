import { DomainError } from '../../schema/errors.ts'
import type { KeyCaller } from '../external/external.callers.ts'
import { type Limiter, limits } from '../limits.ts'
import { networkOf } from '../network.ts'
import { type AddressSource, callerAddress } from './caller.ts'
import type { AppDeps } from './deps.ts'
import { bearerOf } from './guard.ts'

/** What the answer's headers become. */
type HeadersOut = Record<string, string | number | string[] | undefined>

export interface Gate {
  /**
   * What can be said of a call before anything of it is read: not too many, not from another site, no broken address.
   * @throws DomainError `ERR_TOO_MANY_REQUESTS` (`retryAfter` in seconds), `ERR_FORBIDDEN`, `ERR_VALIDATION`
   */
  check(request: Request, server: AddressSource | null, headers: HeadersOut): Promise<void>
}

/** Tokens whose signature was found good; a signature stays good. */
const MOST_TOKENS = 10_000

/** @param isFile whether the call is for a file of the client */
export function createGate(
  {
    config,
    tokens,
    passes,
    callers,
    now,
    limiter,
  }: Pick<AppDeps, 'config' | 'tokens' | 'passes' | 'callers' | 'now' | 'limiter'>,
  isFile: (request: Request) => boolean,
): Gate {
  const limiters = {
    user: limiter('user', limits.user),
    office: limiter('office', limits.office),
    stranger: limiter('stranger', limits.stranger),
    files: limiter('files', limits.files),
    hooks: limiter('hooks', limits.hooks),
    connection: limiter('connection', limits.connection),
  }
  const owners = new Map<string, number>()
  const keys = new Map<number, { rate: number; limiter: Limiter }>()

  /** A key has the bucket that its admin gave it, and each answer says what is left in it. */
  const takeOf = ({ keyId, ratePerMinute }: KeyCaller, headers: HeadersOut) => {
    let bucket = keys.get(keyId)
    if (bucket?.rate !== ratePerMinute) {
      if (keys.size >= MOST_TOKENS) keys.clear()
      const limit = { burst: ratePerMinute, perSecond: ratePerMinute / 60 }
      keys.set(keyId, (bucket = { rate: ratePerMinute, limiter: limiter(`key ${keyId}`, limit) }))
    }
    const wait = bucket.limiter.take('')
    const left = bucket.limiter.left('')
    headers['ratelimit-policy'] = `"key";q=${ratePerMinute};w=60`
    headers['ratelimit'] = `"key";r=${left};t=${Math.ceil(((ratePerMinute - left) / ratePerMinute) * 60)}`
    if (wait > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: wait })
  }

  /** Whose token it is, also when it has run out; null for a forged one. */
  const ownerOf = async (token: string | null): Promise<number | null> => {
    if (!token) return null
    const known = owners.get(token)
    if (known !== undefined) return known
    const claims = await tokens.readAccess(token, now(), 'accept').catch(() => null)
    if (!claims) return null
    if (owners.size >= MOST_TOKENS) owners.clear()
    owners.set(token, claims.userId)
    return claims.userId
  }

  const count = async (request: Request, server: AddressSource | null, forFile: boolean, headers: HeadersOut) => {
    const address = callerAddress(request, server, config.trustProxy)
    const place = address === null ? null : networkOf(address)
    const take = (limiter: keyof typeof limiters, key: string | number | null) => {
      const wait = key === null ? 0 : limiters[limiter].take(String(key))
      if (wait > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: wait })
    }
    if (forFile) return take('files', place)
    if (isHook(request)) return take('hooks', place)
    if (isForPrograms(request)) {
      const token = bearerOf(request)
      // Looking a guess up costs the database two questions: who has guessed too often is not asked about.
      const wait = place === null || callers.wasGood(token) ? 0 : limiters.stranger.wait(place)
      if (wait > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: wait })
      const key = await callers.key(token)
      if (key) {
        takeOf(key, headers)
        return take('office', place)
      }
      const caller = await callers.connection(token)
      if (!caller) return take('stranger', place)
      take('connection', caller.whatsappId)
      return take('office', place)
    }
    const user =
      (await ownerOf(bearerOf(request) ?? inAddress(request.url, 'token'))) ??
      (await passes.ownerOf(inAddress(request.url, 'pass')))
    if (user === null) return take('stranger', place)
    take('user', user)
    take('office', place)
  }

  return {
    async check(request, server, headers) {
      const forFile = isFile(request)
      if (config.limitCalls && !isHealth(request)) await count(request, server, forFile, headers)
      if (isForeign(request, config)) throw new DomainError('ERR_FORBIDDEN', { reason: 'another site' })
      // Postgres has no such character, and no address of ours either.
      if (!forFile && request.url.includes('%00'))
        throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'url', message: 'NUL is not a character' }] })
    },
  }
}

/** A load balancer that may not ask would send everybody away. */
const isHealth = (request: Request): boolean => /^\/health(?:\/(?:live|ready))?$/.test(new URL(request.url).pathname)

/** It signs what it tells, and comes from few addresses. */
const isHook = (request: Request): boolean => new URL(request.url).pathname.startsWith('/cloud-api/')

/** Programs come with tokens of their own. */
const isForPrograms = (request: Request): boolean => new URL(request.url).pathname.startsWith('/api/')

/** Sockets and files are asked for with a pass in the address, sockets of older clients with their token. */
function inAddress(url: string, name: 'pass' | 'token'): string | null {
  const at = url.indexOf('?')
  return at < 0 || !url.includes(`${name}=`, at) ? null : new URLSearchParams(url.slice(at)).get(name)
}

const isSocket = (request: Request): boolean => request.headers.get('upgrade')?.toLowerCase() === 'websocket'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a page of another site makes a browser change something here, or opens a socket, in the name of whoever uses
 * that browser.
 * Browsers say where a call comes from, which pages cannot forge; programs say nothing and are free to call.
 */
export function isForeign(
  request: Request,
  { publicUrl, trustProxy }: { publicUrl: string | undefined; trustProxy: number },
): boolean {
  // A socket is opened by a GET, and then says and hears everything.
  if (reading.has(request.method) && !isSocket(request)) return false
  const site = request.headers.get('sec-fetch-site')
  // `same-site` is another port or subdomain: somebody else's page all the same.
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  // Over plain http to another machine, browsers say the origin only.
  const origin = request.headers.get('origin')
  if (origin === null) return false
  if (!URL.canParse(origin)) return true
  const { host } = new URL(origin)
  const own = [request.headers.get('host') ?? new URL(request.url).host]
  if (publicUrl !== undefined) own.push(new URL(publicUrl).host)
  if (trustProxy > 0) own.push(request.headers.get('x-forwarded-host') ?? '')
  return !own.includes(host)
}
