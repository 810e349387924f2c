import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { type FlowDefaultsInput, flowDefaultsInput } from '../../schema/flows/flows.edits.inputs.ts'
import { flowDefaults } from '../../schema/flows/flows.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { demandFlow } from './flows.queries.ts'

const tags = ['flows']

/** The flows that begin by themselves. `flowIdPhrase` is written and `flowIdNotPhrase` read: one column. */
export function flowDefaultRoutes(deps: AppDeps) {
  const { db, now } = deps

  const read = async (who: Principal) => {
    const [row] = await db.select().from(flowDefaults).where(eq(flowDefaults.companyId, who.companyId))
    return { flow: row ?? null }
  }
  const write = async (who: Principal, { flowIdWelcome, flowIdPhrase }: FlowDefaultsInput) => {
    demand(who, 'automations:write')
    for (const id of [flowIdWelcome, flowIdPhrase]) if (id !== null) await demandFlow(db, who.companyId, id)
    const values = { flowIdWelcome, flowIdNotPhrase: flowIdPhrase, updatedAt: now() }
    await db
      .insert(flowDefaults)
      .values({ companyId: who.companyId, ...values })
      .onConflictDoUpdate({ target: flowDefaults.companyId, set: values })
    return read(who)
  }

  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .get(
      '/flowdefault',
      ({ who }) => {
        demand(who, 'automations:write')
        return read(who)
      },
      { detail: { tags, summary: 'The flows that begin by themselves; null where none was ever chosen' } },
    )
    .post('/flowdefault', ({ who, body }) => write(who, body), {
      body: flowDefaultsInput,
      detail: { tags, summary: 'Choose the flows that begin by themselves' },
    })
    .put('/flowdefault', ({ who, body }) => write(who, body), {
      body: flowDefaultsInput,
      detail: { tags, summary: 'Choose the flows that begin by themselves' },
    })
}
