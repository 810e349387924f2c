import type { Language } from '../../schema/languages.ts'
import type { CallingCode } from '../../schema/contacts/contacts.phone.ts'
import { type Principal, principalFrom, type PrincipalRole } from '../../schema/permissions.ts'
import { type AllTicketWord, userWire } from '../../schema/wire.ts'
import { clearPersonal, forgetActing, isActingTab, keepActing, keys, local } from '../base/local.ts'
import { createStore } from '../base/store.ts'

/** The logged-in user as `POST /auth/login`, `POST /auth/refresh_token` and `GET /auth/me` answer it. */
export interface SessionUser {
  id: number
  name: string
  email: string
  profile: Principal['profile']
  /** Missing in what an earlier version has stored. */
  role?: (PrincipalRole & { name: string }) | null
  super: boolean
  companyId: number
  company: {
    id: number
    name: string
    /** `YYYY-MM-DD` or an ISO instant; null means no end. */
    dueDate: string | null
    /** It tries for nothing until then. */
    onTrial?: boolean
    /** Its time is over: all that is left to do is to pay. */
    isOver?: boolean
    timeZone?: string
    language?: Language
    callingCode?: CallingCode
    settings?: readonly { key: string; value: string }[]
  }
  queues: readonly { id: number; name: string; color: string }[]
  whatsappId: number | null
  allTicket: AllTicketWord
  /** Missing in what an earlier version has stored. `requiredFrom` is an ISO instant. */
  twoFactor?: { enabled: boolean; requiredFrom: string | null }
  /** It is the operator, in the user's name, until this ISO instant. */
  acting?: { name: string; reason: string; readOnly: boolean; until: string }
}

export interface Session {
  /** Made at login, the same through all refreshes: tells a renewed token from another login. */
  id: string
  token: string
  user: SessionUser
}

/** What a browser says it is; null where it says nothing. */
export interface Device {
  browser: string | null
  system: string | null
}

/** The login that ended this one. */
export interface EndedBy {
  device: Device | null
  /** Null where it is not known. */
  address: string | null
  /** ISO instant. */
  at: string
}

const sessionEnds = ['logout', 'expired', 'elsewhere', 'password'] as const

/**
 * Why a session ended: the person left, the server refused it, the account was opened on another computer, or the
 * person chose a new password.
 */
export type SessionEnd = (typeof sessionEnds)[number]

/** A login as the server tells of it; undefined for anything else. */
export function endedByOf(code: unknown): EndedBy | undefined {
  const { at, address, device } = (code ?? {}) as Record<string, unknown>
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return undefined
  const { browser, system } = (device ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return { at, address: text(address), device: device ? { browser: text(browser), system: text(system) } : null }
}

const store = createStore<Session | null>(readStored())

function readStored(): Session | null {
  const text = local.get(keys.session)
  if (!text) return null
  try {
    const stored = JSON.parse(text) as Partial<Session> | null
    return stored?.id && stored.token && stored.user?.company ? (stored as Session) : null
  } catch {
    return null
  }
}

const cleanups = new Set<(why: SessionEnd) => Promise<void> | void>()
let cleaning: Promise<void> = Promise.resolve()

export const session = {
  get: store.get,
  subscribe: store.subscribe,

  /** What storage holds at this moment, which another tab may have renewed a millisecond ago. */
  latest(): Session | null {
    const stored = readStored()
    // Storage that refuses to write must not log the person out of this tab.
    if (!stored) return local.get(keys.session) === null && !storageWorks() ? store.get() : null
    if (stored.token !== store.get()?.token) takeOver(stored)
    return stored
  },

  begin(token: string, user: SessionUser): Session {
    const begun: Session = { id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, token, user }
    local.remove(keys.ended)
    write(begun)
    return begun
  },

  /** From now on the operator acts for somebody in this tab; their own session stays as it is, and waits. */
  act(token: string, user: SessionUser): void {
    keepActing(JSON.stringify({ id: `acting-${Date.now()}-${Math.random()}`, token, user } satisfies Session))
    location.assign('/')
  },

  /** Why the last session of this browser ended; null where nobody was logged in, or is. */
  lastEnd(): { why: SessionEnd; by: EndedBy | undefined } | null {
    try {
      const { why, by } = JSON.parse(local.get(keys.ended) ?? '{}') as { why?: unknown; by?: unknown }
      const known = sessionEnds.find((end) => end === why)
      return known ? { why: known, by: endedByOf(by) } : null
    } catch {
      return null
    }
  },

  /** Renewed token and, if the answer carried one, user. Ignored when the session has ended meanwhile. */
  renew(id: string, token: string, user?: SessionUser): void {
    const current = session.latest()
    if (!current || current.id !== id) return
    write({ id, token, user: user ?? current.user })
  },

  /** The same person as the server has them now. Ignored when somebody else is here meanwhile. */
  setUser(user: SessionUser): void {
    const current = store.get()
    if (current?.user.id !== user.id) return
    // Mostly nothing has changed since: that is no reason to draw every screen again.
    if (JSON.stringify(current.user) !== JSON.stringify(user)) write({ ...current, user })
  },

  /**
   * Ends the session here and in the other tabs, then removes what the features kept of it.
   * @param by the login that ended it, where the server told of one
   */
  end(why: SessionEnd, by?: EndedBy): Promise<void> {
    if (!store.get()) return cleaning
    // Before the session goes: the other tabs read it when they see that.
    local.set(keys.ended, JSON.stringify({ why, by }))
    clearPersonal()
    return ended(why)
  },

  /**
   * Registers what must happen when a session ends, such as deleting the local replica.
   * The next login waits until all of it is done.
   */
  onEnd(cleanup: (why: SessionEnd) => Promise<void> | void): () => void {
    cleanups.add(cleanup)
    return () => cleanups.delete(cleanup)
  },

  /** Done when nothing of an earlier session is still being removed. */
  cleaned: () => cleaning,

  /** Has the next login wait for `work`, too. */
  holdLogin(work: Promise<unknown>): void {
    cleaning = Promise.allSettled([cleaning, work]).then(() => undefined)
  },
}

function ended(why: SessionEnd): Promise<void> {
  store.set(null)
  cleaning = Promise.allSettled([...cleanups].map(async (cleanup) => cleanup(why))).then(() => {
    if (!isActingTab) return
    forgetActing()
    // The operator's own session comes back where the companies are.
    location.replace('/settings?tab=companies')
  })
  return cleaning
}

/** What another tab stored. Somebody else's session begins here when everything of the one before has been removed. */
function takeOver(stored: Session): void {
  const current = store.get()
  if (!current || current.user.id === stored.user.id) store.set(stored)
  else cleaning = ended('logout').then(() => store.set(readStored()))
}

function write(next: Session): void {
  local.set(keys.session, JSON.stringify(next))
  store.set(next)
}

function storageWorks(): boolean {
  try {
    localStorage.setItem('balcao.probe', '1')
    localStorage.removeItem('balcao.probe')
    return true
  } catch {
    return false
  }
}

/** Another tab logged in, renewed the token, or logged out. */
export function sessionStored(): void {
  const stored = readStored()
  if (stored) takeOver(stored)
  else if (store.get()) void ended(session.lastEnd()?.why ?? 'logout')
}

// What other tabs store is of the operator's own session, not of the one they act in here.
if (typeof window !== 'undefined' && !isActingTab)
  window.addEventListener('storage', ({ key }) => (key === keys.session || key === null) && sessionStored())

/** The session's user as the rules in `schema/` want to see them. */
export const principalOf = (user: SessionUser): Principal => ({
  ...principalFrom(
    userWire.read(user),
    user.queues.map((queue) => queue.id),
    user.role,
    user.company.settings?.some(({ key, value }) => key === 'maskNumbers' && value === 'enabled'),
  ),
  ...(user.acting && { acting: true }),
})
