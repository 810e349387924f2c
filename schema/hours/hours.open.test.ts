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

test('[H9] a day may be open before and after lunch; what was left empty counts for nothing', () => {
  const split = [...thursday('08:00', '12:00'), ...thursday('13:30', '18:00')]
  const times = ['07:59', '12:00', '12:01', '13:29', '13:30', '18:00', '18:01']
  expect(times.map((time) => open(split, time))).toEqual([false, true, false, false, true, true, false])
  expect(open([...split, ...thursday('', '')], '12:30')).toBe(false)
  // A closed period takes nothing from another.
  expect(open([...thursday('00:00', '00:00'), ...thursday('09:00', '10:00')], '09:30')).toBe(true)
})

test('[H10] a holiday is closed, by the calendar of the company’s zone', () => {
  const holidays = [{ date: '2026-01-15', name: 'Aniversário' }]
  const on = (moment: string, timeZone = zone) => isOpen(thursday('', ''), new Date(moment), timeZone, holidays)
  expect([on('2026-01-15T00:00:00-03:00'), on('2026-01-15T23:59:00-03:00')]).toEqual([false, false])
  expect([on('2026-01-14T23:59:00-03:00'), on('2026-01-16T00:00:00-03:00')]).toEqual([true, true])
  // It is still the 14th in Manaus.
  expect(on('2026-01-15T00:30:00-03:00', 'America/Manaus')).toBe(true)
})
