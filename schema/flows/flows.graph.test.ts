import { expect, test } from 'bun:test'
import { dice, flow, randomGraph } from './flows.fixture.ts'
import {
  calledFlows,
  drawnTypes,
  edgesOf,
  filesOf,
  type FlowNode,
  newGraph,
  newNode,
  newNodeId,
  portsOf,
  variablesOf,
} from './flows.graph.ts'
import { isFlowNode, nodeTypes } from './flows.inputs.ts'

test('[FL1] a new node of every type fits its bounds, and so does whatever a draft may hold', () => {
  for (const type of nodeTypes) expect([type, isFlowNode(newNode(type, 'x', 1.5, -2))]).toEqual([type, true])
  expect(drawnTypes).toHaveLength(nodeTypes.length - 2)
  for (let seed = 0; seed < 200; seed++)
    for (const node of randomGraph(dice(seed)).nodes) expect([node, isFlowNode(node)]).toEqual([node, true])
  expect(newGraph().nodes).toHaveLength(1)
})

test('[FL1] what is too long, of another type or named strangely is not kept', () => {
  const message = (values: object) => ({ ...newNode('message', 'x', 0, 0), ...values })
  const wrong = [
    null,
    message({ type: 'dance' }),
    message({ id: '' }),
    message({ id: '__proto__' }),
    message({ id: 'a'.repeat(65) }),
    message({ x: Number.NaN }),
    message({ x: 1e9 }),
    message({ data: { text: 'x'.repeat(10_001) } }),
    message({ data: { label: 'x' } }),
    message({ exits: { a: 7 } }),
    message({ exits: JSON.parse('{"__proto__":"x"}') }),
    message({ exits: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, 'x'])) }),
    message({ data: { text: '', family: { data: 'x'.repeat(70_000) } } }),
    { ...newNode('interval', 'x', 0, 0), data: { seconds: 1.5 } },
    { ...newNode('question', 'x', 0, 0), data: { ...newNode('question', 'x', 0, 0).data, saveAs: '__proto__' } },
  ]
  for (const node of wrong) expect([node, isFlowNode(node)]).toEqual([node, false])
})

test('[FL1] the ports of a node follow from its type and its data', () => {
  const ids = (node: FlowNode | undefined) => portsOf(node!).map(({ id }) => id)
  const nodes = flow({
    m: [
      'menu',
      {
        options: [
          { number: 1, label: 'a' },
          { number: 2, label: 'b' },
        ],
        timeoutSeconds: 9,
      },
    ],
    c: ['condition', { mode: 'cases', cases: [{ label: 'x', match: 'all', rules: [] }] }],
    d: ['condition'],
    q: ['question', { kind: 'any' }],
    e: ['end'],
    u: ['unknown', { type: 'x', data: null }, { foo: 'm' }],
  }).nodes
  expect(nodes.slice(1).map(ids)).toEqual([
    ['a1', 'a2', 'invalid', 'timeout'],
    ['cond-0', 'default'],
    ['true', 'false'],
    ['a'],
    [],
    ['foo'],
  ])
})

test('[FL1] lines lead from ports that exist to nodes that exist', () => {
  const graph = flow({
    m: ['message', {}, { a: 'n', b: 'n' }],
    n: ['message', {}, { a: 'gone' }],
  })
  expect(edgesOf(graph)).toEqual([
    { source: '1', port: 'a', target: 'm' },
    { source: 'm', port: 'a', target: 'n' },
  ])
})

test('[FL1] a graph tells the flows it calls, the files it sends and the variables it fills', () => {
  const graph = flow({
    f: ['flow', { flowId: 3 }],
    g: ['flow', { flowId: 3 }],
    i: ['img', { file: 'a.png' }],
    b: ['singleBlock', { elements: [{ id: 'x', kind: 'audio', file: 'b.ogg', name: '', record: false }] }],
    q: ['question', { saveAs: 'nome' }],
    h: ['http', { saves: [{ path: '', saveAs: 'valor' }], saveStatusAs: 'nome' }],
  })
  expect([calledFlows(graph), filesOf(graph), variablesOf(graph)]).toEqual([[3], ['a.png', 'b.ogg'], ['nome', 'valor']])
  expect(newNodeId(new Uint8Array(30).fill(7))).toMatch(/^[A-Za-z0-9]{30}$/)
})
