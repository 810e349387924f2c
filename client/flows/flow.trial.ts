import type { AnswerFile } from '../../schema/flows/flows.answers.ts'
import type { FlowGraph } from '../../schema/flows/flows.graph.ts'
import { kindOfName, nameOfAnswer } from '../../schema/fetched-name.ts'
import { addressProblem } from '../../schema/flows/flows.request.ts'
import {
  type FlowEffect,
  type FlowEvent,
  type FlowFacts,
  type FlowGraphs,
  type FlowResult,
  type FlowRun,
  newRun,
  type SecretText,
  type SentFile,
  type TrailEntry,
} from '../../schema/flows/flows.run.ts'
import { type ScheduleEntry, weekdays } from '../../schema/hours/hours.open.ts'
import { step } from '../../schema/flows/flows.step.ts'

/** The version under which the draft is run. */
export const DRAFT = 'draft'
/** Of how often the clock may wake the flow for one push. */
const MOST_WAKES = 500

/** Whom the flow believes to talk to. */
export interface TrialSetup {
  name: string
  number: string
  /** Of somebody new nothing but name and number is known. */
  isNew: boolean
  email: string
  tags: readonly number[]
  /** Hours as the clock of the test says, or one of both whatever it says. */
  hours: 'clock' | 'open' | 'closed'
}

/** What a flow has written about the contact since the test began. */
interface Learnt {
  name?: string
  email?: string
  extra: readonly { name: string; value: string }[]
  tags?: readonly number[]
  queueId?: number
}

/** What is known of the contact at this moment. */
export interface Known {
  contact: NonNullable<FlowFacts['contact']>
  tags: readonly number[]
  queueId: number | null
  hours: TrialSetup['hours']
}

export type CallEffect = Extract<FlowEffect, { kind: 'http' | 'file' | 'ai' | 'typebot' }>
type QuietEffect = Exclude<FlowEffect, { kind: 'send' | CallEffect['kind'] | 'takeBack' }>

/** One line of the conversation that is tried. */
export type TrialLine = { id: number } & (
  | { kind: 'said'; body: string; file: SentFile | null; voice: boolean; typingMs: number }
  | { kind: 'wrote'; body: string; file: AnswerFile['kind'] | null }
  | { kind: 'did'; effect: QuietEffect }
  | { kind: 'called'; effect: CallEffect }
  /** The clock was moved; the time it shows then. */
  | { kind: 'clock'; at: number }
)
/** A line before it has its number. */
type NewLine = TrialLine extends infer L ? (L extends { id: number } ? Omit<L, 'id'> : never) : never

export interface TrialPath {
  gone: ReadonlySet<string>
  /** `source port target`. */
  ways: ReadonlySet<string>
  at: string | null
}

export interface TrialView {
  setup: TrialSetup
  known: Known
  run: FlowRun | null
  /** The call that is waited for. */
  call: CallEffect | null
  /** Milliseconds since 1970, on the clock of the test. */
  now: number
  lines: readonly TrialLine[]
  path: TrialPath
}

export interface TrialDeps {
  /** The draft as it stands, and the flows that it calls. */
  graphs(): FlowGraphs
  facts(known: Known): FlowFacts
  now(): number
  newId(): string
  seed(): number
}

const nothingYet: TrialPath = { gone: new Set(), ways: new Set(), at: null }

/**
 * A conversation with the draft, by the same `step` that answers contacts. Nothing goes outside: calls are answered by
 * hand, and the clock stands until it is moved. Each step looks at the draft as it is then, so what is changed
 * meanwhile counts at once.
 */
export class Trial {
  #view: TrialView
  #trail: TrailEntry[] = []
  #learnt: Learnt = { extra: [] }
  #lines = 0
  readonly #listeners = new Set<() => void>()

  constructor(
    private readonly deps: TrialDeps,
    setup: TrialSetup,
  ) {
    this.#view = this.#fresh(setup)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  view = (): TrialView => this.#view

  /** Forgets the conversation. */
  restart = (): void => {
    this.#trail = []
    this.#learnt = { extra: [] }
    this.#set(this.#fresh(this.#view.setup))
  }

  /** Begins at the start, or at that node, with what the contact has written. */
  begin = (at: string | null = null, text?: string): void => {
    this.restart()
    const run = newRun({ id: this.deps.newId(), version: DRAFT, seed: this.deps.seed() })
    this.#set({
      ...this.#view,
      run,
      lines: text === undefined ? [] : [this.#line({ kind: 'wrote', body: text, file: null })],
    })
    this.#happen({ kind: 'started', ...(at !== null && { at }), ...(text !== undefined && { text }) })
  }

  /** The contact writes, or sends a file of that kind with these words. The first message begins the flow. */
  hear = (text: string, file: AnswerFile['kind'] | null = null): void => {
    const { run } = this.#view
    if (!run) return this.begin(null, text)
    if (run.ended) return
    this.#add([{ kind: 'wrote', body: text, file }])
    this.#happen({
      kind: 'message',
      text,
      file: file === null ? null : { kind: file, name: fileNames[file] ?? file, messageId: `test-${this.#lines}` },
    })
  }

  /** What the call that is waited for has led to. */
  answer = (result: FlowResult): void => {
    const { call } = this.#view
    if (call) this.#happen({ kind: 'result', waitId: call.waitId, result })
  }

  /** The clock goes on; what is due meanwhile happens at its moment. */
  pass = (ms: number): void => {
    const target = this.#view.now + ms
    for (let woken = 0; woken < MOST_WAKES; woken++) {
      const { run } = this.#view
      const wait = run?.ended ? null : run?.wait
      if (wait?.until == null || wait.until > target) break
      this.#moveTo(wait.until)
      this.#happen({ kind: 'timer', waitId: wait.id })
    }
    this.#moveTo(target)
  }

  /** When the flow goes on by itself; null where it does not. */
  dueIn = (): number | null => {
    const { run, now } = this.#view
    return run?.wait?.until == null || run.ended ? null : Math.max(0, run.wait.until - now)
  }

  passToNext = (): void => {
    const due = this.dueIn()
    if (due !== null) this.pass(due)
  }

  change = (setup: Partial<TrialSetup>): void => {
    const next = { ...this.#view.setup, ...setup }
    // What is set by hand is stronger than what the flow has written before.
    const { name, email, tags, ...learnt } = this.#learnt
    this.#learnt = {
      ...learnt,
      ...(name !== undefined && !('name' in setup) && { name }),
      ...(email !== undefined && !('email' in setup) && { email }),
      ...(tags !== undefined && !('tags' in setup) && { tags }),
    }
    this.#set({ ...this.#view, setup: next, known: this.#knownOf(next) })
  }

  #fresh(setup: TrialSetup): TrialView {
    return {
      ...{ setup, known: this.#knownOf(setup), run: null, call: null },
      ...{ now: this.deps.now(), lines: [], path: nothingYet },
    }
  }

  #knownOf({ name, number, isNew, email, tags, hours }: TrialSetup): Known {
    const learnt = this.#learnt
    return {
      contact: {
        ...{ name: learnt.name ?? name, number, email: learnt.email ?? (isNew ? '' : email) },
        extraInfo: learnt.extra,
      },
      tags: learnt.tags ?? (isNew ? [] : tags),
      queueId: learnt.queueId ?? null,
      hours,
    }
  }

  #set(view: TrialView): void {
    this.#view = view
    for (const listener of this.#listeners) listener()
  }

  #line = (line: NewLine): TrialLine => ({ id: ++this.#lines, ...line })

  #add(lines: readonly NewLine[]): void {
    this.#set({ ...this.#view, lines: [...this.#view.lines, ...lines.map(this.#line)] })
  }

  /** One line for pushes that follow each other. */
  #moveTo(at: number): void {
    const { lines, now, run } = this.#view
    if (at <= now) return
    const before = lines.at(-1)?.kind === 'clock' ? lines.slice(0, -1) : lines
    this.#set({ ...this.#view, now: at, ...(run && { lines: [...before, this.#line({ kind: 'clock', at })] }) })
  }

  #happen(event: FlowEvent): void {
    const { run, now, setup } = this.#view
    if (!run) return
    const context = { now: new Date(now), facts: this.deps.facts(this.#view.known) }
    const next = step(this.deps.graphs(), run, event, context)
    for (const effect of next.effects) this.#learn(effect)
    this.#trail.push(...next.trail.filter(({ version }) => version === DRAFT))
    const wait = next.run.wait
    const calls = next.effects.filter(isCall)
    const call = wait?.kind === 'job' ? (calls.find(({ waitId }) => waitId === wait.id) ?? this.#view.call) : null
    this.#set({
      ...this.#view,
      run: next.run,
      call,
      known: this.#knownOf(setup),
      lines: [...this.#view.lines, ...next.effects.flatMap((effect) => lineOf(effect)).map(this.#line)],
      path: pathOf(this.#trail, next.run),
    })
  }

  #learn(effect: FlowEffect): void {
    const { tags } = this.#view.known
    if (effect.kind === 'toQueue') this.#learnt = { ...this.#learnt, queueId: effect.queueId }
    else if (effect.kind === 'tag' || effect.kind === 'untag') {
      const others = (this.#learnt.tags ?? tags).filter((id) => id !== effect.tagId)
      this.#learnt = { ...this.#learnt, tags: effect.kind === 'tag' ? [...others, effect.tagId] : others }
    } else if (effect.kind === 'field') {
      const { field, extraName, value } = effect
      const others = this.#learnt.extra.filter(({ name }) => name !== extraName)
      this.#learnt =
        field === 'extra'
          ? { ...this.#learnt, extra: [...others, { name: extraName, value }] }
          : { ...this.#learnt, [field]: value }
    }
  }
}

const isCall = (effect: FlowEffect): effect is CallEffect => ['http', 'file', 'ai', 'typebot'].includes(effect.kind)

/** What a file may turn out to be, each by the type that stands for it in a test. */
export const triedTypes = {
  document: 'application/pdf',
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
} as const satisfies Record<SentFile['kind'], string>

/**
 * What would be fetched from an address, as far as it tells by itself: its last name, and what ends so. Nothing is fetched.
 * @returns a code where nobody would be called
 */
export function triedFile(
  url: SecretText,
): { problem: NonNullable<ReturnType<typeof addressProblem>> } | { name: string; kind: SentFile['kind'] } {
  const problem = addressProblem(url)
  if (problem) return { problem }
  const address = url.map((part) => (typeof part === 'string' ? part : 'x')).join('')
  const name = nameOfAnswer({ headers: new Headers(), url: '' }, address) || 'arquivo'
  return { name, kind: kindOfName(name) }
}

/** As the contact's phone would name what it sends. */
const fileNames: Record<string, string> = { image: 'foto.jpg', audio: 'voz.ogg', application: 'arquivo.pdf' }

function lineOf(effect: FlowEffect): NewLine[] {
  if (effect.kind === 'send') {
    const { body, typingMs, file = null, voice = false } = effect
    return [{ kind: 'said', body, file, voice, typingMs }]
  }
  if (isCall(effect)) return [{ kind: 'called', effect }]
  return effect.kind === 'takeBack' ? [] : [{ kind: 'did', effect }]
}

/** Where the draft was gone through. In a called flow, the node that called it is where it stands. */
function pathOf(trail: readonly TrailEntry[], run: FlowRun): TrialPath {
  const ways = trail.flatMap(({ from, port, node }) =>
    from !== null && port !== null ? [`${from} ${port} ${node}`] : [],
  )
  return {
    gone: new Set(trail.map(({ node }) => node)),
    ways: new Set(ways),
    at: run.ended ? null : (trail.at(-1)?.node ?? null),
  }
}

/** Equal start and end: closed all day. */
const neverOpen: ScheduleEntry[] = weekdays.map((weekdayEn) => ({
  ...{ weekday: '', weekdayEn, startTime: '00:00', endTime: '00:00' },
}))

/** The hours of the company as the test takes them: as they are, or open or closed whatever they say. */
export function hoursTried(hours: TrialSetup['hours'], own: FlowFacts['hours']): FlowFacts['hours'] {
  if (hours === 'clock') return own
  return { ...own, company: hours === 'open' ? [] : neverOpen, holidays: [], connection: [] }
}

/** The flow where hours are open, or closed, whatever the clock says: all of them ask the company's, which are made so. */
export function withHours(graph: FlowGraph, hours: TrialSetup['hours']): FlowGraph {
  if (hours === 'clock' || !graph.nodes.some(({ type }) => type === 'hours')) return graph
  return {
    nodes: graph.nodes.map((node) =>
      node.type === 'hours' ? { ...node, data: { ...node.data, of: 'company' as const } } : node,
    ),
  }
}
