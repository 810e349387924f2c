import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { beginAnchors } from '../audit/anchors.changes.ts'
import type { Db } from '../db/database.ts'
import type { Sealer } from '../seal.ts'
import { hashPassword } from './passwords.ts'
import { OPERATOR_COMPANY_ID, OPERATOR_COMPANY_NAME } from '../../schema/companies/companies.subscription.ts'

/**
 * The first start: the operator's company, a plan, and the operator. Does nothing where a company exists already.
 * @param password of the operator; a random one is made when undefined
 * @param sealer of the server: from now on it says what the audit logs hold
 * @returns the e-mail, and the password if it was made here: to be shown once; undefined when nothing was to be done
 */
export async function seedOperator(
  db: Db,
  { email, password }: { email: string; password: string | undefined },
  sealer: Sealer,
): Promise<{ email: string; password: string | undefined } | undefined> {
  const made = password === undefined ? randomBytes(12).toString('base64url') : undefined
  return db.transaction(async (tx) => {
    // Two servers may start on one empty database.
    await tx.execute(sql`LOCK TABLE ${companies} IN SHARE ROW EXCLUSIVE MODE`)
    const [found] = await tx.select({ id: companies.id }).from(companies).limit(1)
    if (found) return undefined
    const [plan] = await tx
      .insert(plans)
      // The operator's own. Nobody has decided yet what is sold, and at what price.
      .values({ name: 'Plano 1', users: 10, connections: 10, queues: 10, value: '30.00', useInternal: false })
      .returning({ id: plans.id })
    await tx.insert(companies).values({ id: OPERATOR_COMPANY_ID, name: OPERATOR_COMPANY_NAME, email, planId: plan!.id })
    await tx.execute(sql`SELECT setval(pg_get_serial_sequence('companies', 'id'), ${OPERATOR_COMPANY_ID})`)
    await tx.insert(users).values({
      companyId: OPERATOR_COMPANY_ID,
      name: 'Admin',
      email,
      passwordHash: await hashPassword(password ?? made!),
      passwordIsInitial: true,
      profile: 'admin',
      super: true,
      allTicket: true,
    })
    await beginAnchors(tx, sealer)
    return { email, password: made }
  })
}
