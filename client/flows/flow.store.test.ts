import { expect, test } from 'bun:test'
import { flowCommands } from '../../schema/flows/flows.commands.ts'
import type { FlowOperation } from '../../schema/flows/flows.edits.inputs.ts'
import { type FlowNode, newNode } from '../../schema/flows/flows.graph.ts'
import { newId } from '../../schema/ids.ts'
import { DraftStore } from './flow.store.ts'
import type { DraftRow } from './flows.rows.ts'

const who = {
  userId: 1,
  companyId: 1,
  name: 'Ana',
  profile: 'admin',
  super: false,
  queueIds: [],
  allTicket: true,
  whatsappId: null,
} as const
const decide = flowCommands['flows.edit'].decide

/** The rows of a draft as the replica holds them, and a store on top of them. */
function drawing(nodes: FlowNode[]) {
  const rows = new Map<string, DraftRow>()
  let clock = 1_000
  const sent: FlowOperation[][] = []
  const told = { failed: 0, skipped: 0 }
  let held: Promise<void> | null = null
  const commit = (operations: FlowOperation[], commandId: string) => {
    const facts = { flow: { id: 4, companyId: 1 }, rows }
    const decision = decide({ flowId: 4, operations }, facts as never, { who, now: new Date(clock), commandId })
    for (const change of decision.rows) {
      if (change.op === 'insert') rows.set((change.values as DraftRow).node, change.values as DraftRow)
      else
        for (const id of change.ids) {
          const node = String(id).slice(2)
          if (change.op === 'delete') rows.delete(node)
          else rows.set(node, { ...rows.get(node)!, ...change.values } as DraftRow)
        }
    }
    return (decision.result?.['stale'] ?? []) as string[]
  }
  const store = new DraftStore({
    send: async (operations) => {
      await held
      sent.push(operations)
      const id = newId()
      commit(operations, id)
      return id
    },
    failed: () => told.failed++,
    skipped: (count) => (told.skipped += count),
    now: () => clock,
  })
  const sync = () => store.setRows([...rows.values()])
  const operations = nodes.map((node): FlowOperation => ({ op: 'put', node: node.id, rev: 0, ...rest(node) }))
  commit(operations, newId())
  sync()
  return {
    store,
    rows,
    sent,
    told,
    commit,
    sync,
    later: (ms: number) => (clock += ms),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    text: (id: string) => (store.view().nodes.get(id)?.data as { text?: string } | undefined)?.text,
  }
}
const rest = ({ type, x, y, data, exits }: FlowNode) => ({ type, x, y, data, exits })
const message = (id: string, text: string, x = 0): FlowNode =>
  ({ ...newNode('message', id, x, 0), data: { text } }) as FlowNode
const told = (d: ReturnType<typeof drawing>, id: string, text: string) =>
  ({ ...d.store.view().nodes.get(id)!, data: { text } }) as FlowNode
const rowText = (row: DraftRow | undefined) => row?.data['text']

test('what is drawn is seen at once, sent once, and covers the rows until they say the same', async () => {
  const d = drawing([message('m1', 'Olá')])
  d.store.edit([told(d, 'm1', 'O')], 'text m1')
  d.store.edit([told(d, 'm1', 'Oi')], 'text m1')
  expect([d.text('m1'), d.store.view().saving]).toEqual(['Oi', 'pending'])
  await d.store.flush()
  expect(d.sent.map((operations) => operations.length)).toEqual([1])
  expect([d.text('m1'), d.store.view().saving]).toEqual(['Oi', 'saved'])
  const seen = d.store.view().nodes.get('m1')
  d.sync()
  expect(d.text('m1')).toBe('Oi')
  d.sync()
  expect(d.store.view().nodes.get('m1')).not.toBe(seen!)
  expect(rowText(d.rows.get('m1'))).toBe('Oi')
})

test('what is typed while something is on its way is based on it, and is not refused', async () => {
  const d = drawing([message('m1', 'Olá')])
  const release = d.hold()
  d.store.edit([told(d, 'm1', 'um')])
  const flushed = d.store.flush()
  await Promise.resolve()
  d.store.edit([told(d, 'm1', 'dois')])
  release()
  await flushed
  await d.store.flush()
  d.sync()
  expect([d.sent.length, rowText(d.rows.get('m1')), d.text('m1')]).toEqual([2, 'dois', 'dois'])
})

test('a colleague’s text comes under a node that is only moved here, and their place under one that is only written', async () => {
  const d = drawing([message('m1', 'Olá')])
  const seen = d.rows.get('m1')!
  d.store.edit([{ ...d.store.view().nodes.get('m1')!, x: 300 } as FlowNode])
  d.commit([{ op: 'put', node: 'm1', rev: seen.rev, ...rest(message('m1', 'da Bia')) }], newId())
  d.sync()
  expect(d.store.view().nodes.get('m1')).toMatchObject({ x: 300, data: { text: 'da Bia' } })
  await d.store.flush()
  expect(d.sent[0]).toEqual([{ op: 'move', node: 'm1', x: 300, y: 0 }])
  d.store.edit([told(d, 'm1', 'minha')])
  d.commit([{ op: 'move', node: 'm1', x: 500, y: 20 }], newId())
  d.sync()
  d.later(3_000)
  d.sync()
  expect(d.store.view().nodes.get('m1')).toMatchObject({ x: 500, data: { text: 'minha' } })
})

test('steps back and forth are edits of their own, one for each gesture', async () => {
  const d = drawing([message('m1', 'Olá')])
  d.store.edit([told(d, 'm1', 'O')], 'text')
  d.store.edit([told(d, 'm1', 'Oi')], 'text')
  d.store.endGesture()
  d.store.edit([message('m2', 'novo', 300), { ...told(d, 'm1', 'Oi'), exits: { a: 'm2' } } as FlowNode])
  d.store.undo()
  expect([d.store.view().nodes.has('m2'), d.text('m1')]).toEqual([false, 'Oi'])
  d.store.undo()
  expect([d.text('m1'), d.store.view().canUndo]).toEqual(['Olá', false])
  d.store.redo()
  d.store.redo()
  expect(d.store.view().nodes.get('m1')).toMatchObject({ data: { text: 'Oi' }, exits: { a: 'm2' } })
  await d.store.flush()
  d.store.edit([{ gone: 'm2' }])
  await d.store.flush()
  d.sync()
  d.store.undo()
  await d.store.flush()
  expect([...d.rows.keys()]).toEqual(['m1', 'm2'])
})

test('a step back leaves alone what a colleague has changed since, and says so', async () => {
  const d = drawing([message('m1', 'Olá'), message('m2', 'Tchau')])
  d.store.edit([told(d, 'm1', 'um'), told(d, 'm2', 'dois')])
  await d.store.flush()
  d.sync()
  d.commit([{ op: 'put', node: 'm1', rev: d.rows.get('m1')!.rev, ...rest(message('m1', 'da Bia')) }], newId())
  d.sync()
  d.store.undo()
  expect([d.text('m1'), d.text('m2'), d.told.skipped]).toEqual(['da Bia', 'Tchau', 1])
})

test('a node stays the same object while it says the same', () => {
  const d = drawing([message('m1', 'Olá'), message('m2', 'Tchau')])
  const [before, graph] = [d.store.view().nodes.get('m2'), d.store.view().graph]
  d.sync()
  expect(d.store.view().graph).toBe(graph)
  d.store.edit([told(d, 'm1', 'Oi')])
  expect(d.store.view().nodes.get('m2')).toBe(before!)
})
