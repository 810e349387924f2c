import { createHmac, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { DomainError } from '../../schema/errors.ts'
import type { Between } from '../between.ts'

/** What a pass is good for. */
export type PassUse =
  /** One connection of a socket. */
  | { for: 'events' | 'sync' }
  /** One file, as often as it is asked for: a player fetches it in pieces. */
  | { for: 'media'; path: string }

/** Whose session it stands for. */
export interface PassHolder {
  userId: number
  tokenVersion: number
}

/** Seconds that a pass is good for. */
export const PASS_SECONDS = { events: 60, sync: 60, media: 300 } as const

/**
 * What stands in an address in place of an access token, which proxies and browsers would write into their logs. A pass
 * opens one thing, for a moment, and is worth nothing once the session has ended.
 */
export interface Passes {
  give(holder: PassHolder, use: PassUse): Promise<string>
  /** @throws DomainError `ERR_SESSION_EXPIRED` for one that is not ours, is for something else, too old or used up */
  take(pass: string | undefined, use: PassUse): Promise<PassHolder>
  /** Whose pass it is, good for anything or not; null for none of ours. For counting calls. */
  ownerOf(pass: string | null): Promise<number | null>
}

const issuer = 'balcao'

/**
 * @param secret of the access tokens; the key is another one, so that neither passes for the other
 * @param between tells other servers of what was used up
 */
export function createPasses(secret: string, now: () => Date, between?: Between): Passes {
  const key = createHmac('sha256', secret).update('balcao pass').digest()
  /** Those that have opened their socket, by when they end: each opens one. */
  const used = new Map<string, number>()
  between?.hear('pass', (word) => {
    const [id, end] = word as [string, number]
    used.set(id, end)
  })

  const forget = (at: number) => {
    // In the order of their use, which is nearly that of their end.
    for (const [id, end] of used) {
      if (end > at) break
      used.delete(id)
    }
  }

  const read = (pass: string | undefined, currentDate: Date) =>
    jwtVerify(pass ?? '', key, { algorithms: ['HS256'], issuer, currentDate }).then(
      ({ payload }) => payload,
      () => undefined,
    )

  return {
    async ownerOf(pass) {
      const claims = pass === null ? undefined : await read(pass, new Date(0))
      return claims ? Number(claims['userId']) : null
    },
    give({ userId, tokenVersion }, use) {
      const issued = Math.floor(now().getTime() / 1000)
      return new SignJWT({ userId, tokenVersion, ...use })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setJti(randomUUID())
        .setExpirationTime(issued + PASS_SECONDS[use.for])
        .sign(key)
    },
    async take(pass, use) {
      const at = now().getTime()
      const claims = await read(pass, now())
      const path = use.for === 'media' ? use.path : undefined
      if (!claims?.jti || claims['for'] !== use.for || claims['path'] !== path)
        throw new DomainError('ERR_SESSION_EXPIRED')
      if (use.for !== 'media') {
        forget(at)
        if (used.has(claims.jti)) throw new DomainError('ERR_SESSION_EXPIRED')
        used.set(claims.jti, claims.exp! * 1000)
        between?.tell('pass', [claims.jti, claims.exp! * 1000])
      }
      return { userId: Number(claims['userId']), tokenVersion: Number(claims['tokenVersion']) }
    },
  }
}
