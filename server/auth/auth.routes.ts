import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { loginInput } from '../../schema/auth/auth.inputs.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, bearerOf } from '../http/guard.ts'
import { callerAddress } from '../http/caller.ts'
import { listSessions, loadSessionUser } from './auth.queries.ts'
import { authCookie, cookieOf, DEVICE_COOKIE, SESSION_COOKIE } from './cookies.ts'
import { deviceOf } from './devices.ts'
import { knownDevice, rememberDevice } from './known-devices.ts'
import { login, logout, refresh, type SignedIn } from './sessions.ts'
import { DEVICE_SECONDS } from './tokens.ts'

const tags = ['auth']

/** Login, renewal, logout; `docs/` of the client say how it uses them. */
export function authRoutes(deps: AppDeps) {
  const { auth, db, events, config, now, onRightsChanged, tokens } = deps

  const cookie = (request: Request, value: string, seconds: number) =>
    authCookie(request, config, SESSION_COOKIE, value, seconds)

  /** Tells everything that still runs on the user's earlier session that it is over. */
  const endEarlier = (
    action: 'update' | 'logout',
    user: { id: number; companyId: number },
    tokenVersion: number,
    by?: SignedIn,
  ) => {
    auth.forget(user.id)
    onRightsChanged(user.id)
    events.emit({
      companyId: user.companyId,
      name: 'auth',
      action,
      payload: {
        user: { id: user.id, companyId: user.companyId },
        tokenVersion,
        ...(by && { by: { ...by, at: by.at.toISOString() } }),
      },
      audience: { userId: user.id },
    })
  }

  return new Elysia({ prefix: '/auth' })
    .post(
      '/login',
      async ({ body, request, server, set }) => {
        const address = callerAddress(request, server, config.trustProxy)
        const known = cookieOf(request, DEVICE_COOKIE)
        const device = await knownDevice(tokens, known, body.email, now())
        const userAgent = request.headers.get('user-agent')
        const session = await login(deps, { ...body, address, device, userAgent })
        endEarlier('update', session.user, session.tokenVersion, session.by)
        const remembered = await rememberDevice(tokens, known, body.email, now())
        set.headers['set-cookie'] = [
          cookie(request, session.refreshToken, session.refreshSeconds),
          authCookie(request, config, DEVICE_COOKIE, remembered, DEVICE_SECONDS),
        ]
        set.headers['cache-control'] = 'no-store'
        return { token: session.token, user: session.user }
      },
      {
        body: loginInput,
        detail: { tags, summary: 'Log in; ends the earlier session of the same user' },
      },
    )
    .post(
      '/refresh_token',
      async ({ request, set }) => {
        set.headers['cache-control'] = 'no-store'
        const session = await refresh(deps, cookieOf(request, SESSION_COOKIE), (stolen) =>
          endEarlier('logout', { id: stolen.userId, companyId: stolen.companyId }, stolen.tokenVersion),
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
        const ended = await logout(deps, { token: bearerOf(request), cookie: cookieOf(request, SESSION_COOKIE) })
        if (ended) endEarlier('logout', { id: ended.userId, companyId: ended.companyId }, ended.tokenVersion)
        set.headers['set-cookie'] = cookie(request, '', 0)
        return {}
      },
      { detail: { tags, summary: 'End the session' } },
    )
    .use(authed(deps))
    .get(
      '/me',
      async ({ who }) => {
        const user = await loadSessionUser(db, who)
        if (!user) throw new DomainError('ERR_SESSION_EXPIRED')
        return user
      },
      { detail: { tags, summary: 'The user of the token' } },
    )
    .get(
      '/sessions',
      async ({ who, sessionId, set }) => {
        set.headers['cache-control'] = 'no-store'
        const rows = await listSessions(db, who.userId)
        return {
          sessions: rows.map(({ id, userAgent, address, createdAt, lastSeenAt, expiresAt, endedAt, endedBy }) => {
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
            }
          }),
        }
      },
      { detail: { tags, summary: 'Where and when one was signed in, the latest first' } },
    )
}
