import { and, arrayContains, asc, eq, inArray, or } from 'drizzle-orm'
import { type Permission, profilesHolding } from '../../schema/permissions.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'

/**
 * Whoever holds a permission in a company, by their profile or by a role.
 * @param most so many at most, those who were there first
 * @returns their ids
 */
export async function holdersOf(
  db: Db | Tx,
  companyId: number,
  permission: Permission,
  most: number,
): Promise<number[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.companyId, companyId),
        or(inArray(users.profile, [...profilesHolding(permission)]), arrayContains(roles.permissions, [permission])),
      ),
    )
    .orderBy(asc(users.id))
    .limit(most)
  return rows.map(({ id }) => id)
}
