import { DAY_MS } from '../durations.ts'
import { wallOf } from '../wall.ts'
import type { ReportDays } from './reports.range.ts'
import type { ReportRhythm } from './reports.table.ts'

const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** 0 is Monday. */
const weekdayOf = (at: number): number => (new Date(at).getUTCDay() + 6) % 7

/** The day on which a report of this rhythm leaves next, from a day on; `YYYY-MM-DD`. */
function leavesOn(every: ReportRhythm, day: string): string {
  const at = Date.parse(day)
  if (every === 'week') return dayAt(at + ((7 - weekdayOf(at)) % 7) * DAY_MS)
  if (every === 'month' && !day.endsWith('-01')) {
    const [year = 0, month = 1] = day.split('-').map(Number)
    return dayAt(Date.UTC(year, month, 1))
  }
  return day
}

/** When it leaves next, by the company's clock: at its hour of each day, Monday, or first of the month. */
export function nextLeaving({ every, hour }: { every: ReportRhythm; hour: number }, timeZone: string, now: Date): Date {
  const wall = wallOf(now, timeZone)
  const today = `${wall.year}-${wall.month}-${wall.day}`
  for (let ahead = 0; ahead < 2; ahead++) {
    const day = leavesOn(every, dayAt(Date.parse(today) + ahead * DAY_MS))
    const at = momentOf(day, hour, timeZone)
    if (at > now) return at
  }
  return new Date(now.getTime() + DAY_MS)
}

/** The hour of a day on a zone's clock. Of an hour that is skipped it is the next one. */
function momentOf(day: string, hour: number, timeZone: string): Date {
  const wished = Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
  let at = wished
  for (let round = 0; round < 2; round++) {
    const wall = wallOf(new Date(at), timeZone)
    const shown = Date.parse(`${wall.year}-${wall.month}-${wall.day}T${wall.hour}:${wall.minute}:00Z`)
    at += wished - shown
  }
  return new Date(at)
}

/** The days that are told of on a day: the one before, the week or the month before it. */
export function toldDays(every: ReportRhythm, today: string): ReportDays {
  const at = Date.parse(today)
  if (every === 'day') return { from: dayAt(at - DAY_MS), to: dayAt(at - DAY_MS) }
  if (every === 'week') {
    const monday = at - weekdayOf(at) * DAY_MS
    return { from: dayAt(monday - 7 * DAY_MS), to: dayAt(monday - DAY_MS) }
  }
  const last = dayAt(Date.parse(`${today.slice(0, 8)}01`) - DAY_MS)
  return { from: `${last.slice(0, 8)}01`, to: last }
}
