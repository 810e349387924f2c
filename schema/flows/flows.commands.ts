import { command, type RowChange } from '../command.ts'
import { DomainError } from '../errors.ts'
import { flowEdit, type FlowOperation } from './flows.edits.inputs.ts'
import { isFlowNode } from './flows.inputs.ts'
import { nodeRowId, sameContent } from './flows.rows.ts'
import type { FlowNodeRow } from './flows.table.ts'

/**
 * The `rev` that a command gives a node. It follows from the command, so that the browser shows the one that the server
 * will give; and it is not to be had by counting, or what was built upon a refused change would pass for a change of
 * what took its place. FNV-1a, 31 bits, never 0.
 */
export function revOf(commandId: string, node: string): number {
  let h = 0x811c9dc5
  const text = `${commandId} ${node}`
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 1 || 1
}

const invalid = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/** @throws DomainError `ERR_VALIDATION` for a node that may not be kept, and for two changes of the same node */
function demandSound(operations: readonly FlowOperation[]): void {
  const seen = new Set<string>()
  for (const [i, operation] of operations.entries()) {
    const { op, node } = operation
    const what = `${op === 'move'} ${node}`
    if (seen.has(what)) throw invalid(`/operations/${i}/node`, 'changed twice')
    seen.add(what)
    if (op === 'move' || op === 'remove') continue
    // Where only the ports change, the node they belong to is judged when it is there.
    const whole =
      op === 'put' ? operation : { type: 'comment', x: 0, y: 0, data: { text: '', width: null }, ...operation }
    const { type, x, y, data, exits } = whole
    if (!isFlowNode({ id: node, type, x, y, data, exits })) throw invalid(`/operations/${i}`, 'not a node')
  }
}

export const flowCommands = {
  /**
   * Changes the draft of a flow, node by node. What somebody else changed meanwhile is not changed: the result names
   * these nodes in `stale`, and the rest is done.
   */
  'flows.edit': command({
    name: 'flows.edit',
    needs: 'automations:write',
    input: flowEdit,
    facts: async ({ flowId, operations }, read) => {
      const flow = await read.need('flows', flowId)
      demandSound(operations)
      const rows = new Map<string, FlowNodeRow>()
      for (const { node } of operations) {
        const row = await read.get('flowNodes', nodeRowId(flowId, node))
        if (row) rows.set(node, row)
      }
      return { flow, rows }
    },
    decide: ({ operations }, { flow, rows }, { who, now, commandId }) => {
      const changes: RowChange[] = []
      const stale: string[] = []
      const update = ({ id }: FlowNodeRow, values: Partial<FlowNodeRow>) =>
        changes.push({ table: 'flowNodes', op: 'update', ids: [id], values })
      for (const operation of operations) {
        const { op, node } = operation
        const row = rows.get(node)
        const signed = { rev: revOf(commandId, node), userId: who.userId, updatedAt: now }
        if (op === 'move') {
          if (row && (row.x !== operation.x || row.y !== operation.y)) update(row, { x: operation.x, y: operation.y })
          continue
        }
        if (op === 'remove') {
          if (row && row.rev !== operation.rev) stale.push(node)
          else if (row) changes.push({ table: 'flowNodes', op: 'delete', ids: [row.id] })
          continue
        }
        if (!row) {
          if (op === 'put' && operation.rev === 0)
            changes.push({
              table: 'flowNodes',
              op: 'insert',
              values: {
                id: nodeRowId(flow.id, node),
                companyId: flow.companyId,
                flowId: flow.id,
                node,
                type: operation.type,
                x: operation.x,
                y: operation.y,
                data: operation.data as Record<string, unknown>,
                exits: operation.exits,
                ...signed,
              },
            })
          else stale.push(node)
          continue
        }
        const { type, data } = op === 'put' ? operation : row
        const content = { type, data: data as Record<string, unknown>, exits: operation.exits }
        // Two people who did the same are not in each other's way.
        if (sameContent(row, content)) continue
        if (row.rev !== operation.rev) stale.push(node)
        else update(row, { ...content, ...signed })
      }
      return { rows: changes, effects: [], result: stale.length > 0 ? { stale } : {} }
    },
    refusedPart: ({ flowId, operations }, { stale }) => {
      if (!Array.isArray(stale)) return null
      const refused = operations.filter(({ op, node }) => op !== 'move' && stale.includes(node))
      if (refused.length === 0) return null
      return { input: { flowId, operations: refused }, error: { code: 'ERR_FLOW_STALE', params: { nodes: stale } } }
    },
  }),
}
