import { dayIn } from '../companies/companies.subscription.ts'
import { closesAt, type BulkHours, nextOpen } from './campaigns.hours.ts'
import { gapAfter, type Pace } from './campaigns.pace.ts'
import { newChatsOf, stepOn } from './campaigns.guard.ts'

export interface ForecastFacts {
  /** People who get a message, in order: whether the chat is a new one. Only the first `newChats` of them count as new. */
  people: number
  newChats: number
  pace: Pace
  seed: number
  /** Messages that have left before. */
  sends: number
  start: Date
  timeZone: string
  /** Null: at any hour, and as many as there are. */
  guard: {
    hours: BulkHours
    dailyCap: number
    newChatCap: number | null
    warmupStep: number
    warmupDay: string | null
    sentToday: number
    newToday: number
  } | null
}

export interface Forecast {
  days: { day: string; from: string; to: string; n: number }[]
  perHour: number
  endsAt: string | null
}

const DAY_MS = 24 * 3_600_000
/** A campaign that would take longer than this has no end that anybody plans with. */
const MOST_DAYS = 400

/** When the messages would leave: the same gaps, hours and caps as when they do. */
export function forecast(facts: ForecastFacts): Forecast {
  const { people, pace, seed, timeZone, guard } = facts
  const days: { day: string; from: Date; to: Date; n: number }[] = []
  let at = facts.start
  let left = people
  let fresh = Math.min(facts.newChats, people)
  let sends = facts.sends
  let step = guard?.warmupStep ?? 0
  let lastDay = guard?.warmupDay ?? null
  let used = { day: dayIn(timeZone, at), sent: guard?.sentToday ?? 0, new: guard?.newToday ?? 0 }
  let end: Date | null = null
  while (left > 0 && days.length < MOST_DAYS) {
    if (guard) {
      const open = nextOpen(guard.hours, at, timeZone)
      if (!open) break
      at = open
    }
    const day = dayIn(timeZone, at)
    if (day !== used.day) used = { day, sent: 0, new: 0 }
    let until: Date | null = null
    if (guard) {
      step = stepOn(step, lastDay, day)
      const noRoom = used.sent >= guard.dailyCap || (fresh === left && used.new >= newChatsOf(step, guard.newChatCap))
      if (noRoom) {
        at = midnightAfter(at, timeZone)
        continue
      }
      lastDay = day
      until = closesAt(guard.hours, at, timeZone)
    }
    const entry = days.at(-1)?.day === day ? days.at(-1)! : { day, from: at, to: at, n: 0 }
    if (days.at(-1) !== entry) days.push(entry)
    entry.n++
    entry.to = at
    end = at
    used.sent++
    left--
    if (fresh > 0 && (fresh > left || !guard || used.new < newChatsOf(step, guard.newChatCap))) {
      fresh--
      used.new++
    }
    sends++
    at = new Date(at.getTime() + Math.max(gapAfter(pace, sends, seed), LEAST_GAP_MS))
    if (until && at >= until && guard) at = nextOpen(guard.hours, at, timeZone) ?? at
  }
  const busiest = days.reduce((most, { from, to, n }) => {
    const hours = Math.max((to.getTime() - from.getTime()) / 3_600_000, 1)
    return Math.max(most, n / hours)
  }, 0)
  return {
    days: days.map(({ day, from, to, n }) => ({ day, from: from.toISOString(), to: to.toISOString(), n })),
    perHour: Math.round(busiest),
    endsAt: left === 0 && end ? end.toISOString() : null,
  }
}

/** One takes about so long to leave, also without a pause. */
const LEAST_GAP_MS = 10

/** The first moment of the next day. */
export function midnightAfter(at: Date, timeZone: string): Date {
  const today = dayIn(timeZone, at)
  let low = at.getTime()
  let high = low + DAY_MS + 3 * 3_600_000
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (dayIn(timeZone, new Date(middle)) === today) low = middle
    else high = middle
  }
  return new Date(high)
}
