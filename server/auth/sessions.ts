import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { DomainError } from '../../schema/errors.ts'
import { mustUseProvider } from '../../schema/oidc/oidc.rules.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { SessionRow } from '../../schema/users/sessions.table.ts'
import { audit } from '../audit/audit.changes.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { beginSession, endSession, replaceRefresh } from './auth.writes.ts'
import {
  endOfSession,
  findByEmail,
  findById,
  loadAccess,
  loadSessionUser,
  type LoginUser,
  sessionOf,
  type SessionUser,
} from './auth.queries.ts'
import type { AuthLog } from './auth-log.ts'
import { demandNetwork, refusalOf } from './may-enter.ts'
import { type Device, deviceOf, MOST_USER_AGENT } from './devices.ts'
import { verifyPassword } from './passwords.ts'
import { liesIn } from '../outside/addresses.ts'
import type { Sealer } from '../seal.ts'
import { countPasskeys, type Place, PasskeyRefused } from './passkeys.queries.ts'
import { takePasskey } from './passkeys.writes.ts'
import { enabledFactor } from './two-factor.queries.ts'
import { takeCode } from './two-factor.writes.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { REFRESH_SECONDS, type Tokens } from './tokens.ts'
import { DAY_MS } from '../../schema/durations.ts'

export interface SessionDeps {
  db: Db
  sealer: Sealer
  tokens: Tokens
  signIn: SignInLimits
  authLog: AuthLog
  config: Pick<Config, 'sessionDays'>
  now: () => Date
}

export interface OpenSession {
  token: string
  /** Goes into the cookie. */
  refreshToken: string
  /** Seconds that the cookie is good for. */
  refreshSeconds: number
  user: SessionUser
  tokenVersion: number
}

/** A login as people are told of it. */
export interface SignedIn {
  device: Device | null
  /** Null where it is not known. */
  address: string | null
  at: Date
}

/**
 * For this long after its replacement a refresh token still answers, with the same replacement: two tabs that renew
 * at once, or an answer lost on a bad network, must not end the session.
 */
export const REFRESH_GRACE_MS = 30_000

export const signedIn = ({ userAgent, address, createdAt }: SessionRow): SignedIn => ({
  device: deviceOf(userAgent),
  address,
  at: createdAt,
})

/** `ERR_SESSION_EXPIRED`, with what a person is told of: another login (`by`), or a new password (`endedBy`). */
export async function sessionEnded(db: Db, claims: { userId: number; tokenVersion: number }): Promise<DomainError> {
  const end = await endOfSession(db, claims)
  if (end?.endedBy === 'password') return new DomainError('ERR_SESSION_EXPIRED', { endedBy: end.endedBy })
  return new DomainError('ERR_SESSION_EXPIRED', end?.next && { by: signedIn(end.next) })
}

/** How the second half of a login is done. */
export type SecondStep = 'code' | 'passkey'

/** The first step was right, and a second one is asked for, too. */
export interface Challenge {
  challenge: string
  /** Any of them will do. */
  methods: SecondStep[]
}

export interface LoginGiven {
  address: string | null
  userAgent: string | null
  /** The company's provider has vouched for them; else they showed what they have here themselves. */
  byProvider?: boolean
}

export type Begun = OpenSession & {
  by: SignedIn
  /** Every earlier session of the user has ended. */
  alone: boolean
}

/**
 * @param address of the caller, where known
 * @param device id of the browser, if somebody has signed in with it under this e-mail
 * @throws DomainError `ERR_INVALID_CREDENTIALS`, `ERR_TOO_MANY_ATTEMPTS`, `ERR_SUBSCRIPTION_EXPIRED`, `ERR_COMPANY_OFF`, and as
 *   `demandWay` does; only who has the right password hears of that
 */
export async function login(
  deps: SessionDeps,
  given: LoginGiven & { email: string; password: string; device: string | undefined },
): Promise<Begun | Challenge> {
  const { db, signIn, authLog, now } = deps
  const { email, password, address } = given
  const succeeded = await signIn.begin(given, now(), () => {
    authLog('lock', { email, address })
    void findByEmail(db, email).then(
      (locked) => locked && noteRefusal(db, 'lock', locked.user, address),
      () => undefined,
    )
  })
  const found = await findByEmail(db, email)
  const facts = { userId: found?.user.id, companyId: found?.user.companyId, email, address }
  if (!(await verifyPassword(password, found?.user.passwordHash)) || !found) {
    authLog('refused', facts)
    if (found) noteRefusal(db, 'refused', found.user, address)
    throw new DomainError('ERR_INVALID_CREDENTIALS')
  }
  succeeded()
  return beginOrAsk(deps, found, given)
}

/**
 * Begins a session of somebody who has shown who they are, or asks for a second step where they have two-factor.
 * @throws DomainError `ERR_SUBSCRIPTION_EXPIRED`, `ERR_COMPANY_OFF`, `ERR_IP_REFUSED`, `ERR_OIDC_ONLY`
 */
export async function beginOrAsk(deps: SessionDeps, found: LoginUser, given: LoginGiven): Promise<Begun | Challenge> {
  const { db, tokens, now } = deps
  demandWay(deps, found, given)
  const methods = await secondSteps(db, found.user.id)
  if (methods.length === 0) return begin(deps, found, given)
  return {
    challenge: await tokens.signChallenge(
      { userId: found.user.id, trace: traceOf(tokens, found), byProvider: given.byProvider === true },
      now(),
    ),
    methods,
  }
}

/**
 * Some companies let their people in by their provider alone.
 * @throws DomainError `ERR_OIDC_ONLY`
 */
function demandWay(deps: SessionDeps, found: LoginUser, given: LoginGiven): void {
  if (given.byProvider || !mustUseProvider(found.provider, found.user)) return
  refused(deps, found, given)
  throw new DomainError('ERR_OIDC_ONLY')
}

/**
 * What the person's logins need besides the password. Who has keys of devices and no app has them to sign in without a
 * password; where their company asks for two-factor, the password asks for them too.
 */
async function secondSteps(db: Db, userId: number): Promise<SecondStep[]> {
  const [factor, keys] = await Promise.all([enabledFactor(db, userId), countPasskeys(db, userId)])
  if (factor) return keys > 0 ? ['code', 'passkey'] : ['code']
  return keys > 0 && (await loadAccess(db, userId))?.twoFactor.due ? ['passkey'] : []
}

const traceOf = (tokens: Tokens, { user }: LoginUser) => tokens.hashOf(`password ${user.passwordHash}`)

/** Not waited for: nobody is to learn from the clock who has an account. */
const noteRefusal = (
  db: Db,
  action: 'refused' | 'lock',
  user: { id: number; companyId: number },
  ip: string | null,
): void =>
  void audit(db, {
    ...{ companyId: user.companyId, action, entity: 'session', facts: { userId: user.id } },
    actor: { kind: 'visitor', ip },
  }).catch(() => undefined)

/**
 * Whoever has done the first half of a login, and how.
 * @throws DomainError `ERR_2FA_CHALLENGE`
 */
export async function halfwayIn(
  { db, tokens, now }: SessionDeps,
  challenge: string,
): Promise<{ found: LoginUser; byProvider: boolean }> {
  const { userId, trace, byProvider } = await tokens.readChallenge(challenge, now())
  const found = await findById(db, userId)
  if (!found || traceOf(tokens, found) !== trace) throw new DomainError('ERR_2FA_CHALLENGE')
  return { found, byProvider }
}

/**
 * The second half of a login.
 * @throws DomainError `ERR_2FA_CHALLENGE`, `ERR_2FA_CODE`, `ERR_TOO_MANY_ATTEMPTS`, and as `login` does
 */
export async function loginWithCode(
  deps: SessionDeps,
  given: LoginGiven & { challenge: string; code: string },
): Promise<Begun> {
  const { found, byProvider } = await halfwayIn(deps, given.challenge)
  await takeCode(deps, { userId: found.user.id, code: given.code, state: 'enabled' }, async () => undefined).catch(
    (error: unknown) => {
      refused(deps, found, given)
      throw error
    },
  )
  return begin(deps, found, { ...given, byProvider })
}

/**
 * By a device's key: as the second half of a login, or alone, which is both halves.
 * @throws DomainError `ERR_2FA_CHALLENGE`, `ERR_PASSKEY_CHALLENGE`, `ERR_PASSKEY`, and as `login` does
 */
export async function loginWithPasskey(
  deps: SessionDeps,
  place: Place,
  given: LoginGiven & { challenge: string | undefined; response: Parameters<typeof takePasskey>[2]['response'] },
): Promise<Begun> {
  const { challenge, response } = given
  const half = challenge === undefined ? undefined : await halfwayIn(deps, challenge)
  const owner = await takePasskey(deps, place, { userId: half?.found.user.id ?? null, response }).catch(
    async (error: unknown) => {
      const whose = half?.found ?? (error instanceof PasskeyRefused ? await findById(deps.db, error.userId) : undefined)
      if (whose) refused(deps, whose, given)
      else deps.authLog('refused', { address: given.address })
      throw error
    },
  )
  const found = half?.found ?? (await findById(deps.db, owner.userId))
  if (!found) throw new DomainError('ERR_PASSKEY')
  return begin(deps, found, { ...given, byProvider: half?.byProvider === true })
}

function refused({ db, authLog }: SessionDeps, { user }: LoginUser, { address }: LoginGiven): void {
  authLog('refused', { userId: user.id, companyId: user.companyId, address })
  noteRefusal(db, 'refused', user, address)
}

async function begin(deps: SessionDeps, found: LoginUser, given: LoginGiven): Promise<Begun> {
  demandWay(deps, found, given)
  const { db, tokens, authLog, config, now } = deps
  const { user, company } = found
  const { address, userAgent } = given
  const facts = { userId: user.id, companyId: user.companyId, email: user.email, address }
  const barred = refusalOf(user, company, now(), true)
  if (barred) {
    authLog('expired', facts)
    throw barred
  }
  const access = await loadAccess(db, user.id)
  const isInside = !access || access.networks.length === 0 || (address !== null && liesIn(access.networks, address))
  if (!isInside) {
    authLog('refused', facts)
    noteRefusal(db, 'refused', user, address)
    throw new DomainError('ERR_IP_REFUSED')
  }
  const jti = randomBytes(32).toString('base64url')
  const session = await beginSession(db, {
    userId: user.id,
    passwordHash: user.passwordHash,
    refreshHash: tokens.hashOf(jti),
    userAgent: userAgent?.slice(0, MOST_USER_AGENT) ?? null,
    // A proxy passes on what it was sent: what is no address is not kept as one.
    address: address && isIP(address) ? address : null,
    expiresAt: new Date(now().getTime() + config.sessionDays * DAY_MS),
    now: now(),
  })
  if (!session) {
    authLog('refused', facts)
    throw new DomainError('ERR_INVALID_CREDENTIALS')
  }
  authLog('login', { ...facts, sessionId: session.id })
  const who = { userId: user.id, companyId: user.companyId, name: user.name, profile: user.profile, super: user.super }
  return { ...(await open({ db, tokens, now }, who, session, jti)), by: signedIn(session), alone: session.alone }
}

/**
 * A new pair for the one in the cookie. A refresh token works once: when an old one comes again later than
 * `REFRESH_GRACE_MS`, somebody has a copy of it, and the session ends for both.
 * @param onStolen told when the session has ended because of a copied token
 * @throws DomainError `ERR_SESSION_EXPIRED`, `ERR_SUBSCRIPTION_EXPIRED`, `ERR_COMPANY_OFF`, `ERR_IP_REFUSED`: then the old one stays good
 */
export async function refresh(
  { db, tokens, authLog, now }: SessionDeps,
  cookie: string | undefined,
  address: string | null,
  onStolen: (user: { userId: number; companyId: number; tokenVersion: number }) => void,
): Promise<OpenSession> {
  if (!cookie) throw new DomainError('ERR_SESSION_EXPIRED')
  const claims = await tokens.readRefresh(cookie, now())
  const [access, session] = await Promise.all([loadAccess(db, claims.userId), sessionOf(db, claims, now())])
  if (!access || !session) throw await sessionEnded(db, claims)
  const barred = refusalOf(access.who, access.company, now(), true)
  if (barred) throw barred
  demandNetwork(access, address)

  const hash = tokens.hashOf(claims.jti)
  const next = tokens.successorOf(claims.jti)
  const nextHash = tokens.hashOf(next)
  const at = now().getTime()
  let stored: string | null | undefined = session.refreshHash
  if (stored && currentOf(stored) === hash) {
    const renewed = { id: session.id, current: stored, next: `${nextHash} ${hash} ${at}`, now: now() }
    if (await replaceRefresh(db, renewed)) return open({ db, tokens, now }, access.who, session, next)
    stored = (await sessionOf(db, claims, now()))?.refreshHash
    // It ended in this moment: that is no theft.
    if (!stored) throw await sessionEnded(db, claims)
  }
  const [current, previous, replacedAt] = stored?.split(' ') ?? []
  if (current === nextHash && previous === hash && at - Number(replacedAt) <= REFRESH_GRACE_MS)
    return open({ db, tokens, now }, access.who, session, next)

  if ((await endSession(db, claims, 'copied', now())) !== undefined) {
    const { companyId } = access.who
    authLog('reuse', { userId: claims.userId, companyId, sessionId: session.id })
    onStolen({ userId: claims.userId, companyId, tokenVersion: claims.tokenVersion })
  }
  throw new DomainError('ERR_SESSION_EXPIRED')
}

/** The stored text is the hash of the good token, and after a renewal the one before it and the moment (ms). */
const currentOf = (stored: string) => stored.split(' ')[0]

async function open(
  { db, tokens, now }: Pick<SessionDeps, 'db' | 'tokens' | 'now'>,
  who: Pick<Principal, 'userId' | 'companyId' | 'name' | 'profile' | 'super'>,
  { tokenVersion, expiresAt }: SessionRow,
  jti: string,
): Promise<OpenSession> {
  const user = await loadSessionUser(db, who, now())
  if (!user) throw new DomainError('ERR_SESSION_EXPIRED')
  const { userId, companyId, name, profile } = who
  const [token, refreshToken] = await Promise.all([
    tokens.signAccess({ userId, companyId, name, profile, tokenVersion }, now(), expiresAt),
    tokens.signRefresh({ userId, tokenVersion, jti }, now(), expiresAt),
  ])
  const left = Math.floor((expiresAt.getTime() - now().getTime()) / 1_000)
  return { token, refreshToken, refreshSeconds: Math.min(REFRESH_SECONDS, left), user, tokenVersion }
}

/**
 * Ends the session that the token, run out or not, or the cookie belongs to. Neither being good is no error: then
 * there is nothing to end.
 */
export async function logout(
  { db, tokens, authLog, now }: SessionDeps,
  { token, cookie }: { token: string | null; cookie: string | undefined },
): Promise<{ userId: number; companyId: number; tokenVersion: number } | undefined> {
  const claims =
    (token ? await tokens.readAccess(token, now(), 'accept').catch(() => undefined) : undefined) ??
    (cookie ? await tokens.readRefresh(cookie, now()).catch(() => undefined) : undefined)
  if (!claims) return undefined
  const { userId, tokenVersion } = claims
  const companyId = await endSession(db, claims, 'logout', now())
  if (companyId === undefined) return undefined
  authLog('logout', { userId, companyId })
  return { userId, companyId, tokenVersion }
}
