import { expect, test } from 'bun:test'
import { isOpen, type ScheduleEntry } from './hours.open.ts'

const zone = 'America/Sao_Paulo'
/** A Thursday, by the clock on the wall in São Paulo. */
const at = (time: string) => new Date(`2026-01-15T${time}:00-03:00`)
const thursday = (startTime: string, endTime: string): ScheduleEntry[] => [
  { weekday: 'Quinta-feira', weekdayEn: 'thursday', startTime, endTime },
]
const open = (hours: ScheduleEntry[], time: string, timeZone = zone) => isOpen(hours, at(time), timeZone)

test('[H1] both edge minutes are open, whole', () => {
  const hours = thursday('08:00', '18:00')
  expect(['07:59', '08:00', '18:00', '18:01'].map((time) => open(hours, time))).toEqual([false, true, true, false])
  expect(isOpen(hours, new Date('2026-01-15T18:00:59-03:00'), zone)).toBe(true)
})

test('[H2] the wall is the one of the company’s zone', () => {
  expect(open(thursday('08:00', '18:00'), '18:30')).toBe(false)
  expect(open(thursday('08:00', '18:00'), '18:30', 'America/Manaus')).toBe(true)
})

test('[H3] the same start and end are a closed day; a day without hours is open', () => {
  expect(open(thursday('08:00', '08:00'), '08:00')).toBe(false)
  expect(open(thursday('', ''), '03:00')).toBe(true)
  expect(open([], '03:00')).toBe(true)
})

test('[H4] hours may go over midnight', () => {
  const hours = thursday('18:00', '02:00')
  expect(['01:00', '12:00', '18:00', '23:59'].map((time) => open(hours, time))).toEqual([true, false, true, true])
})
