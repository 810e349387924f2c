import { expect, test } from 'bun:test'
import type { Schedule } from './schedules.table.ts'
import { scheduleStatuses } from './schedules.table.ts'
import {
  removeSchedules,
  type ScheduleEvent,
  scheduleAfter,
  scheduleTransitions,
  waitingStatuses,
} from './schedules.transition.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
const noFile = { mediaPath: null, mediaName: null, mediaMime: null, mediaSize: null }
const aFile = { mediaPath: 'f/1', mediaName: 'preços.pdf', mediaMime: 'application/pdf', mediaSize: 4 }
const begun: Schedule = {
  ...{ id: '0193f2a0-0000-7000-8000-000000000001', companyId: 2, contactId: 5, userId: 3, whatsappId: null },
  ...{
    body: 'Bom dia',
    templateId: null,
    templateValues: {},
    bulk: false,
    sendAt: at(2),
    sentAt: null,
    status: 'PENDENTE',
    error: null,
  },
  waitsUntil: null,
  ...noFile,
  ...{ createdAt: at(1), updatedAt: at(1) },
}
const all: ScheduleEvent[] = [
  { type: 'set', values: { body: 'Boa tarde', sendAt: at(9) } },
  { type: 'set', values: {}, heir: 8 },
  { type: 'file', file: aFile },
  { type: 'file', file: noFile },
  { type: 'send' },
  { type: 'wait', until: at(20) },
  { type: 'refuse', error: 'ERR_OPTED_OUT' },
]
const after = (schedule: Schedule, event: ScheduleEvent, now = at(3)): Schedule => ({
  ...schedule,
  ...scheduleAfter(schedule, event, now),
})

test('[AG1] the table names every event in every status, and those that wait are due', () => {
  for (const status of scheduleStatuses)
    expect(Object.keys(scheduleTransitions[status]).sort()).toEqual(['file', 'refuse', 'send', 'set', 'wait'])
  expect(waitingStatuses).toEqual(['PENDENTE', 'AGENDADA'])
})

test('[AG3] what failed says why, waits for somebody, and set anew it is due again', () => {
  const failed = after(begun, { type: 'refuse', error: 'ERR_OPTED_OUT' })
  expect(failed).toMatchObject({ status: 'ERRO', error: 'ERR_OPTED_OUT', sentAt: null })
  expect(scheduleAfter(failed, { type: 'send' }, at(4))).toBeNull()
  expect(scheduleAfter(failed, { type: 'refuse', error: 'ERR_SCHEDULE_LATE' }, at(4))).toBeNull()
  const anew = after(failed, { type: 'set', values: { sendAt: at(9) } })
  expect(anew).toMatchObject({ status: 'PENDENTE', error: null, sendAt: at(9), userId: 3 })
  expect(after(anew, { type: 'send' }, at(9))).toMatchObject({ status: 'ENVIADA', sentAt: at(9), error: null })
})

test('[AG8] what would begin a chat that may not begin waits with the moment, is due all the same, and fails of nothing', () => {
  const held = after(begun, { type: 'wait', until: at(20) })
  expect(held).toMatchObject({ status: 'PENDENTE', error: null, waitsUntil: at(20), sendAt: begun.sendAt })
  expect(waitingStatuses).toContain(held.status)
  for (const event of [
    { type: 'send' },
    { type: 'refuse', error: 'ERR_OPTED_OUT' },
    { type: 'set', values: { sendAt: at(9) } },
  ] as const)
    expect(after(held, event).waitsUntil).toBeNull()
  const failed = after(begun, { type: 'refuse', error: 'ERR_OPTED_OUT' })
  expect(scheduleAfter(failed, { type: 'wait', until: at(20) }, at(4))).toBeNull()
})

test('[AG4] a file that comes or goes does not have a failed message sent', () => {
  const failed = after(begun, { type: 'refuse', error: 'ERR_OPTED_OUT' })
  expect(after(failed, { type: 'file', file: aFile })).toMatchObject({
    ...aFile,
    status: 'ERRO',
    error: 'ERR_OPTED_OUT',
  })
})

test('[AG5] what is set anew keeps its author, or has who set it where nobody may send it', () => {
  expect(after(begun, { type: 'set', values: { body: 'Boa tarde' } }).userId).toBe(3)
  expect(after({ ...begun, userId: null }, { type: 'set', values: {}, heir: 8 }).userId).toBe(8)
})

test('[AG7] what goes takes its file along, and where nothing goes nothing is written', () => {
  const other = { ...begun, id: '0193f2a0-0000-7000-8000-000000000002', ...aFile }
  expect(removeSchedules([begun, other])).toEqual({
    rows: [{ table: 'schedules', op: 'delete', ids: [begun.id, other.id] }],
    effects: [{ kind: 'media.release', path: 'f/1' }],
  })
  expect(removeSchedules([])).toEqual({ rows: [], effects: [] })
})

test('[AG1, AG2, AG3] random lives: sent once, then unchanged; a reason exactly where it failed', () => {
  // A generator of its own, so that a failure is the same each time.
  let seed = 20261128
  const next = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const ends = new Set<string>()
  for (let life = 0; life < 2000; life++) {
    let schedule = begun
    for (let step = 1; step <= 12; step++) {
      const event = all[next(all.length)]!
      const was = schedule
      schedule = after(was, event, at(3 + step))
      if (was.status === 'ENVIADA') expect(schedule).toEqual(was)
      expect(schedule.sentAt !== null).toBe(schedule.status === 'ENVIADA')
      if (schedule.waitsUntil) expect(schedule.status).toBe('PENDENTE')
      expect(schedule.error !== null).toBe(schedule.status === 'ERRO')
      if (event.type === 'send' && was.status !== 'PENDENTE') expect(schedule).toEqual(was)
      // What identifies it, and whose company it is, no event changes.
      expect([schedule.id, schedule.companyId, schedule.createdAt]).toEqual([begun.id, 2, begun.createdAt])
    }
    ends.add(schedule.status)
  }
  expect([...ends].sort()).toEqual(['ENVIADA', 'ERRO', 'PENDENTE'])
})
