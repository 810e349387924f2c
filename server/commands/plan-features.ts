import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import type { Db, Tx } from '../db/database.ts'

/**
 * Refuses what the company's plan leaves out.
 * @throws DomainError `ERR_PLAN_FEATURE` with `feature`
 */
export async function demandFeature(db: Db | Tx, companyId: number, feature: PlanFeature): Promise<void> {
  const [plan] = await db
    .select({ has: plans[feature] })
    .from(companies)
    .innerJoin(plans, eq(plans.id, companies.planId))
    .where(eq(companies.id, companyId))
  if (plan && !plan.has) throw new DomainError('ERR_PLAN_FEATURE', { feature })
}
