import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { WaitingRuns } from '../../schema/flows/flows.edits.inputs.ts'
import { flowRuns, flowVersions } from '../../schema/flows/flows.table.ts'
import { leaveToPeople } from '../automation/automation.changes.ts'
import type { Db } from '../db/database.ts'

/**
 * What becomes of the runs in earlier versions of a flow that was just published: how many were changed. After the
 * publishing and not with it: whoever publishes holds the flow, whoever answers a contact holds the ticket, and each
 * would wait for the other. A run that is stepped at that very moment stays in its version.
 */
export async function settleRuns(
  db: Db,
  { flowId, versionId }: { flowId: number; versionId: number },
  how: WaitingRuns,
  now: Date,
): Promise<number> {
  const inEarlier = and(eq(flowRuns.flowId, flowId), isNull(flowRuns.endedAt), ne(flowRuns.versionId, versionId))
  if (how === 'stay') return 0
  if (how === 'end') {
    const ended = await db
      .update(flowRuns)
      .set({
        run: sql`${flowRuns.run} || jsonb_build_object('wait', NULL, 'ended', jsonb_build_object('why', 'closed', 'node', ${flowRuns.run} -> 'node'))`,
        wakeAt: null,
        endedAt: now,
        reason: 'closed',
        updatedAt: now,
      })
      .where(inEarlier)
      .returning({ id: flowRuns.id })
    await leaveToPeople(
      db,
      ended.map(({ id }) => id),
    )
    return ended.length
  }
  const inUse = await db.selectDistinct({ id: flowRuns.versionId }).from(flowRuns).where(inEarlier)
  const versions = await db
    .select({ id: flowVersions.id, nodes: flowVersions.nodes })
    .from(flowVersions)
    .where(inArray(flowVersions.id, [versionId, ...inUse.map(({ id }) => id)]))
  const types = new Map(versions.find(({ id }) => id === versionId)?.nodes.map(({ node, type }) => [node, type]))
  let moved = 0
  for (const { id, nodes } of versions) {
    // As `moveRun` has it: where the block in which it waits is there, and of the same type.
    const kept = nodes.flatMap(({ node, type }) => (types.get(node) === type ? [node] : []))
    if (id === versionId || kept.length === 0) continue
    const rows = await db
      .update(flowRuns)
      .set({
        run: sql`jsonb_set(${flowRuns.run}, '{version}', to_jsonb(${String(versionId)}::text))`,
        versionId,
        updatedAt: now,
      })
      .where(
        and(
          inEarlier,
          eq(flowRuns.versionId, id),
          // Who waits in a called flow stays with what they have.
          sql`${flowRuns.run} ->> 'version' = ${String(id)} AND ${flowRuns.run} -> 'stack' = '[]'::jsonb`,
          inArray(sql`${flowRuns.run} ->> 'node'`, kept),
        ),
      )
      .returning({ id: flowRuns.id })
    moved += rows.length
  }
  return moved
}
