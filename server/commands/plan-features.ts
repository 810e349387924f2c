import { eq, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** Whether the operator has taken campaigns from a company whose plan has them. */
const campaignsTaken = sql<boolean>`EXISTS (SELECT FROM ${settings} WHERE ${settings.companyId} = ${companies.id}
  AND ${settings.key} = 'campaignsEnabled' AND ${settings.value} = 'false')`

/**
 * Refuses what the company's plan, or the operator, leaves out.
 * @throws DomainError `ERR_PLAN_FEATURE` with `feature`
 */
export async function demandFeature(db: Db | Tx, companyId: number, feature: PlanFeature): Promise<void> {
  const [plan] = await db
    .select({ has: plans[feature], taken: feature === 'useCampaigns' ? campaignsTaken : sql<boolean>`FALSE` })
    .from(companies)
    .leftJoin(plans, eq(plans.id, companies.planId))
    .where(eq(companies.id, companyId))
  if (plan && (plan.has === false || plan.taken)) throw new DomainError('ERR_PLAN_FEATURE', { feature })
}
