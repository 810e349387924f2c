import { eq } from 'drizzle-orm'
import type { ApiScope } from '../../schema/api-keys/api-keys.scopes.ts'
import { apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import { isSubscribed, standingRefusal } from '../../schema/companies/companies.subscription.ts'
import { DomainError } from '../../schema/errors.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { hashOfKey } from '../api-keys/api-keys.queries.ts'
import { actAs } from '../actor.ts'
import type { Db } from '../db/database.ts'
import { liesIn } from '../outside/addresses.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'

/** A connection that a program sends by: what its token opens. */
export interface ConnectionCaller {
  whatsappId: number
  companyId: number
}

/** A program that calls with a key of its own. It is nobody's: it has scopes in place of a profile. */
export interface KeyCaller {
  keyId: number
  companyId: number
  name: string
  scopes: readonly ApiScope[]
  ipAllow: readonly string[]
  ratePerMinute: number
  expiresAt: Date | null
  revokedAt: Date | null
}

export interface Callers {
  /** Whose token it is; undefined for nobody's. */
  connection(token: string | null): Promise<ConnectionCaller | undefined>
  /** Whose key it is, good or not; undefined for nobody's. */
  key(token: string | null): Promise<KeyCaller | undefined>
  /**
   * The program that may call now with this key.
   * @throws DomainError `ERR_API_KEY`, `ERR_API_KEY_ADDRESS`
   */
  admit(token: string | null, address: string | null, now: Date): Promise<KeyCaller>
  /** Whether it was somebody's when it was last looked up; whoever guesses comes with one that was not. */
  wasGood(token: string | null): boolean
  /** A token or a key changed. */
  forget(): void
}

/** A token or key that was changed on another server is good for so long yet. */
const KEPT_MS = 500
const MOST_KEPT = 10_000
/** That a key is used is written down so often at most. */
const USED_MS = 60_000

/** Who calls with a connection's token, or with a key: asked at every call, so it is remembered for a moment. */
export function createCallers(db: Db, time: () => number = () => performance.now()): Callers {
  const connections = remembered(time, (token) =>
    db
      .select({ whatsappId: whatsapps.id, companyId: whatsapps.companyId })
      .from(whatsapps)
      .where(eq(whatsapps.token, token))
      .then(([row]): ConnectionCaller | undefined => row),
  )
  const keys = remembered(time, (token) =>
    db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.hash, hashOfKey(token)))
      .then(([row]): KeyCaller | undefined => row && { ...row, keyId: row.id }),
  )
  const used = new Map<number, { at: number; address: string | null }>()

  const note = (keyId: number, address: string | null, now: Date) => {
    const before = used.get(keyId)
    if (before && before.address === address && Math.abs(now.getTime() - before.at) < USED_MS) return
    if (used.size >= MOST_KEPT) used.clear()
    used.set(keyId, { at: now.getTime(), address })
    // Nobody waits for it, and one that is lost is written again a minute later.
    void db
      .update(apiKeys)
      .set({ lastUsedAt: now, lastIp: address })
      .where(eq(apiKeys.id, keyId))
      .catch(() => used.delete(keyId))
  }

  return {
    wasGood: (token) => token !== null && (connections.wasGood(token) || keys.wasGood(token)),
    connection: (token) => connections.of(token),
    key: (token) => keys.of(token?.startsWith('bk_') ? token : null),
    async admit(token, address, now) {
      const caller = await keys.of(token?.startsWith('bk_') ? token : null)
      if (!caller || caller.revokedAt || (caller.expiresAt && caller.expiresAt <= now))
        throw new DomainError('ERR_API_KEY')
      if (caller.ipAllow.length > 0 && (address === null || !liesIn(caller.ipAllow, address)))
        throw new DomainError('ERR_API_KEY_ADDRESS')
      note(caller.keyId, address, now)
      actAs({ kind: 'key', id: caller.keyId, name: caller.name, ip: address })
      return caller
    },
    forget() {
      connections.forget()
      keys.forget()
    },
  }
}

function remembered<T>(time: () => number, load: (token: string) => Promise<T | undefined>) {
  const kept = new Map<string, { until: number; found: Promise<T | undefined> }>()
  const good = new Set<string>()
  return {
    wasGood: (token: string) => good.has(token),
    of(token: string | null): Promise<T | undefined> {
      if (!token || token.length > 200) return Promise.resolve(undefined)
      const known = kept.get(token)
      if (known && known.until > time()) return known.found
      if (kept.size >= MOST_KEPT) kept.clear()
      const found = load(token)
      kept.set(token, { until: time() + KEPT_MS, found })
      found.then(
        (owner) => {
          if (owner === undefined) return good.delete(token)
          if (good.size >= MOST_KEPT) good.clear()
          return good.add(token)
        },
        () => kept.delete(token),
      )
      return found
    },
    forget: () => kept.clear(),
  }
}

/**
 * Whether the company may be served by programs now.
 * @throws DomainError `ERR_SUBSCRIPTION_EXPIRED`, `ERR_COMPANY_OFF`, `ERR_PLAN_FEATURE`
 */
export async function demandPrograms(facts: CompanyFacts, companyId: number, now: Date): Promise<void> {
  const { subscription, planLacks } = await facts.of(companyId)
  if (!isSubscribed(subscription, now)) throw standingRefusal(subscription, now)
  if (planLacks.includes('useExternalApi')) throw new DomainError('ERR_PLAN_FEATURE', { feature: 'useExternalApi' })
}

/** @throws DomainError `ERR_SCOPE` */
export function demandScope(caller: KeyCaller, scope: ApiScope): void {
  if (!caller.scopes.includes(scope)) throw new DomainError('ERR_SCOPE', { scope })
}
