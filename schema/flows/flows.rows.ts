import { edgesOf, type FlowGraph, type FlowNode } from './flows.graph.ts'
import type { FlowNodeRow } from './flows.table.ts'

/** A draft is kept as a row for each node. Here rows become a graph, and a graph rows. */

/** The id of a node's row. */
export const nodeRowId = (flowId: number, node: string): string => `${flowId}:${node}`

/** What a row says of its node; a version keeps as much. */
export type NodeContent = Pick<FlowNodeRow, 'node' | 'type' | 'x' | 'y' | 'data' | 'exits'>

/** Only nodes that were judged by `isFlowNode` are kept, so the row's type and data fit each other. */
export const nodeOf = ({ node, type, x, y, data, exits }: NodeContent): FlowNode =>
  ({ id: node, type, x, y, data, exits }) as unknown as FlowNode

export const graphOf = (rows: readonly NodeContent[]): FlowGraph => ({ nodes: rows.map(nodeOf) })

export const contentOf = ({ id, type, x, y, data, exits }: FlowNode): NodeContent => ({
  node: id,
  type,
  x,
  y,
  data: data as Record<string, unknown>,
  exits,
})

/** The nodes as they are frozen: without ways to nodes that were removed, which a draft keeps so that they may come back. */
export function frozen(graph: FlowGraph): NodeContent[] {
  const exits = new Map<string, Record<string, string>>()
  for (const { source, port, target } of edgesOf(graph)) exits.set(source, { ...exits.get(source), [port]: target })
  return graph.nodes.map((node) => ({ ...contentOf(node), exits: exits.get(node.id) ?? {} }))
}

/** JSON with its keys in order: two values that say the same are the same text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, held]) => held !== undefined)
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, held]) => `${JSON.stringify(key)}:${canonical(held)}`)
    .join(',')}}`
}

type Content = Pick<NodeContent, 'type' | 'data' | 'exits'>

/** Whether two nodes say the same and lead to the same; where they stand is another matter. */
export const sameContent = (a: Content, b: Content): boolean =>
  a.type === b.type && canonical(a.data) === canonical(b.data) && canonical(a.exits) === canonical(b.exits)
