import { and, eq, isNotNull, max } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import {
  calledAtOnce,
  checkFlow,
  type FlowProblem,
  hasErrors,
  type KnownToFlow,
} from '../../schema/flows/flows.check.ts'
import { bestTemplate } from '../../schema/templates/templates.state.ts'
import { type FlowGraph, templatesOf } from '../../schema/flows/flows.graph.ts'
import { frozen, graphOf } from '../../schema/flows/flows.rows.ts'
import { type Flow, flowFiles, flows, type FlowVersion, flowVersions } from '../../schema/flows/flows.table.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { hasWindow } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Tx } from '../db/database.ts'
import { secretNames } from './flow-secrets.queries.ts'
import { templatesNamed } from '../templates/templates.queries.ts'
import { draftOf, filledElsewhere, withoutTemplates } from './flows.queries.ts'

/** What nodes of a flow may refer to: what the company has. */
async function knownTo(tx: Tx, flow: Flow, graph: FlowGraph): Promise<KnownToFlow> {
  const { id, companyId } = flow
  const idsOf = async (table: typeof queues | typeof users | typeof tags | typeof prompts) =>
    new Set(
      (
        await tx
          .select({ id: table.id })
          .from(table as typeof queues)
          .where(eq(table.companyId, companyId))
      ).map((row) => row.id),
    )
  const [queueIds, userIds, tagIds, promptIds, typebots, callable, files, secrets, variables, lines] =
    await Promise.all([
      idsOf(queues),
      idsOf(users),
      idsOf(tags),
      idsOf(prompts),
      tx
        .select({ id: integrations.id })
        .from(integrations)
        .where(and(eq(integrations.companyId, companyId), eq(integrations.type, 'typebot'))),
      tx
        .select({ id: flows.id, nodes: flowVersions.nodes })
        .from(flows)
        .innerJoin(flowVersions, eq(flowVersions.id, flows.versionId))
        .where(and(eq(flows.companyId, companyId), eq(flows.active, true), isNotNull(flows.versionId))),
      tx.select({ name: flowFiles.name }).from(flowFiles).where(eq(flowFiles.companyId, companyId)),
      secretNames(tx, companyId),
      filledElsewhere(tx, flow),
      tx.select({ provider: whatsapps.provider }).from(whatsapps).where(eq(whatsapps.companyId, companyId)),
    ])
  return {
    self: id,
    queues: queueIds,
    users: userIds,
    tags: tagIds,
    prompts: promptIds,
    typebots: new Set(typebots.map((row) => row.id)),
    // It may call itself where the check allows that, although it is being published for the first time.
    flows: new Set([...callable.map((row) => row.id), id]),
    callsAtOnce: new Map(callable.map((row) => [row.id, calledAtOnce(graphOf(row.nodes))])),
    files: new Set(files.map(({ name }) => name)),
    secrets,
    variables: new Set(variables),
    ...(await templatesTo(tx, flow, graph)),
    charged: lines.some(({ provider }) => hasWindow(provider)),
  }
}

/** What of message templates is known to a flow that names some: of one on several connections, one by which is sent. */
async function templatesTo(tx: Tx, flow: Flow, graph: FlowGraph): Promise<KnownToFlow> {
  const named = templatesOf(graph)
  if (named.length === 0) return {}
  const rows = await templatesNamed(tx, flow.companyId, named)
  return {
    withoutTemplates: await withoutTemplates(tx, flow),
    templateOf: (name, language) => bestTemplate(rows, name, language),
  }
}

/** What is wrong with the draft of a flow, as it would be frozen. */
export async function problemsOf(tx: Tx, flow: Flow): Promise<FlowProblem[]> {
  const graph = graphOf(frozen(graphOf(await draftOf(tx, flow.id))))
  return checkFlow(graph, await knownTo(tx, flow, graph))
}

/**
 * Freezes the draft of a locked flow, or those nodes, and lets contacts meet it. Who is in the middle of the version before finishes that.
 * @throws DomainError `ERR_FLOW_PROBLEMS` (`problems`)
 */
export async function publish(
  tx: Tx,
  flow: Flow,
  { userId, note, now, of }: { userId: number; note: string; now: Date; of?: FlowVersion['nodes'] },
): Promise<{ version: Omit<FlowVersion, 'nodes'>; problems: FlowProblem[] }> {
  const nodes = of ?? frozen(graphOf(await draftOf(tx, flow.id)))
  const graph = graphOf(nodes)
  const problems = checkFlow(graph, await knownTo(tx, flow, graph))
  if (hasErrors(problems)) throw new DomainError('ERR_FLOW_PROBLEMS', { problems })
  const [last] = await tx
    .select({ number: max(flowVersions.number) })
    .from(flowVersions)
    .where(eq(flowVersions.flowId, flow.id))
  const [made] = await tx
    .insert(flowVersions)
    .values({
      companyId: flow.companyId,
      flowId: flow.id,
      number: (last?.number ?? 0) + 1,
      nodes,
      note,
      userId,
      createdAt: now,
    })
    .returning()
  await tx.update(flows).set({ versionId: made!.id, updatedAt: now }).where(eq(flows.id, flow.id))
  const { nodes: _nodes, ...version } = made!
  return { version, problems }
}
