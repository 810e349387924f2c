import { expect, test } from 'bun:test'
import type { FlowGraph } from './flows.graph.ts'
import { type FlowRun, newRun } from './flows.run.ts'
import type { FlowRunRow } from './flows.table.ts'
import {
  decideRuns,
  flowRunAfter,
  type FlowRunEvent,
  flowRunTransitions,
  standingOf,
  stepRuns,
} from './flow-runs.transition.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
const graph = (...nodes: string[]): FlowGraph => ({
  nodes: nodes.map((id) => ({ id, type: 'message' as const, x: 0, y: 0, data: { text: id, image: '' }, exits: {} })),
})
const begun: FlowRun = { ...newRun({ id: '0193f2a0-0000-7000-8000-000000000001', version: '7', seed: 1 }), node: 'a' }
const waits = (node: string, until: Date | null): FlowRun => ({
  ...begun,
  node,
  wait: { id: 1, kind: 'reply', until: until?.getTime() ?? null, lasts: 0, after: null, tries: 0, gathered: [] },
})
const over = (why: 'done' | 'takenOver'): FlowRun => ({ ...begun, wait: null, ended: { why, node: 'a' } })
const row: FlowRunRow = {
  ...{ id: begun.id, companyId: 2, flowId: 4, versionId: 7, ticketId: 9, contactId: 5, whatsappId: 3 },
  ...{ run: waits('a', at(5)), wakeAt: at(5), endedAt: null, reason: null, createdAt: at(1), updatedAt: at(1) },
}
const all: FlowRunEvent[] = [
  { type: 'step', run: waits('b', at(9)) },
  { type: 'step', run: waits('b', null) },
  { type: 'step', run: over('done') },
  { type: 'takeOver' },
  { type: 'breakDown' },
  { type: 'close' },
  { type: 'move', versionId: 8, from: graph('a', 'b'), to: graph('a', 'b') },
]
const after = (before: FlowRunRow, event: FlowRunEvent, now = at(3)): FlowRunRow => ({
  ...before,
  ...flowRunAfter(before, event, now),
})

test('[FL91] the table names every event of a run that goes on and of one that has ended', () => {
  for (const standing of ['active', 'ended'] as const)
    expect(Object.keys(flowRunTransitions[standing]).sort()).toEqual(['breakDown', 'close', 'move', 'step', 'takeOver'])
})

test('[FL93] what ends from outside says why, and wakes no more', () => {
  const reasons = { takeOver: 'takenOver', breakDown: 'broken', close: 'closed' } as const
  for (const [type, reason] of Object.entries(reasons)) {
    const ended = after(row, { type } as FlowRunEvent)
    expect(ended).toMatchObject({ reason, endedAt: at(3), wakeAt: null, updatedAt: at(3) })
  }
  expect(after(row, { type: 'close' }).run).toMatchObject({ wait: null, ended: { why: 'closed', node: 'a' } })
  expect(after(row, { type: 'takeOver' }).run).toEqual(row.run)
})

test('[FL31, FL91] it moves to the new version where it can, and otherwise nothing is written', () => {
  const move = (to: FlowGraph): FlowRunEvent => ({ type: 'move', versionId: 8, from: graph('a', 'b'), to })
  expect(after(row, move(graph('a')))).toMatchObject({ versionId: 8, run: { version: '8', node: 'a' }, wakeAt: at(5) })
  expect(flowRunAfter(row, move(graph('b')), at(3))).toBeNull()
  // By a way to another flow it stands in that one.
  expect(flowRunAfter({ ...row, run: { ...begun, version: '70' } }, move(graph('a')), at(3))).toBeNull()
  expect(decideRuns([row], move(graph('b')), at(3))).toMatchObject({ decision: { rows: [] }, changed: [] })
})

test('[FL92] of one ticket the run that ended is written before the one that begins', () => {
  const place = { companyId: 2, flowId: 4, versionId: 7, ticketId: 9, contactId: 5, whatsappId: 3 }
  const next = { ...waits('b', at(9)), id: '0193f2a0-0000-7000-8000-000000000002' }
  const { rows } = stepRuns(
    [
      { ...place, run: next, before: null },
      { ...place, run: over('takenOver'), before: row },
    ],
    at(3),
  )
  expect(rows).toMatchObject([
    { op: 'update', ids: [row.id], values: { endedAt: at(3), reason: 'takenOver', wakeAt: null } },
    { op: 'insert', values: { ...place, id: next.id, endedAt: null, reason: null, wakeAt: at(9), createdAt: at(3) } },
  ])
})

test('[FL91, FL93, FL94] random lives: ended once, with a reason, and then unchanged; woken as its wait says', () => {
  // A generator of its own, so that a failure is the same each time.
  let seed = 20261129
  const next = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const ends = new Set<string | null>()
  for (let life = 0; life < 2000; life++) {
    let run = row
    for (let step = 1; step <= 30; step++) {
      const was = run
      run = after(was, all[next(all.length)]!, at(3 + step))
      if (standingOf(was) === 'ended') expect(run).toEqual(was)
      expect(run.reason !== null).toBe(standingOf(run) === 'ended')
      const { wait } = run.run as FlowRun
      const until = standingOf(run) === 'ended' ? null : (wait?.until ?? null)
      expect(run.wakeAt?.getTime() ?? null).toBe(until)
      if (standingOf(run) === 'active') expect((run.run as FlowRun).ended).toBeNull()
      // What identifies it, and where it belongs, no event changes.
      const kept = ({ id, companyId, flowId, ticketId, contactId, whatsappId, createdAt }: FlowRunRow) => [
        ...[id, companyId, flowId, ticketId, contactId, whatsappId, createdAt],
      ]
      expect(kept(run)).toEqual(kept(row))
    }
    ends.add(run.reason)
  }
  expect([...ends].map(String).sort()).toEqual(['broken', 'closed', 'done', 'takenOver'])
})
