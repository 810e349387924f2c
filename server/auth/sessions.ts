import { randomBytes } from 'node:crypto'
import type { Principal } from '../../schema/permissions.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Db } from '../db/database.ts'
import type { Attempts } from './attempts.ts'
import {
  beginSession,
  endSession,
  findByEmail,
  loadAccess,
  loadSessionUser,
  refreshStateOf,
  replaceRefresh,
  type SessionUser,
} from './auth.queries.ts'
import { verifyPassword } from './passwords.ts'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import type { Tokens } from './tokens.ts'

export interface SessionDeps {
  db: Db
  tokens: Tokens
  attempts: Attempts
  now: () => Date
}

export interface OpenSession {
  token: string
  /** Goes into the cookie. */
  refreshToken: string
  user: SessionUser
  tokenVersion: number
}

/**
 * For this long after its replacement a refresh token still answers, with the same replacement: two tabs that renew
 * at once, or an answer lost on a bad network, must not end the session.
 */
export const REFRESH_GRACE_MS = 30_000

/**
 * @param address of the caller, where known
 * @throws DomainError `ERR_INVALID_CREDENTIALS`, `ERR_TOO_MANY_ATTEMPTS`, `ERR_SUBSCRIPTION_EXPIRED`
 */
export async function login(
  { db, tokens, attempts, now }: SessionDeps,
  { email, password, address }: { email: string; password: string; address: string | null },
): Promise<OpenSession> {
  attempts.begin(email, address, now())
  const found = await findByEmail(db, email)
  if (!(await verifyPassword(password, found?.user.passwordHash)) || !found)
    throw new DomainError('ERR_INVALID_CREDENTIALS')
  attempts.succeeded(email, address)
  const { user, company } = found
  if (!user.super && !isSubscribed(company, now()))
    throw new DomainError('ERR_SUBSCRIPTION_EXPIRED', { dueDate: company.dueDate })
  const jti = randomBytes(32).toString('base64url')
  const tokenVersion = await beginSession(db, user.id, tokens.hashOf(jti), now())
  if (tokenVersion === undefined) throw new DomainError('ERR_INVALID_CREDENTIALS')
  const who = { userId: user.id, companyId: user.companyId, name: user.name, profile: user.profile, super: user.super }
  return open({ db, tokens, now }, who, tokenVersion, jti)
}

/**
 * A new pair for the one in the cookie. A refresh token works once: when an old one comes again later than
 * `REFRESH_GRACE_MS`, somebody has a copy of it, and the session ends for both.
 * @param onStolen told when the session has ended because of a copied token
 * @throws DomainError `ERR_SESSION_EXPIRED`, `ERR_SUBSCRIPTION_EXPIRED`
 */
export async function refresh(
  { db, tokens, now }: SessionDeps,
  cookie: string | undefined,
  onStolen: (user: { userId: number; companyId: number; tokenVersion: number }) => void,
): Promise<OpenSession> {
  if (!cookie) throw new DomainError('ERR_SESSION_EXPIRED')
  const claims = await tokens.readRefresh(cookie, now())
  const access = await loadAccess(db, claims.userId)
  if (!access || access.tokenVersion !== claims.tokenVersion) throw new DomainError('ERR_SESSION_EXPIRED')
  if (!access.who.super && !isSubscribed(access.company, now()))
    throw new DomainError('ERR_SUBSCRIPTION_EXPIRED', { dueDate: access.company.dueDate })

  const hash = tokens.hashOf(claims.jti)
  const next = tokens.successorOf(claims.jti)
  const nextHash = tokens.hashOf(next)
  const at = now().getTime()
  let state = await refreshStateOf(db, claims.userId)
  if (currentOf(state?.refreshHash) === hash) {
    const replaced = await replaceRefresh(db, claims.userId, state!.refreshHash!, `${nextHash} ${hash} ${at}`)
    if (replaced) return open({ db, tokens, now }, access.who, claims.tokenVersion, next)
    state = await refreshStateOf(db, claims.userId)
  }
  const [current, previous, replacedAt] = state?.refreshHash?.split(' ') ?? []
  if (
    state?.tokenVersion === claims.tokenVersion &&
    current === nextHash &&
    previous === hash &&
    at - Number(replacedAt) <= REFRESH_GRACE_MS
  )
    return open({ db, tokens, now }, access.who, claims.tokenVersion, next)

  if ((await endSession(db, claims.userId, claims.tokenVersion)) !== undefined)
    onStolen({ userId: claims.userId, companyId: access.who.companyId, tokenVersion: claims.tokenVersion + 1 })
  throw new DomainError('ERR_SESSION_EXPIRED')
}

/** The stored text is the hash of the good token, and after a renewal the one before it and the moment (ms). */
const currentOf = (stored: string | null | undefined) => stored?.split(' ')[0]

async function open(
  { db, tokens, now }: Pick<SessionDeps, 'db' | 'tokens' | 'now'>,
  who: Pick<Principal, 'userId' | 'companyId' | 'name' | 'profile' | 'super'>,
  tokenVersion: number,
  jti: string,
): Promise<OpenSession> {
  const user = await loadSessionUser(db, who)
  if (!user) throw new DomainError('ERR_SESSION_EXPIRED')
  const { userId, companyId, name, profile } = who
  const [token, refreshToken] = await Promise.all([
    tokens.signAccess({ userId, companyId, name, profile, tokenVersion }, now()),
    tokens.signRefresh({ userId, tokenVersion, jti }, now()),
  ])
  return { token, refreshToken, user, tokenVersion }
}

/**
 * Ends the session that the token, run out or not, or the cookie belongs to. Neither being good is no error: then
 * there is nothing to end.
 */
export async function logout(
  { db, tokens, now }: SessionDeps,
  { token, cookie }: { token: string | null; cookie: string | undefined },
): Promise<{ userId: number; companyId: number; tokenVersion: number } | undefined> {
  const claims =
    (token ? await tokens.readAccess(token, now(), 'accept').catch(() => undefined) : undefined) ??
    (cookie ? await tokens.readRefresh(cookie, now()).catch(() => undefined) : undefined)
  if (!claims) return undefined
  const companyId = await endSession(db, claims.userId, claims.tokenVersion)
  return companyId === undefined
    ? undefined
    : { userId: claims.userId, companyId, tokenVersion: claims.tokenVersion + 1 }
}
