import { type FlowNodeOf, newNode, START_ID } from '../../schema/flows/flows.graph.ts'
import { type FlowFacts, type HttpRequest, newRun } from '../../schema/flows/flows.run.ts'
import { pick, step } from '../../schema/flows/flows.step.ts'

/** What a call is tried with, and what can be kept of its answer. */

/** The names that a call fills in, without secrets and repeats. */
export function namesIn({ url, headers, body }: FlowNodeOf<'http'>['data']): string[] {
  const texts = [url, body, ...headers.map(({ value }) => value)]
  const names = texts.flatMap((text) => [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name.trim()))
  return [...new Set(names)].filter((name) => name !== '' && !name.startsWith('secret:'))
}

/** The call as the engine would make it where the names have those values; null where it makes none. */
export function requestOf(node: FlowNodeOf<'http'>, values: Readonly<Record<string, string>>): HttpRequest | null {
  const version = 'try'
  const start = { ...newNode('start', START_ID, 0, 0), exits: { a: node.id } }
  const graphs = { versions: { [version]: { nodes: [start, node] } }, live: {} }
  const run = newRun({ id: version, version, seed: 1 })
  const asked = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))
  const of = (name: string) => asked[name.toLowerCase()] ?? ''
  const facts: FlowFacts = {
    timeZone: 'UTC',
    language: 'pt',
    contact: { name: of('name'), number: of('number'), email: of('email'), extraInfo: [] },
    ticket: null,
    queue: null,
    connection: null,
    company: null,
    tags: [],
    hours: { company: [], connection: [], queues: {} },
  }
  const { effects } = step(
    graphs,
    { ...run, vars: { ...run.vars, ...asked } },
    { kind: 'started' },
    {
      now: new Date(0),
      facts,
    },
  )
  const made = effects.find(({ kind }) => kind === 'http')
  return made?.kind === 'http' ? made.request : null
}

export interface AnswerField {
  path: string
  value: string
  /** A name for the variable that keeps it. */
  name: string
}

const MOST_FIELDS = 200
const DEEPEST = 8

/** The values of an answer that can be kept, each with its path; of a list the first shows how all are. */
export function fieldsOf(body: unknown): AnswerField[] {
  const found: AnswerField[] = []
  const look = (value: unknown, path: string, depth: number) => {
    if (found.length >= MOST_FIELDS) return
    if (typeof value !== 'object' || value === null || depth > DEEPEST) {
      found.push({ path, value: pick(body, path), name: nameOf(path) })
      return
    }
    if (Array.isArray(value)) {
      found.push({ path, value: pick(body, path), name: nameOf(path) })
      if (value.length > 0) look(value[0], `${path}[0]`, depth + 1)
      return
    }
    // A path could not say where a name with a dot ends.
    for (const [key, held] of Object.entries(value))
      if (!/[.[\]]/.test(key)) look(held, path ? `${path}.${key}` : key, depth + 1)
  }
  look(body, '', 0)
  return found
}

/** The last name of a path, in letters that a variable may have. */
function nameOf(path: string): string {
  const last = path.split(/[.[\]]/).findLast((part) => /[a-z]/i.test(part)) ?? 'resposta'
  return last.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, 40)
}
