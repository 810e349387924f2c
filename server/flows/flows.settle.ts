import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { WaitingRuns } from '../../schema/flows/flows.edits.inputs.ts'
import type { FlowGraph } from '../../schema/flows/flows.graph.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import { flowRuns, flowVersions } from '../../schema/flows/flows.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { changeRuns } from '../automation/automation.changes.ts'
import type { Db, Tx } from '../db/database.ts'

/** Tickets that are held at once: who is answered in one of them waits no longer than these take. */
const TOGETHER = 200

/** A flow, and the version of it that was just published. */
interface Published {
  flowId: number
  versionId: number
}

/**
 * What becomes of the runs in earlier versions of a flow that was just published: how many were changed. After the
 * publishing and not with it: whoever publishes holds the flow, whoever answers a contact holds the ticket, and each
 * would wait for the other. A part of them at a time, each part with its tickets.
 */
export async function settleRuns(db: Db, published: Published, how: WaitingRuns, now: Date): Promise<number> {
  if (how === 'stay') return 0
  const runs = await db
    .select({ id: flowRuns.id, ticketId: flowRuns.ticketId, versionId: flowRuns.versionId })
    .from(flowRuns)
    .where(inEarlier(published))
    .orderBy(asc(flowRuns.ticketId))
  const graphs = how === 'move' ? await graphsOf(db, [published.versionId, ...runs.map((run) => run.versionId)]) : null
  let settled = 0
  for (let from = 0; from < runs.length; from += TOGETHER) {
    const some = runs.slice(from, from + TOGETHER)
    settled += await db.transaction(async (tx) => {
      await holdTickets(
        tx,
        some.map(({ ticketId }) => ticketId),
      )
      const mine = and(
        inEarlier(published),
        inArray(
          flowRuns.id,
          some.map(({ id }) => id),
        ),
      )
      return graphs ? moveRuns(tx, published, graphs, mine, now) : changeRuns(tx, mine, { type: 'close' }, now)
    })
  }
  return settled
}

const inEarlier = ({ flowId, versionId }: Published) =>
  and(eq(flowRuns.flowId, flowId), isNull(flowRuns.endedAt), ne(flowRuns.versionId, versionId))

/** As whoever answers in them does: what was stepped meanwhile is what is changed. */
const holdTickets = (tx: Tx, ids: readonly number[]) =>
  tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(sql`${tickets.id} = ANY(${sql.param([...ids])}::int[])`)
    .orderBy(asc(tickets.id))
    .for('update')

async function graphsOf(db: Db, versionIds: readonly number[]): Promise<Map<number, FlowGraph>> {
  const versions = await db
    .select({ id: flowVersions.id, nodes: flowVersions.nodes })
    .from(flowVersions)
    .where(inArray(flowVersions.id, [...new Set(versionIds)]))
  return new Map(versions.map(({ id, nodes }) => [id, graphOf(nodes)]))
}

/** Those that stand in each earlier version, into the new one. */
async function moveRuns(
  tx: Tx,
  { versionId }: Published,
  graphs: ReadonlyMap<number, FlowGraph>,
  mine: ReturnType<typeof inEarlier>,
  now: Date,
): Promise<number> {
  const to = graphs.get(versionId)
  let moved = 0
  if (!to) return moved
  for (const [earlier, from] of graphs)
    if (earlier !== versionId)
      moved += await changeRuns(
        tx,
        and(mine, eq(flowRuns.versionId, earlier)),
        { type: 'move', versionId, from, to },
        now,
      )
  return moved
}
