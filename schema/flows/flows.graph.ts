import { type FlowRule, type NodeData, type NodeType, nodeTypes, type operators } from './flows.inputs.ts'

/**
 * A flow as a graph. Ways out lie in the node that they leave, one target for each port, so a port never leads to two
 * places. The canvas draws it, `flows.check.ts` judges it, `flows.step.ts` runs it.
 */

interface NodeOf<T extends NodeType> {
  /** Unique in its flow: `1` for the start, 30 letters and digits for others. */
  id: string
  type: T
  /** Upper left corner, in pixels of the canvas. */
  x: number
  y: number
  data: NodeData[T]
  /** By port, the node that comes next. Ports that lead nowhere are missing. */
  exits: Record<string, string>
}

/** One node of any type; `type` says which data it has. */
export type FlowNode = { [T in NodeType]: NodeOf<T> }[NodeType]
export type FlowNodeOf<T extends NodeType> = NodeOf<T>

export interface FlowGraph {
  nodes: readonly FlowNode[]
}

export const START_ID = '1'
/** What the name of a secret begins with, within double braces. */
export const SECRET = 'secret:'
/** The only way out of most nodes. */
export const NEXT = 'a'

/** What a way out means; the client has a word for each. */
export type PortKind =
  | 'next'
  | 'option'
  | 'case'
  | 'otherwise'
  | 'true'
  | 'false'
  | 'chance'
  | 'rest'
  | 'open'
  | 'closed'
  | 'success'
  | 'finished'
  | 'error'
  | 'reply'
  | 'invalid'
  | 'timeout'

export interface Port {
  /** Key in `exits`. */
  id: string
  kind: PortKind
  /** Of an option or a case: what people wrote for it. */
  label?: string
  /** Of an option: its number. */
  number?: number
  /** Leading nowhere is usual: the engine knows what to do then. */
  optional?: true
}

const next: Port[] = [{ id: NEXT, kind: 'next' }]
const invalid: Port = { id: 'invalid', kind: 'invalid', optional: true }
const timeout: Port = { id: 'timeout', kind: 'timeout', optional: true }
const silent = (seconds: number) => (seconds > 0 ? [timeout] : [])

/** The port of a menu's option. */
export const optionPort = (number: number): string => `a${number}`
/** The port of a condition's case, counted from 0. */
export const casePort = (index: number): string => `cond-${index}`

/** The ways out of every type, from top to bottom. */
const ports: { [T in NodeType]: (node: NodeOf<T>) => Port[] } = {
  start: () => next,
  message: () => next,
  interval: () => [...next, { id: 'reply', kind: 'reply', optional: true }],
  condition: ({ data }) =>
    data.mode === 'cases'
      ? [
          ...data.cases.map(({ label }, index): Port => ({ id: casePort(index), kind: 'case', label })),
          { id: 'default', kind: 'otherwise' },
        ]
      : [
          { id: 'true', kind: 'true' },
          { id: 'false', kind: 'false' },
        ],
  menu: ({ data }) => [
    ...data.options.map(({ number, label }): Port => ({ id: optionPort(number), kind: 'option', number, label })),
    invalid,
    ...silent(data.timeoutSeconds),
  ],
  img: () => next,
  video: () => next,
  audio: () => next,
  document: () => next,
  file: () => [
    { id: 'success', kind: 'success' },
    { id: 'error', kind: 'error' },
  ],
  template: () => [...next, { id: 'error', kind: 'error', optional: true }],
  randomizer: () => [
    { id: 'a', kind: 'chance' },
    { id: 'b', kind: 'rest' },
  ],
  singleBlock: () => next,
  ticket: () => [],
  question: ({ data }) => [...next, ...(data.kind === 'any' ? [] : [invalid]), ...silent(data.timeoutSeconds)],
  hours: () => [
    { id: 'open', kind: 'open' },
    { id: 'closed', kind: 'closed' },
  ],
  tag: () => next,
  field: () => next,
  set: () => next,
  agent: () => [],
  http: () => [
    { id: 'success', kind: 'success' },
    { id: 'error', kind: 'error' },
  ],
  ai: ({ data }) => [
    { id: 'success', kind: 'success' },
    { id: 'error', kind: 'error' },
    ...(data.talk ? silent(data.timeoutSeconds) : []),
  ],
  typebot: ({ data }) => [
    { id: 'success', kind: 'finished' },
    { id: 'error', kind: 'error' },
    ...silent(data.timeoutSeconds),
  ],
  // Optional: where the called flow ends, this one ends, too.
  flow: () => [{ id: NEXT, kind: 'next', optional: true }],
  end: () => [],
  note: () => next,
  comment: () => [],
  unknown: ({ exits }) => Object.keys(exits).map((id) => ({ id, kind: 'next' as const })),
}

/** The ways out of a node, from top to bottom. */
export function portsOf(node: FlowNode): Port[] {
  return (ports[node.type] as (node: FlowNode) => Port[])(node)
}

/** Where a port leads, or null. */
export const exitOf = (node: FlowNode, port: string): string | null =>
  Object.hasOwn(node.exits, port) ? node.exits[port]! : null

const indexes = new WeakMap<FlowGraph, ReadonlyMap<string, FlowNode>>()

/** The nodes by id. Made once for each graph, which must not change afterwards. */
export function nodesById(graph: FlowGraph): ReadonlyMap<string, FlowNode> {
  let found = indexes.get(graph)
  if (!found) indexes.set(graph, (found = new Map(graph.nodes.map((node) => [node.id, node]))))
  return found
}

/** One line of the canvas. */
export interface FlowEdge {
  source: string
  port: string
  target: string
}

/** Every way that leads from a port of a node to a node that is there. */
export function edgesOf(graph: FlowGraph): FlowEdge[] {
  const nodes = nodesById(graph)
  return graph.nodes.flatMap((node) =>
    portsOf(node).flatMap(({ id: port }) => {
      const target = exitOf(node, port)
      return target !== null && nodes.has(target) ? [{ source: node.id, port, target }] : []
    }),
  )
}

/** The flows that this one calls, without repeats. */
export const calledFlows = (graph: FlowGraph): number[] => [
  ...new Set(graph.nodes.flatMap((node) => (node.type === 'flow' && node.data.flowId ? [node.data.flowId] : []))),
]

/** Ids of the people to whom the flow gives tickets, without repeats. */
export const agentsOf = (graph: FlowGraph): number[] => [
  ...new Set(graph.nodes.flatMap((node) => (node.type === 'agent' && node.data.userId ? [node.data.userId] : []))),
]

/** Types of nodes that send one stored file. */
export const storedTypes = ['img', 'video', 'audio', 'document', 'template'] as const satisfies NodeType[]
type StoredType = (typeof storedTypes)[number]

/** The message templates that the flow sends, by name and language, without repeats. */
export const templatesOf = (graph: FlowGraph): { name: string; language: string }[] => [
  ...new Map(
    graph.nodes.flatMap(({ type, data }) =>
      type === 'template' && data.template
        ? [[`${data.language}/${data.template}`, { name: data.template, language: data.language }] as const]
        : [],
    ),
  ).values(),
]

/** Names of stored files that the flow sends, without repeats. */
export const filesOf = (graph: FlowGraph): string[] => [
  ...new Set(
    graph.nodes
      .flatMap((node) => {
        if (storedTypes.some((type) => type === node.type)) return [(node as FlowNodeOf<StoredType>).data.file]
        if (node.type === 'singleBlock')
          return node.data.elements.flatMap((element) => ('file' in element ? [element.file] : []))
        return []
      })
      .filter(Boolean),
  ),
]

/** Names of the secrets that a text holds, as `{{secret:name}}`. */
export const secretsIn = (text: string): string[] =>
  [...text.matchAll(/\{\{([^{}]*)\}\}/g)].flatMap(([, inside = '']) => {
    const key = inside.trim()
    return key.startsWith(SECRET) ? [key.slice(SECRET.length).trim()] : []
  })

/** Types of nodes that call an address, in which secrets may stand. */
export const callingTypes = ['http', 'file'] as const satisfies NodeType[]

/** Names of the secrets that a call names, without repeats. */
export const secretsOfCall = (data: NodeData[(typeof callingTypes)[number]]): string[] => [
  ...new Set(
    [data.url, ...('headers' in data ? [data.body, ...data.headers.map(({ value }) => value)] : [])].flatMap(secretsIn),
  ),
]

/** The variables that the nodes fill, as they are written there, without repeats. */
export const variablesOf = (graph: FlowGraph): string[] => [
  ...new Set(
    graph.nodes
      .flatMap((node) => {
        if (node.type === 'question' || node.type === 'ai' || node.type === 'set') return [node.data.saveAs]
        if (node.type === 'http') return [node.data.saveStatusAs, ...node.data.saves.map(({ saveAs }) => saveAs)]
        return []
      })
      .filter(Boolean),
  ),
]

/** A variable's name that somebody wrote with its braces. */
export const bareName = (key: string): string => key.replaceAll(/[{}]/g, '').trim()

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** @param random 30 random bytes */
export const newNodeId = (random: Uint8Array): string =>
  Array.from(random.subarray(0, 30), (byte) => letters[byte % letters.length]).join('')

/** A comparison that nobody has filled in yet. */
export const newRule = (): FlowRule => ({ of: 'variable', key: '', operator: 'equals', value: '' })

/** What a node of each type holds when it is put on the canvas. */
const defaults: { [T in NodeType]: () => NodeData[T] } = {
  start: () => ({}),
  message: () => ({ text: '' }),
  interval: () => ({ seconds: 5 }),
  condition: () => ({ mode: 'single', key: '', condition: 1, value: '', match: 'all', rules: [], cases: [] }),
  menu: () => ({
    message: '',
    options: [{ number: 1, label: '' }],
    invalidMessage: '',
    timeoutSeconds: 0,
    timeoutMessage: '',
  }),
  img: () => ({ file: '', name: '', caption: '' }),
  video: () => ({ file: '', name: '', caption: '' }),
  audio: () => ({ file: '', name: '', record: false }),
  document: () => ({ file: '', name: '', caption: '' }),
  file: () => ({ url: '', caption: '' }),
  template: () => ({ template: '', language: '', values: {}, file: '', name: '' }),
  randomizer: () => ({ percent: 50 }),
  singleBlock: () => ({ elements: [] }),
  ticket: () => ({ queueId: null, message: '' }),
  question: () => ({
    message: '',
    saveAs: '',
    kind: 'text',
    tries: 3,
    invalidMessage: '',
    timeoutSeconds: 0,
    timeoutMessage: '',
    gatherSeconds: 0,
  }),
  hours: () => ({ of: 'company', queueId: null, schedules: [], timeZone: '' }),
  tag: () => ({ tagId: null, action: 'add' }),
  field: () => ({ field: 'name', extraName: '', value: '' }),
  set: () => ({ saveAs: '', value: '' }),
  agent: () => ({ userId: null, message: '' }),
  http: () => ({ method: 'GET', url: '', headers: [], body: '', saves: [], saveStatusAs: '' }),
  ai: () => ({
    promptId: null,
    instructions: '',
    talk: false,
    turns: 10,
    say: true,
    saveAs: '',
    timeoutSeconds: 0,
    gatherSeconds: 4,
  }),
  typebot: () => ({ integrationId: null, timeoutSeconds: 0 }),
  flow: () => ({ flowId: null }),
  end: () => ({ then: 'pending', message: '' }),
  note: () => ({ text: '' }),
  comment: () => ({ text: '', width: null }),
  unknown: () => ({ type: '', data: {} }),
}

/** What a new node of that type holds: every field, nothing chosen. */
export const newData = <T extends NodeType>(type: T): NodeData[T] => defaults[type]()

/** A node of that type with nothing filled in and no way out. */
export const newNode = <T extends NodeType>(type: T, id: string, x: number, y: number): FlowNode =>
  ({ id, type, x, y, data: newData(type), exits: {} }) as unknown as FlowNode

/** What a new flow holds: the start alone. */
export const newGraph = (): FlowGraph => ({ nodes: [newNode('start', START_ID, 0, 0)] })

/** Types that people can put on the canvas; a flow has one start, and nobody draws what is unknown. */
export const drawnTypes = nodeTypes.filter((type) => type !== 'start' && type !== 'unknown')

export type Operator = (typeof operators)[number]

/** The operators behind the codes of a single comparison. */
export const operatorOfCode: Record<number, Operator> = {
  1: 'equals',
  2: 'atLeast',
  3: 'atMost',
  4: 'less',
  5: 'more',
  6: 'contains',
}
