import { expect, test } from 'bun:test'
import { seeds } from '../../tests/support/dose.ts'
import { MINUTE_MS } from '../durations.ts'
import { isOpen } from './hours.open.ts'
import { randomCalendar, randomMoment, seeded } from './hours.fixture.ts'
import { afterOpen, type Calendar, openMs } from './hours.spans.ts'

test('equals the hours that are asked minute by minute, over lunch, holidays and changed clocks', () => {
  for (const seed of seeds(25, 2_500)) {
    const chance = seeded(seed)
    const calendar = randomCalendar(chance)
    const from = randomMoment(chance, calendar.timeZone)
    const minutes = Math.floor(chance() * 5 * 24 * 60)
    const open = Array.from({ length: minutes }, (_, i) => openAt(calendar, new Date(from.getTime() + i * MINUTE_MS)))
    const told = openMs(calendar, from, new Date(from.getTime() + minutes * MINUTE_MS))
    expect([seed, told]).toEqual([seed, open.filter(Boolean).length * MINUTE_MS])
    // And the other way: after so long it has been open for so long, and not a moment sooner.
    const at = afterOpen(calendar, from, told)
    if (told > 0) expect([seed, openMs(calendar, from, at!)]).toEqual([seed, told])
    if (told > 0) expect(openMs(calendar, from, new Date(at!.getTime() - 1))).toBe(told - 1)
  }
}, 600_000)

const openAt = ({ schedules, holidays, timeZone }: Calendar, at: Date) => isOpen(schedules, at, timeZone, holidays)

test('hours that are never open lead to no moment', () => {
  const calendar: Calendar = { schedules: [], holidays: [], timeZone: 'America/Sao_Paulo' }
  const shut = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const).map(
    (weekdayEn) => ({ weekday: '', weekdayEn, startTime: '08:00', endTime: '08:00' }),
  )
  const from = new Date('2026-01-15T12:00:00Z')
  expect(afterOpen({ ...calendar, schedules: shut }, from, MINUTE_MS)).toBeNull()
  expect(afterOpen(calendar, from, MINUTE_MS)).toEqual(new Date('2026-01-15T12:01:00Z'))
  expect(afterOpen(null, from, MINUTE_MS)).toEqual(new Date('2026-01-15T12:01:00Z'))
})

test('one hour a week leads to the end of the longest promise all the same', () => {
  const week = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const).map(
    (weekdayEn) => ({
      weekday: '',
      weekdayEn,
      startTime: '08:00',
      endTime: weekdayEn === 'monday' ? '08:59' : '08:00',
    }),
  )
  const calendar: Calendar = { schedules: week, holidays: [], timeZone: 'America/Sao_Paulo' }
  const at = afterOpen(calendar, new Date('2026-01-05T10:00:00Z'), 43_200 * MINUTE_MS)
  expect(at).toEqual(new Date(Date.parse('2026-01-05T12:00:00Z') + 719 * 7 * 24 * 60 * MINUTE_MS))
})
