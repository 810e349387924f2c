import { and, asc, desc, eq, gt, isNull, notInArray, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { type Principal, principalFrom } from '../../schema/permissions.ts'
import { pushSubscriptions } from '../../schema/push/push.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { passwordResets } from '../../schema/users/password-resets.table.ts'
import { type SessionEnd, type SessionRow, sessions } from '../../schema/users/sessions.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { userWire } from '../../schema/wire.ts'
import type { Db, Tx } from '../db/database.ts'
import { listSettings } from '../settings/settings.queries.ts'
import type { Subscription } from '../../schema/companies/companies.subscription.ts'

export interface Access {
  who: Principal
  tokenVersion: number
  /** The one that is open; null between a logout and the next login. */
  session: { id: number; expiresAt: Date } | null
  company: Subscription
}

/** Everything that decides what a user may do, in one statement. */
export async function loadAccess(db: Db | Tx, userId: number): Promise<Access | undefined> {
  const [row] = await db
    .select({
      user: users,
      company: { id: companies.id, status: companies.status, dueDate: companies.dueDate, timeZone: companies.timeZone },
      queueIds: sql<
        number[]
      >`ARRAY(SELECT ${userQueues.queueId} FROM ${userQueues} WHERE ${userQueues.userId} = ${users.id} ORDER BY 1)`,
      session: { id: sessions.id, expiresAt: sessions.expiresAt },
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .leftJoin(sessions, and(eq(sessions.userId, users.id), isOpen()))
    .where(eq(users.id, userId))
  if (!row) return undefined
  const { user, company, queueIds, session } = row
  return {
    tokenVersion: user.tokenVersion,
    session,
    company,
    who: principalFrom(user, queueIds),
  }
}

/** The user as login, refresh and `GET /auth/me` answer it. */
export async function loadSessionUser(db: Db, who: Pick<Principal, 'userId' | 'companyId' | 'super'>) {
  const [row] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      profile: users.profile,
      super: users.super,
      companyId: users.companyId,
      whatsappId: users.whatsappId,
      allTicket: users.allTicket,
      company: {
        id: companies.id,
        name: companies.name,
        dueDate: companies.dueDate,
        timeZone: companies.timeZone,
        language: companies.language,
      },
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(and(eq(users.id, who.userId), eq(users.companyId, who.companyId)))
  if (!row) return undefined
  const [ownQueues, settings] = await Promise.all([
    db
      .select({ id: queues.id, name: queues.name, color: queues.color })
      .from(userQueues)
      .innerJoin(queues, eq(queues.id, userQueues.queueId))
      .where(eq(userQueues.userId, who.userId))
      .orderBy(asc(queues.id)),
    listSettings(db, who.companyId, { global: false }),
  ])
  return {
    ...userWire.write(row),
    company: { ...row.company, settings },
    queues: ownQueues,
    queueIds: ownQueues.map(({ id }) => id),
  }
}
export type SessionUser = NonNullable<Awaited<ReturnType<typeof loadSessionUser>>>

/** Who logs in with this e-mail, whatever its case. */
export async function findByEmail(db: Db, email: string) {
  const [row] = await db
    .select({
      user: users,
      company: { id: companies.id, status: companies.status, dueDate: companies.dueDate, timeZone: companies.timeZone },
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(sql`lower(${users.email}) = ${email.toLowerCase()}`)
  return row
}

/** Whether a session is its user's current one and nobody has ended it; its time may be up. Needs `users` beside it. */
const isOpen = () => and(isNull(sessions.endedAt), eq(sessions.tokenVersion, users.tokenVersion))

/** Whether a session lasts at `now`. Needs `users` beside it. */
export const lasts = (now: Date) => and(isOpen(), gt(sessions.expiresAt, now))

/** Sessions of one user that are remembered, the one that is open among them. */
const MOST_KEPT = 20

/**
 * Starts a session, which ends every earlier one of the user.
 * @returns undefined when the password is no longer the one that was looked at, or the user is gone
 */
export async function beginSession(
  db: Db,
  begun: Pick<SessionRow, 'userId' | 'refreshHash' | 'userAgent' | 'address' | 'expiresAt'> & {
    passwordHash: string
    now: Date
  },
): Promise<SessionRow | undefined> {
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
    await closeSessions(tx, userId, 'elsewhere', now)
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
    return session
  })
}

/** Ends what is open of a user, and with it what a session leaves behind: its refresh token and its browsers' pushes. */
async function closeSessions(tx: Tx, userId: number, endedBy: SessionEnd, now: Date): Promise<void> {
  await tx
    .update(sessions)
    .set({ endedAt: now, endedBy, refreshHash: null })
    // One that has run out has ended by itself.
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.expiresAt, now)))
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))
}

/** Ends the session if it is still the current one. @returns the user's company if it was */
export async function endSession(
  db: Db,
  { userId, tokenVersion }: { userId: number; tokenVersion: number },
  endedBy: SessionEnd,
  now: Date,
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const [ended] = await tx
      .update(users)
      .set({ tokenVersion: sql`${users.tokenVersion} + 1`, online: false })
      .where(and(eq(users.id, userId), eq(users.tokenVersion, tokenVersion)))
      .returning({ companyId: users.companyId })
    if (ended) await closeSessions(tx, userId, endedBy, now)
    return ended?.companyId
  })
}

/** Sets a new password. Whoever knew the old one is out: sessions end, codes that were sent are worth nothing. */
export async function setPassword(
  tx: Tx,
  { id, companyId }: { id: number; companyId: number },
  passwordHash: string,
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, tokenVersion: sql`${users.tokenVersion} + 1`, online: false, updatedAt: now })
    .where(and(eq(users.id, id), eq(users.companyId, companyId)))
  await closeSessions(tx, id, 'password', now)
  await forgetCodes(tx, id)
}

/** What was sent to a mailbox opens nothing any more. */
export async function forgetCodes(tx: Tx, userId: number): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
}

export async function passwordHashOf(db: Db | Tx, userId: number): Promise<string | undefined> {
  const [row] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  return row?.passwordHash
}

/** The session that a token was made for, while it lasts. */
export async function sessionOf(
  db: Db,
  { userId, tokenVersion }: { userId: number; tokenVersion: number },
  now: Date,
): Promise<SessionRow | undefined> {
  const [row] = await db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), eq(sessions.tokenVersion, tokenVersion), lasts(now)))
  return row?.session
}

/** How the session of this token was ended, and by which login where it was one; undefined when nobody ended it. */
export async function endOfSession(
  db: Db,
  { userId, tokenVersion }: { userId: number; tokenVersion: number },
): Promise<{ endedBy: SessionEnd; next: SessionRow | undefined } | undefined> {
  const [ended] = await db
    .select({ id: sessions.id, endedBy: sessions.endedBy })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.tokenVersion, tokenVersion)))
  if (!ended?.endedBy) return undefined
  if (ended.endedBy !== 'elsewhere') return { endedBy: ended.endedBy, next: undefined }
  const [next] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.id, ended.id)))
    .orderBy(asc(sessions.id))
    .limit(1)
  return { endedBy: ended.endedBy, next }
}

/** Where and when a user was signed in, the latest first. */
export const listSessions = (db: Db, userId: number): Promise<SessionRow[]> =>
  db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.id)).limit(MOST_KEPT)

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
