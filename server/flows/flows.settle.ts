import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { WaitingRuns } from '../../schema/flows/flows.edits.inputs.ts'
import type { FlowGraph } from '../../schema/flows/flows.graph.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import { flowRuns, flowVersions } from '../../schema/flows/flows.table.ts'
import { changeRuns } from '../automation/automation.changes.ts'
import type { Db } from '../db/database.ts'

/** Tickets that are held at once: who is answered in one of them waits no longer than these take. */
const TOGETHER = 200

/**
 * What becomes of the runs in earlier versions of a flow that was just published: how many were changed. After the
 * publishing and not with it: whoever publishes holds the flow, whoever answers a contact holds the ticket, and each
 * would wait for the other. A part of those in one version at a time, each part with its tickets.
 */
export async function settleRuns(
  db: Db,
  { flowId, versionId }: { flowId: number; versionId: number },
  how: WaitingRuns,
  now: Date,
): Promise<number> {
  if (how === 'stay') return 0
  const runs = await db
    .select({ id: flowRuns.id, versionId: flowRuns.versionId })
    .from(flowRuns)
    .where(and(eq(flowRuns.flowId, flowId), isNull(flowRuns.endedAt), ne(flowRuns.versionId, versionId)))
    .orderBy(asc(flowRuns.ticketId))
  const graphs = how === 'move' ? await graphsOf(db, [versionId, ...runs.map((run) => run.versionId)]) : null
  let settled = 0
  for (const [earlier, inIt] of Map.groupBy(runs, (run) => run.versionId)) {
    const [from, to] = [graphs?.get(earlier), graphs?.get(versionId)]
    // The flow went meanwhile, and its runs with it.
    if (graphs && !(from && to)) break
    const event = from && to ? { type: 'move' as const, versionId, from, to } : { type: 'close' as const }
    for (let at = 0; at < inIt.length; at += TOGETHER) {
      const ids = inIt.slice(at, at + TOGETHER).map(({ id }) => id)
      const which = and(eq(flowRuns.versionId, earlier), inArray(flowRuns.id, ids))
      settled += await db.transaction((tx) => changeRuns(tx, which, event, now))
    }
  }
  return settled
}

async function graphsOf(db: Db, versionIds: readonly number[]): Promise<Map<number, FlowGraph>> {
  const versions = await db
    .select({ id: flowVersions.id, nodes: flowVersions.nodes })
    .from(flowVersions)
    .where(inArray(flowVersions.id, [...new Set(versionIds)]))
  return new Map(versions.map(({ id, nodes }) => [id, graphOf(nodes)]))
}
