import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { weekHours } from '../hours/hours.inputs.ts'
import { nullable, optionalRowId, patterned } from '../inputs.ts'
import { templateBounds, templateValues } from '../templates/templates.inputs.ts'

/**
 * What may be kept of a flow while it is drawn. A draft may be unfinished (an empty text, no queue yet), so these
 * bounds are wide; whether a flow can be published is the question of `flows.check.ts`.
 */

/** Nodes of one flow. */
export const MOST_NODES = 1_000
/** Characters of one node as JSON: what is more is not kept. */
export const MOST_NODE_LENGTH = 64_000
/** Options of a menu, elements of a block, rules of a condition, cases. */
export const MOST_PARTS = 30
/** An interval is longer than nothing and at most this many seconds. */
export const MOST_INTERVAL_SECONDS = 120
/** The randomizer's slider goes in these steps, from 0 to 100. */
export const PERCENT_STEP = 10
/** Silence of a contact is awaited at most this long, in seconds: a week. */
export const MOST_SILENCE_SECONDS = 7 * 24 * 3_600

export const flowName = patterned({ minLength: 2, maxLength: 50, pattern: '\\S\\s*\\S' })

/** Ids are unique in their flow. The start's is `1`. */
export const nodeId = patterned({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' })
export const portId = patterned({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' })
/** Of a variable, without its braces. Capitals make no difference. Empty: nothing is kept. */
export const variableName = patterned({
  maxLength: 50,
  pattern: '^([A-Za-zÀ-ÿ0-9]([A-Za-z0-9À-ÿ_ .-]*[A-Za-z0-9À-ÿ_])?)?$',
})

const text = Type.String({ maxLength: 10_000 })
const word = Type.String({ maxLength: 300 })
/** Name of a stored file, and the name that it had with whoever chose it. */
const file = { file: Type.String({ maxLength: 400 }), name: Type.String({ maxLength: 255 }) }
const seconds = Type.Integer({ minimum: 0, maximum: 86_400 })
const silence = Type.Integer({ minimum: 0, maximum: MOST_SILENCE_SECONDS })
const tries = Type.Integer({ minimum: 1, maximum: 10 })
const gather = Type.Integer({ minimum: 0, maximum: 20 })
const oneOf = <T extends string>(...values: T[]) => Type.Union(values.map((value) => Type.Literal(value)))

/** What came with a flow of another program of the family and has no field of ours. It goes back as it came. */
const family = Type.Optional(
  Type.Object({
    /** The node's type there, where one of ours stands for several. */
    type: Type.Optional(Type.String({ maxLength: 60 })),
    /** The node's data there, where ours would be written otherwise. */
    data: Type.Optional(Type.Unknown()),
    /** Fields of the node beside its id, type, place and data. */
    node: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** By port: fields of the connection that are not ours, among them another name of the port. */
    edges: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
  }),
)
const dataOf = <P extends TProperties>(properties: P) => Type.Object({ ...properties, family })

/** How two values are compared. Both as numbers, where both are numbers. */
export const operators = [
  'equals',
  'notEquals',
  'atLeast',
  'atMost',
  'less',
  'more',
  'contains',
  'notContains',
  'startsWith',
  'filled',
  'empty',
] as const

/** One comparison of a condition. */
export const flowRule = Type.Object({
  /** Where the left side comes from: a variable, the contact (`name`, `number`, `email` or a field of the company's), the ticket (`queue`, `tag`: by id), or the contact's last text. */
  of: oneOf('variable', 'contact', 'ticket', 'text'),
  /** Which variable, field or fact. Without meaning for the last text. */
  key: Type.String({ maxLength: 100 }),
  operator: Type.Union(operators.map((operator) => Type.Literal(operator))),
  value: word,
})
export type FlowRule = Static<typeof flowRule>

const matching = {
  match: oneOf('all', 'any'),
  rules: Type.Array(flowRule, { maxItems: MOST_PARTS }),
}
const flowCase = Type.Object({ label: Type.String({ maxLength: 100 }), ...matching })

export const answerKinds = [
  'text',
  'number',
  'email',
  'document',
  'date',
  'time',
  'phone',
  'file',
  /** Whatever is written or sent. */
  'any',
] as const

const elementId = Type.String({ minLength: 1, maxLength: 60 })
/** One thing that a block says. `id` is unique in its block. */
export const blockElement = Type.Union([
  Type.Object({ id: elementId, kind: Type.Literal('message'), text }),
  Type.Object({ id: elementId, kind: Type.Literal('interval'), seconds }),
  Type.Object({ id: elementId, kind: Type.Literal('img'), ...file, caption: text }),
  Type.Object({ id: elementId, kind: Type.Literal('video'), ...file, caption: text }),
  Type.Object({ id: elementId, kind: Type.Literal('audio'), ...file, record: Type.Boolean() }),
])
export type BlockElement = Static<typeof blockElement>

/** The data of every type of node. */
export const nodeData = {
  /** Where a run begins. */
  start: dataOf({}),
  message: dataOf({ text }),
  /** Waits. Whoever writes meanwhile takes the way of `reply`, if it goes anywhere. */
  interval: dataOf({ seconds }),
  condition: dataOf({
    /** `single` compares one variable, `rules` all or any of several, `cases` takes the first way that is right. */
    mode: oneOf('single', 'rules', 'cases'),
    key: Type.String({ maxLength: 100 }),
    /** 1 `==`, 2 `>=`, 3 `<=`, 4 `<`, 5 `>`, 6 contains. */
    condition: Type.Integer({ minimum: 1, maximum: 6 }),
    value: word,
    ...matching,
    cases: Type.Array(flowCase, { maxItems: MOST_PARTS }),
  }),
  menu: dataOf({
    message: text,
    options: Type.Array(Type.Object({ number: Type.Integer({ minimum: 0, maximum: 999 }), label: word }), {
      maxItems: MOST_PARTS,
    }),
    /** Said before the menu is shown again; empty: words of ours. */
    invalidMessage: text,
    /** Silence after which the way of `timeout` is taken; 0: none. */
    timeoutSeconds: silence,
    timeoutMessage: text,
  }),
  img: dataOf({ ...file, caption: text }),
  video: dataOf({ ...file, caption: text }),
  /** `record`: sent as a voice note. */
  audio: dataOf({ ...file, record: Type.Boolean() }),
  /** A file that the company keeps: an uploaded one, or one that came from a list. Phones show it as a document. */
  document: dataOf({ ...file, caption: text }),
  /** Sends what lies at an address, which may come from an answer: as what it is, a document, a picture, a sound, a film. */
  file: dataOf({ url: Type.String({ maxLength: 2_000 }), caption: text }),
  /**
   * A message template, by its name and language: each connection has its own of them. `values` fill it, by their keys; the file
   * is its header, where that is one.
   */
  template: dataOf({
    template: Type.String({ maxLength: templateBounds.name }),
    language: Type.String({ maxLength: 12 }),
    values: templateValues,
    ...file,
  }),
  /** `percent` of the runs take the way of `a`. */
  randomizer: dataOf({ percent: Type.Integer({ minimum: 0, maximum: 100 }) }),
  /** Elements in the order in which they are said. */
  singleBlock: dataOf({ elements: Type.Array(blockElement, { maxItems: MOST_PARTS }) }),
  /** Gives the ticket to a queue and ends. `message` is said before. */
  ticket: dataOf({ queueId: optionalRowId, message: text }),
  question: dataOf({
    message: text,
    /** Beside it, `…_id` keeps the message of a file, `…_iso` a date as `YYYY-MM-DD`. */
    saveAs: variableName,
    kind: Type.Union(answerKinds.map((kind) => Type.Literal(kind))),
    /** How often it is asked before the way of `invalid` is taken. */
    tries,
    invalidMessage: text,
    timeoutSeconds: silence,
    timeoutMessage: text,
    /** How long more messages are awaited after the first, to be one answer; 0: not at all. */
    gatherSeconds: gather,
  }),
  hours: dataOf({
    /** Whose hours: the company's (or the connection's own), a queue's, or those written here. */
    of: oneOf('company', 'queue', 'own'),
    queueId: optionalRowId,
    schedules: weekHours,
    /** IANA name; empty: the company's zone. */
    timeZone: Type.String({ maxLength: 60 }),
  }),
  tag: dataOf({ tagId: optionalRowId, action: oneOf('add', 'remove') }),
  /** Writes into the contact. `extra` is a field of the company's own, by its name. */
  field: dataOf({
    field: oneOf('name', 'email', 'extra'),
    extraName: Type.String({ maxLength: 100 }),
    value: Type.String({ maxLength: 1_000 }),
  }),
  /** Gives a variable a value, made of words and other variables; an empty one empties it. */
  set: dataOf({ saveAs: variableName, value: text }),
  /** Gives the ticket to a person and ends. */
  agent: dataOf({ userId: optionalRowId, message: text }),
  http: dataOf({
    method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    url: Type.String({ maxLength: 2_000 }),
    headers: Type.Array(
      Type.Object({ name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 1_000 }) }),
      { maxItems: MOST_PARTS },
    ),
    body: text,
    /**
     * What is kept of the answer: `path` as in `data.items[0].name`; empty: all of it. Where one that is `required` is not
     * in the answer, the call failed: a page of words says nothing about anybody's bills.
     */
    saves: Type.Array(
      Type.Object({
        path: Type.String({ maxLength: 200 }),
        saveAs: variableName,
        required: Type.Optional(Type.Boolean()),
      }),
      { maxItems: MOST_PARTS },
    ),
    /** The variable that keeps the status of the answer. */
    saveStatusAs: variableName,
  }),
  ai: dataOf({
    /** One of the company's prompts: it has the service, its key and its limits. */
    promptId: optionalRowId,
    /** Said to the model beside the prompt's own words. */
    instructions: text,
    /** Goes on talking until the model is done, `turns` are used up or the contact is silent. */
    talk: Type.Boolean(),
    turns: Type.Integer({ minimum: 1, maximum: 50 }),
    /** Whether the contact hears the answer. */
    say: Type.Boolean(),
    saveAs: variableName,
    timeoutSeconds: silence,
    gatherSeconds: gather,
  }),
  /** A typebot of the company talks with the contact until it has nothing more to ask. */
  typebot: dataOf({
    /** One of the company's integrations with Typebot: it has the address, the words that end it and the pauses. */
    integrationId: optionalRowId,
    timeoutSeconds: silence,
  }),
  /** Another flow runs, then this one goes on. */
  flow: dataOf({ flowId: optionalRowId }),
  /** Ends: the ticket waits for people, the queue menu is shown, or the ticket is closed. */
  end: dataOf({ then: oneOf('pending', 'menu', 'close'), message: text }),
  /** A note in the ticket, which the contact never sees. */
  note: dataOf({ text }),
  /** A sheet of paper on the canvas. No way leads to it. */
  comment: dataOf({ text, width: nullable(Type.Integer({ minimum: 0, maximum: 2_000 })) }),
  /** A type of another program that means nothing here: kept whole, in the way of publishing. */
  unknown: dataOf({ type: Type.String({ maxLength: 60 }), data: Type.Unknown() }),
} satisfies Record<string, TSchema>

export type NodeType = keyof typeof nodeData
export type NodeData = { [T in NodeType]: Static<(typeof nodeData)[T]> }
export const nodeTypes = Object.keys(nodeData) as NodeType[]

const coordinate = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })
const exits = Type.Record(Type.String(), Type.String())

/** A node as it is sent: what its data may hold is said by `isFlowNode`, which reads its type. */
export const flowNodeInput = Type.Object({
  id: nodeId,
  type: Type.Union(nodeTypes.map((type) => Type.Literal(type))),
  x: coordinate,
  y: coordinate,
  data: Type.Unknown(),
  exits,
})

/** Whether a value may be kept as a node of a draft: the right fields within their bounds, and not too large. */
export function isFlowNode(value: unknown): boolean {
  if (!Value.Check(flowNodeInput, value)) return false
  const ways = Object.entries(value.exits)
  if (ways.length > 2 * MOST_PARTS) return false
  if (!ways.every(([port, target]) => Value.Check(portId, port) && Value.Check(nodeId, target))) return false
  return Value.Check(nodeData[value.type], value.data) && JSON.stringify(value).length <= MOST_NODE_LENGTH
}

/** What other clients of this family post. */
export const newFlow = Type.Object({ name: flowName })
export const renamedFlow = Type.Object({ name: flowName, flowId: Type.Integer({ minimum: 1 }) })
