import { placeholderNames } from '../placeholders/placeholders.ts'
import { fileKindOf, missingValues } from '../templates/templates.parts.ts'
import { stopOf } from '../templates/templates.state.ts'
import { isTimeZone } from '../wall.ts'
import {
  bareName,
  edgesOf,
  exitOf,
  type FlowEdge,
  type FlowGraph,
  type FlowNode,
  nodesById,
  portsOf,
  SECRET,
  variablesOf,
} from './flows.graph.ts'
import type { FlowTemplate } from './flows.run.ts'
import { mergeablesOf } from './flows.merge.ts'
import { MOST_INTERVAL_SECONDS, MOST_NODES, PERCENT_STEP } from './flows.inputs.ts'

/** What is wrong with a flow, as codes: the client has a sentence for each. A flow with errors is not published. */

const severities = {
  startMissing: 'error',
  startTwice: 'error',
  tooManyNodes: 'error',
  idTwice: 'error',
  typeUnknown: 'error',
  targetMissing: 'error',
  textEmpty: 'error',
  intervalOutOfRange: 'error',
  percentOutOfRange: 'error',
  optionsMissing: 'error',
  optionEmpty: 'error',
  optionTwice: 'error',
  blockEmpty: 'error',
  fileMissing: 'error',
  /** It is named, but no longer kept. */
  fileGone: 'error',
  /** No message template is chosen, or no connection has it. */
  templateMissing: 'error',
  /** Nothing may be sent by it now: `name` is why. */
  templateStopped: 'error',
  /** A variable of the template has no value. */
  templateValues: 'error',
  /** The flow begins over a connection that sends no templates: `name` is it. */
  templateWire: 'error',
  queueMissing: 'error',
  userMissing: 'error',
  tagMissing: 'error',
  promptMissing: 'error',
  /** No integration with Typebot is chosen, or it is gone, or has become something else. */
  typebotMissing: 'error',
  flowMissing: 'error',
  /** The flow calls itself and goes on behind the call: it would never come back. */
  flowItself: 'error',
  variableMissing: 'error',
  rulesMissing: 'error',
  fieldMissing: 'error',
  zoneUnknown: 'error',
  urlWrong: 'error',
  addressEmpty: 'error',
  /** It begins neither with `http://` or `https://` nor with a placeholder. */
  addressWrong: 'error',
  /** A placeholder stands in the name of the host: a contact could choose who is called. */
  urlHost: 'error',
  secretUnknown: 'error',
  /** A circle in which nothing is ever waited for. */
  endlessLoop: 'error',
  /** A circle that goes on without the contact, by the clock alone. */
  loopWithoutReply: 'warning',
  /** Calls go over https only. */
  urlOpen: 'error',
  /** A key stands in a header, for everybody who opens the flow. */
  secretOpen: 'warning',
  variableUnknown: 'warning',
  unconnected: 'warning',
  unreachable: 'warning',
  /** A way leaves by a port that the node does not have. */
  portGone: 'warning',
  /** Each message is charged, and two that follow one another could be one. */
  couldBeOne: 'warning',
} as const

export type FlowProblemCode = keyof typeof severities

export interface FlowProblem {
  code: FlowProblemCode
  severity: 'error' | 'warning'
  /** Null for what is of the whole flow. */
  nodeId: string | null
  /** The port that it is about. */
  port?: string
  /** Of an option, an element, a rule, a case: counted from 0. */
  part?: number
  /** A type, a variable or a secret, by name. */
  name?: string
}

/** What exists beside the flow. What is not given is not looked at. */
export interface KnownToFlow {
  /** The flow's own id. */
  self?: number
  queues?: ReadonlySet<number>
  users?: ReadonlySet<number>
  tags?: ReadonlySet<number>
  prompts?: ReadonlySet<number>
  /** Integrations with Typebot; those with something else are none. */
  typebots?: ReadonlySet<number>
  /** What is known of a message template, the best of all connections that have it. */
  templateOf?: (name: string, language: string) => FlowTemplate | undefined
  /** Names of connections over which the flow begins and which send no templates. */
  withoutTemplates?: readonly string[]
  /** The company speaks over a wire on which each message is charged. */
  charged?: boolean
  /** Flows that can be called: active, with a published version. */
  flows?: ReadonlySet<number>
  /** Of flows that can be called: those that each comes to without waiting for anything, by `calledAtOnce`. */
  callsAtOnce?: ReadonlyMap<number, readonly number[]>
  files?: Pick<ReadonlySet<string>, 'has'>
  secrets?: ReadonlySet<string>
  /** Variables and fields of contacts that are filled elsewhere, such as by a flow that calls this one. Gives warnings about the others. */
  variables?: ReadonlySet<string>
}

type Found = Omit<FlowProblem, 'severity' | 'nodeId'>

/** Everything that is wrong with a flow, the nodes in the order of the graph. */
export function checkFlow(graph: FlowGraph, known: KnownToFlow = {}): FlowProblem[] {
  const problems: FlowProblem[] = []
  const add = (nodeId: string | null, { code, ...rest }: Found) =>
    problems.push({ code, severity: severities[code], nodeId, ...rest })

  const starts = graph.nodes.filter(({ type }) => type === 'start')
  if (starts.length === 0) add(null, { code: 'startMissing' })
  for (const { id } of starts.slice(1)) add(id, { code: 'startTwice' })
  if (graph.nodes.length > MOST_NODES) add(null, { code: 'tooManyNodes' })

  const edges = edgesOf(graph)
  const reached = reachedFrom(starts[0]?.id, edges)
  const endless = circles(
    graph,
    edges.filter((edge) => !waits(nodesById(graph).get(edge.source)!)),
  )
  const alone = circles(
    graph,
    edges.filter((edge) => !byContact(nodesById(graph).get(edge.source)!, edge.port)),
  )
  const inEndless = new Set(endless.flat())
  const atOnce = new Set(nodesAtOnce(graph))
  const variables = known.variables && variablesKnown(graph, known.variables)

  const couldBeOne = Map.groupBy(known.charged ? mergeablesOf(graph) : [], ({ nodeId }) => nodeId)

  const seen = new Set<string>()
  for (const node of graph.nodes) {
    if (seen.has(node.id)) add(node.id, { code: 'idTwice' })
    seen.add(node.id)
    for (const problem of ofNode(node, known)) add(node.id, problem)
    if (atOnce.has(node.id) && node.type === 'flow' && comesBack(node.data.flowId, known))
      add(node.id, { code: 'endlessLoop' })
    for (const problem of ofWords(node, variables, known.secrets)) add(node.id, problem)
    for (const problem of ofWays(graph, node)) add(node.id, problem)
    for (const { part } of couldBeOne.get(node.id) ?? [])
      add(node.id, { code: 'couldBeOne', ...(part !== undefined && { part }) })
    if (node.type !== 'comment' && starts[0] && !reached.has(node.id)) add(node.id, { code: 'unreachable' })
    if (endless.some(([first]) => first === node.id)) add(node.id, { code: 'endlessLoop' })
    if (alone.some((circle) => circle[0] === node.id && !circle.some((id) => inEndless.has(id))))
      add(node.id, { code: 'loopWithoutReply' })
  }
  return problems
}

export const hasErrors = (problems: readonly FlowProblem[]): boolean =>
  problems.some(({ severity }) => severity === 'error')

const isBlank = (text: string) => text.trim() === ''
const noText = (text: string): Found[] => (isBlank(text) ? [{ code: 'textEmpty' }] : [])
const noFile = (file: string, files: KnownToFlow['files'], part?: number): Found[] =>
  file && (!files || files.has(file))
    ? []
    : [{ code: file ? 'fileGone' : 'fileMissing', ...(part !== undefined && { part }) }]
const noRow = (id: number | null, rows: ReadonlySet<number> | undefined, code: Found['code']): Found[] =>
  id !== null && (!rows || rows.has(id)) ? [] : [{ code }]
const outOfRange = (seconds: number) => !(seconds > 0 && seconds <= MOST_INTERVAL_SECONDS)

/** What is wrong with what a node holds. */
function ofNode(node: FlowNode, known: KnownToFlow): Found[] {
  switch (node.type) {
    case 'start':
    case 'comment':
    case 'end':
      return []
    case 'message':
    case 'note':
      return noText(node.data.text)
    case 'interval':
      return outOfRange(node.data.seconds) ? [{ code: 'intervalOutOfRange' }] : []
    case 'condition':
      return ofCondition(node.data)
    case 'menu':
      return ofMenu(node.data)
    case 'img':
    case 'video':
    case 'audio':
    case 'document':
      return noFile(node.data.file, known.files)
    case 'template':
      return ofTemplate(node.data, known)
    case 'file':
      return ofAddress(node.data.url.trim())
    case 'randomizer': {
      const { percent } = node.data
      return percent < 0 || percent > 100 || percent % PERCENT_STEP !== 0 ? [{ code: 'percentOutOfRange' }] : []
    }
    case 'singleBlock':
      return ofBlock(node.data, known)
    case 'ticket':
      return noRow(node.data.queueId, known.queues, 'queueMissing')
    case 'question':
      return node.data.kind === 'any' ? [] : noText(node.data.message)
    case 'hours':
      if (node.data.of === 'queue') return noRow(node.data.queueId, known.queues, 'queueMissing')
      return node.data.of === 'own' && node.data.timeZone && !isTimeZone(node.data.timeZone)
        ? [{ code: 'zoneUnknown', name: node.data.timeZone }]
        : []
    case 'tag':
      return noRow(node.data.tagId, known.tags, 'tagMissing')
    case 'field':
      return [
        ...noText(node.data.value),
        ...(node.data.field === 'extra' && isBlank(node.data.extraName) ? [{ code: 'fieldMissing' } as const] : []),
      ]
    case 'set':
      return isBlank(node.data.saveAs) ? [{ code: 'variableMissing' }] : []
    case 'agent':
      return noRow(node.data.userId, known.users, 'userMissing')
    case 'http':
      return [...ofUrl(node.data.url.trim()), ...ofHeaders(node.data.headers)]
    case 'ai':
      // The key of the service stands with the prompt, never in a flow.
      return noRow(node.data.promptId, known.prompts, 'promptMissing')
    case 'typebot':
      return noRow(node.data.integrationId, known.typebots, 'typebotMissing')
    case 'flow': {
      const { flowId } = node.data
      if (flowId !== null && flowId === known.self) return exitOf(node, 'a') === null ? [] : [{ code: 'flowItself' }]
      return noRow(flowId, known.flows, 'flowMissing')
    }
    case 'unknown':
      return [{ code: 'typeUnknown', name: node.data.type }]
  }
}

function ofTemplate({ template, language, values, file }: DataOf<'template'>, known: KnownToFlow): Found[] {
  if (template === '') return [{ code: 'templateMissing' }]
  const wires = (known.withoutTemplates ?? []).map((name): Found => ({ code: 'templateWire', name }))
  if (!known.templateOf) return wires
  const found = known.templateOf(template, language)
  if (!found) return [{ code: 'templateMissing', name: template }, ...wires]
  const stop = stopOf(found)
  return [
    ...(stop ? [{ code: 'templateStopped', name: template } as const] : []),
    ...(missingValues(found.parts, values).length > 0 ? [{ code: 'templateValues', name: template } as const] : []),
    ...(fileKindOf(found.parts) ? noFile(file, known.files) : []),
    ...wires,
  ]
}

type DataOf<T extends FlowNode['type']> = Extract<FlowNode, { type: T }>['data']

function ofCondition({ mode, key, rules, cases }: DataOf<'condition'>): Found[] {
  if (mode === 'single') return isBlank(key) ? [{ code: 'variableMissing' }] : []
  const ofRules = (list: typeof rules): Found[] =>
    list.flatMap((rule, part) => (rule.of !== 'text' && isBlank(rule.key) ? [{ code: 'variableMissing', part }] : []))
  if (mode === 'rules') return rules.length === 0 ? [{ code: 'rulesMissing' }] : ofRules(rules)
  if (cases.length === 0) return [{ code: 'rulesMissing' }]
  return cases.flatMap((one, part): Found[] => {
    if (one.rules.length === 0) return [{ code: 'rulesMissing', part }]
    return ofRules(one.rules).map(({ code }) => ({ code, part }))
  })
}

function ofMenu({ message, options }: DataOf<'menu'>): Found[] {
  const problems = noText(message)
  if (options.length === 0) problems.push({ code: 'optionsMissing' })
  for (const [part, { number, label }] of options.entries()) {
    if (isBlank(label)) problems.push({ code: 'optionEmpty', part })
    if (options.findIndex((other) => other.number === number) < part) problems.push({ code: 'optionTwice', part })
  }
  return problems
}

function ofBlock({ elements }: DataOf<'singleBlock'>, { files }: KnownToFlow): Found[] {
  if (elements.length === 0) return [{ code: 'blockEmpty' }]
  return elements.flatMap((element, part): Found[] => {
    if (element.kind === 'message') return noText(element.text).map(({ code }) => ({ code, part }))
    if (element.kind === 'interval') return outOfRange(element.seconds) ? [{ code: 'intervalOutOfRange', part }] : []
    return noFile(element.file, files, part)
  })
}

function ofUrl(url: string): Found[] {
  const [before = ''] = url.split('{{', 1)
  // Without a placeholder the whole address is known; with one, the host must end before it.
  if (before !== url && !/^https?:\/\/[^/?#]{1,253}[/?#]/i.test(before)) return [{ code: 'urlHost' }]
  const filled = url.replaceAll(/\{\{[^{}]*\}\}/g, 'x')
  if (!/^https?:\/\//i.test(filled) || !URL.canParse(filled)) return [{ code: 'urlWrong' }]
  return /^http:/i.test(filled) ? [{ code: 'urlOpen' }] : []
}

/** An address that may come from an answer: where it leads is looked at when it is called. */
function ofAddress(url: string): Found[] {
  if (url === '') return [{ code: 'addressEmpty' }]
  if (url.startsWith('{{')) return []
  const filled = url.replaceAll(/\{\{[^{}]*\}\}/g, 'x')
  return /^https?:\/\//i.test(filled) && URL.canParse(filled) ? [] : [{ code: 'addressWrong' }]
}

const ofHeaders = (headers: DataOf<'http'>['headers']): Found[] =>
  headers.flatMap(({ name, value }, part): Found[] =>
    /authorization|key|token|secret|password/i.test(name) && !isBlank(value) && !value.includes('{{')
      ? [{ code: 'secretOpen', part, name }]
      : [],
  )

const built = placeholderNames.map((name) => name.toLowerCase())

function variablesKnown(graph: FlowGraph, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([
    ...built,
    'nome',
    'numero',
    'lasttext',
    ...[...filledBy(graph.nodes), ...others].map((name) => name.toLowerCase()),
  ])
}

/** The names under which these nodes leave something: variables, and fields of the contact. */
export const filledBy = (nodes: readonly FlowNode[]): string[] => [
  ...variablesOf({ nodes }).flatMap((name) => [name, `${name}_id`, `${name}_iso`]),
  ...nodes.flatMap(({ type, data }) => (type === 'field' && data.field === 'extra' ? [data.extraName.trim()] : [])),
]

/** What a condition looks at by name: a name that nobody fills is always empty. */
function namesCompared(node: FlowNode): string[] {
  if (node.type !== 'condition') return []
  const { mode, key, rules, cases } = node.data
  if (mode === 'single') return [key]
  return (mode === 'rules' ? rules : cases.flatMap((one) => one.rules)).flatMap((rule) =>
    rule.of === 'variable' || (rule.of === 'contact' && !ownFields.has(rule.key)) ? [rule.key] : [],
  )
}

const ownFields = new Set(['name', 'number', 'email'])

/** Placeholders and compared names that nobody fills, and secrets that are not there. */
function ofWords(
  node: FlowNode,
  variables: ReadonlySet<string> | undefined,
  secrets: ReadonlySet<string> | undefined,
): Found[] {
  const names = new Set<string>()
  for (const name of namesCompared(node)) if (!isBlank(bareName(name))) names.add(bareName(name))
  for (const text of textsIn({ ...node.data, family: undefined }))
    for (const [, name = ''] of text.matchAll(/\{\{([^{}]*)\}\}/g)) names.add(name.trim())
  return [...names].flatMap((name): Found[] => {
    if (name.startsWith(SECRET)) {
      const secret = name.slice(SECRET.length).trim()
      return !secrets || secrets.has(secret) ? [] : [{ code: 'secretUnknown', name: secret }]
    }
    return !variables || variables.has(name.toLowerCase()) ? [] : [{ code: 'variableUnknown', name }]
  })
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('{{')) yield value
  } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* textsIn(one)
}

/** What is wrong with the ways that leave a node. */
function ofWays(graph: FlowGraph, node: FlowNode): Found[] {
  const nodes = nodesById(graph)
  const ports = portsOf(node)
  const problems: Found[] = []
  for (const { id: port, optional } of ports) {
    const target = exitOf(node, port)
    if (target === null) {
      if (!optional) problems.push({ code: 'unconnected', port })
    } else if (!nodes.has(target)) problems.push({ code: 'targetMissing', port })
  }
  for (const port of Object.keys(node.exits))
    if (!ports.some(({ id }) => id === port)) problems.push({ code: 'portGone', port })
  return problems
}

/** Whether a run stands still at a node, for the clock or for somebody. A called flow may do so. */
function waits(node: FlowNode): boolean {
  if (node.type === 'interval') return node.data.seconds > 0
  if (node.type === 'singleBlock')
    return node.data.elements.some((element) => element.kind === 'interval' && element.seconds > 0)
  return ['menu', 'question', 'http', 'file', 'ai', 'typebot', 'flow'].includes(node.type)
}

/** The nodes that a run enters before it first stands still, calls of flows among them. */
function nodesAtOnce(graph: FlowGraph): string[] {
  const nodes = nodesById(graph)
  const start = graph.nodes.find(({ type }) => type === 'start')
  const edges = edgesOf(graph).filter((edge) => !waits(nodes.get(edge.source)!))
  return [...reachedFrom(start?.id, edges)]
}

/** The flows that a flow calls before it first stands still. */
export function calledAtOnce(graph: FlowGraph): number[] {
  const nodes = nodesById(graph)
  return nodesAtOnce(graph).flatMap((id) => {
    const node = nodes.get(id)
    return node?.type === 'flow' && node.data.flowId !== null ? [node.data.flowId] : []
  })
}

/** Whether a call leads back to this flow, over others, and nothing is waited for on the way. Of itself a flow knows by `flowItself`. */
function comesBack(flowId: number | null, { self, callsAtOnce }: KnownToFlow): boolean {
  if (flowId === null || self === undefined || !callsAtOnce || flowId === self) return false
  const reached = new Set([flowId])
  for (const id of reached) for (const next of callsAtOnce.get(id) ?? []) reached.add(next)
  return reached.has(self)
}

/** Whether a way is taken only when the contact has written. */
function byContact(node: FlowNode, port: string): boolean {
  if (node.type === 'menu' || node.type === 'question') return port !== 'timeout'
  if (node.type === 'interval') return port === 'reply'
  if (node.type === 'ai') return node.data.talk && port === 'success'
  // It ends when the contact has answered all that it asks.
  if (node.type === 'typebot') return port === 'success'
  return node.type === 'flow'
}

function reachedFrom(start: string | undefined, edges: readonly FlowEdge[]): Set<string> {
  const ways = waysOf(edges)
  const reached = new Set(start === undefined ? [] : [start])
  for (const id of reached) for (const next of ways.get(id) ?? []) reached.add(next)
  return reached
}

function waysOf(edges: readonly FlowEdge[]): Map<string, string[]> {
  const ways = new Map<string, string[]>()
  for (const { source, target } of edges) {
    const list = ways.get(source)
    if (list) list.push(target)
    else ways.set(source, [target])
  }
  return ways
}

/** Sets of nodes that all lead to one another, each in the order of the graph. Tarjan's way, without recursion. */
function circles(graph: FlowGraph, edges: readonly FlowEdge[]): string[][] {
  const ways = waysOf(edges)
  const order = new Map(graph.nodes.map(({ id }, index) => [id, index]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const found: string[][] = []
  for (const { id: root } of graph.nodes) {
    if (index.has(root)) continue
    const calls: { id: string; next: number }[] = [{ id: root, next: 0 }]
    while (calls.length > 0) {
      const call = calls.at(-1)!
      const { id } = call
      if (call.next === 0) {
        index.set(id, index.size)
        low.set(id, index.get(id)!)
        open.push(id)
        isOpen.add(id)
      }
      const target = ways.get(id)?.[call.next++]
      if (target !== undefined) {
        if (!index.has(target)) calls.push({ id: target, next: 0 })
        else if (isOpen.has(target)) low.set(id, Math.min(low.get(id)!, index.get(target)!))
        continue
      }
      calls.pop()
      const caller = calls.at(-1)
      if (caller) low.set(caller.id, Math.min(low.get(caller.id)!, low.get(id)!))
      if (low.get(id) !== index.get(id)) continue
      const circle = open.splice(open.lastIndexOf(id))
      for (const one of circle) isOpen.delete(one)
      if (circle.length > 1 || ways.get(id)?.includes(id))
        found.push(circle.sort((a, b) => order.get(a)! - order.get(b)!))
    }
  }
  return found
}
