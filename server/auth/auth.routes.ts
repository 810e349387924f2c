import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, bearerOf } from '../http/guard.ts'
import { callerAddress } from '../http/caller.ts'
import { loadSessionUser } from './auth.queries.ts'
import { login, logout, refresh } from './sessions.ts'
import { REFRESH_SECONDS } from './tokens.ts'

const COOKIE = 'jrt'
const tags = ['auth']

/** Login, renewal, logout; `docs/` of the client say how it uses them. */
export function authRoutes(deps: AppDeps) {
  const { auth, db, events, config, onRightsChanged } = deps

  /** Scripts cannot read it, other sites cannot send it, and only `/auth` gets it. */
  const cookie = (request: Request, value: string, seconds: number) => {
    const secure = config.publicUrl?.startsWith('https:') || request.url.startsWith('https:') ? '; Secure' : ''
    return `${COOKIE}=${value}; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
  }
  const cookieOf = (request: Request) =>
    (request.headers.get('cookie') ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${COOKIE}=`))
      ?.slice(COOKIE.length + 1)

  /** Tells everything that still runs on the user's earlier session that it is over. */
  const endEarlier = (action: 'update' | 'logout', user: { id: number; companyId: number }, tokenVersion: number) => {
    auth.forget(user.id)
    onRightsChanged(user.id)
    events.emit({
      companyId: user.companyId,
      name: 'auth',
      action,
      payload: { user: { id: user.id, companyId: user.companyId }, tokenVersion },
      audience: { userId: user.id },
    })
  }

  return new Elysia({ prefix: '/auth' })
    .post(
      '/login',
      async ({ body, request, server, set }) => {
        const address = callerAddress(request, server, config.trustProxy)
        const session = await login(deps, { ...body, address })
        endEarlier('update', session.user, session.tokenVersion)
        set.headers['set-cookie'] = cookie(request, session.refreshToken, REFRESH_SECONDS)
        set.headers['cache-control'] = 'no-store'
        return { token: session.token, user: session.user }
      },
      {
        body: t.Object({
          email: t.String({ minLength: 1, maxLength: 254 }),
          password: t.String({ minLength: 1, maxLength: 256 }),
        }),
        detail: { tags, summary: 'Log in; ends the earlier session of the same user' },
      },
    )
    .post(
      '/refresh_token',
      async ({ request, set }) => {
        set.headers['cache-control'] = 'no-store'
        const session = await refresh(deps, cookieOf(request), (stolen) =>
          endEarlier('logout', { id: stolen.userId, companyId: stolen.companyId }, stolen.tokenVersion),
        ).catch((error: unknown) => {
          if (error instanceof DomainError && error.code === 'ERR_SESSION_EXPIRED')
            set.headers['set-cookie'] = cookie(request, '', 0)
          throw error
        })
        set.headers['set-cookie'] = cookie(request, session.refreshToken, REFRESH_SECONDS)
        return { token: session.token, user: session.user }
      },
      { detail: { tags, summary: 'A new access token for the refresh cookie, which is replaced' } },
    )
    .delete(
      '/logout',
      async ({ request, set }) => {
        const ended = await logout(deps, { token: bearerOf(request), cookie: cookieOf(request) })
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
}
