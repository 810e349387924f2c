import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { oidcSubjects } from '../../schema/oidc/oidc.table.ts'
import { passkeys } from '../../schema/users/passkeys.table.ts'
import { twoFactors } from '../../schema/users/two-factor.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { withQueues } from '../queues/queues.queries.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const USERS_PER_PAGE = 20

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  profile: users.profile,
  roleId: users.roleId,
  super: users.super,
  companyId: users.companyId,
  allTicket: users.allTicket,
  whatsappId: users.whatsappId,
  capacity: users.capacity,
  skillIds: users.skillIds,
  awayAt: users.awayAt,
  awayUntil: users.awayUntil,
  online: users.online,
  lastSeenAt: users.lastSeenAt,
  /** Whether they have an app or a device's key for their logins. */
  twoFactor: sql<boolean>`(EXISTS (SELECT FROM ${twoFactors} f WHERE f."userId" = ${users.id} AND f."enabledAt" IS NOT NULL)
    OR EXISTS (SELECT FROM ${passkeys} k WHERE k."userId" = ${users.id}))`,
  /** Whether the company's provider knows them. */
  providerLinked: sql<boolean>`EXISTS (SELECT FROM ${oidcSubjects} o WHERE o."userId" = ${users.id})`,
  /** Whether nobody has come in as them yet, nor chosen a password. */
  invited: sql<boolean>`(NOT ${users.passwordIsKnown} AND ${users.lastSeenAt} IS NULL)`,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
}

type Selected = Pick<
  typeof users.$inferSelect,
  Exclude<keyof typeof columns, 'twoFactor' | 'providerLinked' | 'invited'>
> & {
  twoFactor: boolean
  providerLinked: boolean
  invited: boolean
}

const dressed = (db: Db | Tx, companyId: number, rows: Selected[]) => withQueues(db, companyId, 'users', rows)
export type UserRow = Awaited<ReturnType<typeof dressed>>[number]

/** Whether `who` sees the e-mails and rights of colleagues. */
export const seesAll = (who: Principal) => can(who, 'users:write')

/** What colleagues see of each other; admins, and everybody of themselves, see all. */
export function shownTo(who: Principal, user: UserRow) {
  if (seesAll(who) || who.userId === user.id) return user
  const { id, name, profile, companyId, online, awayAt, awayUntil, queues: own, queueIds } = user
  return { id, name, profile, companyId, online, awayAt, awayUntil, queues: own, queueIds }
}

export async function listUsers(
  db: Db,
  companyId: number,
  {
    search,
    byEmail,
    pageNumber,
  }: {
    search: string | undefined
    /** Whether e-mails are searched, too: only for those who see them. The count would tell whose matches. */
    byEmail: boolean
    pageNumber: number
  },
) {
  const pattern = search && anywhere(search)
  const where = and(
    eq(users.companyId, companyId),
    pattern
      ? or(
          sql`plain(${users.name}) LIKE plain(${pattern})`,
          byEmail ? sql`lower(${users.email}) LIKE lower(${pattern})` : undefined,
        )
      : undefined,
  )
  // A search is counted as it is made: a letter that many names hold looks at each person once.
  const found = await db
    .select({ id: users.id, count: pattern ? sql<number>`count(*) OVER ()::int` : sql<null>`NULL` })
    .from(users)
    .where(where)
    .orderBy(asc(users.name), asc(users.id))
    .limit(USERS_PER_PAGE + 1)
    .offset((pageNumber - 1) * USERS_PER_PAGE)
  const ids = found.slice(0, USERS_PER_PAGE).map(({ id }) => id)
  // What else is told of people is read for those of the page only, not for all before it.
  const [rows, count] = await Promise.all([
    db.select(columns).from(users).where(inArray(users.id, ids)).orderBy(asc(users.name), asc(users.id)),
    found[0]?.count ?? db.$count(users, where),
  ])
  return { users: await dressed(db, companyId, rows), count, hasMore: found.length > USERS_PER_PAGE }
}

export async function allUsers(db: Db, companyId: number): Promise<UserRow[]> {
  return dressed(
    db,
    companyId,
    await db.select(columns).from(users).where(eq(users.companyId, companyId)).orderBy(asc(users.name), asc(users.id)),
  )
}

export async function findUser(db: Db | Tx, companyId: number, id: number): Promise<UserRow | undefined> {
  const rows = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.id, id)))
  return (await dressed(db, companyId, rows))[0]
}

/** @throws DomainError `ERR_NO_WAPP_FOUND` when it is not the company's */
export async function demandConnection(
  tx: Tx,
  companyId: number,
  whatsappId: number | null | undefined,
): Promise<void> {
  if (whatsappId === null || whatsappId === undefined) return
  const [found] = await tx
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, whatsappId)))
  if (!found) throw new DomainError('ERR_NO_WAPP_FOUND')
}

/**
 * The last admin stays one. The company's admins stay locked until the commit, so that two cannot leave at once.
 * @throws DomainError `ERR_LAST_ADMIN`
 */
export async function demandOtherAdmin(tx: Tx, companyId: number, userId: number): Promise<void> {
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.profile, 'admin')))
    .orderBy(asc(users.id))
    .for('update')
  if (!admins.some(({ id }) => id !== userId)) throw new DomainError('ERR_LAST_ADMIN')
}
