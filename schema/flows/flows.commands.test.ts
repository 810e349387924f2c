import { expect, test } from 'bun:test'
import type { Decision } from '../command.ts'
import { now, person } from '../example-facts.fixture.ts'
import { newId } from '../ids.ts'
import { flowCommands } from './flows.commands.ts'
import type { FlowEdit, FlowOperation } from './flows.edits.inputs.ts'
import type { FlowNodeRow } from './flows.table.ts'

const edit = flowCommands['flows.edit']
const admin = (userId: number) => person({ userId, profile: 'admin' })

/** The draft of a flow, and two people who change it: a decision becomes rows as everywhere. */
function draft() {
  const rows = new Map<string, FlowNodeRow>()
  const write = ({ rows: changes }: Decision) => {
    for (const change of changes) {
      if (change.table !== 'flowNodes') throw new Error(change.table)
      if (change.op === 'insert') rows.set(change.values.node!, change.values as FlowNodeRow)
      else
        for (const id of change.ids) {
          const node = String(id).slice('4:'.length)
          if (change.op === 'delete') rows.delete(node)
          else rows.set(node, { ...rows.get(node)!, ...change.values })
        }
    }
  }
  /** What `userId` sends; told which nodes were refused. */
  const send = async (userId: number, operations: FlowOperation[], commandId = newId()) => {
    const input: FlowEdit = { flowId: 4, operations }
    const reader = {
      need: async () => ({ id: 4, companyId: 1 }),
      get: async (_: string, id: string) => rows.get(id.slice('4:'.length)),
    }
    const facts = await edit.facts(input, reader as never, admin(userId))
    const decision = edit.decide(input, facts, { who: admin(userId), now, commandId })
    write(decision)
    return (decision.result?.['stale'] ?? []) as string[]
  }
  return { rows, send, rev: (node: string) => rows.get(node)?.rev ?? 0 }
}

const message = (node: string, rev: number, text: string, exits: Record<string, string> = {}): FlowOperation => ({
  op: 'put',
  node,
  rev,
  type: 'message',
  x: 0,
  y: 0,
  data: { text },
  exits,
})
const textOf = (row: FlowNodeRow | undefined) => row?.data['text']

test('two people who draw at once keep what both did, and hear of the nodes that both changed', async () => {
  const { rows, send, rev } = draft()
  await send(1, [message('m1', 0, 'Olá'), message('m2', 0, 'Tchau')])
  const seen = { m1: rev('m1'), m2: rev('m2') }
  expect(await send(1, [message('m1', seen.m1, 'Olá, da Ana'), message('m3', 0, 'Novo')])).toEqual([])
  expect(await send(2, [message('m1', seen.m1, 'Olá, do Rui'), message('m2', seen.m2, 'Até logo')])).toEqual(['m1'])
  expect([...rows.values()].map((row) => [row.node, textOf(row), row.userId])).toEqual([
    ['m1', 'Olá, da Ana', 1],
    ['m2', 'Até logo', 2],
    ['m3', 'Novo', 1],
  ])
})

test('what is built upon a refused change is refused, too', async () => {
  const { rows, send, rev } = draft()
  await send(1, [message('m1', 0, 'Olá')])
  const seen = rev('m1')
  const offline = draft()
  offline.rows.set('m1', rows.get('m1')!)
  const [first, second] = [newId(), newId()]
  await offline.send(2, [message('m1', seen, 'sem rede')], first)
  const built = message('m1', offline.rev('m1'), 'sem rede, de novo')
  await send(1, [message('m1', seen, 'com rede')])
  expect(await send(2, [message('m1', seen, 'sem rede')], first)).toEqual(['m1'])
  expect(await send(2, [built], second)).toEqual(['m1'])
  expect(textOf(rows.get('m1'))).toBe('com rede')
})

test('where a node stands is in nobody’s way, and two who do the same are not either', async () => {
  const { rows, send, rev } = draft()
  await send(1, [message('m1', 0, 'Olá')])
  const seen = rev('m1')
  await send(2, [{ op: 'move', node: 'm1', x: 40, y: 50 }])
  expect(rev('m1')).toBe(seen)
  expect(await send(1, [message('m1', seen, 'Oi')])).toEqual([])
  expect(await send(2, [message('m1', seen, 'Oi')])).toEqual([])
  expect(rows.get('m1')).toMatchObject({ x: 40, y: 50, data: { text: 'Oi' }, userId: 1 })
})

test('a node that a colleague changed is not removed, and one that they removed does not come back by itself', async () => {
  const { rows, send, rev } = draft()
  await send(1, [message('m1', 0, 'Olá'), message('m2', 0, 'Tchau')])
  const seen = { m1: rev('m1'), m2: rev('m2') }
  await send(1, [message('m1', seen.m1, 'Oi'), { op: 'remove', node: 'm2', rev: seen.m2 }])
  expect(await send(2, [{ op: 'remove', node: 'm1', rev: seen.m1 }])).toEqual(['m1'])
  expect(await send(2, [message('m2', seen.m2, 'Até'), { op: 'move', node: 'm9', x: 1, y: 1 }])).toEqual(['m2'])
  expect(await send(2, [{ op: 'remove', node: 'm2', rev: seen.m2 }])).toEqual([])
  expect([...rows.keys()]).toEqual(['m1'])
})

test('what was refused of an accepted edit is an edit of its own, with the reason', () => {
  const operations = [message('m1', 5, 'um'), message('m2', 6, 'dois')]
  expect(edit.refusedPart!({ flowId: 4, operations }, {})).toBeNull()
  expect(edit.refusedPart!({ flowId: 4, operations }, { stale: ['m2'] })).toEqual({
    input: { flowId: 4, operations: [operations[1]!] },
    error: { code: 'ERR_FLOW_STALE', params: { nodes: ['m2'] } },
  })
})

test('a draft may be unfinished, but it holds nodes and nothing else, each once', async () => {
  const { send } = draft()
  const wrong: FlowOperation[][] = [
    [message('m1', 0, 'um'), message('m1', 0, 'dois')],
    [message('m1', 0, 'x'.repeat(10_001))],
    [message('m1', 0, 'um', { 'a b': 'm2' })],
    [{ ...message('m1', 0, 'um'), data: { seconds: 5 } } as FlowOperation],
    [{ op: 'exits', node: 'm1', rev: 0, exits: { a: 'não é um nó' } }],
  ]
  for (const operations of wrong)
    expect(await send(1, operations).catch((error: { code: string }) => error.code)).toBe('ERR_VALIDATION')
  expect(await send(1, [message('m1', 0, '')])).toEqual([])
})
