import { and, asc, eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { publicSettingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'

export const planColumns = {
  id: plans.id,
  name: plans.name,
  users: plans.users,
  connections: plans.connections,
  queues: plans.queues,
  value: plans.value,
  useCampaigns: plans.useCampaigns,
  useSchedules: plans.useSchedules,
  useInternalChat: plans.useInternalChat,
  useExternalApi: plans.useExternalApi,
  useKanban: plans.useKanban,
  useOpenAi: plans.useOpenAi,
  useIntegrations: plans.useIntegrations,
  useInternal: plans.useInternal,
}

/** What anybody may choose at sign-up. */
const offered = eq(plans.useInternal, true)

export const offeredPlans = (db: Db) =>
  db.select(planColumns).from(plans).where(offered).orderBy(asc(plans.value), asc(plans.id))

/**
 * A company with its first admin, who has the company's name, and its settings.
 * @param dueDate last valid day, `YYYY-MM-DD`
 * @throws DomainError `ERR_NO_PLAN_FOUND` for a plan that is not offered; a name or e-mail that is taken breaks a
 * rule of the database (`ERR_COMPANY_ALREADY_EXISTS`, `ERR_DUPLICATED_EMAIL`)
 */
export async function signUp(
  db: Db,
  given: Pick<typeof companies.$inferInsert, 'name' | 'email' | 'phone' | 'language' | 'dueDate'> & {
    email: string
    planId: number
    passwordHash: string
    now: Date
  },
) {
  const { planId, passwordHash, now, name, email, ...own } = given
  return db.transaction(async (tx) => {
    const [plan] = await tx
      .select({ id: plans.id })
      .from(plans)
      .where(and(offered, eq(plans.id, planId)))
    if (!plan) throw new DomainError('ERR_NO_PLAN_FOUND')
    const [company] = await tx
      .insert(companies)
      .values({ ...own, name, email, planId, createdAt: now, updatedAt: now })
      .returning({ id: companies.id, name: companies.name, dueDate: companies.dueDate })
    const companyId = company!.id
    const [user] = await tx
      .insert(users)
      .values({ companyId, name, email, passwordHash, profile: 'admin', allTicket: true })
      .returning({ id: users.id, email: users.email })
    await tx
      .insert(settings)
      .values(publicSettingKeys.map((key) => ({ companyId, key, value: settingRules[key].default, updatedAt: now })))
    return { company: company!, user: user! }
  })
}
