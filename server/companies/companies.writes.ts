import { and, eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { publicSettingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { offered } from './companies.queries.ts'

/**
 * A company with its first admin, who has its name and e-mail, and its settings. A name or e-mail that is taken breaks a
 * rule of the database (`ERR_COMPANY_ALREADY_EXISTS`, `ERR_DUPLICATED_EMAIL`).
 */
export async function makeCompany(
  tx: Tx,
  given: Omit<typeof companies.$inferInsert, 'id' | 'email'> & {
    email: string
    passwordHash: string
    /** Of its first admin, where it is not that of the company. */
    userName?: string | undefined
    /** False where it was made of chance. */
    passwordIsKnown?: boolean
    now: Date
  },
) {
  const { passwordHash, passwordIsKnown = true, userName, now, ...own } = given
  const { email } = own
  const [company] = await tx
    .insert(companies)
    .values({ ...own, createdAt: now, updatedAt: now })
    .returning({ id: companies.id, name: companies.name, dueDate: companies.dueDate })
  const companyId = company!.id
  const [user] = await tx
    .insert(users)
    .values({
      companyId,
      name: userName ?? own.name,
      email,
      passwordHash,
      passwordIsKnown,
      profile: 'admin',
      allTicket: true,
    })
    .returning({ id: users.id, email: users.email })
  await tx
    .insert(settings)
    .values(publicSettingKeys.map((key) => ({ companyId, key, value: settingRules[key].default, updatedAt: now })))
  return { company: company!, user: user! }
}

/**
 * A company that signs itself up.
 * @param dueDate last valid day, `YYYY-MM-DD`
 * @throws DomainError `ERR_NO_PLAN_FOUND` for a plan that is not offered; and what `makeCompany` throws
 */
export async function signUp(
  db: Db,
  given: Pick<typeof companies.$inferInsert, 'name' | 'phone' | 'timeZone' | 'language' | 'callingCode' | 'dueDate'> & {
    email: string
    planId: number
    userName?: string | undefined
    passwordHash: string
    now: Date
  },
) {
  return db.transaction(async (tx) => {
    const [plan] = await tx
      .select({ id: plans.id })
      .from(plans)
      .where(and(offered, eq(plans.id, given.planId)))
    if (!plan) throw new DomainError('ERR_NO_PLAN_FOUND')
    return makeCompany(tx, { ...given, trialUntil: given.dueDate ?? null })
  })
}
