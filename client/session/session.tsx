import { useSyncExternalStore } from 'react'
import { can } from '../../schema/permissions.ts'
import type { Permission, Principal } from '../../schema/permissions.ts'
import { api } from './api.ts'
import { keys, local } from '../base/local.ts'
import { principalOf, session } from './session-store.ts'
import type { Session, SessionUser } from './session-store.ts'

/** The password was right; a second step is needed, too. */
export interface Challenge {
  challenge: string
  /** Any of them will do. */
  methods: readonly ('code' | 'passkey')[]
}

/** @throws ApiError `ERR_INVALID_CREDENTIALS`, `ERR_SUBSCRIPTION_EXPIRED` with `{dueDate}`, `ERR_TOO_MANY_ATTEMPTS`… */
export async function login(email: string, password: string): Promise<Session | Challenge> {
  await session.cleaned()
  const answer = await api.post<{ token: string; user: SessionUser } | (Challenge & { needs: '2fa' })>(
    '/auth/login',
    { email: email.trim(), password },
    { auth: false },
  )
  local.set(keys.lastEmail, email.trim())
  if ('needs' in answer) return { challenge: answer.challenge, methods: answer.methods }
  return session.begin(answer.token, answer.user)
}

/** The second half of a login. @throws ApiError `ERR_2FA_CODE`, `ERR_2FA_CHALLENGE`, `ERR_TOO_MANY_ATTEMPTS` */
export async function loginWithCode({ challenge }: Challenge, code: string): Promise<Session> {
  await session.cleaned()
  const body = { challenge, code: code.trim() }
  const answer = await api.post<{ token: string; user: SessionUser }>('/auth/2fa/verify', body, { auth: false })
  return session.begin(answer.token, answer.user)
}

const endingMs = 5_000

/**
 * Leaves, also without a network: the server hears of it if it can. The session ends here first, or whatever is
 * fetched at that moment would be refused and be taken for a session that has expired.
 */
export async function logout(): Promise<void> {
  const current = session.get()
  const token = current?.token
  if (current?.user.acting) {
    // The page is loaded anew when it ends here: the server hears of it before.
    const headers = { authorization: `Bearer ${token}` }
    const signal = AbortSignal.timeout(endingMs)
    await api.delete('/auth/logout', { auth: false, headers, signal }).catch(() => undefined)
    return session.end('logout')
  }
  const ended = session.end('logout')
  if (token) {
    const headers = { authorization: `Bearer ${token}` }
    const answered = api.delete('/auth/logout', { auth: false, headers }).catch(() => undefined)
    // The answer takes the cookie away: the one of the next login, if it came after that.
    session.holdLogin(Promise.race([answered, new Promise((resolve) => setTimeout(resolve, endingMs))]))
    await answered
  }
  await ended
}

/** Fetches the user anew: rights, queues or company may have changed while the browser was closed. */
export async function refreshUser(): Promise<void> {
  const answer = await api.get<{ user: SessionUser } | SessionUser>('/auth/me')
  session.setUser('user' in answer ? answer.user : answer)
}

export function useSession(): Session | null {
  return useSyncExternalStore(session.subscribe, session.get)
}

/** The logged-in user. Only inside private screens. */
export function useUser(): SessionUser {
  const current = useSession()
  if (!current) throw new Error('useUser outside a session')
  return current.user
}

export function usePrincipal(): Principal {
  return principalOf(useUser())
}

/** Whether the logged-in user holds a permission. Hides only; the server refuses by the same table. */
export function useCan(permission: Permission): boolean {
  return can(usePrincipal(), permission)
}
