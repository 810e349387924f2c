import { edgesOf, exitOf, type FlowGraph, type FlowNode, type FlowNodeOf, NEXT, nodesById } from './flows.graph.ts'

/**
 * Two messages of a flow that follow one another at once could be one, which costs half where each is charged. Joined by an
 * empty line.
 */

/** What one message over the official API holds. */
const MOST_LENGTH = 4_096

const joined = (first: string, second: string) => `${first.trimEnd()}\n\n${second.trimStart()}`
const fits = (first: string, second: string) =>
  first.trim() !== '' && second.trim() !== '' && joined(first, second).length <= MOST_LENGTH

/** How many ways lead to each node. */
function entriesOf(graph: FlowGraph): ReadonlyMap<string, number> {
  const entries = new Map<string, number>()
  for (const { target } of edgesOf(graph)) entries.set(target, (entries.get(target) ?? 0) + 1)
  return entries
}

export interface Mergeable {
  nodeId: string
  /** Of a block: the element that the next one could be joined to. */
  part?: number | undefined
}

/** Where two messages could be one: a node whose only next is a message that nobody else leads to, or parts of a block. */
export function mergeablesOf(graph: FlowGraph): Mergeable[] {
  const nodes = nodesById(graph)
  const entries = entriesOf(graph)
  return graph.nodes.flatMap((node): Mergeable[] => {
    if (node.type === 'singleBlock') {
      const { elements } = node.data
      return elements.flatMap((element, part) => {
        const next = elements[part + 1]
        return element.kind === 'message' && next?.kind === 'message' && fits(element.text, next.text)
          ? [{ nodeId: node.id, part }]
          : []
      })
    }
    return node.type === 'message' && nextOf(node, nodes, entries) ? [{ nodeId: node.id }] : []
  })
}

function nextOf(
  node: FlowNodeOf<'message'>,
  nodes: ReadonlyMap<string, FlowNode>,
  entries: ReadonlyMap<string, number>,
): FlowNodeOf<'message'> | undefined {
  const target = exitOf(node, NEXT)
  const next = target === null ? undefined : nodes.get(target)
  if (next?.type !== 'message' || next.id === node.id || entries.get(next.id) !== 1) return undefined
  // What another program keeps of its text would say something else.
  if (node.data.family?.data !== undefined || next.data.family !== undefined) return undefined
  return fits(node.data.text, next.data.text) ? next : undefined
}

/** The changes that make one of two; none where they cannot be one any more. */
export function merged(graph: FlowGraph, { nodeId, part }: Mergeable): (FlowNode | { gone: string })[] {
  const nodes = nodesById(graph)
  const node = nodes.get(nodeId)
  if (node?.type === 'singleBlock' && part !== undefined) {
    const { elements } = node.data
    const [first, second] = [elements[part], elements[part + 1]]
    if (first?.kind !== 'message' || second?.kind !== 'message' || !fits(first.text, second.text)) return []
    const one = { ...first, text: joined(first.text, second.text) }
    return [
      { ...node, data: { ...node.data, elements: [...elements.slice(0, part), one, ...elements.slice(part + 2)] } },
    ]
  }
  if (node?.type !== 'message') return []
  const next = nextOf(node, nodes, entriesOf(graph))
  if (!next) return []
  const data = { ...node.data, text: joined(node.data.text, next.data.text) }
  return [{ ...node, data, exits: next.exits }, { gone: next.id }]
}
