import { describe, expect, test } from 'bun:test'
import { checkFlow } from './flows.check.ts'
import { readExpression, writeExpression } from './flows.expressions.ts'
import {
  exportFile,
  type FamilyConnection,
  type FamilyFlow,
  type FamilyNode,
  fromFamily,
  toFamily,
} from './flows.family.ts'
import { familySamples } from './flows.family.fixture.ts'
import { dice, flow, randomGraph, Talk } from './flows.fixture.ts'
import { type FlowGraph, newData, nodesById, portsOf } from './flows.graph.ts'
import { isFlowNode } from './flows.inputs.ts'
import type { FlowEffect } from './flows.run.ts'

const read = (value: unknown): FlowGraph => {
  const found = fromFamily(JSON.parse(JSON.stringify(value)))
  if (!found.ok) throw new Error(found.code)
  return found.graph
}

/** As it should come back: what is drawn anew is dropped, the first way of a port counts, its id follows from it. */
function asKept(value: unknown): FamilyFlow {
  const any = value as { flow?: { flow?: FamilyFlow } & FamilyFlow } & FamilyFlow
  const { nodes, connections } = any.nodes ? any : any.flow!.nodes ? any.flow! : any.flow!.flow!
  const plain = ({ width: _w, height: _h, selected: _s, dragging: _d, positionAbsolute: _p, ...node }: FamilyNode) =>
    node
  const conditions = new Set(
    nodes
      .filter(
        ({ type, data }) =>
          type === 'condition' && !('options' in (data as object)) && !('conditions' in (data as object)),
      )
      .map(({ id }) => id),
  )
  const seen = new Set<string>()
  return {
    nodes: nodes.map((node) => plain(node) as FamilyNode),
    connections: connections.flatMap((connection): FamilyConnection[] => {
      const named = { a: 'true', b: 'false' }[connection.sourceHandle ?? 'a']
      const sourceHandle = conditions.has(connection.source)
        ? (named ?? connection.sourceHandle)
        : (connection.sourceHandle ?? 'a')
      if (seen.has(`${connection.source} ${sourceHandle}`)) return []
      seen.add(`${connection.source} ${sourceHandle}`)
      const { source, target } = connection
      return [{ ...connection, sourceHandle, id: `reactflow__edge-${source}${sourceHandle}-${target}` }]
    }),
  }
}

const sorted = ({ nodes, connections }: FamilyFlow) => ({
  nodes,
  connections: connections.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
})

const heard = (effect: FlowEffect): string => {
  if (effect.kind === 'send') return effect.file ? effect.file.kind : effect.body
  const { n: _n, kind, ...rest } = effect
  if (kind === 'http') return kind
  const [value] = [
    'instructions' in rest
      ? rest.instructions
      : 'value' in rest
        ? rest.value
        : 'text' in rest
          ? rest.text
          : Object.values(rest)[0],
  ]
  return `${kind} ${String(value)}`
}

describe('flows of the family', () => {
  for (const [name, { flow: value, writes, hears, notes = [] }] of Object.entries(familySamples)) {
    test(`[FL50, FL51] ${name}: it loads, runs, and goes back as it came`, () => {
      const found = fromFamily(value)
      if (!found.ok) throw new Error(found.code)
      expect(found.notes.map((note) => `${note.code} ${note.nodeId} ${note.name}`)).toEqual(notes)
      expect(found.graph.nodes.every(isFlowNode)).toBe(true)
      checkFlow(found.graph)

      const back = JSON.parse(JSON.stringify(toFamily(found.graph))) as FamilyFlow
      const expected = JSON.parse(
        JSON.stringify(asKept(value)).replace('"apiKey":"sk-123","voiceKey":"abc",', ''),
      ) as FamilyFlow
      expect(sorted(back)).toEqual(sorted(expected))
      expect(sorted(toFamily(read(back)))).toEqual(sorted(back))

      const talk = new Talk(found.graph)
      for (const [index, text] of writes.entries()) {
        const wait = /^\((\d+)\)$/.exec(text)
        if (index === 0) talk.start(text)
        else if (wait) talk.pass(Number(wait[1]))
        else if (text.startsWith('=>')) {
          const result = { kind: 'http' as const, ok: true, status: 200, body: JSON.parse(text.slice(2)) }
          talk.happen({ kind: 'result', waitId: talk.run.wait!.id, result })
        } else talk.hear(text)
      }
      expect(talk.effects.map(heard)).toEqual(hears)
    })
  }

  test('[FL51] a fork’s own spelling is kept where a node is changed here', () => {
    const change = (value: FamilyNode['data'], type: string, edit: (data: Record<string, unknown>) => void) => {
      const graph = structuredClone(
        read({ nodes: [{ id: '1', type, position: { x: 0, y: 0 }, data: value }], connections: [] }),
      )
      edit(graph.nodes[0]!.data as Record<string, unknown>)
      return toFamily(graph).nodes[0]!.data
    }
    const queue = (data: Record<string, unknown>) => (data['queueId'] = 9)
    expect(change({ id: 3, name: 'Vendas' }, 'ticket', queue)).toEqual({ id: 9, name: 'Vendas' })
    expect(change({ data: { id: 3 } }, 'ticket', queue)).toEqual({ data: { id: 9 } })
    expect(change({ queue: { id: 3, color: 'x' } }, 'sector', queue)).toEqual({ queue: { id: 9, color: 'x' } })
    expect(change({ label: 'Oi {nome}', cor: 1 }, 'message', (data) => (data['text'] = 'Tchau'))).toEqual({
      label: 'Tchau',
      cor: 1,
    })
  })

  test('[FL50] flows of ours go out and come back the same, whatever they hold', () => {
    for (let seed = 0; seed < 1_000; seed++) {
      const made = randomGraph(dice(seed))
      const ids = nodesById(made)
      // Ways from ports that are there to nodes that are there, and of a condition what counts.
      const graph: FlowGraph = {
        nodes: made.nodes.map((node) => {
          const exits = Object.fromEntries(
            portsOf(node).flatMap(({ id }) => (ids.has(node.exits[id] ?? '') ? [[id, node.exits[id]!]] : [])),
          )
          if (node.type !== 'condition') return { ...node, exits }
          const { mode, key, condition, value, match, rules, cases } = node.data
          const counts = { single: { key, condition, value }, rules: { match, rules }, cases: { cases } }[mode]
          return { ...node, exits, data: { ...newData('condition'), mode, ...counts } }
        }),
      }
      const file = JSON.parse(JSON.stringify(exportFile('x', graph, '2026-01-01T00:00:00Z')))
      const found = fromFamily(file)
      expect(found.ok && found.graph.nodes).toEqual(graph.nodes as never)
    }
  })

  test('[FL52] a flow is read bare, in flow, in the server’s answer and from a file; one never drawn is a start', () => {
    const content = { nodes: [{ id: '1', type: 'start', position: { x: 0, y: 0 }, data: {} }], connections: [] }
    for (const value of [
      content,
      { flow: content },
      { flow: { id: 1, flow: content } },
      { ...content, format: 'flowbuilder-export' },
    ])
      expect(read(value).nodes.map(({ type }) => type)).toEqual(['start'])
    expect(fromFamily({ flow: { id: 1, name: 'Novo', flow: null } })).toMatchObject({ ok: true, name: 'Novo' })
    expect(fromFamily({ flow: { id: 1, name: 'x'.repeat(99), flow: content } })).toMatchObject({ name: 'x'.repeat(50) })
  })

  test('[FL52] what is no flow, too large, too deep or names a node twice is refused', () => {
    const node = { id: '1', type: 'start', position: { x: 0, y: 0 }, data: {} }
    const deep: unknown[] = []
    let at = deep
    for (let i = 0; i < 100_000; i++) at.push((at = []))
    const wrong: [unknown, string][] = [
      [null, 'notAFlow'],
      ['x', 'notAFlow'],
      [[], 'notAFlow'],
      [{ flow: null }, 'notAFlow'],
      [{ nodes: [1] }, 'notAFlow'],
      [{ nodes: [node, node], connections: [] }, 'idTwice'],
      [{ nodes: [{ ...node, id: undefined }] }, 'idTwice'],
      [{ nodes: Array.from({ length: 1_001 }, (_, i) => ({ ...node, id: `n${i}` })) }, 'tooLarge'],
      [{ nodes: [{ ...node, type: 'x', data: { text: 'x'.repeat(70_000) } }] }, 'tooLarge'],
      [{ nodes: [{ ...node, data: deep }] }, 'tooLarge'],
      [{ nodes: [node], connections: Array.from({ length: 10_001 }, () => ({})) }, 'tooLarge'],
    ]
    for (const [value, code] of wrong) expect(fromFamily(value)).toEqual({ ok: false, code: code as 'tooLarge' })
  })

  test('[FL51] ids that we could not keep come back as they were', () => {
    const odd = {
      nodes: [
        { id: '1', type: 'start', position: { x: 0, y: 0 }, data: {} },
        { id: 'nó 2/3', type: 'message', position: { x: 0, y: 0 }, data: { label: 'Oi' } },
        { id: '__proto__', type: 'message', position: { x: 0, y: 0 }, data: { label: 'Ei' } },
      ],
      connections: [
        { id: 'reactflow__edge-1a-nó 2/3', source: '1', sourceHandle: 'a', target: 'nó 2/3', targetHandle: null },
        {
          id: 'reactflow__edge-nó 2/3a-__proto__',
          source: 'nó 2/3',
          sourceHandle: 'a',
          target: '__proto__',
          targetHandle: null,
        },
      ],
    }
    expect(toFamily(read(odd))).toEqual(odd)
    expect(new Talk(read(odd)).start().said).toEqual(['Oi', 'Ei'])
  })

  test('[FL53] any value can be read, and what was read can be written', () => {
    const roll = dice(7)
    const junk = (depth = 0): unknown => {
      const kind = Math.floor(roll() * (depth > 3 ? 5 : 8))
      if (kind < 5) return [null, true, 'x', '{nome}', -1.5][kind]
      if (kind === 5) return Array.from({ length: Math.floor(roll() * 4) }, () => junk(depth + 1))
      const keys = ['label', 'data', 'queue', 'id', 'rules', 'options', 'conditions', 'condition', 'expression', 'seq']
      const more = [
        'elements',
        'arrayOption',
        'request',
        'headers',
        'typebotIntegration',
        'days',
        'users',
        'url',
        'sec',
      ]
      return Object.fromEntries([...keys, ...more].flatMap((key) => (roll() < 0.3 ? [[key, junk(depth + 1)]] : [])))
    }
    const types = ['start', 'message', 'menu', 'condition', 'singleBlock', 'ticket', 'question', 'businessHours', 'tag']
    const more = ['attendant', 'httpRequest', 'webhook', 'request', 'openai', 'end', 'img', 'constructor', 'toString']
    for (let round = 0; round < 600; round++) {
      const nodes = [...types, ...more].map((type, index) => ({
        ...{ id: String(index + 1), type, data: junk(), position: roll() < 0.8 ? { x: junk(), y: 1 } : junk() },
        ...(roll() < 0.2 && { extra: junk() }),
      }))
      const connections = Array.from({ length: 10 }, () => ({
        source: String(1 + Math.floor(roll() * 20)),
        target: String(1 + Math.floor(roll() * 20)),
        sourceHandle: ['a', null, 'b', 'cond-0', '__proto__', 7][Math.floor(roll() * 6)],
      }))
      const graph = read({ nodes, connections })
      expect(graph.nodes.every(isFlowNode)).toBe(true)
      checkFlow(graph)
      const back = toFamily(graph)
      expect(sorted(toFamily(read(back)))).toEqual(sorted(JSON.parse(JSON.stringify(back))))
      new Talk(graph).start('oi').hear('1')
    }
  })
})

describe('lines of code', () => {
  const rule = (key: string, operator: string, value: string, of = 'variable') => ({ of, key, operator, value })

  test('[FL54] comparisons are understood, and written the same', () => {
    const known: [string, object][] = [
      ['{{idade}} >= 18', { match: 'all', rules: [rule('idade', 'atLeast', '18')] }],
      ['idade>=18', { match: 'all', rules: [rule('idade', 'atLeast', '18')] }],
      ['18 <= variables.idade', { match: 'all', rules: [rule('idade', 'atLeast', '18')] }],
      [`"{{cidade}}" === 'São Paulo'`, { match: 'all', rules: [rule('cidade', 'equals', 'São Paulo')] }],
      ['contact.name != null', { match: 'all', rules: [rule('name', 'notEquals', '', 'contact')] }],
      ['a < b && c > -1.5', { match: 'all', rules: [rule('a', 'less', '{{b}}'), rule('c', 'more', '-1.5')] }],
      ['a == 1 || b == true', { match: 'any', rules: [rule('a', 'equals', '1'), rule('b', 'equals', 'true')] }],
    ]
    for (const [text, meaning] of known) {
      const found = readExpression(text)
      expect(found).toEqual(meaning as never)
      expect(readExpression(writeExpression(found!)!)).toEqual(found)
    }
  })

  test('[FL54] everything else is not, and nothing is ever run', () => {
    const others = [
      ...['', 'a', 'a ==', '== 1', 'a = 1', 'a == 1 &&', 'a == 1 && b == 2 || c == 3', '(a == 1)', 'a == 1 b == 2'],
      ...['process.exit()', 'a.includes("x")', 'a[0] == 1', '`x` == 1', '"a" == "b"', 'a == "x\\"y"', 'a == 1; b()'],
      ...['{{a == 1', '"a == 1', 'a == 1e5', 'a === = 1', '!a == 1', `a == ${'1'.repeat(2_000)}`],
    ]
    for (const text of others) expect([text, readExpression(text)]).toEqual([text, null])
    expect(flow({}).nodes).toHaveLength(1)
  })
})
