import { eq } from 'drizzle-orm'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { DomainError } from '../../schema/errors.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'

/** A connection that a program sends by: what its token opens. */
export interface ConnectionCaller {
  whatsappId: number
  companyId: number
}

export interface Callers {
  /** Whose token it is; undefined for nobody's. */
  connection(token: string | null): Promise<ConnectionCaller | undefined>
  /** A token changed, or its connection did. */
  forget(): void
}

/** A token that was changed on another server is good for so long yet. */
const KEPT_MS = 1_000
const MOST_KEPT = 10_000

/** Who calls with a connection's token: asked at every call, so it is remembered for a moment. */
export function createCallers(db: Db, time: () => number = () => performance.now()): Callers {
  const kept = new Map<string, { until: number; caller: Promise<ConnectionCaller | undefined> }>()
  return {
    connection(token) {
      if (!token || token.length > 200) return Promise.resolve(undefined)
      const found = kept.get(token)
      if (found && found.until > time()) return found.caller
      if (kept.size >= MOST_KEPT) kept.clear()
      const caller = db
        .select({ whatsappId: whatsapps.id, companyId: whatsapps.companyId })
        .from(whatsapps)
        .where(eq(whatsapps.token, token))
        .then(([row]) => row)
      kept.set(token, { until: time() + KEPT_MS, caller })
      caller.catch(() => kept.delete(token))
      return caller
    },
    forget: () => kept.clear(),
  }
}

/**
 * Whether the company may be served by programs now.
 * @throws DomainError `ERR_SUBSCRIPTION_EXPIRED`, `ERR_PLAN_FEATURE`
 */
export async function demandPrograms(facts: CompanyFacts, companyId: number, now: Date): Promise<void> {
  const { subscription, planLacks } = await facts.of(companyId)
  if (!isSubscribed(subscription, now))
    throw new DomainError('ERR_SUBSCRIPTION_EXPIRED', { dueDate: subscription.dueDate })
  if (planLacks.includes('useExternalApi')) throw new DomainError('ERR_PLAN_FEATURE', { feature: 'useExternalApi' })
}
