import type { AnswerFile } from './flows.answers.ts'
import { type FlowGraph, type FlowNode, newData } from './flows.graph.ts'
import { type NodeData, type NodeType, nodeTypes } from './flows.inputs.ts'
import {
  type FlowEffect,
  type FlowEvent,
  type FlowFacts,
  type FlowGraphs,
  type FlowRun,
  newRun,
  type TrailEntry,
} from './flows.run.ts'
import { step } from './flows.step.ts'

/** Small flows, and a conversation with one, for tests: a test says only what matters to it. */

type Row = { [T in NodeType]: [type: T, data?: Partial<NodeData[T]>, exits?: Record<string, string>] }[NodeType]

/** A graph from its nodes by id. The start is added, and leads to the first of them. */
export function flow(rows: Record<string, Row>): FlowGraph {
  const nodes = Object.entries(rows).map(
    ([id, [type, data, exits]], index) =>
      ({
        id,
        type,
        x: 300 * (index + 1),
        y: 0,
        data: { ...newData(type), ...data },
        exits: exits ?? {},
      }) as unknown as FlowNode,
  )
  const start: FlowNode = { id: '1', type: 'start', x: 0, y: 0, data: {}, exits: nodes[0] ? { a: nodes[0].id } : {} }
  return { nodes: [start, ...nodes] }
}

/** Noon of a Thursday in São Paulo. */
export const noon = new Date('2026-01-15T15:00:00Z')

export const facts = (values: Partial<FlowFacts> = {}): FlowFacts => ({
  timeZone: 'America/Sao_Paulo',
  language: 'pt',
  contact: { name: 'Maria Souza', number: '5511999990000', email: 'maria@example.com', extraInfo: [] },
  ticket: { id: 5 },
  queue: null,
  company: { name: 'Padaria' },
  tags: [],
  hours: { company: [], connection: [], queues: {} },
  ...values,
})

export const runId = '019bb2f0-0000-7000-8000-000000000001'

/** A run of a flow, to which things happen one after the other. */
export class Talk {
  run: FlowRun
  effects: FlowEffect[] = []
  trail: TrailEntry[] = []
  /** Effects of the last event. */
  last: FlowEffect[] = []
  now = noon
  graphs: FlowGraphs

  constructor(
    graph: FlowGraph,
    public known: FlowFacts = facts(),
    others: Record<number, FlowGraph> = {},
    seed = 1,
  ) {
    this.graphs = {
      versions: { v: graph, ...Object.fromEntries(Object.entries(others).map(([id, other]) => [`v${id}`, other])) },
      live: Object.fromEntries(Object.keys(others).map((id) => [id, `v${id}`])),
    }
    this.run = newRun({ id: runId, version: 'v', seed })
  }

  happen(event: FlowEvent): this {
    const { run, effects, trail } = step(this.graphs, this.run, event, { now: this.now, facts: this.known })
    this.run = run
    this.last = effects
    this.effects.push(...effects)
    this.trail.push(...trail)
    return this
  }

  start(text?: string): this {
    return this.happen({ kind: 'started', ...(text !== undefined && { text }) })
  }

  hear(text: string, file?: AnswerFile): this {
    return this.happen({ kind: 'message', text, file: file ?? null })
  }

  /** The clock goes on, and what is due happens. */
  pass(seconds: number): this {
    this.now = new Date(this.now.getTime() + seconds * 1_000)
    this.last = []
    const { wait } = this.run
    return wait?.until != null && wait.until <= this.now.getTime()
      ? this.happen({ kind: 'timer', waitId: wait.id })
      : this
  }

  /** What was said in the last event. */
  get said(): string[] {
    return this.last.flatMap((effect) => (effect.kind === 'send' ? [effect.body] : []))
  }
  /** Kinds of what happened in the last event. */
  get done(): string[] {
    return this.last.map(({ kind }) => kind)
  }
  get path(): string[] {
    return this.trail.map(({ node }) => node)
  }
}

/** Chance that can be repeated: numbers from 0 to below 1. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const texts = ['', 'Oi', 'Olá {{name}}', '{{x}} e {{y}}', 'Sim', '10', '{{lastText}}!', 'São "Paulo" \\ {aspas}\n2ª']

/** A graph of any shape whose nodes hold anything that a draft may hold. */
export function randomGraph(roll: () => number, most = 14, types: readonly NodeType[] = nodeTypes): FlowGraph {
  const one = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)]!
  const upTo = (n: number) => Math.floor(roll() * (n + 1))
  const maybe = () => roll() < 0.5
  const text = () => one(texts)
  const name = () => one(['', 'x', 'y', 'Idade'])
  const some = <T>(n: number, make: (index: number) => T) => Array.from({ length: upTo(n) }, (_, index) => make(index))
  const file = () => ({ file: maybe() ? `f${upTo(9)}.png` : '', name: maybe() ? 'foto.png' : '' })
  const rule = () => ({
    of: one(['variable', 'contact', 'ticket', 'text'] as const),
    key: one(['x', 'name', 'tag', 'queue', 'Cidade']),
    operator: one([
      ...(['equals', 'notEquals', 'atLeast', 'atMost', 'less', 'more'] as const),
      ...(['contains', 'notContains', 'startsWith', 'filled', 'empty'] as const),
    ]),
    value: text(),
  })
  const rules = () => ({ match: one(['all', 'any'] as const), rules: some(3, rule) })
  const timeout = () => ({ timeoutSeconds: one([0, 60, 3_600]), timeoutMessage: text() })
  const row = () => (maybe() ? upTo(5) + 1 : null)
  const schedules = () =>
    maybe() ? [{ weekday: '', weekdayEn: 'thursday' as const, startTime: '08:00', endTime: '18:00' }] : []
  const data: { [T in NodeType]: () => NodeData[T] } = {
    start: () => ({}),
    message: () => ({ text: text() }),
    interval: () => ({ seconds: upTo(120) }),
    condition: () => ({
      ...{ mode: one(['single', 'rules', 'cases'] as const), key: name(), condition: 1 + upTo(5), value: text() },
      ...rules(),
      cases: some(3, (index) => ({ label: `caso ${index}`, ...rules() })),
    }),
    menu: () => ({
      message: text(),
      options: some(4, (index) => ({ number: index + 1, label: text() })),
      invalidMessage: text(),
      ...timeout(),
    }),
    img: () => ({ ...file(), caption: text() }),
    video: () => ({ ...file(), caption: text() }),
    audio: () => ({ ...file(), record: maybe() }),
    document: () => ({ ...file(), caption: text() }),
    file: () => ({ url: one(['', '{{x}}', 'https://a.example/{{y}}.pdf?k={{secret:chave}}']), caption: text() }),
    template: () => ({
      ...{ template: one(['', 'pedido_pronto']), language: 'pt_BR', ...file() },
      values: { 'body.1': text() } as Record<string, string>,
    }),
    randomizer: () => ({ percent: 10 * upTo(10) }),
    singleBlock: () => ({
      elements: some(4, (index) =>
        one([
          { id: `e${index}`, kind: 'message' as const, text: text() },
          { id: `e${index}`, kind: 'interval' as const, seconds: upTo(9) },
          { id: `e${index}`, kind: 'img' as const, ...file(), caption: text() },
          { id: `e${index}`, kind: 'video' as const, ...file(), caption: text() },
          { id: `e${index}`, kind: 'audio' as const, ...file(), record: maybe() },
        ]),
      ),
    }),
    ticket: () => ({ queueId: row(), message: text() }),
    question: () => ({
      message: text(),
      saveAs: name(),
      kind: one(['text', 'number', 'email', 'document', 'date', 'time', 'phone', 'file', 'any'] as const),
      tries: 1 + upTo(3),
      invalidMessage: text(),
      gatherSeconds: one([0, 4]),
      ...timeout(),
    }),
    hours: () => ({
      of: one(['company', 'queue', 'own'] as const),
      queueId: row(),
      schedules: schedules(),
      timeZone: one(['', 'America/Manaus', 'nowhere']),
    }),
    tag: () => ({ tagId: row(), action: one(['add', 'remove'] as const) }),
    field: () => ({ field: one(['name', 'email', 'extra'] as const), extraName: name(), value: text() }),
    set: () => ({ saveAs: name(), value: text() }),
    agent: () => ({ userId: row(), message: text() }),
    http: () => ({
      method: one(['GET', 'POST'] as const),
      url: one(['', 'https://api.example.com/{{x}}?k={{secret:chave}}']),
      headers: some(2, (index) => ({ name: `X-${index}`, value: text() })),
      body: one(['', '{"a":"{{x}}"}', 'a={{y}}']),
      saves: some(2, () => ({
        ...{ path: one(['', 'a', 'a.b[0]']), saveAs: name() },
        ...(one([true, false]) && { required: true }),
      })),
      saveStatusAs: name(),
    }),
    ai: () => ({
      ...{ promptId: row(), instructions: text(), talk: maybe(), turns: 1 + upTo(3), say: maybe(), saveAs: name() },
      ...{ timeoutSeconds: one([0, 60]), gatherSeconds: one([0, 4]) },
    }),
    typebot: () => ({ integrationId: row(), timeoutSeconds: one([0, 60]) }),
    flow: () => ({ flowId: row() }),
    end: () => ({ then: one(['pending', 'menu', 'close'] as const), message: text() }),
    note: () => ({ text: text() }),
    comment: () => ({ text: text(), width: maybe() ? 200 : null }),
    unknown: () => ({ type: one(['robot', 'dance']), data: { any: text() } }),
  }
  const ids = Array.from({ length: 1 + upTo(most - 1) }, (_, index) => (index === 0 ? '1' : `n${index}`))
  const ports = ['a', 'a1', 'a2', 'a3', 'b', 'true', 'false', 'cond-0', 'cond-1', 'default', 'open', 'closed']
  const others = ['success', 'error', 'reply', 'invalid', 'timeout']
  return {
    nodes: ids.map((id) => {
      const type = id === '1' ? 'start' : one(types)
      const exits: Record<string, string> = {}
      for (const port of [...ports, ...others]) if (roll() < 0.7) exits[port] = roll() < 0.95 ? one(ids) : 'gone'
      return { id, type, x: upTo(2_000), y: upTo(2_000), data: data[type](), exits } as unknown as FlowNode
    }),
  }
}
