import { DAY_MS, MINUTE_MS } from '../durations.ts'
import { weekdays } from './hours.open.ts'
import type { Calendar } from './hours.spans.ts'

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Around these days the clocks of the zone change. */
const changes: Record<string, readonly string[]> = {
  'America/Sao_Paulo': ['2018-11-04', '2019-02-17', '2026-06-01'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'Europe/Lisbon': ['2026-03-29', '2026-10-25'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'America/Asuncion': ['2023-10-01', '2024-03-24'],
  'Asia/Kolkata': ['2026-06-01'],
  UTC: ['2026-06-01'],
}

const pick = <T>(chance: () => number, list: readonly T[]): T => list[Math.floor(chance() * list.length)]!
const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Any hours that a company might set: split days, days without, closed ones, over midnight, holidays. */
export function randomCalendar(chance: () => number): Calendar {
  const timeZone = pick(chance, Object.keys(changes))
  const schedules = weekdays.flatMap((weekdayEn) => {
    const kind = chance()
    const entry = (startTime: string, endTime: string) => ({ weekday: '', weekdayEn, startTime, endTime })
    if (kind < 0.1) return []
    if (kind < 0.15) return [entry('', '')]
    if (kind < 0.25) return [entry('09:00', '09:00')]
    if (kind < 0.5) return [entry('08:00', '12:00'), entry('13:00', '18:00')]
    return Array.from({ length: 1 + Math.floor(chance() * 3) }, () =>
      entry(time(Math.floor(chance() * 1_440)), time(Math.floor(chance() * 1_440))),
    )
  })
  const holidays = Array.from({ length: Math.floor(chance() * 3) }, () => ({
    date: new Date(Date.parse(pick(chance, changes[timeZone]!)) + Math.floor(chance() * 5 - 2) * DAY_MS)
      .toISOString()
      .slice(0, 10),
    name: 'Feriado',
  }))
  return { schedules, holidays, timeZone }
}

/** A whole minute, near a change of the zone's clocks. */
export function randomMoment(chance: () => number, timeZone: string): Date {
  const day = Date.parse(pick(chance, changes[timeZone] ?? changes['UTC']!))
  return new Date(day + Math.floor((chance() * 6 - 4) * 24 * 60) * MINUTE_MS)
}
