import { createHmac } from 'node:crypto'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { DomainError } from '../../schema/errors.ts'
import type { Profile } from '../../schema/users/users.table.ts'

/** Seconds that an access token is good for. */
export const ACCESS_SECONDS = 15 * 60
/** Seconds that the operator acts in a user's name; its token is good for all of them and has no renewal. */
export const ACTING_SECONDS = 30 * 60
/** Seconds that a refresh token is good for when it is not used. */
export const REFRESH_SECONDS = 7 * 24 * 60 * 60

/** Seconds that a browser is known for after somebody has signed in with it. */
export const DEVICE_SECONDS = 180 * 24 * 60 * 60

export interface AccessClaims {
  userId: number
  companyId: number
  name: string
  profile: Profile
  /** Raised by every login, logout and password change. */
  tokenVersion: number
  /** The operator's, in the user's name. */
  acting?: true
}

export interface RefreshClaims {
  userId: number
  tokenVersion: number
  /** Names this one token; the next one's follows from it. */
  jti: string
}

/** Seconds within which the second half of a login follows the first. */
export const CHALLENGE_SECONDS = 5 * 60

/** The first half of a login: the password was right, or the company's provider vouches. */
export interface ChallengeClaims {
  userId: number
  byProvider: boolean
  /** Of the password: with another one it is worth nothing. */
  trace: string
}

/** Seconds that somebody may take at their company's provider. */
export const ATTEMPT_SECONDS = 10 * 60

/** A sign-in by a provider that has begun, in the cookie of whoever began it. */
export interface AttemptClaims {
  companyId: number
  state: string
  nonce: string
  verifier: string
}

/** A browser that somebody has signed in with. */
export interface DeviceClaims {
  id: string
  /** Hashes of the e-mails they did it with, the last one first. */
  emails: string[]
}

export interface Tokens {
  /** @param until end of the session: the token is good no longer than that */
  signAccess(claims: AccessClaims, now: Date, until?: Date): Promise<string>
  /**
   * @param expired `accept` reads a token that has run out, too: for logging out.
   * @throws DomainError `ERR_TOKEN_EXPIRED` (403: renew it) or `ERR_SESSION_EXPIRED` (401: not ours, or broken)
   */
  readAccess(token: string, now: Date, expired?: 'refuse' | 'accept'): Promise<AccessClaims>
  signRefresh(claims: RefreshClaims, now: Date, until?: Date): Promise<string>
  /** @throws DomainError `ERR_SESSION_EXPIRED` */
  readRefresh(token: string, now: Date): Promise<RefreshClaims>
  signChallenge(claims: ChallengeClaims, now: Date): Promise<string>
  /** @throws DomainError `ERR_2FA_CHALLENGE` */
  readChallenge(token: string, now: Date): Promise<ChallengeClaims>
  signAttempt(claims: AttemptClaims, now: Date): Promise<string>
  /** @throws DomainError `ERR_OIDC_STATE` */
  readAttempt(token: string, now: Date): Promise<AttemptClaims>
  signDevice(claims: DeviceClaims, now: Date): Promise<string>
  /** Undefined for what is none, or not ours. */
  readDevice(token: string, now: Date): Promise<DeviceClaims | undefined>
  /**
   * The token that replaces this one. It follows from the old one, so that two tabs that renew at the same moment
   * are given the same, whichever server they ask.
   */
  successorOf(jti: string): string
  /** What of a refresh token, or of another secret, is stored: it cannot be guessed back without the server's own. */
  hashOf(jti: string): string
}

const issuer = 'balcao'

/** @param secret at least 32 characters; a key for each kind is derived from it, so that no token passes for another kind. */
export function createTokens(secret: string): Tokens {
  const derive = (purpose: string) => createHmac('sha256', secret).update(`balcao ${purpose}`).digest()
  const accessKey = derive('access token')
  const refreshKey = derive('refresh token')
  const challengeKey = derive('login challenge')
  const attemptKey = derive('sign-in attempt')
  const deviceKey = derive('known device')
  const chainKey = derive('refresh chain')

  const sign = (payload: Record<string, unknown>, key: Uint8Array, seconds: number, now: Date, until?: Date) => {
    const issued = Math.floor(now.getTime() / 1000)
    const expires = Math.min(issued + seconds, until ? Math.floor(until.getTime() / 1000) : Infinity)
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setIssuedAt(issued)
      .setExpirationTime(expires)
      .sign(key)
  }

  const read = async (token: string, key: Uint8Array, now: Date, expired: 'refuse' | 'accept') => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer,
        currentDate: expired === 'accept' ? new Date(0) : now,
      })
      return payload as Record<string, unknown>
    } catch (error) {
      throw new DomainError(error instanceof joseErrors.JWTExpired ? 'ERR_TOKEN_EXPIRED' : 'ERR_SESSION_EXPIRED')
    }
  }

  return {
    signAccess: (claims, now, until) =>
      sign({ ...claims }, accessKey, claims.acting ? ACTING_SECONDS : ACCESS_SECONDS, now, until),
    readAccess: async (token, now, expired = 'refuse') =>
      (await read(token, accessKey, now, expired)) as unknown as AccessClaims,
    signRefresh: (claims, now, until) => sign({ ...claims }, refreshKey, REFRESH_SECONDS, now, until),
    readRefresh: async (token, now) => {
      try {
        return (await read(token, refreshKey, now, 'refuse')) as unknown as RefreshClaims
      } catch {
        throw new DomainError('ERR_SESSION_EXPIRED')
      }
    },
    signChallenge: (claims, now) => sign({ ...claims }, challengeKey, CHALLENGE_SECONDS, now),
    readChallenge: async (token, now) => {
      try {
        return (await read(token, challengeKey, now, 'refuse')) as unknown as ChallengeClaims
      } catch {
        throw new DomainError('ERR_2FA_CHALLENGE')
      }
    },
    signAttempt: (claims, now) => sign({ ...claims }, attemptKey, ATTEMPT_SECONDS, now),
    readAttempt: async (token, now) => {
      try {
        return (await read(token, attemptKey, now, 'refuse')) as unknown as AttemptClaims
      } catch {
        throw new DomainError('ERR_OIDC_STATE')
      }
    },
    signDevice: (claims, now) => sign({ ...claims }, deviceKey, DEVICE_SECONDS, now),
    readDevice: async (token, now) =>
      read(token, deviceKey, now, 'refuse').then(
        (claims) => claims as unknown as DeviceClaims,
        () => undefined,
      ),
    successorOf: (jti) => createHmac('sha256', chainKey).update(`next ${jti}`).digest('base64url'),
    hashOf: (jti) => createHmac('sha256', chainKey).update(`hash ${jti}`).digest('base64url'),
  }
}
