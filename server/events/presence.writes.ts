import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import { SILENCE_MS } from '../../schema/assignment/assignment.presence.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'

const REWRITE_MS = 2 * 60 * 1000

export interface PresenceChange {
  id: number
  companyId: number
  online: boolean
}

/** @returns those who were away until now */
export async function markOnline(db: Db, userIds: readonly number[], now: Date): Promise<PresenceChange[]> {
  if (userIds.length === 0) return []
  const came = await db
    .update(users)
    .set({ online: true, lastSeenAt: now })
    .where(and(inArray(users.id, [...userIds]), eq(users.online, false)))
    .returning({ id: users.id, companyId: users.companyId, online: users.online })
  const stale = new Date(now.getTime() - REWRITE_MS)
  await db
    .update(users)
    .set({ lastSeenAt: now })
    .where(and(inArray(users.id, [...userIds]), or(sql`${users.lastSeenAt} IS NULL`, lt(users.lastSeenAt, stale))))
  return came
}

/** @returns those who were here until now */
export function markOffline(db: Db, userIds: readonly number[]): Promise<PresenceChange[]> {
  return db
    .update(users)
    .set({ online: false })
    .where(and(inArray(users.id, [...userIds]), eq(users.online, true)))
    .returning({ id: users.id, companyId: users.companyId, online: users.online })
}

/** For a timer: people whose machine fell silent without a word, and those of a server that crashed. */
export function markSilentOffline(db: Db, now: Date): Promise<PresenceChange[]> {
  return db
    .update(users)
    .set({ online: false })
    .where(
      and(
        eq(users.online, true),
        or(sql`${users.lastSeenAt} IS NULL`, lt(users.lastSeenAt, new Date(now.getTime() - SILENCE_MS))),
      ),
    )
    .returning({ id: users.id, companyId: users.companyId, online: users.online })
}
