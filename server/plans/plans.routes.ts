import { asc, eq, sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { changedPlan, newPlan, type PlanInput, priceText } from '../../schema/plans/plans.inputs.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { offeredPlans, planColumns } from '../companies/companies.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demandSuper } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { invoicesChanged } from '../invoices/invoices.due.ts'
import { reprice } from '../invoices/invoices.settle.ts'

const tags = ['plans']

/** How many companies have the plan. */
const companiesOf = sql<number>`(SELECT count(*)::int FROM ${companies} WHERE ${companies.planId} = "plans"."id")`

/** The plans of the platform; what each leaves out is refused where it is asked for. */
export function planRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  const need = async (id: number) => {
    const [plan] = await db
      .select({ ...planColumns, companies: companiesOf })
      .from(plans)
      .where(eq(plans.id, id))
    if (!plan) throw new DomainError('ERR_NO_PLAN_FOUND')
    return plan
  }
  const stored = ({ value, name, ...rest }: Partial<PlanInput>) => ({
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(value !== undefined && { value: priceText(value) }),
  })

  return new Elysia({ prefix: '/plans' })
    .use(authed(deps))
    .get(
      '/all',
      ({ who }) =>
        who.super
          ? db
              .select({ ...planColumns, companies: companiesOf })
              .from(plans)
              .orderBy(asc(plans.value), asc(plans.id))
              .limit(1_000)
          : offeredPlans(db),
      { detail: { tags, summary: 'All plans, for the operator; for others those that are offered' } },
    )
    .get(
      '/:id',
      ({ who, params }) => {
        demandSuper(who)
        return need(params.id)
      },
      { params: idParams, detail: { tags, summary: 'One plan' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demandSuper(who)
        const { name } = body
        const [row] = await db
          .insert(plans)
          .values({ ...stored(body), name: name.trim(), createdAt: now(), updatedAt: now() })
          .returning({ id: plans.id })
        return need(row!.id)
      },
      { body: newPlan, detail: { tags, summary: 'Make a plan' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demandSuper(who)
        await need(params.id)
        const repriced = await db.transaction(async (tx) => {
          await tx
            .update(plans)
            .set({ ...stored(body), updatedAt: now() })
            .where(eq(plans.id, params.id))
          return reprice(tx, { planId: params.id }, now())
        })
        for (const companyId of repriced) invoicesChanged(events, companyId)
        return need(params.id)
      },
      {
        params: idParams,
        body: changedPlan,
        detail: {
          tags,
          summary: 'Change a plan; a lowered limit takes nothing away, and what is not paid yet costs the new price',
        },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demandSuper(who)
        await db.transaction(async (tx) => {
          const [plan] = await tx.select({ id: plans.id }).from(plans).where(eq(plans.id, params.id)).for('update')
          if (!plan) throw new DomainError('ERR_NO_PLAN_FOUND')
          const count = await tx.$count(companies, eq(companies.planId, plan.id))
          if (count > 0) throw new DomainError('ERR_PLAN_IN_USE', { companies: count })
          await tx.delete(plans).where(eq(plans.id, plan.id))
        })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a plan that no company has' } },
    )
}
