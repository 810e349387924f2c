import { expect, test } from 'bun:test'
import { facts as flowFacts, flow } from '../flows/flows.fixture.ts'
import { newRun } from '../flows/flows.run.ts'
import { step } from '../flows/flows.step.ts'
import { hoursAt } from './hours.at.ts'
import type { ScheduleEntry, Weekday } from './hours.open.ts'

const day = (weekdayEn: Weekday, startTime: string, endTime: string): ScheduleEntry => ({
  ...{ weekday: '', weekdayEn, startTime, endTime },
})
const week = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((name) => day(name, '08:00', '18:00')),
  day('saturday', '09:00', '12:00'),
  day('sunday', '00:00', '00:00'),
]
const facts = {
  scheduleType: 'company',
  timeZone: 'America/Sao_Paulo',
  company: { schedules: week },
  connection: { schedules: [] as ScheduleEntry[], outOfHoursMessage: 'Voltamos logo.' },
  queue: null,
}
const begun = { kind: 'started' } as const
const asks = flow({
  h: ['hours', { of: 'company' }, { open: 'open', closed: 'closed' }],
  open: ['question', { message: 'Aberto' }],
  closed: ['question', { message: 'Fechado' }],
})
/** By the clock in São Paulo; the 15th is a Thursday. */
const at = (text: string) => new Date(`2026-01-${text}:00-03:00`)

test('[H8] a closed counter says whose hours these are, what they are that day, and when it opens next', () => {
  expect(hoursAt(facts, at('15T07:30'))).toEqual({
    open: false,
    source: 'company',
    period: { startTime: '08:00', endTime: '18:00' },
    holiday: null,
    nextOpen: at('15T08:00'),
    message: 'Voltamos logo.',
  })
  expect(hoursAt(facts, at('16T19:00')).nextOpen).toEqual(at('17T09:00'))
  expect(hoursAt(facts, at('17T13:00')).nextOpen).toEqual(at('19T08:00'))
  expect(hoursAt(facts, at('15T10:00'))).toMatchObject({ open: true, nextOpen: null, message: '' })
})

test('[H8] a day without hours opens at midnight; a week that is closed opens never', () => {
  const noSunday = week.filter(({ weekdayEn }) => weekdayEn !== 'sunday')
  expect(hoursAt({ ...facts, company: { schedules: noSunday } }, at('17T13:00')).nextOpen).toEqual(at('18T00:00'))
  const shut = week.map((entry) => ({ ...entry, startTime: '10:00', endTime: '10:00' }))
  expect(hoursAt({ ...facts, company: { schedules: shut } }, at('15T10:00')).nextOpen).toBeNull()
})

test('[H8] clocks that change in between are counted', () => {
  const inNewYork = { ...facts, timeZone: 'America/New_York' }
  // On Sunday, 8 March 2026, New York goes from UTC−5 to UTC−4.
  const opens = hoursAt(inNewYork, new Date('2026-03-07T20:00:00-05:00')).nextOpen
  expect(opens).toEqual(new Date('2026-03-09T08:00:00-04:00'))
})

test('[H8] where nothing is restricted it says so', () => {
  expect(hoursAt({ ...facts, scheduleType: 'disabled' }, at('18T03:00'))).toMatchObject({ open: true, source: 'none' })
  const own = { ...facts.connection, schedules: [day('thursday', '10:00', '11:00')] }
  expect(hoursAt({ ...facts, connection: own }, at('15T12:00'))).toMatchObject({ open: false, source: 'connection' })
})

test('[H8] without a message it is as closed as a flow finds it, and nothing is told', () => {
  const connection = { schedules: [], outOfHoursMessage: ' ' }
  for (const moment of [at('15T07:30'), at('15T10:00'), at('18T12:00')]) {
    const told = hoursAt({ ...facts, connection }, moment)
    const { run } = step({ versions: { v: asks }, live: {} }, newRun({ id: 'r', version: 'v', seed: 1 }), begun, {
      now: moment,
      facts: flowFacts({ hours: { company: week, connection: [], queues: {} } }),
    })
    expect([told.open, told.message]).toEqual([run.node === 'open', ''])
  }
  expect(hoursAt({ ...facts, connection }, at('15T07:30'))).toMatchObject({ open: false, nextOpen: at('15T08:00') })
})

test('[H9] between two periods the next one is told', () => {
  const split = [day('thursday', '08:00', '12:00'), day('thursday', '14:00', '18:00')]
  const lunch = hoursAt({ ...facts, company: { schedules: split } }, at('15T12:30'))
  expect(lunch).toMatchObject({ open: false, period: { startTime: '14:00' }, nextOpen: at('15T14:00') })
})

test('[H10] a holiday says its name, and is passed over when it opens next, whosever hours count', () => {
  const holidays = [
    { date: '2026-01-15', name: 'Feriado' },
    { date: '2026-01-16', name: 'Ponte' },
  ]
  const company = { schedules: week, holidays }
  const told = { open: false, holiday: 'Feriado', message: 'Voltamos logo.', nextOpen: at('17T09:00') }
  expect(hoursAt({ ...facts, company }, at('15T10:00'))).toMatchObject(told)
  const queue = { schedules: week, outOfHoursMessage: 'Vendas volta logo.' }
  expect(hoursAt({ ...facts, scheduleType: 'queue', company, queue }, at('15T10:00'))).toMatchObject({
    ...{ open: false, source: 'queue', holiday: 'Feriado', nextOpen: at('17T09:00') },
  })
})
