import type { AppDeps } from '../http/deps.ts'
import { authCookie, cookieOf, DEVICE_COOKIE, SESSION_COOKIE } from './cookies.ts'
import { rememberDevice } from './known-devices.ts'
import { type Begun, logout, type SessionDeps, type SignedIn } from './sessions.ts'
import { DEVICE_SECONDS } from './tokens.ts'

type Deps = Pick<AppDeps, 'auth' | 'config' | 'events' | 'now' | 'onRightsChanged' | 'tokens'>

/**
 * Tells everything that still runs on sessions that are over: all before this one, which a login has begun, or only
 * this one.
 */
export function emitSessionEnd(
  { auth, events, onRightsChanged }: Deps,
  which: { before: number; by: SignedIn } | { only: number },
  user: { id: number; companyId: number },
): void {
  auth.forget(user.id)
  onRightsChanged(user.id)
  events.emit({
    companyId: user.companyId,
    name: 'auth',
    action: 'before' in which ? 'update' : 'logout',
    payload: {
      user: { id: user.id, companyId: user.companyId },
      ...('before' in which
        ? { tokenVersion: which.before, by: { ...which.by, at: which.by.at.toISOString() } }
        : { only: which.only }),
    },
    audience: { userId: user.id },
  })
}

/**
 * A session has begun: what others are told of it, and the cookies that the browser keeps. One that this browser had
 * before, whosever it was, ends: nobody could leave it any more.
 */
export async function enter(
  deps: Deps & SessionDeps,
  session: Begun,
  email: string,
  request: Request,
): Promise<string[]> {
  const { auth, config, now, tokens } = deps
  const ended = await logout(deps, { token: null, cookie: cookieOf(request, SESSION_COOKIE) })
  if (ended) auth.forget(ended.userId)
  if (session.alone) emitSessionEnd(deps, { before: session.tokenVersion, by: session.by }, session.user)
  else auth.forget(session.user.id)
  const remembered = await rememberDevice(tokens, cookieOf(request, DEVICE_COOKIE), email, now())
  return [
    authCookie(request, config, SESSION_COOKIE, session.refreshToken, session.refreshSeconds),
    authCookie(request, config, DEVICE_COOKIE, remembered, DEVICE_SECONDS),
  ]
}
