import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../schema/companies/companies.table.ts'
import { type PlanFeature, planFeatures } from '../schema/plans/plans.features.ts'
import { plans } from '../schema/plans/plans.table.ts'
import { attempts, type World } from './support/attempts.ts'
import { betweenCompanies, tokenAt } from './support/between-companies.ts'
import { PASSWORD, type TestApp } from './support/app.ts'

/** What a plan leaves out is refused at every route of it, to an admin whose call is good. */
let t: TestApp
let world: World
betweenCompanies((app, both) => {
  t = app
  world = both
})

/**
 * What belongs to each feature, by the beginning of its address. Programs that send to many note who wants no more of it,
 * with campaigns or without.
 */
const featureAt: Record<PlanFeature, RegExp> = {
  useCampaigns: /^\/(campaigns|campaign-settings|contact-lists|contact-list-items|segments|opt-outs)\b/,
  useSchedules: /^\/schedules\b/,
  useInternalChat: /^\/chats\b/,
  useExternalApi: /^\/(api|api-keys|webhooks)\b/,
  useKanban: /^\/(tags\/kanban|ticket\/kanban|ticket-tags)\b/,
  useOpenAi: /^\/prompt\b/,
  useIntegrations: /^\/queueIntegration\b/,
}

for (const feature of planFeatures)
  test(`a plan without ${feature}`, async () => {
    const { company } = world.stranger
    const { db } = t.database
    const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email, PASSWORD)
    const [own] = await db.select().from(companies).where(eq(companies.id, company.id))
    const switched = async (on: boolean) => {
      await db
        .update(plans)
        .set({ [feature]: on })
        .where(eq(plans.id, own!.planId!))
      t.deps.facts.forget(company.id)
    }
    await switched(false)
    const told: string[] = []
    const wanted: string[] = []
    for (const [route, tries] of Object.entries(attempts(world)))
      for (const { path, body, form } of tries) {
        if (!featureAt[feature].test(path)) continue
        const method = route.split(' ')[0]!
        const reply = await t.call(method, path, { token: tokenAt(world, path, admin), body, ...(form && { form }) })
        told.push(`${method} ${path} ${reply.status} ${reply.body?.error} ${reply.body?.feature}`)
        wanted.push(`${method} ${path} 403 ERR_PLAN_FEATURE ${feature}`)
      }
    await switched(true)
    expect(wanted.length).toBeGreaterThan(0)
    expect(told).toEqual(wanted)
  })
