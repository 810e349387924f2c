import { weekdays } from '../hours/hours.open.ts'
import { clip } from '../texts.ts'
import { readExpression, writeExpression } from './flows.expressions.ts'
import {
  type FlowGraph,
  type FlowNode,
  newData,
  newGraph,
  NEXT,
  nodesById,
  type Operator,
  operatorOfCode,
  portsOf,
} from './flows.graph.ts'
import {
  answerKinds,
  type BlockElement,
  type FlowRule,
  isFlowNode,
  MOST_NODES,
  type NodeData,
  type NodeType,
  operators,
} from './flows.inputs.ts'

/**
 * Flows as other programs of the family keep them: `nodes` and `connections`. What is read can be written back as it
 * was: types and fields that mean nothing here are kept, and what we would write otherwise is kept beside ours, and
 * given back as long as nobody has changed the node. Nothing of it is ever run.
 */

type Json = Record<string, unknown>

export interface FamilyNode {
  id: string
  type: string
  position: { x: number; y: number }
  data: unknown
  [other: string]: unknown
}
export interface FamilyConnection {
  id: string
  source: string
  sourceHandle: string | null
  target: string
  targetHandle: string | null
  [other: string]: unknown
}
export interface FamilyFlow {
  nodes: FamilyNode[]
  connections: FamilyConnection[]
}

export const EXPORT_FORMAT = 'flowbuilder-export'
export const EXPORT_VERSION = 1

/** Bounds of what is read. */
export const MOST_CONNECTIONS = 10_000
export const MOST_DEPTH = 40

/** What a person should know of what was read. */
export interface ImportNote {
  /** `typeUnknown`: kept, but does nothing. `notUnderstood`: a known type that holds something else; kept likewise. `secretRemoved`: a key stood in the flow. `wayDropped`: a connection leads from or to nothing, or a second one left the same port. */
  code: 'typeUnknown' | 'notUnderstood' | 'secretRemoved' | 'wayDropped'
  nodeId: string
  name: string
}

export type FamilyRead =
  | { ok: true; name: string | null; graph: FlowGraph; notes: ImportNote[] }
  | { ok: false; code: 'notAFlow' | 'tooLarge' | 'idTwice' }

// ── reading values of any shape ──────────────────────────────────────────────────────────────────────────────────────

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
const wholeOf = (value: unknown, otherwise: number): number => Math.trunc(numberOf(value) ?? otherwise)
/** The id of a row, given by itself or as the row. */
const rowOf = (value: unknown): number | null => {
  const id = numberOf(isObject(value) ? value['id'] : value)
  return id !== null && Number.isInteger(id) && id > 0 ? id : null
}
const isOneOf = <T extends string>(value: unknown, list: readonly T[]): value is T =>
  (list as readonly unknown[]).includes(value)

const braces: Record<string, string> = {
  nome: 'name',
  name: 'name',
  numero: 'number',
  number: 'number',
  email: 'email',
}
/** A text to a contact, its placeholders in the double braces of ours. */
const wordsOf = (value: unknown): string =>
  textOf(value).replaceAll(
    /(?<!\{)\{(nome|name|numero|number|email)\}(?!\})/g,
    (_whole, key: string) => `{{${braces[key]}}}`,
  )
const variableOf = (value: unknown): string => textOf(value).replaceAll(/[{}]/g, '').trim()

/** The fields that are not as in a new node: others need not be written. */
function changed<T extends NodeType>(type: T, data: NodeData[T], keys: readonly (keyof NodeData[T])[]): Json {
  const plain = newData(type)
  return Object.fromEntries(keys.filter((key) => !isSame(data[key], plain[key])).map((key) => [key, data[key]]))
}

/** Whether two values are the same JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => isSame(one, b[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = (value: Json) => Object.keys(value).filter((key) => value[key] !== undefined)
  const [left, right] = [keys(a), keys(b)]
  return left.length === right.length && left.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
}

// ── the types of the family ──────────────────────────────────────────────────────────────────────────────────────────

interface Kind<T extends NodeType = NodeType> {
  ours: T
  /** Our data, or null where it is something else. */
  read: (data: Json) => NodeData[T] | null
  /** @param was what was read, so that a fork's own spelling is kept */
  write: (data: NodeData[T], was: Json) => Json
  /** Their ports by ours, where they are named otherwise. */
  ports?: (data: NodeData[T], was: Json, exits: FlowNode['exits']) => Record<string, string>
}

const kind = <T extends NodeType>(one: Kind<T>): Kind => one as unknown as Kind

const silenceKeys = ['invalidMessage', 'timeoutSeconds', 'timeoutMessage'] as const
const fileOf = (data: Json) => ({ file: textOf(data['url']), name: textOf(data['name']) })

const pictures = <T extends 'img' | 'video' | 'document'>(ours: T) =>
  kind<T>({
    ours,
    read: (data) => ({ ...fileOf(data), caption: wordsOf(data['caption']) }) as NodeData[T],
    write: (data) => ({ url: data.file, ...changed(ours, data, ['name', 'caption'] as (keyof NodeData[T])[]) }),
  })

const message = kind<'message'>({
  ours: 'message',
  read: (data) => ({ text: wordsOf(data['label']) }),
  write: ({ text }) => ({ label: text }),
})

const menu = kind<'menu'>({
  ours: 'menu',
  read: (data) => ({
    message: wordsOf(data['message']),
    options: listOf(data['arrayOption']).map((option, index) => {
      const { number, value } = objectOf(option)
      return { number: wholeOf(number, index + 1), label: wordsOf(value) }
    }),
    invalidMessage: wordsOf(data['invalidOptionMessage']),
    timeoutSeconds: wholeOf(data['menuTimeoutSeconds'], 0),
    timeoutMessage: wordsOf(data['timeoutMessage']),
  }),
  write: (data) => ({
    message: data.message,
    arrayOption: data.options.map(({ number, label }) => ({ number, value: label })),
    ...(data.invalidMessage && { invalidOptionMessage: data.invalidMessage }),
    ...(data.timeoutSeconds && { menuTimeoutSeconds: data.timeoutSeconds }),
    ...(data.timeoutMessage && { timeoutMessage: data.timeoutMessage }),
  }),
})

const blockKinds = ['message', 'interval', 'img', 'audio', 'video'] as const

/** Elements in the order of `seq`. One that is not there, or is named twice, is nothing that we could show. */
function readBlock(data: Json): NodeData['singleBlock'] | null {
  const named = new Map(
    listOf(data['elements']).map((element) => [textOf(objectOf(element)['number']), objectOf(element)]),
  )
  const order = Array.isArray(data['seq']) ? data['seq'].map(textOf) : [...named.keys()]
  if (new Set(order).size !== order.length || order.length !== named.size) return null
  const elements: BlockElement[] = []
  for (const id of order) {
    const element = named.get(id)
    const type = element?.['type']
    if (!element || !isOneOf(type, blockKinds)) return null
    const value = element['value']
    const file = { file: textOf(value), name: textOf(element['original']) }
    if (type === 'message') elements.push({ id, kind: type, text: wordsOf(value) })
    else if (type === 'interval') elements.push({ id, kind: type, seconds: wholeOf(value, 0) })
    else if (type === 'audio') elements.push({ id, kind: type, ...file, record: element['record'] === true })
    else elements.push({ id, kind: type, ...file, caption: wordsOf(element['caption']) })
  }
  return { elements }
}

const singleBlock = kind<'singleBlock'>({
  ours: 'singleBlock',
  read: readBlock,
  write: ({ elements }) => ({
    seq: elements.map(({ id }) => id),
    elements: elements.map((element) => {
      const { id: number, kind: type } = element
      if (element.kind === 'message') return { type, value: element.text, number }
      if (element.kind === 'interval') return { type, value: element.seconds, number }
      const file = { type, value: element.file, number, ...(element.name && { original: element.name }) }
      if (element.kind === 'audio') return { ...file, record: element.record }
      return { ...file, ...(element.caption && { caption: element.caption }) }
    }),
  }),
})

const ticket = kind<'ticket'>({
  ours: 'ticket',
  read: (data) => ({ queueId: rowOf(data['data'] ?? data['queue'] ?? data), message: wordsOf(data['message']) }),
  write({ queueId, message: words }, was) {
    const row = { id: queueId }
    const queue =
      'queue' in was
        ? { queue: isObject(was['queue']) ? row : queueId }
        : 'id' in was && !('data' in was)
          ? row
          : { data: row }
    return { ...queue, ...(words && { message: words }) }
  },
})

const question = kind<'question'>({
  ours: 'question',
  read(data) {
    const asked = objectOf(data['typebotIntegration'])
    const asks: NodeData['question'] = {
      ...newData('question'),
      message: wordsOf(asked['message']),
      saveAs: variableOf(asked['answerKey']),
      invalidMessage: wordsOf(data['invalidMessage']),
      timeoutMessage: wordsOf(data['timeoutMessage']),
    }
    if (isOneOf(data['kind'], answerKinds)) asks.kind = data['kind']
    for (const key of ['tries', 'timeoutSeconds', 'gatherSeconds'] as const) asks[key] = wholeOf(data[key], asks[key])
    return asks
  },
  write: (data) => ({
    typebotIntegration: { message: data.message, answerKey: data.saveAs },
    ...changed('question', data, ['kind', 'tries', 'gatherSeconds', ...silenceKeys]),
  }),
})

const anyAnswer: NodeData['question'] = { ...newData('question'), kind: 'any' }

// ── conditions ───────────────────────────────────────────────────────────────────────────────────────────────────────

const codes = Object.entries(operatorOfCode)
const operatorNames: Record<string, Operator> = {
  '==': 'equals',
  '=': 'equals',
  '===': 'equals',
  '!=': 'notEquals',
  '!==': 'notEquals',
  '>=': 'atLeast',
  '<=': 'atMost',
  '<': 'less',
  '>': 'more',
  equal: 'equals',
  eq: 'equals',
  igual: 'equals',
  different: 'notEquals',
  not_equals: 'notEquals',
  diferente: 'notEquals',
  greaterthanorequal: 'atLeast',
  lessthanorequal: 'atMost',
  lessthan: 'less',
  greaterthan: 'more',
  contem: 'contains',
  not_contains: 'notContains',
  starts_with: 'startsWith',
  exists: 'filled',
  isempty: 'empty',
}

function operatorOf(value: unknown): Operator | null {
  if (isOneOf(value, operators)) return value
  const name = textOf(value).trim()
  if (Object.hasOwn(operatorOfCode, name)) return operatorOfCode[Number(name)]!
  const small = name.toLowerCase()
  if (Object.hasOwn(operatorNames, small)) return operatorNames[small]!
  return operators.find((operator) => operator.toLowerCase() === small) ?? null
}

const sources = ['variable', 'contact', 'ticket', 'text'] as const

function ruleOf(value: unknown): FlowRule | null {
  const rule = objectOf(value)
  const operator = operatorOf(rule['operator'] ?? rule['condition'] ?? rule['comparison'])
  if (!operator) return null
  const key = variableOf(rule['key'] ?? rule['variable'] ?? rule['field'])
  return { of: isOneOf(rule['of'], sources) ? rule['of'] : 'variable', key, operator, value: wordsOf(rule['value']) }
}

/** One of a fork's options: it compares the ticket's tags, or a field. */
function optionOf(value: unknown): FlowRule | null {
  const option = objectOf(value)
  const operator = operatorOf(option['primaryCondition'])
  if (!operator) return ruleOf(value)
  const isTag = textOf(option['type']).toUpperCase() === 'TAG'
  if (isTag) return { of: 'ticket', key: 'tag', operator, value: textOf(option['fieldName']) }
  return { of: 'variable', key: variableOf(option['fieldName']), operator, value: wordsOf(option['value']) }
}

/** All of them, or nothing where one is something else. */
function allOf<T>(values: unknown, read: (value: unknown) => T | null): T[] | null {
  const found = listOf(values).map(read)
  return found.every((one) => one !== null) ? found : null
}

function caseOf(value: unknown, index: number): NodeData['condition']['cases'][number] | null {
  const one = objectOf(value)
  const label = textOf(one['label'] ?? one['name']) || String(index + 1)
  if (Array.isArray(one['rules'])) {
    const rules = allOf(one['rules'], ruleOf)
    return rules && { label, match: one['match'] === 'any' ? 'any' : 'all', rules }
  }
  const found = readExpression(textOf(one['expression']))
  return found && { label, ...found }
}

function readCondition(data: Json): NodeData['condition'] | null {
  const made = newData('condition')
  if (Array.isArray(data['conditions'])) {
    const cases = data['conditions'].map(caseOf)
    return cases.every((one) => one !== null) ? { ...made, mode: 'cases', cases } : null
  }
  if (Array.isArray(data['options'])) {
    const rules = allOf(data['options'], optionOf)
    return rules && { ...made, mode: 'rules', match: data['condition'] === 'OR' ? 'any' : 'all', rules }
  }
  if (Array.isArray(data['rules'])) {
    const rules = allOf(data['rules'], ruleOf)
    const isAny = ['any', 'or', 'some'].includes(textOf(data['mode']).toLowerCase())
    return rules && { ...made, mode: 'rules', match: isAny ? 'any' : 'all', rules }
  }
  const operator = operatorOf(data['condition'])
  const code = codes.find(([, name]) => name === operator)?.[0]
  if (data['condition'] !== undefined && !code) return null
  return {
    ...made,
    key: variableOf(data['key']),
    condition: code ? Number(code) : 1,
    value: wordsOf(data['value']),
  }
}

const condition = kind<'condition'>({
  ours: 'condition',
  read: readCondition,
  write(data, was) {
    if (data.mode === 'single') return { key: data.key, condition: data.condition, value: data.value }
    if (data.mode === 'cases') {
      return {
        conditions: data.cases.map((one) => {
          const expression = writeExpression(one)
          return { label: one.label, match: one.match, rules: one.rules, ...(expression && { expression }) }
        }),
      }
    }
    if ('options' in was) return { condition: data.match === 'any' ? 'OR' : 'AND', options: data.rules }
    return { mode: data.match, rules: data.rules }
  },
  ports: (data, was) =>
    data.mode !== 'cases' && 'options' in was
      ? { true: 'positive', false: 'negative' }
      : ({} as Record<string, string>),
})

/** All names under which forks leave a condition. A way without a name is the one that is right. */
const conditionPorts: Record<string, string> = {
  '': 'true',
  a: 'true',
  positive: 'true',
  b: 'false',
  negative: 'false',
}

// ── hours, calls, assistants ─────────────────────────────────────────────────────────────────────────────────────────

const dayNames = ['seg', 'ter', 'qua', 'qui', 'sex', 'sab', 'dom'] as const

function dayOf(value: unknown): number | null {
  const number = numberOf(value)
  // Numbers count from Sunday.
  if (number !== null && Number.isInteger(number) && number >= 0 && number <= 7) return (number + 6) % 7
  const name = textOf(value).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  const found = dayNames.findIndex((day) => name.startsWith(day))
  const english = weekdays.findIndex((day) => name !== '' && day.startsWith(name.slice(0, 3)))
  return found !== -1 ? found : english !== -1 ? english : null
}

/** `H:MM` as `HH:MM`; null where it is none. */
function clockOf(value: unknown): string | null {
  const parts = /^([0-9]{1,2}):([0-9]{2})$/.exec(textOf(value).trim())
  return parts && Number(parts[1]) < 24 && Number(parts[2]) < 60 ? `${parts[1]!.padStart(2, '0')}:${parts[2]}` : null
}

function readHours(data: Json): NodeData['hours'] | null {
  const made = { ...newData('hours'), queueId: rowOf(data['queueId']), timeZone: textOf(data['timezone']) }
  if (isOneOf(data['of'], ['company', 'queue', 'own'] as const)) {
    return { ...made, of: data['of'], schedules: listOf(data['schedules']) as NodeData['hours']['schedules'] }
  }
  const days = allOf(data['days'], dayOf)
  const [startTime, endTime] = [clockOf(data['start'] ?? '00:00'), clockOf(data['end'] ?? '23:59')]
  if (!days || startTime === null || endTime === null) return null
  const schedules = weekdays.map((weekdayEn, day) => {
    const isOpen = days.length === 0 || days.includes(day)
    return {
      weekday: weekdayEn,
      weekdayEn,
      startTime: isOpen ? startTime : '00:00',
      endTime: isOpen ? endTime : '00:00',
    }
  })
  return { ...made, of: 'own', schedules }
}

const hours = kind<'hours'>({
  ours: 'hours',
  read: readHours,
  write({ of, queueId, schedules, timeZone }) {
    const open = schedules.filter(({ startTime, endTime }) => startTime !== endTime)
    return {
      days: open.map(({ weekdayEn }) => dayNames[weekdays.indexOf(weekdayEn)]),
      start: open[0]?.startTime ?? '00:00',
      end: open[0]?.endTime ?? '23:59',
      timezone: timeZone,
      ...{ of, queueId, schedules },
    }
  },
  ports: () => ({ open: 'a', closed: 'b' }),
})

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Headers as a list, as an object, or as an object written as text. */
function headersOf(value: unknown): NodeData['http']['headers'] {
  let found = value
  if (typeof value === 'string') {
    try {
      found = JSON.parse(value)
    } catch {
      return []
    }
  }
  if (isObject(found)) return Object.entries(found).map(([name, one]) => ({ name, value: wordsOf(one) }))
  return listOf(found).flatMap((header) => {
    const { key, name, value: words } = objectOf(header)
    return isObject(header) ? [{ name: textOf(key ?? name), value: wordsOf(words) }] : []
  })
}

function savesOf(value: unknown): NodeData['http']['saves'] {
  return listOf(value).flatMap((rule) => {
    const { path, jsonPath, placeholder, variable, saveAs, field, name, required } = objectOf(rule)
    const into = variableOf(variable ?? saveAs ?? field ?? name)
    if (!isObject(rule)) return []
    return [{ path: textOf(path ?? jsonPath ?? placeholder), saveAs: into, ...(required === true && { required }) }]
  })
}

const bodyOf = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : wordsOf(value)

function callOf(data: Json): NodeData['http'] | null {
  const method = (textOf(data['method']) || 'GET').toUpperCase()
  if (!isOneOf(method, methods)) return null
  return {
    method,
    url: wordsOf(data['url']),
    headers: headersOf(data['headers']),
    body: bodyOf(data['body']),
    saves: savesOf(data['extractRules']),
    saveStatusAs: variableOf(data['statusVariable']),
  }
}

const headersAsWritten = (headers: NodeData['http']['headers']) =>
  headers.map(({ name, value }) => ({ key: name, value }))

const httpRequest = kind<'http'>({
  ours: 'http',
  read: callOf,
  write: ({ method, url, headers, body, saves, saveStatusAs }) => ({
    ...{ method, url, headers: headersAsWritten(headers), body },
    extractRules: saves.map(({ path, saveAs, required }) => ({
      ...{ path, variable: saveAs },
      ...(required && { required }),
    })),
    ...(saveStatusAs && { statusVariable: saveStatusAs }),
  }),
})

/** Theirs goes on the same way whether the call succeeds or not. */
const onlyWay = (_data: unknown, _was: unknown, exits: FlowNode['exits']): Record<string, string> =>
  exits['success'] === exits['error'] ? { success: NEXT, error: NEXT } : {}

const webhook = kind<'http'>({
  ours: 'http',
  read(data) {
    const call = callOf(data)
    const into = variableOf(data['responseVariable'])
    if (!call || !into) return call
    return { ...call, saves: [{ path: '', saveAs: into }], saveStatusAs: `${into}_status` }
  },
  write: ({ method, url, headers, body, saves }) => ({
    ...{ method, url, headers: headersAsWritten(headers), body },
    ...(saves[0] && { responseVariable: saves[0].saveAs }),
  }),
  ports: onlyWay,
})

const request = kind<'http'>({
  ours: 'http',
  read(data) {
    const { url, headerOptions, variables } = objectOf(data['request'])
    return callOf({ ...objectOf(headerOptions), url, extractRules: variables })
  },
  write: ({ method, url, headers, body, saves }) => ({
    request: {
      url,
      headerOptions: {
        method,
        body,
        headers: JSON.stringify(Object.fromEntries(headers.map((h) => [h.name, h.value]))),
      },
      variables: saves.map(({ path, saveAs, required }) => ({
        ...{ field: saveAs, placeholder: path },
        ...(required && { required }),
      })),
    },
  }),
  ports: onlyWay,
})

const assistantKeys = ['turns', 'say', 'saveAs', 'timeoutSeconds', 'gatherSeconds'] as const

const openai = kind<'ai'>({
  ours: 'ai',
  read(data) {
    const made = newData('ai')
    const integration = objectOf(data['typebotIntegration'])
    const whole = (key: 'turns' | 'timeoutSeconds' | 'gatherSeconds') => wholeOf(data[key], made[key])
    return {
      ...made,
      promptId: rowOf(data['promptId']),
      instructions: wordsOf(integration['prompt']),
      // Theirs talks until it hands over.
      talk: data['talk'] !== false,
      say: data['say'] !== false,
      saveAs: variableOf(data['saveAs']),
      ...{ turns: whole('turns'), timeoutSeconds: whole('timeoutSeconds'), gatherSeconds: whole('gatherSeconds') },
    }
  },
  write: (data) => ({
    typebotIntegration: { prompt: data.instructions },
    ...(data.promptId !== null && { promptId: data.promptId }),
    ...(!data.talk && { talk: false }),
    ...changed('ai', data, assistantKeys),
  }),
  ports: () => ({ success: NEXT }),
})

/**
 * Theirs holds the typebot's address in the block. Ours names an integration of the company, and what theirs held is
 * kept beside it.
 */
const typebot = kind<'typebot'>({
  ours: 'typebot',
  read: (data) => ({
    integrationId: rowOf(data['integrationId']),
    timeoutSeconds: wholeOf(data['timeoutSeconds'], 0),
  }),
  write: (data) => changed('typebot', data, ['integrationId', 'timeoutSeconds']),
  ports: () => ({ success: NEXT }),
})

// ── the rest ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const person = (key: 'user' | 'userId') =>
  kind<'agent'>({
    ours: 'agent',
    read(data) {
      // One of several, by chance, is nothing that we do.
      const several = listOf(data['users'])
      if (several.length > 1) return null
      return { userId: rowOf(data['userId'] ?? data['user'] ?? several[0]), message: wordsOf(data['message']) }
    },
    write: ({ userId, message: words }, was) => ({
      ...('users' in was ? { users: [{ id: userId }] } : key === 'user' ? { user: { id: userId } } : { userId }),
      ...(words && { message: words }),
    }),
  })

const fields = { name: 'name', email: 'email', custom: 'extra' } as const
const endings = ['pending', 'menu', 'close'] as const

/** Every type of the family that means something here. */
const kinds: Record<string, Kind> = {
  start: kind<'start'>({ ours: 'start', read: () => ({}), write: () => ({}) }),
  message,
  text: message,
  interval: kind<'interval'>({
    ours: 'interval',
    read: (data) => ({ seconds: wholeOf(data['sec'], 0) }),
    write: ({ seconds }) => ({ sec: seconds }),
  }),
  condition,
  menu,
  img: pictures('img'),
  video: pictures('video'),
  audio: kind<'audio'>({
    ours: 'audio',
    read: (data) => ({ ...fileOf(data), record: data['record'] === true }),
    write: (data) => ({ url: data.file, record: data.record, ...changed('audio', data, ['name']) }),
  }),
  document: pictures('document'),
  fileFromUrl: kind<'file'>({
    ours: 'file',
    read: (data) => ({ url: wordsOf(data['url']), caption: wordsOf(data['caption']) }),
    write: ({ url, caption }) => ({ url, ...(caption && { caption }) }),
  }),
  template: kind<'template'>({
    ours: 'template',
    read: (data) => ({
      ...{ template: textOf(data['template']), language: textOf(data['language']), ...fileOf(data) },
      values: Object.fromEntries(
        Object.entries(objectOf(data['values'])).flatMap(([key, value]) =>
          typeof value === 'string' ? [[key, value]] : [],
        ),
      ),
    }),
    write: ({ template, language, values, file, name }) => ({
      ...{ template, language, values },
      ...(file && { url: file }),
      ...(name && { name }),
    }),
  }),
  randomizer: kind<'randomizer'>({
    ours: 'randomizer',
    read: (data) => ({ percent: wholeOf(data['percent'], 0) }),
    write: ({ percent }) => ({ percent }),
  }),
  singleBlock,
  ticket,
  sector: ticket,
  question,
  waitForInteraction: kind<'question'>({
    ours: 'question',
    read: () => structuredClone(anyAnswer),
    write: () => ({}),
  }),
  businessHours: hours,
  tag: kind<'tag'>({
    ours: 'tag',
    read: (data) => ({
      tagId: rowOf(data['tagId'] ?? data['tag']),
      action: data['action'] === 'remove' ? 'remove' : 'add',
    }),
    write: ({ tagId, action }, was) =>
      'tag' in was && action === 'add' ? { tag: isObject(was['tag']) ? { id: tagId } : tagId } : { tagId, action },
  }),
  updateContact: kind<'field'>({
    ours: 'field',
    read(data) {
      const field = textOf(data['field'])
      if (!Object.hasOwn(fields, field)) return null
      return {
        field: fields[field as keyof typeof fields],
        extraName: textOf(data['customKey']),
        value: wordsOf(data['value']),
      }
    },
    write: ({ field, extraName, value }) => ({
      ...{ field: field === 'extra' ? 'custom' : field, value },
      ...(extraName && { customKey: extraName }),
    }),
  }),
  setVariable: kind<'set'>({
    ours: 'set',
    read: (data) => ({ saveAs: variableOf(data['variable'] ?? data['saveAs']), value: wordsOf(data['value']) }),
    write: ({ saveAs, value }) => ({ variable: saveAs, value }),
  }),
  assignUser: person('userId'),
  attendant: person('user'),
  httpRequest,
  webhook,
  request,
  openai,
  typebot,
  gotoFlow: kind<'flow'>({
    ours: 'flow',
    read: (data) => ({ flowId: rowOf(data['flowId'] ?? data['flow']) }),
    write: ({ flowId }) => ({ flowId }),
  }),
  closeTicket: kind<'end'>({
    ours: 'end',
    read: (data) => ({ then: 'close', message: wordsOf(data['message']) }),
    write: (data) => changed('end', data, ['message']),
  }),
  end: kind<'end'>({
    ours: 'end',
    read: (data) => ({
      then: isOneOf(data['then'], endings) ? data['then'] : data['closeTicket'] === true ? 'close' : 'pending',
      message: wordsOf(data['message']),
    }),
    write: ({ then, message: words }) => ({
      closeTicket: then === 'close',
      ...(then === 'menu' && { then }),
      ...(words && { message: words }),
    }),
  }),
  internalNote: kind<'note'>({
    ours: 'note',
    read: (data) => ({ text: wordsOf(data['text']) }),
    write: ({ text }) => ({ text }),
  }),
  comment: kind<'comment'>({
    ours: 'comment',
    read: (data) => ({ text: textOf(data['text']), width: numberOf(data['width']) }),
    write: ({ text, width }) => ({ text, ...(width !== null && { width }) }),
  }),
}

/** The type under which each of ours is written, where none was read. */
const written: { [T in Exclude<NodeType, 'unknown'>]: string } = {
  ...{ start: 'start', message: 'message', interval: 'interval', condition: 'condition', menu: 'menu', img: 'img' },
  ...{
    video: 'video',
    audio: 'audio',
    document: 'document',
    file: 'fileFromUrl',
    template: 'template',
    randomizer: 'randomizer',
    singleBlock: 'singleBlock',
    ticket: 'ticket',
  },
  ...{
    question: 'question',
    hours: 'businessHours',
    tag: 'tag',
    field: 'updateContact',
    set: 'setVariable',
    agent: 'assignUser',
  },
  ...{
    http: 'httpRequest',
    ai: 'openai',
    typebot: 'typebot',
    flow: 'gotoFlow',
    end: 'end',
    note: 'internalNote',
    comment: 'comment',
  },
}

// ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Drawn anew wherever a flow is shown. */
const nodeNoise = ['width', 'height', 'selected', 'dragging', 'positionAbsolute', 'style', 'measured', 'resizing']
const edgeNoise = ['id', 'source', 'target', 'sourceHandle', 'selected', 'style']

const without = (value: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([key, one]) => !keys.includes(key) && one !== undefined))

/** Whether a value is no deeper than anything that people draw, told without recursion. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) return false
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return true
}

/** `nodes` and `connections`, wherever they lie: bare, in `flow`, in `flow.flow`, in a file of an export. */
function contentOf(value: unknown): { name: string | null; nodes: unknown[]; connections: unknown[] } | null {
  let at = objectOf(value)
  let name: string | null = null
  for (let level = 0; level < 3; level++) {
    if (typeof at['name'] === 'string' && at['name'].trim()) name = at['name'].trim()
    if (Array.isArray(at['nodes'])) {
      return { name, nodes: at['nodes'], connections: listOf(at['connections'] ?? at['edges']) }
    }
    // A flow that was made and never drawn.
    if (level > 0 && 'flow' in at && at['flow'] === null) return { name, nodes: newFamilyNodes(), connections: [] }
    if (!isObject(at['flow'])) return null
    at = at['flow']
  }
  return null
}

const newFamilyNodes = () => toFamily(newGraph()).nodes

/** Keys of services that stand in the flow itself, which no flow may hold. */
const secretKeys = ['apiKey', 'voiceKey']

function withoutSecrets(data: Json): { data: Json; removed: string[] } {
  const integration = objectOf(data['typebotIntegration'])
  const removed = secretKeys.filter((key) => textOf(integration[key]) !== '')
  if (removed.length === 0) return { data, removed }
  return { data: { ...data, typebotIntegration: without(integration, secretKeys) }, removed }
}

/** Reads a flow in the form of the family. Takes any value. */
export function fromFamily(value: unknown): FamilyRead {
  if (!isShallow(value)) return { ok: false, code: 'tooLarge' }
  const content = contentOf(value)
  if (!content || !content.nodes.every(isObject)) return { ok: false, code: 'notAFlow' }
  if (content.nodes.length > MOST_NODES || content.connections.length > MOST_CONNECTIONS)
    return { ok: false, code: 'tooLarge' }

  const notes: ImportNote[] = []
  const ids = new Map<string, string>()
  const nodes: FlowNode[] = []
  for (const [index, raw] of (content.nodes as Json[]).entries()) {
    const theirs = textOf(raw['id'])
    const id = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(theirs) ? theirs : `node${index}`
    if (theirs === '' || ids.has(theirs) || nodes.some((node) => node.id === id)) return { ok: false, code: 'idTwice' }
    ids.set(theirs, id)
    const { node, note } = readNode(raw, id)
    if (theirs !== id) node.data.family = { ...node.data.family, node: { ...node.data.family?.node, id: theirs } }
    if (!isFlowNode(node)) return { ok: false, code: 'tooLarge' }
    nodes.push(node)
    notes.push(...note)
  }
  const graph = { nodes }
  for (const connection of content.connections) readConnection(graph, ids, objectOf(connection), notes)
  if (!nodes.every(isFlowNode)) return { ok: false, code: 'tooLarge' }
  return { ok: true, name: content.name === null ? null : clip(content.name, 50), graph: { nodes }, notes }
}

function readNode(raw: Json, id: string): { node: FlowNode; note: ImportNote[] } {
  const type = clip(textOf(raw['type']), 60)
  const { x, y } = objectOf(raw['position'])
  const place = { x: coordinate(x), y: coordinate(y) }
  const rest = without(raw, ['id', 'type', 'position', 'data', ...nodeNoise])
  const others = Object.keys(rest).length > 0 ? { node: rest } : {}
  const known = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  const cleaned =
    known?.ours === 'ai' ? withoutSecrets(objectOf(raw['data'])) : { data: objectOf(raw['data']), removed: [] }
  const given: ImportNote[] = cleaned.removed.map((name) => ({ code: 'secretRemoved', nodeId: id, name }))
  if (known) {
    const data = known.read(cleaned.data)
    const family = {
      ...(type !== (written as Record<string, string>)[known.ours] && { type }),
      ...(data && !isSame(known.write(data, {}), cleaned.data) && { data: cleaned.data }),
      ...others,
    }
    const node = {
      ...{ id, type: known.ours, ...place, exits: {} },
      data: Object.keys(family).length > 0 ? { ...data, family } : data,
    } as unknown as FlowNode
    if (data && isFlowNode(node)) return { node, note: given }
  }
  const data = { type, data: known ? cleaned.data : (raw['data'] ?? {}), ...(others.node && { family: others }) }
  const node: FlowNode = { id, type: 'unknown', ...place, data, exits: {} }
  return { node, note: [...given, { code: known ? 'notUnderstood' : 'typeUnknown', nodeId: id, name: type }] }
}

const coordinate = (value: unknown) => Math.max(-1_000_000, Math.min(1_000_000, numberOf(value) ?? 0))

/** The type and data under which a node goes out, as far as its ports depend on them. */
function writtenAs(node: FlowNode): { kind: Kind; type: string; was: Json } | null {
  if (node.type === 'unknown') return null
  const { type = written[node.type], data } = node.data.family ?? {}
  const known = Object.hasOwn(kinds, type) ? kinds[type]! : kinds[written[node.type]]!
  return { kind: known, type, was: objectOf(data) }
}

/** Their ports by ours. */
function portsAbroad(node: FlowNode): Record<string, string> {
  const as = writtenAs(node)
  return as?.kind.ports?.(node.data as never, as.was, node.exits) ?? {}
}

function readConnection(graph: FlowGraph, ids: ReadonlyMap<string, string>, raw: Json, notes: ImportNote[]): void {
  const [source, target] = [ids.get(textOf(raw['source'])), ids.get(textOf(raw['target']))]
  const node = source === undefined ? undefined : nodesById(graph).get(source)
  const handle = textOf(raw['sourceHandle'])
  if (!node || target === undefined) {
    notes.push({ code: 'wayDropped', nodeId: source ?? target ?? '', name: handle })
    return
  }
  const abroad = portsAbroad(node)
  const ours = Object.keys(abroad).filter((port) => abroad[port] === (handle || NEXT))
  const single = node.type === 'condition' && node.data.mode !== 'cases' ? conditionPorts[handle] : undefined
  const found = ours.length > 0 ? ours : [single ?? (handle || NEXT)]
  const rest = without(raw, edgeNoise)
  if (rest['targetHandle'] === null) delete rest['targetHandle']
  for (const port of found) {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(port) || Object.hasOwn(node.exits, port)) {
      notes.push({ code: 'wayDropped', nodeId: node.id, name: handle })
      continue
    }
    node.exits[port] = target
    if (Object.keys(rest).length === 0) continue
    const { family = {} } = node.data
    node.data.family = { ...family, edges: { ...family.edges, [port]: rest } }
  }
}

// ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Objects within objects, the later ones winning; lists are taken whole. */
function merged(under: Json, over: Json): Json {
  const all = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const before = all[key]
    all[key] = isObject(before) && isObject(value) ? merged(before, value) : value
  }
  return all
}

function writeData(node: FlowNode): { type: string; data: unknown } {
  if (node.type === 'unknown') return { type: node.data.type, data: node.data.data }
  const { family, ...data } = node.data
  const { kind: known, type, was } = writtenAs(node)!
  if (family?.data !== undefined && isSame(known.read(was), data)) return { type, data: family.data }
  const made = known.write(data as never, was)
  return { type, data: family?.data === undefined ? made : merged(was, made) }
}

/** A flow in the form of the family. */
export function toFamily(graph: FlowGraph): FamilyFlow {
  const idsAbroad = new Map(graph.nodes.map((node) => [node.id, textOf(node.data.family?.node?.['id']) || node.id]))
  const nodes = graph.nodes.map(
    (node): FamilyNode => ({
      ...node.data.family?.node,
      id: idsAbroad.get(node.id)!,
      position: { x: node.x, y: node.y },
      ...writeData(node),
    }),
  )
  const connections: FamilyConnection[] = []
  const seen = new Set<string>()
  for (const node of graph.nodes) {
    const abroad = portsAbroad(node)
    const ports = portsOf(node).map(({ id }) => id)
    for (const port of [...ports, ...Object.keys(node.exits).filter((id) => !ports.includes(id))]) {
      const target = Object.hasOwn(node.exits, port) ? idsAbroad.get(node.exits[port]!) : undefined
      if (target === undefined) continue
      const source = idsAbroad.get(node.id)!
      const handle = Object.hasOwn(abroad, port) ? abroad[port]! : port
      const id = `reactflow__edge-${source}${handle}-${target}`
      // Two ports of ours may be one of theirs.
      if (seen.has(`${source} ${handle}`)) continue
      seen.add(`${source} ${handle}`)
      const rest = node.data.family?.edges?.[port] ?? {}
      connections.push({ targetHandle: null, ...rest, id, source, sourceHandle: handle, target })
    }
  }
  return { nodes, connections }
}

/** A file as the family's own export writes it. @param exportedAt ISO 8601 */
export const exportFile = (name: string, graph: FlowGraph, exportedAt: string) => ({
  format: EXPORT_FORMAT,
  version: EXPORT_VERSION,
  exportedAt,
  name,
  ...toFamily(graph),
})
