import { wallOf } from '../wall.ts'
import { counterOf, type HoursFacts } from './hours.notice.ts'
import { holds, type Holiday, holidayOn, isOpen, periodsOn, type ScheduleEntry } from './hours.open.ts'
import { DAY_MS, MINUTE_MS } from '../durations.ts'

/** What the hours say of a moment. */
export interface HoursAt {
  open: boolean
  /** Whose hours count; `none` where nothing is restricted. */
  source: 'company' | 'connection' | 'queue' | 'none'
  /** The hours that it is in, else the next of that day, else its last; null where the day has none. */
  period: { startTime: string; endTime: string } | null
  /** The holiday that it is. */
  holiday: string | null
  /** When it is open again, where it is closed and opens within sixteen days. */
  nextOpen: Date | null
  /** What the contact would be told; empty where it is open, or nothing is set: then closed means nothing but the way of a flow. */
  message: string
}

/** Past a week of holidays, too. */
const MOST_DAYS = 16

/** Whether a counter is open at a moment, why, and when it opens next. */
export function hoursAt(facts: HoursFacts, at: Date): HoursAt {
  const counter = counterOf(facts)
  if (!counter) return { open: true, source: 'none', period: null, holiday: null, nextOpen: null, message: '' }
  const { schedules, words } = counter
  const { timeZone } = facts
  const holidays = facts.company.holidays ?? []
  const open = isOpen(schedules, at, timeZone, holidays)
  const source =
    facts.scheduleType === 'queue' ? 'queue' : schedules === facts.connection.schedules ? 'connection' : 'company'
  const { hour, minute } = wallOf(at, timeZone)
  const time = `${hour}:${minute}`
  const periods = periodsOn(schedules, at, timeZone).toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1))
  const period = periods.find((p) => holds(p, time)) ?? periods.find((p) => p.startTime > time) ?? periods.at(-1)
  return {
    open,
    source,
    period: period ? { startTime: period.startTime, endTime: period.endTime } : null,
    holiday: holidayOn(holidays, at, timeZone)?.name ?? null,
    nextOpen: open ? null : nextOpening(schedules, at, timeZone, holidays),
    message: open ? '' : words.trim() && words,
  }
}

/** The first moment after `at` in which it is open: a day that has no hours opens at midnight. */
function nextOpening(
  schedules: readonly ScheduleEntry[],
  at: Date,
  timeZone: string,
  holidays: readonly Holiday[],
): Date | null {
  for (let days = 0; days <= MOST_DAYS; days++) {
    const around = new Date(at.getTime() + days * DAY_MS)
    const periods = periodsOn(schedules, around, timeZone)
    const times = periods.length > 0 ? periods.map(({ startTime }) => startTime).sort() : ['00:00']
    for (const time of times) {
      const opens = momentOf(around, time, timeZone)
      if (opens > at && isOpen(schedules, opens, timeZone, holidays)) return opens
    }
  }
  return null
}

/** The moment at which the clock of a zone shows a time, on the day that it is there at `around`. */
function momentOf(around: Date, time: string, timeZone: string): Date {
  const { year, month, day } = wallOf(around, timeZone)
  const wanted = Date.parse(`${year}-${month}-${day}T${time}:00Z`)
  let guess = wanted
  // The zone's offset at the guess, and once more where a change of clocks lies between.
  for (let i = 0; i < 2; i++) guess = wanted - offsetAt(new Date(guess), timeZone)
  return new Date(guess)
}

/** Milliseconds by which the clocks of a zone are ahead of UTC. */
export function offsetAt(at: Date, timeZone: string): number {
  const { year, month, day, hour, minute } = wallOf(at, timeZone)
  const shown = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return shown - Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
}
