import { nothing, type ServerChange, type ServerDecision } from '../command.ts'
import type { ByTable } from '../decided.ts'
import type { FlowGraph } from './flows.graph.ts'
import { type FlowRun, moveRun } from './flows.run.ts'
import type { FlowRunRow } from './flows.table.ts'

/**
 * The life of a run as a row, as one table. Null: it has ended, and stays as it is. What becomes of it inside its flow
 * says `step`; who ends or moves it from outside comes here too. The rules by number are in `SPEC.md`.
 */
export type FlowRunEvent =
  /** Something happened in its ticket, and `step` made this of it. */
  | { type: 'step'; run: FlowRun }
  /** A person has its ticket now. */
  | { type: 'takeOver' }
  /** It cannot be stepped. */
  | { type: 'breakDown' }
  /** Its flow was published anew, and who is in an earlier version is left to people. */
  | { type: 'close' }
  /** Its flow was published anew, and it goes on in that version where it can. */
  | { type: 'move'; versionId: number; from: FlowGraph; to: FlowGraph }

/** Whether anything happens in it any more. */
export type FlowRunStanding = 'active' | 'ended'
export const standingOf = ({ endedAt }: Pick<FlowRunRow, 'endedAt'>): FlowRunStanding =>
  endedAt === null ? 'active' : 'ended'

/** What else may be set: it follows its contact where two become one, and one becomes two again. */
export type FlowRunTouch = Pick<FlowRunRow, 'contactId'>

type Facts = Pick<FlowRunRow, 'versionId' | 'run' | 'endedAt'>
type EventOf<T extends FlowRunEvent['type']> = Extract<FlowRunEvent, { type: T }>
type Rule = (row: Facts, event: never, now: Date) => Partial<FlowRunRow> | null

/** What of a run stands in columns besides, so that the clock and the screens find it. */
const columnsOf = (run: FlowRun, now: Date) => ({
  run,
  wakeAt: run.ended || run.wait?.until == null ? null : new Date(run.wait.until),
  endedAt: run.ended ? now : null,
  reason: run.ended?.why ?? null,
  updatedAt: now,
})
/** It is as it was when it ended: who reads it afterwards sees where that was. */
const ends = (reason: string) => (_row: Facts, _event: unknown, now: Date) => ({
  ...{ wakeAt: null, endedAt: now, reason },
  updatedAt: now,
})

const step = (_row: Facts, { run }: EventOf<'step'>, now: Date) => columnsOf(run, now)
const close = ({ run }: Facts, _event: EventOf<'close'>, now: Date) => {
  const before = run as FlowRun
  return columnsOf({ ...before, wait: null, ended: { why: 'closed', node: before.node } }, now)
}
const move = ({ run, versionId: earlier }: Facts, { versionId, from, to }: EventOf<'move'>, now: Date) => {
  const before = run as FlowRun
  // By a way to another flow it stands in that one.
  const moved = before.version === String(earlier) ? moveRun(before, from, to, String(versionId)) : null
  return moved && { run: moved, versionId, updatedAt: now }
}

export const flowRunTransitions: Record<FlowRunStanding, Record<FlowRunEvent['type'], Rule | null>> = {
  active: { step, takeOver: ends('takenOver'), breakDown: ends('broken'), close, move },
  ended: { step: null, takeOver: null, breakDown: null, close: null, move: null },
}

/** What `event` makes of a run; null where nothing is to become of it. */
export function flowRunAfter(row: Facts, event: FlowRunEvent, now: Date): ByTable<FlowRunRow> | null {
  // That an event meets its own rule, and that this is the table, is beyond the compiler.
  const rule = flowRunTransitions[standingOf(row)][event.type] as
    | ((facts: Facts, e: FlowRunEvent, at: Date) => ByTable<FlowRunRow> | null)
    | null
  return rule && rule(row, event, now)
}

/** Several runs to which the same happens from outside, as one decision; `changed` are those of which something became. */
export function decideRuns<R extends Facts & Pick<FlowRunRow, 'id'>>(
  rows: readonly R[],
  event: FlowRunEvent,
  now: Date,
): { decision: ServerDecision; changed: R[] } {
  const changes: ServerChange[] = []
  const changed: R[] = []
  for (const row of rows) {
    const values = flowRunAfter(row, event, now)
    if (!values) continue
    changes.push({ table: 'flowRuns', op: 'update', ids: [row.id], values })
    changed.push(row)
  }
  return { decision: { ...nothing, rows: changes }, changed }
}

/** A run at the end of what happened in its ticket, and as it stood there before; null where it began meanwhile. */
export interface SteppedRun
  extends Pick<FlowRunRow, 'companyId' | 'flowId' | 'versionId' | 'ticketId' | 'contactId' | 'whatsappId'> {
  run: FlowRun
  before: FlowRunRow | null
}

/** Runs that were stepped, as one decision: those that ended first, because a ticket has one that goes on. */
export function stepRuns(stepped: readonly SteppedRun[], now: Date): ServerDecision {
  const changes = stepped.flatMap(({ run, before, ...place }): { place: number; change: ServerChange }[] => {
    const change = before ? stepOf(before, run, now) : beginOf(run, place, now)
    // Of a kind together, so that they are one statement.
    return change ? [{ place: (run.ended ? 0 : 2) + (before ? 0 : 1), change }] : []
  })
  return { ...nothing, rows: changes.toSorted((a, b) => a.place - b.place).map(({ change }) => change) }
}

function stepOf(before: FlowRunRow, run: FlowRun, now: Date): ServerChange | null {
  const values = flowRunAfter(before, { type: 'step', run }, now)
  return values && { table: 'flowRuns', op: 'update', ids: [before.id], values }
}

const beginOf = (run: FlowRun, place: Omit<SteppedRun, 'run' | 'before'>, now: Date): ServerChange => ({
  table: 'flowRuns',
  op: 'insert',
  values: { id: run.id, ...place, ...columnsOf(run, now), createdAt: now },
})
