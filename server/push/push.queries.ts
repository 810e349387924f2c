import { and, eq, inArray } from 'drizzle-orm'
import { isQuiet } from '../../schema/push/push.quiet.ts'
import { pushPreferences, pushSubscriptions } from '../../schema/push/push.table.ts'
import { sessions } from '../../schema/users/sessions.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { lasts } from '../auth/auth.queries.ts'
import type { Db, Tx } from '../db/database.ts'

type Browser = typeof pushSubscriptions.$inferSelect

/**
 * Browsers of a company in which somebody is signed in who wants to be woken, and now.
 * @param of only these people's
 */
export async function awakeBrowsers(
  db: Db | Tx,
  companyId: number,
  { timeZone, at, of }: { timeZone: string; at: Date; of?: readonly number[] },
): Promise<{ id: number; userId: number }[]> {
  const rows = await db
    .select({
      id: pushSubscriptions.id,
      userId: pushSubscriptions.userId,
      enabled: pushPreferences.enabled,
      quietFrom: pushPreferences.quietFrom,
      quietTo: pushPreferences.quietTo,
    })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .innerJoin(users, eq(users.id, pushSubscriptions.userId))
    .leftJoin(pushPreferences, eq(pushPreferences.userId, pushSubscriptions.userId))
    .where(
      and(
        eq(pushSubscriptions.companyId, companyId),
        of ? inArray(pushSubscriptions.userId, [...of]) : undefined,
        lasts(at),
      ),
    )
  return rows.filter(
    ({ enabled, quietFrom, quietTo }) =>
      enabled !== false && !(quietFrom !== null && quietTo !== null && isQuiet({ quietFrom, quietTo }, at, timeZone)),
  )
}

/** A company's browser, as long as the session lasts that made it known. */
export async function findBrowser(
  db: Db,
  companyId: number,
  subscriptionId: number,
  at: Date,
): Promise<Browser | undefined> {
  const [found] = await db
    .select({ subscription: pushSubscriptions })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .innerJoin(users, eq(users.id, pushSubscriptions.userId))
    .where(and(eq(pushSubscriptions.companyId, companyId), eq(pushSubscriptions.id, subscriptionId), lasts(at)))
  return found?.subscription
}
