import { eq } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'

const counted = {
  users: [users, plans.users],
  connections: [whatsapps, plans.connections],
  queues: [queues, plans.queues],
} as const

/**
 * Refuses one more where the plan allows no more. The company's row stays locked until the commit, so that two
 * creations at once cannot both be the last allowed. A company without a plan has no limits.
 * @throws DomainError `ERR_PLAN_LIMIT` with `limit`, and `what` there are so many of
 */
export async function demandRoom(tx: Tx, companyId: number, what: keyof typeof counted): Promise<void> {
  const [table, limitColumn] = counted[what]
  await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update')
  const [plan] = await tx
    .select({ limit: limitColumn })
    .from(companies)
    .innerJoin(plans, eq(plans.id, companies.planId))
    .where(eq(companies.id, companyId))
  if (!plan) return
  if ((await countOf(tx, companyId, table)) >= plan.limit)
    throw new DomainError('ERR_PLAN_LIMIT', { limit: plan.limit, what })
}

const countOf = (db: Db | Tx, companyId: number, table: (typeof counted)[keyof typeof counted][0]): Promise<number> =>
  db.$count(table as PgTable, eq(table.companyId, companyId))

/** How many a company has of what its plan counts. */
export async function usedOf(db: Db, companyId: number): Promise<Record<keyof typeof counted, number>> {
  const [users, connections, queues] = await Promise.all([
    countOf(db, companyId, counted.users[0]),
    countOf(db, companyId, counted.connections[0]),
    countOf(db, companyId, counted.queues[0]),
  ])
  return { users, connections, queues }
}
