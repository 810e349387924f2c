import { clip, legible } from '../texts.ts'
import { MASK } from '../secrets.ts'
import type { FlowEffect, FlowEvent, FlowRun, SecretText, TrailEntry } from './flows.run.ts'

/**
 * What one event made of a run, for who reads it afterwards. Bounded, whatever flows and services write; secrets stand in
 * calls by name only, and here as a mask.
 */

/** Blocks of one event that are told; those behind them are counted. */
export const MOST_LOGGED = 50
/** Characters of what went out in a call, and of what came back. */
export const MOST_LOGGED_LENGTH = 2_000

/** A block that was entered. */
export interface LoggedBlock {
  version: string
  node: string
  /** The way out of the block before by which it was reached. */
  port: string | null
  why: TrailEntry['why']
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
  /** The block at which the run waits or has ended, and how. */
  node: string | null
  ended: string | null
}

const masked = (parts: SecretText): string => parts.map((part) => (typeof part === 'string' ? part : MASK)).join('')

/**
 * An address that a service may have made for one person: what follows the question mark is their key to it, and a
 * name and password before the host are one, too.
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
  step: { run: FlowRun; effects: readonly FlowEffect[]; trail: readonly TrailEntry[] },
): FlowLogEntry | undefined {
  const { run, effects, trail } = step
  if (run === before || event.kind === 'left') return undefined
  const calls: LoggedCall[] = []
  if (event.kind === 'result') calls.push(answered(before.node, event))
  for (const effect of effects) {
    if (effect.kind === 'http') {
      const { method, url, body } = effect.request
      const line = legible(clip(`${method} ${masked(url)}`, 500))
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
    blocks: trail.slice(0, MOST_LOGGED).map(({ version, node, port, why }) => ({ version, node, port, why })),
    more: Math.max(0, trail.length - MOST_LOGGED),
    calls,
    node: run.ended ? run.ended.node : run.node,
    ended: run.ended?.why ?? null,
  }
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
  return { node, kind: 'ai', way: 'in', ok: result.ok, line: legible(clip(result.why ?? '', 200)), ...cut(result.text) }
}
