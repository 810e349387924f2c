import { and, asc, eq, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { covers, type Principal, type Rights } from '../../schema/permissions.ts'
import { MOST_ROLES } from '../../schema/roles/roles.inputs.ts'
import { type Role, roles } from '../../schema/roles/roles.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** So many of the people who have a role are named; all are counted. */
const MOST_NAMED = 20

const columns = {
  id: roles.id,
  name: roles.name,
  permissions: roles.permissions,
  ticketScope: roles.ticketScope,
  maskNumbers: roles.maskNumbers,
  users: sql<number>`(SELECT count(*)::int FROM ${users} u WHERE u."roleId" = "roles"."id")`,
  people: sql<{ id: number; name: string }[]>`(SELECT coalesce(json_agg(p), '[]') FROM (
    SELECT u."id", u."name" FROM ${users} u WHERE u."roleId" = "roles"."id" ORDER BY u."name", u."id" LIMIT ${sql.raw(String(MOST_NAMED))}) p)`,
  createdAt: roles.createdAt,
  updatedAt: roles.updatedAt,
}

/** A company's roles by name, with who has them. */
export const listRoles = (db: Db, companyId: number) =>
  db.select(columns).from(roles).where(eq(roles.companyId, companyId)).orderBy(asc(roles.name)).limit(MOST_ROLES)

/** @throws DomainError `ERR_NO_ROLE_FOUND` when the company has no such role */
export async function needRole(db: Db | Tx, companyId: number, id: number) {
  const [row] = await db
    .select(columns)
    .from(roles)
    .where(and(eq(roles.companyId, companyId), eq(roles.id, id)))
  if (!row) throw new DomainError('ERR_NO_ROLE_FOUND')
  return row
}

/**
 * A role that stays what it is until the commit.
 * @throws DomainError `ERR_NO_ROLE_FOUND`
 */
export async function lockRole(tx: Tx, companyId: number, id: number, lock: 'share' | 'update'): Promise<Role> {
  const [row] = await tx
    .select()
    .from(roles)
    .where(and(eq(roles.companyId, companyId), eq(roles.id, id)))
    .for(lock)
  if (!row) throw new DomainError('ERR_NO_ROLE_FOUND')
  return row
}

/**
 * Nobody gives what they do not have.
 * @throws DomainError `ERR_ROLE_GRANT`
 */
export function demandCovers(who: Principal, rights: Rights): void {
  if (!covers(who, rights)) throw new DomainError('ERR_ROLE_GRANT')
}

/** The rights of a role by itself. */
export const rightsOf = ({
  id,
  permissions,
  ticketScope,
  maskNumbers,
}: Pick<Role, 'id' | 'permissions' | 'ticketScope' | 'maskNumbers'>): Rights => ({
  profile: 'user',
  role: { id, permissions, ticketScope, maskNumbers },
})

export async function usersOfRole(db: Db, companyId: number, roleId: number): Promise<number[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.roleId, roleId)))
  return rows.map(({ id }) => id)
}
