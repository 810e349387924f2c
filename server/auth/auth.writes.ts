import { and, desc, eq, isNull, notExists, notInArray, sql } from 'drizzle-orm'
import { pushSubscriptions } from '../../schema/push/push.table.ts'
import { type SessionEnd, type SessionRow, sessions } from '../../schema/users/sessions.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { readSetting } from '../settings/settings.queries.ts'
import { lasts, MOST_KEPT } from './auth.queries.ts'

/**
 * Starts a session, which ends every earlier one of the user where the company has one login at a time.
 * @returns undefined when the password is no longer the one that was looked at, or the user is gone
 */
export async function beginSession(
  db: Db,
  begun: Pick<SessionRow, 'userId' | 'refreshHash' | 'userAgent' | 'address' | 'expiresAt'> & {
    passwordHash: string
    now: Date
  },
): Promise<(SessionRow & { alone: boolean }) | undefined> {
  const { passwordHash, now, ...given } = begun
  const { userId } = given
  return db.transaction(async (tx) => {
    // Locked first, so that two logins at once end each other in turn.
    const [user] = await tx
      .update(users)
      .set({ tokenVersion: sql`${users.tokenVersion} + 1`, online: true, lastSeenAt: now })
      .where(and(eq(users.id, userId), eq(users.passwordHash, passwordHash)))
      .returning({ tokenVersion: users.tokenVersion, companyId: users.companyId })
    if (!user) return undefined
    const alone = (await readSetting(tx, user.companyId, 'sessions')) === 'one'
    if (alone) await closeSessions(tx, userId, 'elsewhere', now)
    const [session] = await tx
      .insert(sessions)
      .values({ ...given, ...user, createdAt: now, lastSeenAt: now })
      .returning()
    const latest = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(desc(sessions.id))
      .limit(MOST_KEPT)
    await tx.delete(sessions).where(and(eq(sessions.userId, userId), notInArray(sessions.id, latest)))
    return session && { ...session, alone }
  })
}

/**
 * Ends what is open of a user, and with it what a session leaves behind: its refresh token and its browsers' pushes.
 * Another login is none of the operator's, who acts in the user's name: that goes on.
 */
export async function closeSessions(tx: Tx, userId: number, endedBy: SessionEnd, now: Date): Promise<void> {
  await tx
    .update(sessions)
    .set({ endedAt: now, endedBy, refreshHash: null })
    .where(
      and(
        eq(sessions.userId, userId),
        // One that has run out has ended by itself.
        lasts(now),
        endedBy === 'elsewhere' ? isNull(sessions.operatorId) : undefined,
      ),
    )
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))
}

/** Ends one session, with its refresh token and its browser's pushes. @returns the user's company if it was open */
export async function endSession(
  db: Db,
  { userId, tokenVersion }: { userId: number; tokenVersion: number },
  endedBy: SessionEnd,
  now: Date,
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    // Locked first, as a login does.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const [ended] = await tx
      .update(sessions)
      .set({ endedAt: now, endedBy, refreshHash: null })
      .where(and(eq(sessions.userId, userId), eq(sessions.tokenVersion, tokenVersion), lasts(now)))
      .returning({ id: sessions.id, companyId: sessions.companyId })
    if (!ended) return undefined
    await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, ended.id))
    const others = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.operatorId), lasts(now)))
    await tx
      .update(users)
      .set({ online: false })
      .where(and(eq(users.id, userId), notExists(others)))
    return ended.companyId
  })
}

/** Puts `next` in the place of `current`; false when somebody else was first, or the session has ended. */
export async function replaceRefresh(
  db: Db,
  { id, current, next, now }: { id: number; current: string; next: string; now: Date },
): Promise<boolean> {
  const replaced = await db
    .update(sessions)
    .set({ refreshHash: next, lastSeenAt: now })
    .where(and(eq(sessions.id, id), eq(sessions.refreshHash, current)))
    .returning({ id: sessions.id })
  return replaced.length > 0
}
