import { type Context, Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { loginInput, secondInput } from '../../schema/auth/auth.inputs.ts'
import { passkeyBegin, passkeyEnter } from '../../schema/auth/passkeys.inputs.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, authedToPay, bearerOf } from '../http/guard.ts'
import { callerAddress } from '../http/caller.ts'
import { idParams } from '../http/inputs.ts'
import { networkOf } from '../network.ts'
import { createAttempts } from './attempts.ts'
import { endSession } from './auth.writes.ts'
import { listSessions, loadSessionUser } from './auth.queries.ts'
import { authCookie, cookieOf, DEVICE_COOKIE, SESSION_COOKIE } from './cookies.ts'
import { deviceOf } from './devices.ts'
import { enter, emitSessionEnd } from './entering.ts'
import { knownDevice } from './known-devices.ts'
import { actingUser, isActing } from './impersonation.ts'
import { askPasskey } from './passkeys.writes.ts'
import { placeOf } from './passkeys.routes.ts'
import { type Begun, halfwayIn, login, loginWithCode, loginWithPasskey, logout, refresh } from './sessions.ts'

const tags = ['auth']

/** Questions to keys from one network in ten minutes: an office opens the login screen that often in a morning. */
const MOST_ASKED = 600
/** Signatures that were not good, from one network. */
const MOST_REFUSED = 60

/** Login, renewal, logout; `docs/` of the client say how it uses them. */
export const authRoutes = (deps: AppDeps) =>
  new Elysia({ prefix: '/auth' })
    .use(byPassword(deps))
    .use(byPasskey(deps))
    .use(sessionLife(deps))
    .use(ownUser(deps))
    .use(ownSessions(deps))

/** What a browser is answered that has come in. */
async function answer(deps: AppDeps, session: Begun, email: string, request: Request, set: Context['set']) {
  set.headers['set-cookie'] = await enter(deps, session, email, request)
  set.headers['cache-control'] = 'no-store'
  return { token: session.token, user: session.user }
}

function byPassword(deps: AppDeps) {
  const { config, now, tokens } = deps
  return new Elysia()
    .post(
      '/login',
      async ({ body, request, server, set }) => {
        const address = callerAddress(request, server, config.trustProxy)
        const device = await knownDevice(tokens, cookieOf(request, DEVICE_COOKIE), body.email, now())
        const userAgent = request.headers.get('user-agent')
        const session = await login(deps, { ...body, address, device, userAgent })
        if ('challenge' in session) {
          set.headers['cache-control'] = 'no-store'
          return { needs: '2fa' as const, ...session }
        }
        return answer(deps, session, body.email, request, set)
      },
      {
        body: loginInput,
        detail: {
          tags,
          summary: 'Log in; ends the earlier session of the same user, unless the company allows several',
          description:
            'With two-factor it answers `{needs: "2fa", challenge, methods}`, for `POST /auth/2fa/verify` (`code`) or `POST /auth/passkey/enter` (`passkey`).',
        },
      },
    )
    .post(
      '/2fa/verify',
      async ({ body, request, server, set }) => {
        const address = callerAddress(request, server, config.trustProxy)
        const userAgent = request.headers.get('user-agent')
        const session = await loginWithCode(deps, { ...body, address, userAgent })
        return answer(deps, session, session.user.email, request, set)
      },
      {
        body: secondInput,
        detail: { tags, summary: 'The second half of a login: a code of the app, or one for when the phone is gone' },
      },
    )
}

function byPasskey(deps: AppDeps) {
  const { authLog, config, now } = deps
  const tries = createAttempts({ topic: 'passkey', between: deps.between })
  return new Elysia()
    .post(
      '/passkey/begin',
      async ({ body, request, server, set }) => {
        set.headers['cache-control'] = 'no-store'
        const address = callerAddress(request, server, config.trustProxy)
        tries.begin([{ name: `asked ${networkOf(address)}`, most: MOST_ASKED }], now())
        const half = body.challenge === undefined ? undefined : await halfwayIn(deps, body.challenge)
        return askPasskey(deps, placeOf(request, config), half?.found.user.id ?? null)
      },
      {
        body: passkeyBegin,
        detail: {
          tags,
          summary: 'What a browser has a device’s key sign: to sign in by it, or as second half of a login',
          description: 'Options of WebAuthn as JSON; what the browser answers goes to `POST /auth/passkey/enter`.',
        },
      },
    )
    .post(
      '/passkey/enter',
      async ({ body, request, server, set }) => {
        const address = callerAddress(request, server, config.trustProxy)
        const userAgent = request.headers.get('user-agent')
        const wrong = [{ name: `refused ${networkOf(address)}`, most: MOST_REFUSED }]
        tries.begin(wrong, now(), () => authLog('lock', { address }))
        const given = { ...body, challenge: body.challenge, address, userAgent }
        const session = await loginWithPasskey(deps, placeOf(request, config), given)
        tries.succeeded(wrong)
        return answer(deps, session, session.user.email, request, set)
      },
      {
        body: passkeyEnter,
        detail: { tags, summary: 'Log in by a device’s key, alone or as second half of a login' },
      },
    )
}

/** A session goes on, and ends. */
function sessionLife(deps: AppDeps) {
  const { config, now, tokens } = deps
  const cookie = (request: Request, value: string, seconds: number) =>
    authCookie(request, config, SESSION_COOKIE, value, seconds)

  return new Elysia()
    .post(
      '/refresh_token',
      async ({ request, server, set }) => {
        set.headers['cache-control'] = 'no-store'
        const address = callerAddress(request, server, config.trustProxy)
        const session = await refresh(deps, cookieOf(request, SESSION_COOKIE), address, (stolen) =>
          emitSessionEnd(deps, { only: stolen.tokenVersion }, { id: stolen.userId, companyId: stolen.companyId }),
        ).catch((error: unknown) => {
          if (error instanceof DomainError && error.code === 'ERR_SESSION_EXPIRED')
            set.headers['set-cookie'] = cookie(request, '', 0)
          throw error
        })
        set.headers['set-cookie'] = cookie(request, session.refreshToken, session.refreshSeconds)
        return { token: session.token, user: session.user }
      },
      { detail: { tags, summary: 'A new access token for the refresh cookie, which is replaced' } },
    )
    .delete(
      '/logout',
      async ({ request, set }) => {
        const token = bearerOf(request)
        // The cookie of this browser is then the operator's own, whose session goes on.
        const acting = token !== null && (await isActing(tokens, token, now()))
        const ended = await logout(deps, { token, cookie: acting ? undefined : cookieOf(request, SESSION_COOKIE) })
        if (ended) emitSessionEnd(deps, { only: ended.tokenVersion }, { id: ended.userId, companyId: ended.companyId })
        if (!acting) set.headers['set-cookie'] = cookie(request, '', 0)
        return {}
      },
      { detail: { tags, summary: 'End the session' } },
    )
}

/** Where one is signed in. */
function ownSessions(deps: AppDeps) {
  const { authLog, db, now } = deps
  return new Elysia()
    .use(authed(deps, 'also before two-factor'))
    .get(
      '/sessions',
      async ({ who, sessionId, set }) => {
        set.headers['cache-control'] = 'no-store'
        const rows = await listSessions(db, who.userId)
        return {
          sessions: rows.map((row) => {
            const { id, userAgent, address, createdAt, lastSeenAt, expiresAt, endedAt, endedBy } = row
            const ranOut = endedAt === null && expiresAt <= now()
            return {
              id,
              current: id === sessionId,
              device: deviceOf(userAgent),
              address,
              createdAt,
              lastSeenAt,
              endedAt: ranOut ? expiresAt : endedAt,
              endedBy: ranOut ? ('expired' as const) : endedBy,
              operator: row.operatorName === null ? null : { name: row.operatorName, reason: row.reason },
            }
          }),
        }
      },
      { detail: { tags, summary: 'Where and when one was signed in, the latest first' } },
    )
    .delete(
      '/sessions/:id',
      async ({ who, params }) => {
        const session = (await listSessions(db, who.userId)).find(({ id }) => id === params.id)
        const ended = session && (await endSession(db, session, 'remote', now()))
        if (!session || ended === undefined) throw new DomainError('ERR_NOT_FOUND')
        authLog('logout', { userId: who.userId, companyId: who.companyId, sessionId: session.id })
        emitSessionEnd(deps, { only: session.tokenVersion }, { id: who.userId, companyId: who.companyId })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'End one of one’s own sessions' } },
    )
}

/** Apart: whoever may only pay still has to know who they are, and hears here when that is over. */
const ownUser = (deps: AppDeps) =>
  new Elysia().use(authedToPay(deps, 'also before two-factor')).get(
    '/me',
    async ({ who, acting }) => {
      const user = await loadSessionUser(deps.db, who, deps.now())
      if (!user) throw new DomainError('ERR_SESSION_EXPIRED')
      return acting ? actingUser(user, acting) : user
    },
    { detail: { tags, summary: 'The user of the token' } },
  )
