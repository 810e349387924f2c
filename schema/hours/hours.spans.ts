import { DAY_MS, MINUTE_MS } from '../durations.ts'
import { offsetAt } from './hours.at.ts'
import type { Holiday, ScheduleEntry, Weekday } from './hours.open.ts'

/** Hours by which time is counted, as `isOpen` reads them. */
export interface Calendar {
  schedules: readonly ScheduleEntry[]
  holidays: readonly Holiday[]
  /** IANA name. */
  timeZone: string
}

/** From a moment up to another one, which is no more part of it; in milliseconds since 1970. */
interface Span {
  from: number
  to: number
}

/** Minutes of a day: open from the first up to the second. */
type Minutes = readonly [from: number, to: number]

const DAY_MINUTES = 24 * 60
/** So many pieces of days are looked at: the longest promise by hours of one a week needs fourteen years. */
const MOST_PIECES = 6_000

/** The open minutes of each weekday. Both edge minutes are open (H1), a day without hours is (H3). */
const weeks = new WeakMap<readonly ScheduleEntry[], ReadonlyMap<Weekday, readonly Minutes[]>>()
const order: readonly Weekday[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

function weekOf(schedules: readonly ScheduleEntry[]): ReadonlyMap<Weekday, readonly Minutes[]> {
  const known = weeks.get(schedules)
  if (known) return known
  const week = new Map(order.map((day) => [day, minutesOn(schedules, day)]))
  weeks.set(schedules, week)
  return week
}

function minutesOn(schedules: readonly ScheduleEntry[], day: Weekday): Minutes[] {
  const own = schedules.filter(({ weekdayEn, startTime, endTime }) => weekdayEn === day && startTime && endTime)
  if (own.length === 0) return [[0, DAY_MINUTES]]
  const all = own.flatMap(({ startTime, endTime }): Minutes[] => {
    const [from, to] = [minuteOf(startTime), minuteOf(endTime)]
    if (from === to) return []
    // Over midnight it is open at both ends of the same day (H4), as `isOpen` says.
    return from < to
      ? [[from, to + 1]]
      : [
          [0, to + 1],
          [from, DAY_MINUTES],
        ]
  })
  const merged: [number, number][] = []
  for (const [from, to] of all.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * When it is open from a moment on, in order. Where clocks change, an hour that is skipped is in none of them, and one that
 * comes twice is counted twice.
 */
function* spansFrom({ schedules, holidays, timeZone }: Calendar, since: number): Generator<Span> {
  const week = weekOf(schedules)
  if (![...week.values()].some((day) => day.length > 0)) return
  const closed = new Set(holidays.map(({ date }) => date))
  let at = since
  let offset = offsetAt(new Date(at), timeZone)
  for (let piece = 0; piece < MOST_PIECES; piece++) {
    const day = Math.floor((at + offset) / DAY_MS) * DAY_MS
    const midnight = day + DAY_MS - offset
    const after = offsetAt(new Date(midnight), timeZone)
    // Up to the end of the day, or to where the clocks change before it.
    const to = after === offset ? midnight : changeIn(at, midnight, offset, timeZone)
    const wall = new Date(day)
    if (!closed.has(wall.toISOString().slice(0, 10)))
      for (const [first, end] of week.get(order[wall.getUTCDay()]!)!) {
        const span = {
          from: Math.max(at, day + first * MINUTE_MS - offset),
          to: Math.min(to, day + end * MINUTE_MS - offset),
        }
        if (span.from < span.to) yield span
      }
    at = to
    offset = after
  }
}

/** The first minute in which the zone no longer has this offset, which it has at `from` and not at `to`. */
function changeIn(from: number, to: number, offset: number, timeZone: string): number {
  let [before, after] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(new Date(middle * MINUTE_MS), timeZone) === offset) before = middle
    else after = middle
  }
  return after * MINUTE_MS
}

/**
 * Milliseconds between two moments in which it was open.
 * @param calendar null: always open
 */
export function openMs(calendar: Calendar | null, from: Date, to: Date): number {
  const [begin, end] = [from.getTime(), to.getTime()]
  if (end <= begin) return 0
  if (!calendar) return end - begin
  let sum = 0
  for (const span of spansFrom(calendar, begin)) {
    if (span.from >= end) break
    sum += Math.min(span.to, end) - span.from
  }
  return sum
}

/**
 * The moment at which it will have been open for so long since another one.
 * @param calendar null: always open
 * @returns null where the hours never come to it: they have none, or it lies many years ahead
 */
export function afterOpen(calendar: Calendar | null, from: Date, ms: number): Date | null {
  if (!calendar || ms <= 0) return new Date(from.getTime() + Math.max(ms, 0))
  let left = ms
  for (const span of spansFrom(calendar, from.getTime())) {
    const length = span.to - span.from
    if (length >= left) return new Date(span.from + left)
    left -= length
  }
  return null
}
