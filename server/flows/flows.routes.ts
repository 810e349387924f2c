import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedFlow, duplicatedFlow, madeFlow, postedFlow } from '../../schema/flows/flows.edits.inputs.ts'
import { hasErrors } from '../../schema/flows/flows.check.ts'
import { fromFamily, toFamily } from '../../schema/flows/flows.family.ts'
import { type FlowNode, newGraph, NEXT, START_ID } from '../../schema/flows/flows.graph.ts'
import { isFlowNode, MOST_NODES } from '../../schema/flows/flows.inputs.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import { type Flow, flowCampaigns, flows } from '../../schema/flows/flows.table.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import { violates } from '../commands/apply.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { flowFiles } from './flow-files.routes.ts'
import { flowRuns } from './flow-runs.routes.ts'
import { flowVersions } from './flow-versions.routes.ts'
import { problemsOf, publish } from './flows.publish.ts'
import { demandFlow, draftOf, freeName, listFlows, lockFlow } from './flows.queries.ts'
import { replaceDraft } from './flows.writes.ts'

const tags = ['flows']
const invalid = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/** What other programs of the family answer where a flow of that name is there. */
const nameTaken = () => Response.json('exist', { status: 402 })

/**
 * Nodes that come from outside of a draft: whole, each once, with a start.
 * @throws DomainError `ERR_VALIDATION`, `ERR_FLOW_SIZE`
 */
function soundNodes(given: readonly unknown[]): FlowNode[] {
  if (given.length > MOST_NODES) throw new DomainError('ERR_FLOW_SIZE', { limit: MOST_NODES })
  const wrong = given.findIndex((node) => !isFlowNode(node))
  if (wrong >= 0) throw invalid(`body/nodes/${wrong}`, 'not a node')
  const nodes = given as FlowNode[]
  if (new Set(nodes.map(({ id }) => id)).size < nodes.length) throw invalid('body/nodes', 'ids that are not unique')
  if (nodes.some(({ id, type }) => (type === 'start') !== (id === START_ID))) throw invalid('body/nodes', 'one start')
  return nodes.some(({ id }) => id === START_ID) ? nodes : [...newGraph().nodes, ...nodes]
}

const mayWrite = (who: Principal) => demand(who, 'automations:write')

/** Conversations that are drawn, "flowbuilder" to other programs of the family. */
export const flowRoutes = (deps: AppDeps) =>
  new Elysia()
    .use(drawings(deps))
    .use(familyForm(deps))
    .use(flowFiles(deps))
    .use(flowVersions(deps))
    .use(flowRuns(deps))

/** Flows by their names: what each holds is its draft. */
function drawings(deps: AppDeps) {
  const { db, now } = deps
  const ofCompany = (who: Principal, id: number) => and(eq(flows.companyId, who.companyId), eq(flows.id, id))

  /** Does it, or says that the name is taken as other programs of the family do. */
  const orTaken = async (work: Promise<Flow>): Promise<Flow | Response> => {
    try {
      return await work
    } catch (error) {
      if (violates(error, 'flows_name')) return nameTaken()
      throw error
    }
  }
  const make = (who: Principal, name: (tx: Parameters<typeof freeName>[0]) => Promise<string>, nodes: FlowNode[]) =>
    db.transaction(async (tx) => {
      const at = now()
      const [flow] = await tx
        .insert(flows)
        .values({ companyId: who.companyId, name: await name(tx), createdAt: at, updatedAt: at })
        .returning()
      await replaceDraft(tx, flow!, nodes, { userId: who.userId, now: at })
      return flow!
    })

  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .get(
      '/flowbuilder',
      ({ who, query }) => {
        mayWrite(who)
        return listFlows(db, who.companyId, {
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
        })
      },
      { query: pageQuery, detail: { tags, summary: 'Flows by name, 20 a page' } },
    )
    .post(
      '/flowbuilder',
      async ({ who, body }) => {
        mayWrite(who)
        return orTaken(make(who, async () => body.name.trim(), soundNodes(body.nodes ?? [])))
      },
      {
        body: madeFlow,
        detail: {
          tags,
          summary: 'Make a flow, of the start alone or of these nodes',
          description: 'A name that another flow has is answered 402 with the text `"exist"`.',
        },
      },
    )
    .put(
      '/flowbuilder',
      async ({ who, body }) => {
        mayWrite(who)
        const { flowId, name, active } = body
        await demandFlow(db, who.companyId, flowId)
        const change = db
          .update(flows)
          .set({
            ...(name !== undefined && { name: name.trim() }),
            ...(active !== undefined && { active }),
            updatedAt: now(),
          })
          .where(ofCompany(who, flowId))
          .returning()
        return orTaken(change.then(([flow]) => flow!))
      },
      {
        body: changedFlow,
        detail: {
          tags,
          summary: 'Rename a flow, or switch it on or off',
          description: 'A name that another flow has is answered 402 with the text `"exist"`.',
        },
      },
    )
    .delete(
      '/flowbuilder/:id',
      async ({ who, params }) => {
        mayWrite(who)
        await demandFlow(db, who.companyId, params.id)
        const using = and(eq(integrations.companyId, who.companyId), eq(integrations.flowId, params.id))
        const used = await db.select({ id: integrations.id }).from(integrations).where(using)
        const phrases = await db
          .select({ id: flowCampaigns.id })
          .from(flowCampaigns)
          .where(and(eq(flowCampaigns.companyId, who.companyId), eq(flowCampaigns.flowId, params.id)))
        // Phrases, default flows and integrations let go of it by themselves.
        await db.delete(flows).where(ofCompany(who, params.id))
        for (const { id } of phrases)
          deps.events.emit({
            ...{ companyId: who.companyId, name: 'flowCampaign', action: 'delete' },
            payload: { flowCampaign: { id } },
          })
        for (const { id } of used)
          deps.events.emit({
            ...{ companyId: who.companyId, name: 'queueIntegration', action: 'update' },
            payload: { queueIntegration: { id, flowId: null } },
          })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a flow, and the phrases that begin it' } },
    )
    .post(
      '/flowbuilder/duplicate',
      async ({ who, body }) => {
        mayWrite(who)
        const flow = await demandFlow(db, who.companyId, body.flowId)
        const { nodes } = graphOf(await draftOf(db, flow.id))
        return make(who, (tx) => freeName(tx, who.companyId, flow.name, '(cópia)'), [...nodes])
      },
      { body: duplicatedFlow, detail: { tags, summary: 'Make a flow like another one, not published' } },
    )
}

/** What a flow holds, as other programs of the family read and write it. */
function familyForm(deps: AppDeps) {
  const { db, now } = deps

  /** A flow as other programs of the family ask for it; one that was never drawn holds nothing. */
  const asFamily = async (flow: Flow) => {
    const { nodes } = graphOf(await draftOf(db, flow.id))
    const isNew = flow.versionId === null && nodes.every(({ type, exits }) => type === 'start' && !exits[NEXT])
    return {
      id: flow.id,
      name: flow.name,
      active: flow.active,
      company_id: flow.companyId,
      user_id: null,
      variables: null,
      flow: isNew ? null : toFamily({ nodes }),
    }
  }

  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .get(
      '/flowbuilder/flow/:id',
      async ({ who, params }) => {
        mayWrite(who)
        return { flow: await asFamily(await demandFlow(db, who.companyId, params.id)) }
      },
      { params: idParams, detail: { tags, summary: 'A flow in the form of other programs of the family' } },
    )
    .post(
      '/flowbuilder/flow',
      ({ who, body }) => {
        mayWrite(who)
        return db.transaction(async (tx) => {
          const flow = await lockFlow(tx, who.companyId, body.idFlow)
          const { nodes, connections } = body
          const read = fromFamily({ nodes, connections })
          if (!read.ok) throw invalid('body/nodes', read.code)
          if (read.graph.nodes.length > MOST_NODES) throw new DomainError('ERR_FLOW_SIZE', { limit: MOST_NODES })
          await replaceDraft(tx, flow, [...read.graph.nodes], { userId: who.userId, now: now() })
          // Their save is live, where nothing is wrong with it.
          const problems = await problemsOf(tx, flow)
          const published = hasErrors(problems)
            ? null
            : await publish(tx, flow, { userId: who.userId, note: '', now: now() })
          return { version: published?.version ?? null, problems, notes: read.notes }
        })
      },
      {
        body: postedFlow,
        detail: {
          tags,
          summary: 'Replace what a flow holds',
          description: 'In the form of other programs of the family. It is published if nothing is wrong with it.',
        },
      },
    )
}
