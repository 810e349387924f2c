import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import type { Company } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { type SessionRow, sessions } from '../../schema/users/sessions.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { readSetting } from '../settings/settings.queries.ts'
import { anywhere } from '../tickets/tickets.queries.ts'
import { type Acting, lasts, type SessionUser } from './auth.queries.ts'
import { visitWords } from './impersonation.words.ts'
import { ACTING_SECONDS, type Tokens } from './tokens.ts'

/** Whether a token is the operator's, in a user's name; it may have run out. */
export const isActing = async (tokens: Tokens, token: string, now: Date): Promise<boolean> =>
  tokens.readAccess(token, now, 'accept').then(
    (claims) => claims.acting === true,
    () => false,
  )

/** The user as whoever acts for them is told: what is asked of the user's own logins is not asked of the operator's. */
export const actingUser = (user: SessionUser, { name, reason, readOnly, until }: Acting & { until: Date }) => ({
  ...user,
  twoFactor: { ...user.twoFactor, requiredFrom: null },
  acting: { name, reason, readOnly, until },
})

/** So many to choose from; others are found by name. */
const MOST_PEOPLE = 20

/** People of a company, by name, for whoever is to act for one of them. */
export function listPeople(db: Db, companyId: number, search: string | undefined) {
  const pattern = search && anywhere(search)
  return db
    .select({ id: users.id, name: users.name, email: users.email, profile: users.profile })
    .from(users)
    .where(
      and(
        eq(users.companyId, companyId),
        eq(users.super, false),
        pattern
          ? or(sql`plain(${users.name}) LIKE plain(${pattern})`, sql`lower(${users.email}) LIKE lower(${pattern})`)
          : undefined,
      ),
    )
    .orderBy(sql`${users.profile} <> 'admin'`, asc(users.name), asc(users.id))
    .limit(MOST_PEOPLE)
}

/** Days that the company's admins are told of a visit. */
const TOLD_DAYS = 7

/**
 * Begins a session of the operator's in a user's name, and tells the company's admins. It ends no other session, none
 * ends it but the user, the operator and the clock, and nothing renews it.
 * @throws DomainError `ERR_NO_USER_FOUND`, `ERR_IMPERSONATION_REFUSED`
 */
export async function beginActing(
  db: Db,
  {
    operator,
    company,
    now,
    ...given
  }: {
    operator: Pick<Principal, 'userId' | 'name'> & { sessionId: number }
    company: Pick<Company, 'id' | 'language' | 'timeZone'>
    userId: number
    reason: string
    readOnly: boolean
    userAgent: string | null
    address: string | null
    now: Date
  },
): Promise<{ session: SessionRow; announcementId: number }> {
  const { userId, reason, readOnly } = given
  return db.transaction(async (tx) => {
    if ((await readSetting(tx, company.id, 'supportAccess')) === 'disabled')
      throw new DomainError('ERR_IMPERSONATION_REFUSED')
    const [user] = await tx
      .update(users)
      .set({ tokenVersion: sql`${users.tokenVersion} + 1` })
      .where(and(eq(users.id, userId), eq(users.companyId, company.id), eq(users.super, false)))
      .returning({ tokenVersion: users.tokenVersion, name: users.name })
    if (!user) throw new DomainError('ERR_NO_USER_FOUND')
    const expiresAt = new Date(now.getTime() + ACTING_SECONDS * 1_000)
    const [session] = await tx
      .insert(sessions)
      .values({
        ...given,
        companyId: company.id,
        tokenVersion: user.tokenVersion,
        createdAt: now,
        lastSeenAt: now,
        expiresAt,
        operatorId: operator.userId,
        operatorName: operator.name,
        operatorSessionId: operator.sessionId,
      })
      .returning()
    const until = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short', timeZone: company.timeZone }).format(expiresAt)
    const words = visitWords[company.language]({ operator: operator.name, user: user.name, reason, until, readOnly })
    const [announcement] = await tx
      .insert(announcements)
      .values({
        ...words,
        priority: 1,
        companyIds: [company.id],
        profiles: ['admin'],
        isVisit: true,
        endsAt: new Date(now.getTime() + TOLD_DAYS * 24 * 3600_000),
      })
      .returning({ id: announcements.id })
    return { session: session!, announcementId: announcement!.id }
  })
}

/** Ends what operators have begun in a company: it lets them in no more. @returns whose sessions those were */
export async function endActing(
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<{ userId: number; tokenVersion: number }[]> {
  return tx
    .update(sessions)
    .set({ endedAt: now, endedBy: 'remote', refreshHash: null })
    .where(and(eq(sessions.companyId, companyId), isNotNull(sessions.operatorId), lasts(now)))
    .returning({ userId: sessions.userId, tokenVersion: sessions.tokenVersion })
}
