import { and, asc, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { type TwoFactorRule, twoFactorDue } from '../../schema/auth/two-factor.ts'
import {
  isOnTrial,
  OPERATOR_COMPANY_ID,
  type Subscription,
  standingOf,
} from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { oidcProviders } from '../../schema/oidc/oidc.table.ts'
import { type Principal, principalFrom } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { networksOf } from '../../schema/settings/settings.networks.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { passkeys } from '../../schema/users/passkeys.table.ts'
import { type SessionEnd, type SessionRow, sessions } from '../../schema/users/sessions.table.ts'
import { twoFactors } from '../../schema/users/two-factor.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { userWire } from '../../schema/wire.ts'
import type { Db, Tx } from '../db/database.ts'
import { listSettings } from '../settings/settings.queries.ts'

/** That a session is the operator's, who works in the user's name. */
export interface Acting {
  operatorId: number
  operatorSessionId: number
  name: string
  reason: string
  readOnly: boolean
}

export interface Access {
  who: Principal
  tokenVersion: number
  /** Those that are open; their time may be up. */
  sessions: { id: number; tokenVersion: number; expiresAt: Date; acting: Acting | null }[]
  twoFactor: {
    /** By an app, or by a device's key. */
    enabled: boolean
    /** From then on the person is let in only with it; null where nobody asks for it. */
    due: Date | null
  }
  /** From which people are let in; none: from anywhere. */
  networks: string[]
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
      open: sql<{ id: number; tokenVersion: number; expiresAt: number; acting: Acting | null }[]>`(
        SELECT coalesce(json_agg(json_build_object('id', s."id", 'tokenVersion', s."tokenVersion",
          'expiresAt', extract(epoch FROM s."expiresAt") * 1000, 'acting', CASE WHEN s."operatorId" IS NOT NULL THEN
            json_build_object('operatorId', s."operatorId", 'operatorSessionId', s."operatorSessionId",
              'name', s."operatorName", 'reason', s."reason", 'readOnly', s."readOnly") END)), '[]')
        FROM ${sessions} s WHERE s."userId" = ${users.id} AND s."endedAt" IS NULL)`,
      enabledAt: twoFactors.enabledAt,
      hasPasskey: sql<boolean>`EXISTS (SELECT FROM ${passkeys} k WHERE k."userId" = ${users.id})`,
      role: {
        id: roles.id,
        permissions: roles.permissions,
        ticketScope: roles.ticketScope,
        maskNumbers: roles.maskNumbers,
      },
      rules: sql<{ key: string; value: string; since: number }[]>`(
        SELECT coalesce(json_agg(json_build_object('key', r."key", 'value', r."value",
          'since', extract(epoch FROM r."updatedAt") * 1000)), '[]')
        FROM ${settings} r WHERE (r."companyId" = ${users.companyId} AND r."key" IN ('require2fa', 'ipAllowList', 'maskNumbers'))
          OR (r."companyId" = ${OPERATOR_COMPANY_ID} AND r."key" = 'requireOperator2fa'))`,
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .leftJoin(twoFactors, eq(twoFactors.userId, users.id))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(eq(users.id, userId))
  if (!row) return undefined
  const { user, company, queueIds, open, enabledAt, hasPasskey, rules, role } = row
  const ruleOf = (key: string, all?: string): { rule: TwoFactorRule; since: Date } | undefined => {
    const found = rules.find((rule) => rule.key === key)
    return found && { rule: (all === found.value ? 'all' : found.value) as TwoFactorRule, since: new Date(found.since) }
  }
  const person = { profile: user.profile, role, userSince: user.createdAt }
  const asked = [
    twoFactorDue(ruleOf('require2fa'), person),
    user.super ? twoFactorDue(ruleOf('requireOperator2fa', 'enabled'), person) : null,
  ].filter((due) => due !== null)
  return {
    tokenVersion: user.tokenVersion,
    sessions: open.map((session) => ({ ...session, expiresAt: new Date(session.expiresAt) })),
    twoFactor: {
      enabled: enabledAt !== null || hasPasskey,
      due: asked.length === 0 ? null : new Date(Math.min(...asked.map(Number))),
    },
    networks: networksOf(rules.find(({ key }) => key === 'ipAllowList')?.value ?? ''),
    company,
    who: principalFrom(user, queueIds, role, rules.find(({ key }) => key === 'maskNumbers')?.value === 'enabled'),
  }
}

/** The user as login, refresh and `GET /auth/me` answer it. */
export async function loadSessionUser(db: Db, who: Pick<Principal, 'userId' | 'companyId' | 'super'>, now: Date) {
  const [row] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      profile: users.profile,
      super: users.super,
      companyId: users.companyId,
      role: {
        id: roles.id,
        name: roles.name,
        permissions: roles.permissions,
        ticketScope: roles.ticketScope,
        maskNumbers: roles.maskNumbers,
      },
      whatsappId: users.whatsappId,
      allTicket: users.allTicket,
      company: {
        id: companies.id,
        name: companies.name,
        status: companies.status,
        dueDate: companies.dueDate,
        trialUntil: companies.trialUntil,
        timeZone: companies.timeZone,
        language: companies.language,
        callingCode: companies.callingCode,
      },
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.id, who.userId), eq(users.companyId, who.companyId)))
  if (!row) return undefined
  const { status: _status, trialUntil: _trialUntil, ...company } = row.company
  const [ownQueues, access, ownSettings] = await Promise.all([
    db
      .select({ id: queues.id, name: queues.name, color: queues.color })
      .from(userQueues)
      .innerJoin(queues, eq(queues.id, userQueues.queueId))
      .where(eq(userQueues.userId, who.userId))
      .orderBy(asc(queues.id)),
    loadAccess(db, who.userId),
    listSettings(db, who.companyId, { global: false }),
  ])
  return {
    ...userWire.write(row),
    company: {
      ...company,
      isOver: !who.super && standingOf(row.company, now) === 'over',
      onTrial: isOnTrial(row.company),
      settings: ownSettings,
    },
    /** Whether logins need a code, and from when on they must. */
    twoFactor: { enabled: access?.twoFactor.enabled ?? false, requiredFrom: access?.twoFactor.due ?? null },
    queues: ownQueues,
    queueIds: ownQueues.map(({ id }) => id),
  }
}
export type SessionUser = NonNullable<Awaited<ReturnType<typeof loadSessionUser>>>

/** Who logs in with this e-mail, whatever its case. */
export const findByEmail = (db: Db, email: string) =>
  findForLogin(db, sql`lower(${users.email}) = ${email.toLowerCase()}`)
/** The same, of whom the first half of a login has named. */
export const findById = (db: Db, id: number) => findForLogin(db, eq(users.id, id))
export type LoginUser = NonNullable<Awaited<ReturnType<typeof findByEmail>>>

async function findForLogin(db: Db, which: SQL) {
  const [row] = await db
    .select({
      user: users,
      role: {
        id: roles.id,
        permissions: roles.permissions,
        ticketScope: roles.ticketScope,
        maskNumbers: roles.maskNumbers,
      },
      company: { id: companies.id, status: companies.status, dueDate: companies.dueDate, timeZone: companies.timeZone },
      provider: { ssoOnly: oidcProviders.ssoOnly, breakGlassUserId: oidcProviders.breakGlassUserId },
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .leftJoin(oidcProviders, eq(oidcProviders.companyId, users.companyId))
    .where(which)
  return row && { company: row.company, provider: row.provider, user: { ...row.user, role: row.role } }
}

/** Whether a session lasts at `now`. */
export const lasts = (now: Date) => and(isNull(sessions.endedAt), gt(sessions.expiresAt, now))

/** Sessions of one user that are remembered, the one that is open among them. */
export const MOST_KEPT = 20

export async function ownLoginOf(
  db: Db | Tx,
  userId: number,
): Promise<{ email: string; passwordHash: string } | undefined> {
  const [row] = await db
    .select({ email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
  return row
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
    .where(and(eq(sessions.userId, userId), isNull(sessions.operatorId), gt(sessions.id, ended.id)))
    .orderBy(asc(sessions.id))
    .limit(1)
  return { endedBy: ended.endedBy, next }
}

/** Where and when a user was signed in, the latest first. */
export const listSessions = (db: Db, userId: number): Promise<SessionRow[]> =>
  db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.id)).limit(MOST_KEPT)
