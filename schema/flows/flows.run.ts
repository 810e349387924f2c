import type { TemplateAbout } from '../templates/templates.parts.ts'
import type { Template as TemplateRow } from '../templates/templates.table.ts'
import type { Budget } from '../budget.ts'
import type { Holiday, ScheduleEntry } from '../hours/hours.open.ts'
import { uuidv7From } from '../ids.ts'
import type { Offer } from '../messages/messages.offer.ts'
import type { PlaceholderFacts } from '../placeholders/placeholders.ts'
import type { AnswerFile } from './flows.answers.ts'
import { calledFlows, type FlowGraph } from './flows.graph.ts'
import type { NodeData } from './flows.inputs.ts'
import type { LeavingWords } from './flows.leaving.ts'
import type { Guard } from './flows.words.ts'

/** What a run of a flow is, what happens to it and what it leads to. All of it is JSON. */

/** Nodes entered for one event. */
export const MOST_VISITS = 200
/** Nodes entered by one run. */
export const MOST_STEPS = 2_000
/** Messages to a contact who does not write. */
export const MOST_SENDS = 20
/** Flows that wait for a called flow to end. */
export const MOST_CALLS = 5
/** A menu is shown again this often. */
export const MENU_REPEATS = 3
/** An outside call whose result has not come by then has failed. */
export const HTTP_WAIT_MS = 60_000
export const AI_WAIT_MS = 120_000
/** A typebot may go on by itself several times, and names files that are fetched. */
export const TYPEBOT_WAIT_MS = 240_000
/** A file that has not come by then cannot be had. */
export const FILE_WAIT_MS = 60_000
/** Typing is shown this long at most before a message: it holds up the chat's lane. */
export const MOST_TYPING_MS = 3_000
/** Bytes of a run as JSON. */
export const MOST_RUN_BYTES = 32_768

/** Why a run ended. */
export type EndReason =
  /** A way led nowhere, or an end was reached. */
  | 'done'
  | 'queue'
  | 'agent'
  | 'menu'
  | 'close'
  /** The contact wrote a word that leads out. */
  | 'stopped'
  | 'takenOver'
  | 'closed'
  /** The contact was silent too long. */
  | 'silence'
  /** The contact's answers were wrong too often. */
  | 'invalid'
  /** An outside call failed and no way led on. */
  | 'error'
  | Guard

export interface FlowWait {
  /** The number that made it. Timers and results name it: what names another one does nothing. */
  id: number
  /** For an answer, for the clock, for an outside call, or for the rest of an answer. */
  kind: 'reply' | 'timer' | 'job' | 'gather'
  /** When it is over by itself, in milliseconds since 1970; null: never. The row's `wakeAt`. */
  until: number | null
  /** Milliseconds from when the message `after` has left until it is over. */
  lasts: number
  /** Number of the last message that was said before waiting, or null. */
  after: number | null
  /** Wrong answers so far, or turns of a talk. */
  tries: number
  /** What the contact has written meanwhile: one answer, or, to a typebot, one after the other. */
  gathered: string[]
  /** Of a typebot that waits for an answer: what it is to be told of the conversation again, at most 4 KB. */
  session?: unknown
}

/** One run of a flow in one ticket. */
export interface FlowRun {
  /** UUIDv7. The ids of its messages follow from it. */
  id: string
  /** Version of the graph in which it stands. */
  version: string
  /** Node in which it stands; null before it has begun. */
  node: string | null
  /** The element of a block with which it goes on. */
  part: number
  wait: FlowWait | null
  /** Variables by name, in small letters. */
  vars: Record<string, string>
  /** Variables of which only the beginning is kept: no text with one of them is sent. Missing where there are none. */
  cut?: string[]
  /** What the contact wrote last. */
  lastText: string
  /** The messages that this is, by their ids; missing in runs that began before it was kept. */
  heard?: string[]
  seed: number
  /** Random choices so far. */
  draws: number
  /** Effects and waits so far. */
  seq: number
  /** Nodes entered so far. */
  visits: number
  /** Messages since the contact wrote. */
  sends: number
  /** Callers, the first flow first: they go on behind `node`. */
  stack: { version: string; node: string }[]
  ended: { why: EndReason; node: string | null } | null
}

export interface NewRun {
  id: string
  version: string
  /** A random whole number from 0 to 2³²−1. */
  seed: number
  /** Variables that are known before. */
  vars?: Readonly<Record<string, string>>
}

/** A run that has not begun: `step` it with `started`. */
export const newRun = ({ id, version, seed, vars = {} }: NewRun): FlowRun => ({
  id,
  version,
  node: null,
  part: 0,
  wait: null,
  vars: Object.fromEntries(Object.entries(vars).map(([name, value]) => [name.toLowerCase(), value])),
  lastText: '',
  seed: seed >>> 0,
  draws: 0,
  seq: 0,
  visits: 0,
  sends: 0,
  stack: [],
  ended: null,
})

export type FlowEvent =
  /** `at`: another node than the start, to try it. `text`: what the contact wrote that started it. */
  | { kind: 'started'; at?: string; text?: string; id?: string }
  /** The contact wrote. `text` is the caption of a file and the transcript of a voice note, too. */
  | { kind: 'message'; text: string; file?: AnswerFile | null; id?: string }
  /** The time of a wait is over. */
  | { kind: 'timer'; waitId: number }
  | { kind: 'result'; waitId: number; result: FlowResult }
  /** A message has left, at `at`: waits that follow it begin then. */
  | { kind: 'left'; n: number; at: number }
  /** A person accepted, transferred, resolved, or typed on the phone. */
  | { kind: 'takenOver' }
  | { kind: 'closed' }
  | { kind: 'sendFailed'; n: number }
  /** What was to be told made the server stand still: it is not told again. */
  | { kind: 'stoodStill' }

/** Why a file could not be had from its address; the client has words for each. */
export const fileFailures = [
  /** Nothing stands where the address should be. */
  'file_no_address',
  /** It is no address of the web, or one that is not called. */
  'file_address',
  /** It leads to this machine or its network. */
  'file_inside',
  /** A secret in it is not there, or is not sent to that host. */
  'file_secret',
  /** The server answered with a status that brings no file. */
  'file_refused',
  'file_unreachable',
  'file_timeout',
  'file_too_large',
  /** A page to read in a browser: for who is not signed in, or whose link is over. */
  'file_page',
  /** It is not what its server says. */
  'file_type',
  'file_empty',
] as const
export type FileFailure = (typeof fileFailures)[number]

/** A file that was fetched and kept. */
export interface FetchedFile {
  /** In the media store. */
  path: string
  /** As the contact reads it. */
  name: string
  mimetype: string
  size: number
}

/** One message of a typebot. */
export interface BotSaid {
  body: string
  file?: FetchedFile
  typingMs: number
}

/** What a flow tells a typebot. */
export interface TypebotQuestion {
  waitId: number
  integrationId: number | null
  /** What the contact wrote; null: the typebot begins by itself. */
  text: string | null
  /** The message that `text` is, by its id, where it is known; of a beginning without words, what led there. */
  heard: string[]
  /** What its last answer left; null: none yet. */
  session: unknown
  /** Of the flow, by their names. */
  variables: Record<string, string>
}

/** What an outside call led to. */
export type FlowResult =
  | {
      kind: 'http'
      /** An answer arrived, whatever its status. */
      ok: boolean
      status: number
      /** The body: parsed JSON, or text. */
      body: unknown
    }
  | {
      kind: 'ai'
      ok: boolean
      text: string
      /** The model says that nothing is left to talk about. */
      done?: boolean
      /** The model hands over: to a queue, or to whoever is there. */
      transferTo?: number | null
      /** Why it hands over, in its words. */
      reason?: string
      /** Why there is no answer, as a code. */
      why?: string
      usage?: { model: string; inputTokens: number; outputTokens: number }
    }
  | {
      kind: 'typebot'
      ok: true
      said: BotSaid[]
      /** Kept for the next answer; null: nothing more is asked. */
      session: unknown
      /** It hands over: to a queue, or to whoever is there. */
      transferTo?: number | null
      /** To that person. */
      userId?: number
    }
  | {
      kind: 'typebot'
      ok: false
      /** Why there is no answer, as a code. */
      why: string
      /** Of the answer, where one came. */
      status?: number
    }
  | { kind: 'file'; ok: true; file: FetchedFile }
  | {
      kind: 'file'
      ok: false
      why: FileFailure
      /** Of the answer, where one came. */
      status?: number
    }

/** Text in which secrets stand by name; who calls puts them in. Nothing that a contact writes becomes a secret. */
export type SecretText = (string | { secret: string })[]

export interface HttpRequest {
  method: NodeData['http']['method']
  url: SecretText
  headers: { name: string; value: SecretText }[]
  /** Null: none. */
  body: SecretText | null
}

export interface SentFile {
  kind: 'image' | 'video' | 'audio' | 'document'
  /** Name of the stored file. */
  file: string
  /** Name as the contact reads it. */
  name: string
  /** Of one that was fetched for this run, which no flow names. */
  fetched?: Pick<FetchedFile, 'mimetype' | 'size'>
}

/** `n` is unique in its run and rises. */
export type FlowEffect = { n: number } /** `about`: by which template it is said. */ & (
  | {
      kind: 'send'
      body: string
      typingMs: number
      file?: SentFile
      voice?: boolean
      about?: TemplateAbout
      /** The menu that the body is. */
      offer?: Offer
    }
  | { kind: 'toQueue'; queueId: number }
  | { kind: 'toAgent'; userId: number }
  | { kind: 'tag'; tagId: number }
  | { kind: 'untag'; tagId: number }
  | { kind: 'field'; field: 'name' | 'email' | 'extra'; extraName: string; value: string }
  | { kind: 'http'; waitId: number; request: HttpRequest }
  | { kind: 'file'; waitId: number; url: SecretText }
  /** `heard`: the messages that `text` is, by their ids, where they are known. */
  | {
      kind: 'ai'
      waitId: number
      promptId: number | null
      instructions: string
      text: string
      turn: number
      heard: string[]
    }
  | ({ kind: 'typebot' } & TypebotQuestion)
  /** `guard` says which limit ended the run; null for what a node notes. */
  | { kind: 'note'; text: string; guard: Guard | null }
  /** Messages of this run that have not left are taken back. */
  | { kind: 'takeBack' }
  /**
   * The run is over: the ticket waits for people, or the queue menu is shown. `nowhere`: nobody was promised, and the next
   * message meets what else answers.
   */
  | { kind: 'leave'; to: 'menu' | 'pending' | 'nowhere' }
  | { kind: 'close' }
)

/** One node that was entered: from where, by which port, and why. */
export interface TrailEntry {
  version: string
  node: string
  from: string | null
  port: string | null
  why: 'started' | 'exit' | 'called' | 'returned'
}

/** What a block did: an effect, or a variable that it kept. `at` is its place in the trail; −1: the block that waited. */
export type FlowDone = { at: number } & ({ effect: FlowEffect } | { name: string; value: string })

export interface FlowStep {
  run: FlowRun
  effects: FlowEffect[]
  trail: TrailEntry[]
  done: FlowDone[]
}

export interface FlowGraphs {
  /** Frozen graphs by version: those in which the run stands or to which it returns, and those of `live`. */
  versions: Readonly<Record<string, FlowGraph>>
  /** By id of the flow, the version that is called now. */
  live: Readonly<Record<number, string>>
}

/** What of a message template a flow asks for. */
export type FlowTemplate = Pick<
  TemplateRow,
  'name' | 'language' | 'status' | 'category' | 'confirmedCategory' | 'parts' | 'isStrange'
>

export interface FlowFacts extends Omit<PlaceholderFacts, 'now' | 'contact' | 'ticket'> {
  contact: {
    name: string
    number?: string | null
    email?: string
    extraInfo?: readonly { name: string; value: string }[]
  } | null
  ticket: { id: number } | null
  queue?: { id: number; name: string } | null
  tags: readonly { id: number; name: string }[]
  /** Message templates of the connection that one may know of; missing where it has none. */
  templateOf?: (name: string, language: string) => FlowTemplate | undefined
  /** The words that lead out of a flow; missing: the usual ones. */
  leaving?: LeavingWords
  /** Where the conversations of each assistant go on. */
  promptQueues?: Readonly<Record<number, number>>
  hours: {
    company: readonly ScheduleEntry[]
    /** Of the company; they close its own hours and those of its queues, not those of a node. */
    holidays?: readonly Holiday[]
    /** Win over the company's, if filled in. */
    connection: readonly ScheduleEntry[]
    queues: Readonly<Record<number, readonly ScheduleEntry[]>>
  }
}

export interface FlowContext {
  now: Date
  /** What this event may cost, where others share it. */
  budget?: Budget
  facts: FlowFacts
}

/** The versions that must be loaded to step the run, besides those of `live`. */
export const versionsOf = (run: FlowRun): string[] => [
  ...new Set([run.version, ...run.stack.map(({ version }) => version)]),
]

/** The flows that can be called from these graphs, directly: load their live versions, and ask again until none is new. */
export const flowsCalledBy = (graphs: readonly FlowGraph[]): number[] => [...new Set(graphs.flatMap(calledFlows))]

/** 32 bits that follow from the words, each way of mixing giving others. */
function mix(text: string, salt: number): number {
  let hash = (salt ^ 0x811c9dc5) >>> 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return scramble(hash)
}

function scramble(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A number from 0 to 99 that follows from the run's seed and the number of the choice. */
export const draw = (seed: number, draws: number): number =>
  scramble(Math.imul(seed ^ scramble(draws), 0x9e3779b1) + draws) % 100

/** The id of the message that effect `n` of a run sends: a UUIDv7 that follows from both, and rises with `n`. */
export function flowMessageId(runId: string, n: number): string {
  const cause = `${runId}:${n}`
  const bytes = new Uint8Array(12)
  const words = new DataView(bytes.buffer)
  for (let i = 0; i < 3; i++) words.setUint32(4 * i, mix(cause, 0x9e3779b1 * (i + 1)))
  const begun = Number.parseInt(runId.replaceAll('-', '').slice(0, 12), 16)
  return uuidv7From((Number.isNaN(begun) ? 0 : begun) + n, bytes)
}

/**
 * The run in a newer version of its flow, or null where the node in which it waits is not there or has become
 * something else. A run that waits inside a called flow stays with what it has.
 */
export function moveRun(run: FlowRun, from: FlowGraph, to: FlowGraph, version: string): FlowRun | null {
  if (run.ended || run.stack.length > 0 || run.node === null) return null
  const before = from.nodes.find(({ id }) => id === run.node)
  const after = to.nodes.find(({ id }) => id === run.node)
  return before && after?.type === before.type ? { ...run, version } : null
}
