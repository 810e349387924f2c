import { and, asc, eq, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { type Principal, principalFrom } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'
import { listSettings } from '../settings/settings.queries.ts'
import type { Subscription } from '../../schema/companies/companies.subscription.ts'

export interface Access {
  who: Principal
  tokenVersion: number
  company: Subscription
}

/** Everything that decides what a user may do, in one statement. */
export async function loadAccess(db: Db, userId: number): Promise<Access | undefined> {
  const [row] = await db
    .select({
      user: users,
      company: { id: companies.id, status: companies.status, dueDate: companies.dueDate, timeZone: companies.timeZone },
      queueIds: sql<
        number[]
      >`ARRAY(SELECT ${userQueues.queueId} FROM ${userQueues} WHERE ${userQueues.userId} = ${users.id} ORDER BY 1)`,
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(eq(users.id, userId))
  if (!row) return undefined
  const { user, company, queueIds } = row
  return {
    tokenVersion: user.tokenVersion,
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
    ...row,
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

/** Starts a session, which ends every earlier one of the user. */
export async function beginSession(
  db: Db,
  userId: number,
  refreshHash: string,
  now: Date,
): Promise<number | undefined> {
  const [row] = await db
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1`, refreshHash, online: true, lastSeenAt: now })
    .where(eq(users.id, userId))
    .returning({ tokenVersion: users.tokenVersion })
  return row?.tokenVersion
}

/** Ends the session if it is still the current one. @returns the user's company if it was */
export async function endSession(db: Db, userId: number, tokenVersion: number): Promise<number | undefined> {
  const [ended] = await db
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1`, refreshHash: null, online: false })
    .where(and(eq(users.id, userId), eq(users.tokenVersion, tokenVersion)))
    .returning({ companyId: users.companyId })
  return ended?.companyId
}

export async function refreshStateOf(db: Db, userId: number) {
  const [row] = await db
    .select({ tokenVersion: users.tokenVersion, refreshHash: users.refreshHash })
    .from(users)
    .where(eq(users.id, userId))
  return row
}

/** Puts `next` in the place of `current`; false when somebody else was first. */
export async function replaceRefresh(db: Db, userId: number, current: string, next: string): Promise<boolean> {
  const replaced = await db
    .update(users)
    .set({ refreshHash: next })
    .where(and(eq(users.id, userId), eq(users.refreshHash, current)))
    .returning({ id: users.id })
  return replaced.length > 0
}
