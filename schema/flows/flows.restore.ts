import type { FlowNode } from './flows.graph.ts'
import { frozen, graphOf, type NodeContent, sameContent } from './flows.rows.ts'
import type { FlowNodeRow } from './flows.table.ts'

/** What becomes of a draft that goes back to a version. */
export interface Restored {
  /** The draft as it is then. */
  nodes: FlowNode[]
  /** Nodes that stay as colleagues left them: nobody else's unpublished work goes. */
  kept: string[]
}

/**
 * The draft as the version was, except for what somebody else changed and nobody published.
 *
 * @param draft the rows of the draft
 * @param live what contacts meet now; without nodes where nothing is published
 * @param version the version that it goes back to
 * @param userId who goes back
 */
export function restored(
  draft: readonly (NodeContent & Pick<FlowNodeRow, 'userId'>)[],
  live: readonly NodeContent[],
  version: readonly NodeContent[],
  userId: number | null,
): Restored {
  const published = new Map(live.map((node) => [node.node, node]))
  // Compared as they would be frozen: a way to a node that is gone is no change.
  const now = new Map(frozen(graphOf(draft)).map((node) => [node.node, node]))
  const isOthers = (row: (typeof draft)[number]) => {
    if (row.userId === null || row.userId === userId) return false
    const before = published.get(row.node)
    return !before || !sameContent(before, now.get(row.node)!)
  }
  const wanted = new Map(version.map((node) => [node.node, node]))
  const others = draft.filter((row) => isOthers(row) && !isLike(wanted.get(row.node), row))
  for (const row of others) wanted.set(row.node, row)
  return { nodes: [...graphOf([...wanted.values()]).nodes], kept: others.map(({ node }) => node) }
}

const isLike = (a: NodeContent | undefined, b: NodeContent): boolean => a !== undefined && sameContent(a, b)
