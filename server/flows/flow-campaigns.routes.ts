import { and, asc, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedFlowCampaign, newFlowCampaign, phraseKey } from '../../schema/flows/flows.edits.inputs.ts'
import { type FlowCampaign, flowCampaigns, flows } from '../../schema/flows/flows.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import { violates } from '../commands/apply.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { demandFlow } from './flows.queries.ts'

const tags = ['flows']

/** Phrases that begin a flow, "flow campaigns" to other programs of the family. */
export function flowCampaignRoutes(deps: AppDeps) {
  const { db, now } = deps
  const one = (who: Principal, id: number) => and(eq(flowCampaigns.companyId, who.companyId), eq(flowCampaigns.id, id))

  const need = async (who: Principal, id: number): Promise<FlowCampaign> => {
    const [row] = await db.select().from(flowCampaigns).where(one(who, id))
    if (!row) throw new DomainError('ERR_NO_FLOW_CAMPAIGN_FOUND')
    return row
  }
  /** That flow and connection are the company's own. */
  const demandOwn = async (who: Principal, flowId: number | undefined, whatsappId: number | null | undefined) => {
    if (flowId !== undefined) await demandFlow(db, who.companyId, flowId)
    if (whatsappId == null) return
    const [found] = await db
      .select({ id: whatsapps.id })
      .from(whatsapps)
      .where(and(eq(whatsapps.companyId, who.companyId), eq(whatsapps.id, whatsappId)))
    if (!found) throw new DomainError('ERR_NO_WAPP_FOUND')
  }
  const once = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw violates(error, 'flow_campaigns_phrase') ? new DomainError('ERR_FLOW_PHRASE_ALREADY_EXISTS') : error
    }
  }

  /** Who has the list of phrases open sees it as it is. */
  const emit = ({ companyId }: Principal, action: string, id: number) =>
    deps.events.emit({ companyId, name: 'flowCampaign', action, payload: { flowCampaign: { id } } })

  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .get(
      '/flowcampaign',
      async ({ who }) => {
        demand(who, 'automations:write')
        const rows = await db
          .select({ campaign: flowCampaigns, flowName: flows.name })
          .from(flowCampaigns)
          .innerJoin(flows, eq(flows.id, flowCampaigns.flowId))
          .where(eq(flowCampaigns.companyId, who.companyId))
          .orderBy(asc(flowCampaigns.name), asc(flowCampaigns.id))
        return { flow: rows.map(({ campaign, flowName }) => ({ ...campaign, flowName })) }
      },
      { detail: { tags, summary: 'The phrases that begin a flow' } },
    )
    .get(
      '/flowcampaign/:id',
      async ({ who, params }) => {
        demand(who, 'automations:write')
        return need(who, params.id)
      },
      { params: idParams, detail: { tags, summary: 'One phrase' } },
    )
    .post(
      '/flowcampaign',
      async ({ who, body }) => {
        demand(who, 'automations:write')
        await demandOwn(who, body.flowId, body.whatsappId)
        const [row] = await once(
          db
            .insert(flowCampaigns)
            .values({
              companyId: who.companyId,
              name: body.name.trim(),
              flowId: body.flowId,
              whatsappId: body.whatsappId ?? null,
              phrase: body.phrase.trim(),
              phraseKey: phraseKey(body.phrase),
              status: body.status ?? true,
              createdAt: now(),
              updatedAt: now(),
            })
            .returning(),
        )
        emit(who, 'create', row!.id)
        return row!
      },
      { body: newFlowCampaign, detail: { tags, summary: 'Let a phrase begin a flow' } },
    )
    .put(
      '/flowcampaign',
      async ({ who, body }) => {
        demand(who, 'automations:write')
        const { id, name, phrase, ...rest } = body
        await need(who, id)
        await demandOwn(who, rest.flowId, rest.whatsappId)
        await once(
          db
            .update(flowCampaigns)
            .set({
              ...rest,
              ...(name !== undefined && { name: name.trim() }),
              ...(phrase !== undefined && { phrase: phrase.trim(), phraseKey: phraseKey(phrase) }),
              updatedAt: now(),
            })
            .where(one(who, id)),
        )
        emit(who, 'update', id)
        return need(who, id)
      },
      { body: changedFlowCampaign, detail: { tags, summary: 'Change a phrase' } },
    )
    .delete(
      '/flowcampaign/:id',
      async ({ who, params }) => {
        demand(who, 'automations:write')
        // The permission that the family asks for a phrase, as for a contact.
        demand(who, 'contacts-page:deleteContact')
        await need(who, params.id)
        await db.delete(flowCampaigns).where(one(who, params.id))
        emit(who, 'delete', params.id)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a phrase' } },
    )
}
