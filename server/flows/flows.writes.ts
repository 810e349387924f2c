import { eq, inArray } from 'drizzle-orm'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import { contentOf, type NodeContent, nodeRowId, sameContent } from '../../schema/flows/flows.rows.ts'
import { type Flow, flowNodes } from '../../schema/flows/flows.table.ts'
import type { Tx } from '../db/database.ts'
import { draftOf } from './flows.queries.ts'

/** A change that no command made. See `revOf`. */
const newRev = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1 || 1

/**
 * Makes the draft of a locked flow hold these nodes and no others. What stays as it is keeps its `rev`: nobody's edit of
 * it is refused for that.
 */
export async function replaceDraft(
  tx: Tx,
  flow: Flow,
  nodes: readonly FlowNode[],
  { userId, now }: { userId: number; now: Date },
): Promise<void> {
  const before = new Map((await draftOf(tx, flow.id)).map((row) => [row.node, row]))
  const wanted = new Map(nodes.map((node) => [node.id, contentOf(node)]))
  const gone = [...before.values()].filter(({ node }) => !wanted.has(node)).map(({ id }) => id)
  if (gone.length > 0) await tx.delete(flowNodes).where(inArray(flowNodes.id, gone))
  const made: NodeContent[] = []
  for (const content of wanted.values()) {
    const row = before.get(content.node)
    if (!row) made.push(content)
    else if (!sameContent(row, content))
      await tx
        .update(flowNodes)
        .set({ ...content, rev: newRev(), userId, updatedAt: now })
        .where(eq(flowNodes.id, row.id))
    else if (row.x !== content.x || row.y !== content.y)
      await tx.update(flowNodes).set({ x: content.x, y: content.y }).where(eq(flowNodes.id, row.id))
  }
  if (made.length === 0) return
  await tx.insert(flowNodes).values(
    made.map((content) => ({
      ...content,
      id: nodeRowId(flow.id, content.node),
      companyId: flow.companyId,
      flowId: flow.id,
      rev: newRev(),
      userId,
      updatedAt: now,
    })),
  )
}
