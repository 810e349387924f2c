import type { Principal } from '../../schema/permissions.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Db } from '../db/database.ts'
import { type Access, type Acting, loadAccess } from './auth.queries.ts'
import { sessionEnded } from './sessions.ts'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { demandNetwork, refusalOf } from './may-enter.ts'
import type { Tokens } from './tokens.ts'

export interface Authenticated {
  who: Principal
  tokenVersion: number
  sessionId: number
  /** The operator acts in the user's name, until `until`. */
  acting: (Acting & { until: Date }) | null
  /** Why the company may not work now, of somebody who was let in all the same (`Allow`). */
  barred: DomainError | null
}

/** What is let pass besides. */
export interface Allow {
  /** For what the admins of a company whose time is over may do as well: see its invoices, and pay. */
  toPay?: boolean
  /** For a socket on which nothing is told but that the company may work again: anybody of it. */
  toWait?: boolean
  /** Somebody who must have two-factor, and has not yet: to switch it on. */
  without2fa?: boolean
  /** Where it comes from; of an open socket, where that was opened. Left out only where nobody is let in by the answer. */
  address?: string | null
}

/** Turns a token into the person it stands for, with the rights that the database says at this moment. */
export interface Authenticator {
  /**
   * @throws DomainError `ERR_SESSION_EXPIRED` (401) without a good token or after another login (then with `by`, which
   * says where and when), `ERR_TOKEN_EXPIRED` (403) when it only needs renewing, `ERR_SUBSCRIPTION_EXPIRED` (402, `dueDate`) for an expired company, `ERR_COMPANY_OFF` (402) for one
   * that was switched off, `ERR_2FA_REQUIRED`, `ERR_IP_REFUSED` (403)
   */
  byToken(token: string | null | undefined, allow?: Allow): Promise<Authenticated>
  /** The same for a user who was recognised earlier, such as the owner of an open socket. */
  again(userId: number, tokenVersion: number, allow?: Allow): Promise<Authenticated>
  /** The user as they are now, or null when they may not be here any more. */
  principalOf(userId: number): Promise<Principal | null>
  /** Drops what is remembered of a user (of everybody, without one), because it has changed. */
  forget(userId?: number): void
}

/** Rights are read again at least this often. */
const KEPT_MS = 5_000
const MOST_KEPT = 10_000

/** Knows who a token belongs to, and remembers their rights for a moment. */
export function createAuthenticator({ db, tokens, now }: { db: Db; tokens: Tokens; now: () => Date }): Authenticator {
  const kept = new Map<number, { at: number; access: Promise<Access | undefined> }>()

  const accessOf = (userId: number) => {
    const time = now().getTime()
    const found = kept.get(userId)
    if (found && Math.abs(time - found.at) < KEPT_MS) return found.access
    if (kept.size >= MOST_KEPT) kept.clear()
    const access = loadAccess(db, userId)
    const entry = { at: time, access }
    kept.set(userId, entry)
    access.catch(() => kept.get(userId) === entry && kept.delete(userId))
    return access
  }

  const again: Authenticator['again'] = async (userId, tokenVersion, allow = {}) => {
    const { without2fa = false, toPay = false, toWait = false, address } = allow
    let access = await accessOf(userId)
    if (access && access.tokenVersion < tokenVersion) {
      // The token is newer than what is remembered: the login happened meanwhile, perhaps on another server.
      kept.delete(userId)
      access = await accessOf(userId)
    }
    const session = access?.sessions.find((open) => open.tokenVersion === tokenVersion)
    if (!access || !session || session.expiresAt <= now()) throw new DomainError('ERR_SESSION_EXPIRED')
    const barred = refusalOf(access.who, access.company, now())
    if (barred && !toWait && refusalOf(access.who, access.company, now(), toPay)) throw barred
    const { acting } = session
    if (acting) {
      await demandOperator(acting, address)
      const who = { ...access.who, acting: true, ...(acting.readOnly && { visiting: true }) }
      return { who, tokenVersion, sessionId: session.id, acting: { ...acting, until: session.expiresAt }, barred }
    }
    demandNetwork(access, address)
    const { enabled, due } = access.twoFactor
    if (!without2fa && !enabled && due && due <= now()) throw new DomainError('ERR_2FA_REQUIRED')
    return { who: access.who, tokenVersion, sessionId: session.id, acting: null, barred }
  }

  /**
   * Who acts for somebody is still the operator, still signed in, and where operators may be: the user's own networks
   * and second factor are the user's.
   */
  const demandOperator = async ({ operatorId, operatorSessionId }: Acting, address: Allow['address']) => {
    const operator = await accessOf(operatorId)
    const own = operator?.sessions.find(({ id }) => id === operatorSessionId)
    if (!operator?.who.super || !own || own.expiresAt <= now()) throw new DomainError('ERR_SESSION_EXPIRED')
    demandNetwork(operator, address)
  }

  return {
    again,
    async principalOf(userId) {
      const access = await accessOf(userId)
      if (!access) return null
      return access.who.super || isSubscribed(access.company, now()) ? access.who : null
    },
    async byToken(token, allow) {
      if (!token) throw new DomainError('ERR_SESSION_EXPIRED')
      const claims = await tokens.readAccess(token, now())
      return again(claims.userId, claims.tokenVersion, allow).catch(async (error: unknown) => {
        throw error instanceof DomainError && error.code === 'ERR_SESSION_EXPIRED'
          ? await sessionEnded(db, claims)
          : error
      })
    },
    forget(userId) {
      if (userId === undefined) kept.clear()
      else kept.delete(userId)
    },
  }
}
