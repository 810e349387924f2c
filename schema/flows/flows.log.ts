import { clip, legible } from '../texts.ts'
import { MASK } from '../secrets.ts'
import type { FlowDone, FlowEffect, FlowEvent, FlowRun, SecretText, TrailEntry } from './flows.run.ts'

/**
 * What one event made of a run, for who reads it afterwards. Bounded, whatever flows and services write; secrets stand in
 * calls by name only, and here as a mask.
 */

/** Blocks of one event that are told; those behind them are counted. */
export const MOST_LOGGED = 50
/** Characters of what went out in a call, and of what came back. */
export const MOST_LOGGED_LENGTH = 2_000
/** Things that the blocks of one event did, and characters of each. */
export const MOST_DONE = 100
export const MOST_DONE_LENGTH = 300

/** A block that was entered. */
export interface LoggedBlock {
  version: string
  node: string
  /** The way out of the block before by which it was reached. */
  port: string | null
  why: TrailEntry['why']
  /** The block before, of the same version; missing in what was kept before it was told. */
  from?: string | null
}

/** What a block did, beside its calls. */
export interface LoggedDoing {
  /** Place of the block in `blocks`; −1: the one in which the run waited. */
  at: number
  kind: 'said' | 'file' | 'kept' | 'field' | 'tag' | 'untag' | 'queue' | 'agent' | 'note' | 'menu' | 'pending' | 'close'
  /** Of a variable or a field its name, of a tag, a queue and an agent the id; empty for all else. */
  name: string
  /** The words, the name of the file, the value. Where something was left off it ends in "…". */
  text: string
}

/** What went out to a service, or came back from one. */
export interface LoggedCall {
  /** The block that asks. */
  node: string | null
  kind: 'http' | 'ai' | 'typebot' | 'file'
  way: 'out' | 'in'
  /** Of an answer: whether there is one. */
  ok: boolean | null
  /** The address or the status, in a line. */
  line: string
  /** What went out or came back. */
  body: string
  /** Something was left off. */
  isCut: boolean
}

export interface FlowLogEntry {
  /** What happened: the contact wrote, the time was over, an answer came. */
  event: FlowEvent['kind']
  blocks: LoggedBlock[]
  /** Blocks beyond those. */
  more: number
  calls: LoggedCall[]
  /** What the blocks did; missing in what was kept before it was told. */
  done?: LoggedDoing[]
  /** What the contact wrote or sent. */
  heard?: string
  /** The block at which the run waits or has ended, and how. */
  node: string | null
  ended: string | null
}

const masked = (parts: SecretText): string => parts.map((part) => (typeof part === 'string' ? part : MASK)).join('')

/**
 * An address may hold a key that no secret of the flow stands for: one that a service made for one person, a token that
 * an earlier call brought, a name and password before the host. What follows the question mark is told to nobody.
 */
function maskedAddress(url: SecretText): string {
  const address = clip(masked(url), 5_000)
  const end = address.search(/[?#]/)
  const shown = (end === -1 ? address : address.slice(0, end)).replace(/^(\w+:\/\/)[^/@]*@/, `$1${MASK}@`)
  return end === -1 || end === address.length - 1 ? shown : `${shown}?${MASK}`
}

/** Cut before it is looked through: services may write much, and marks that no table takes. */
const cut = (text: string) => ({
  body: legible(clip(text, MOST_LOGGED_LENGTH)),
  isCut: text.length > MOST_LOGGED_LENGTH,
})

const textOf = (body: unknown): string => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))

/** Undefined for what changed nothing, and told the run nothing. */
export function logOf(
  before: FlowRun,
  event: FlowEvent,
  step: { run: FlowRun; effects: readonly FlowEffect[]; trail: readonly TrailEntry[]; done: readonly FlowDone[] },
): FlowLogEntry | undefined {
  const { run, effects, trail, done } = step
  if (run === before || event.kind === 'left') return undefined
  const calls: LoggedCall[] = []
  if (event.kind === 'result') calls.push(answered(before.node, event))
  for (const effect of effects) {
    if (effect.kind === 'http') {
      const { method, url, body } = effect.request
      const line = legible(clip(`${method} ${maskedAddress(url)}`, 500))
      calls.push({ node: run.node, kind: 'http', way: 'out', ok: null, line, ...cut(body ? masked(body) : '') })
    } else if (effect.kind === 'file') {
      const line = legible(clip(maskedAddress(effect.url), 500))
      calls.push({ node: run.node, kind: 'file', way: 'out', ok: null, line, ...cut('') })
    } else if (effect.kind === 'ai')
      calls.push({ node: run.node, kind: 'ai', way: 'out', ok: null, line: '', ...cut(effect.text) })
    else if (effect.kind === 'typebot')
      calls.push({ node: run.node, kind: 'typebot', way: 'out', ok: null, line: '', ...cut(effect.text ?? '') })
  }
  return {
    event: event.kind,
    blocks: trail
      .slice(0, MOST_LOGGED)
      .map(({ version, node, from, port, why }) => ({ version, node, from, port, why })),
    more: Math.max(0, trail.length - MOST_LOGGED),
    calls,
    done: doneIn(done),
    ...heardIn(event),
    node: run.ended ? run.ended.node : run.node,
    ended: run.ended?.why ?? null,
  }
}

const brief = (text: string): string => {
  const kept = legible(clip(text, MOST_DONE_LENGTH))
  return text.length > MOST_DONE_LENGTH ? `${kept}…` : kept
}

/** What the blocks did that are told, in order. */
function doneIn(done: readonly FlowDone[]): LoggedDoing[] {
  const doings: LoggedDoing[] = []
  for (const one of done) {
    if (doings.length >= MOST_DONE) break
    const { at } = one
    if (at >= MOST_LOGGED) continue
    const found = 'effect' in one ? doneBy(one.effect) : ({ kind: 'kept', name: one.name, text: one.value } as const)
    if (found) doings.push({ at, kind: found.kind, name: clip(found.name ?? '', 100), text: brief(found.text ?? '') })
  }
  return doings
}

/** Calls are told as calls, and what is only between the run and its messages is not told. */
function doneBy(effect: FlowEffect): { kind: LoggedDoing['kind']; name?: string; text?: string } | null {
  switch (effect.kind) {
    case 'send':
      return effect.file
        ? { kind: 'file', text: [effect.file.name, effect.body].filter(Boolean).join(' · ') }
        : { kind: 'said', text: effect.body }
    case 'field':
      return { kind: 'field', name: effect.field === 'extra' ? effect.extraName : effect.field, text: effect.value }
    case 'tag':
    case 'untag':
      return { kind: effect.kind, name: String(effect.tagId) }
    case 'toQueue':
      return { kind: 'queue', name: String(effect.queueId) }
    case 'toAgent':
      return { kind: 'agent', name: String(effect.userId) }
    case 'note':
      return { kind: 'note', text: effect.text }
    case 'leave':
      return effect.to === 'nowhere' ? null : { kind: effect.to }
    case 'close':
      return { kind: 'close' }
    case 'http':
    case 'file':
    case 'ai':
    case 'typebot':
    case 'takeBack':
      return null
  }
}

function heardIn(event: FlowEvent): { heard?: string } {
  const text = event.kind === 'started' || event.kind === 'message' ? (event.text ?? '') : ''
  const file = event.kind === 'message' ? event.file?.name : undefined
  const said = [file, text].filter((one) => one?.trim()).join(' · ')
  return said ? { heard: brief(said) } : {}
}

function answered(node: string | null, { result }: Extract<FlowEvent, { kind: 'result' }>): LoggedCall {
  if (result.kind === 'http')
    return {
      ...{ node, kind: 'http', way: 'in', ok: result.ok },
      line: result.ok ? `HTTP ${result.status}` : '',
      ...cut(result.ok ? textOf(result.body) : ''),
    }
  if (result.kind === 'file') {
    // Of a file its name; of a failure its code, and the status where one came.
    const line = result.ok ? clip(result.file.name, 200) : [result.why, result.status ?? []].flat().join(' ')
    return { ...{ node, kind: 'file', way: 'in', ok: result.ok, line: legible(line) }, ...cut('') }
  }
  if (result.kind === 'typebot') {
    const line = result.ok ? '' : [result.why, result.status ?? []].flat().join(' ')
    const said = result.ok ? result.said.map(({ body, file }) => body || (file?.name ?? '')) : []
    return {
      ...{ node, kind: 'typebot', way: 'in', ok: result.ok, line: legible(clip(line, 200)) },
      ...cut(said.join('\n\n')),
    }
  }
  const { usage } = result
  const line = result.ok && usage ? `${usage.model} · ${usage.inputTokens} + ${usage.outputTokens}` : (result.why ?? '')
  return { node, kind: 'ai', way: 'in', ok: result.ok, line: legible(clip(line, 200)), ...cut(result.text) }
}
