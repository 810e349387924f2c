import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import {
  changedFlow,
  duplicatedFlow,
  type FlowFileKind,
  madeFlow,
  postedFlow,
  publishedFlow,
  restoredFlow,
} from '../../schema/flows/flows.edits.inputs.ts'
import { hasErrors } from '../../schema/flows/flows.check.ts'
import { fromFamily, toFamily } from '../../schema/flows/flows.family.ts'
import { type FlowNode, newGraph, NEXT, START_ID } from '../../schema/flows/flows.graph.ts'
import { isFlowNode, MOST_NODES } from '../../schema/flows/flows.inputs.ts'
import { restored } from '../../schema/flows/flows.restore.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import { type Flow, flowCampaigns, flows } from '../../schema/flows/flows.table.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import { violates } from '../commands/apply.ts'
import { discard, isMultipart, readUpload } from '../http/body.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { cursorQuery, day, idParams, isRealDay, pageQuery } from '../http/inputs.ts'
import { messageId } from '../../schema/inputs.ts'
import { findRun, listRuns } from './flow-runs.queries.ts'
import { problemsOf, publish } from './flows.publish.ts'
import { settleRuns } from './flows.settle.ts'
import {
  countsOf,
  demandFlow,
  demandVersion,
  draftOf,
  freeName,
  listFlows,
  knownToDraft,
  listVersions,
  lockFlow,
} from './flows.queries.ts'
import { replaceDraft } from './flows.writes.ts'
import { keepFlowFiles, LARGEST_FLOW_FILE } from './flows.uploads.ts'

const tags = ['flows']
const versionParams = t.Object({ ...idParams.properties, versionId: idParams.properties.id })
const invalid = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/** What other programs of the family answer where a flow of that name is there. */
const nameTaken = () => Response.json('exist', { status: 402 })

const filesForm = (field: string) => ({
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        properties: { [field]: { type: 'string' as const, format: 'binary' } },
        required: [field],
      },
    },
  },
  required: true,
})

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

/** Conversations that are drawn, "flowbuilder" to other programs of the family. */
export function flowRoutes(deps: AppDeps) {
  const { db, media, config, now } = deps
  const ofCompany = (who: Principal, id: number) => and(eq(flows.companyId, who.companyId), eq(flows.id, id))
  const mayWrite = (who: Principal) => demand(who, 'automations:write')

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

  /** Takes the files of a form; when they are refused, they are gone again. */
  const takeFiles = async (who: Principal, request: Request, kinds: readonly FlowFileKind[]): Promise<string[]> => {
    mayWrite(who)
    if (!isMultipart(request)) throw new DomainError('ERR_FILE_REQUIRED')
    const maxBytes = Math.min(config.maxUploadBytes, LARGEST_FLOW_FILE)
    const upload = await readUpload(request, { media, companyId: who.companyId, maxBytes })
    try {
      return await keepFlowFiles(db, who.companyId, upload.files, kinds)
    } catch (error) {
      await discard(media, upload)
      throw error
    }
  }
  const takeOne = async (who: Principal, request: Request, kinds: readonly FlowFileKind[]) => ({
    name: (await takeFiles(who, request, kinds))[0]!,
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
    .post('/flowbuilder/img', ({ who, request }) => takeOne(who, request, ['img']), {
      detail: { tags, summary: 'A picture for a flow: png, jpg, up to 2 MB', requestBody: filesForm('medias') },
    })
    .post('/flowbuilder/audio', ({ who, request }) => takeOne(who, request, ['audio', 'video']), {
      detail: {
        tags,
        summary: 'A sound (ogg, mp3, opus, up to 5 MB) or a film (mp4, up to 20 MB) for a flow',
        requestBody: filesForm('medias'),
      },
    })
    .post('/flowbuilder/content', ({ who, request }) => takeFiles(who, request, ['img', 'audio', 'video']), {
      detail: { tags, summary: 'Several files for a flow', requestBody: filesForm('medias') },
    })
    .post(
      '/flowbuilder/:id/publish',
      async ({ who, params, body }) => {
        mayWrite(who)
        const published = await db.transaction(async (tx) =>
          publish(tx, await lockFlow(tx, who.companyId, params.id), {
            userId: who.userId,
            note: body?.note?.trim() ?? '',
            now: now(),
          }),
        )
        const place = { flowId: params.id, versionId: published.version.id }
        return { ...published, settled: await settleRuns(db, place, body?.waiting ?? 'stay', now()) }
      },
      {
        params: idParams,
        body: t.Optional(t.Union([publishedFlow, t.Null()])),
        detail: {
          tags,
          summary: 'Freeze the draft of a flow and let contacts meet it',
          description:
            'Contacts in the middle of an earlier version finish there, unless `waiting` is `move` (where their node is still ' +
            'there, they go on in the new one) or `end` (they are left to people). `settled` is how many of them.',
        },
      },
    )
    .get(
      '/flowbuilder/:id/versions',
      async ({ who, params, query }) => {
        mayWrite(who)
        const flow = await demandFlow(db, who.companyId, params.id)
        return listVersions(db, flow.id, { before: query.cursor, limit: query.limit })
      },
      {
        params: idParams,
        query: t.Object(cursorQuery),
        detail: {
          tags,
          summary: 'What was published of a flow, the latest first',
          description: '`cursor` is the `nextCursor` of the page before.',
        },
      },
    )
    .get(
      '/flowbuilder/:id/known',
      async ({ who, params }) => {
        mayWrite(who)
        return knownToDraft(db, await demandFlow(db, who.companyId, params.id))
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'What a draft may name: secrets, variables, hours of connections, and which files are gone',
        },
      },
    )
    .get(
      '/flowbuilder/:id/versions/:versionId',
      async ({ who, params }) => {
        mayWrite(who)
        return demandVersion(db, await demandFlow(db, who.companyId, params.id), params.versionId)
      },
      { params: versionParams, detail: { tags, summary: 'A published version with its nodes' } },
    )
    .post(
      '/flowbuilder/:id/versions/:versionId/restore',
      ({ who, params, body }) => {
        mayWrite(who)
        return db.transaction(async (tx) => {
          const flow = await lockFlow(tx, who.companyId, params.id)
          const version = await demandVersion(tx, flow, params.versionId)
          if (body?.publish) {
            // The draft stays as it is: it is work that nobody published yet.
            const note = `↩ ${version.number}`
            const published = await publish(tx, flow, { userId: who.userId, note, now: now(), of: version.nodes })
            return { ...published, kept: [] }
          }
          const live = flow.versionId === null ? [] : (await demandVersion(tx, flow, flow.versionId)).nodes
          const { nodes, kept } = restored(await draftOf(tx, flow.id), live, version.nodes, who.userId)
          await replaceDraft(tx, flow, nodes, { userId: who.userId, now: now() })
          return { version: null, problems: [], kept }
        })
      },
      {
        params: versionParams,
        body: t.Optional(t.Union([restoredFlow, t.Null()])),
        detail: {
          tags,
          summary: 'Make the draft of a flow what a version was, or publish the version again',
          description:
            'What others changed in the draft and nobody published stays; `kept` names those nodes. With `publish` the ' +
            'draft stays as it is.',
        },
      },
    )
    .get(
      '/flowbuilder/:id/runs',
      async ({ who, params, query }) => {
        demand(who, 'automations:trace')
        const flow = await demandFlow(db, who.companyId, params.id)
        return listRuns(db, who, flow.id, { cursor: query.cursor, limit: query.limit })
      },
      {
        params: idParams,
        query: t.Object({ cursor: t.Optional(messageId), limit: cursorQuery.limit }),
        detail: {
          tags,
          summary: 'Who went through a flow, the latest first',
          description: 'Of tickets that the caller may see. `cursor` is the `nextCursor` of the page before.',
        },
      },
    )
    .get(
      '/flowbuilder/run/:runId',
      async ({ who, params }) => {
        demand(who, 'automations:trace')
        const run = await findRun(db, who, params.runId)
        if (!run) throw new DomainError('ERR_NOT_FOUND')
        return run
      },
      {
        params: t.Object({ runId: messageId }),
        detail: {
          tags,
          summary: 'What a run of a flow did, block by block',
          description:
            'Each of `entries` is one happening: the `blocks` that were entered, and what went out and came back in `calls`, ' +
            'at most 2,000 characters of each. Secrets are masked. Kept for 30 days.',
        },
      },
    )
    .get(
      '/flowbuilder/:id/counts',
      async ({ who, params, query }) => {
        mayWrite(who)
        for (const [name, given] of Object.entries(query))
          if (given && !isRealDay(given)) throw invalid(`query/${name}`, 'not a day')
        const flow = await demandFlow(db, who.companyId, params.id)
        return countsOf(db, flow.id, { ...(query.from && { from: query.from }), ...(query.to && { to: query.to }) })
      },
      {
        params: idParams,
        query: t.Object({ from: day, to: day }),
        detail: {
          tags,
          summary: 'How often the nodes of a flow were reached, were left in silence, and who waits there',
        },
      },
    )
}
