import { wallOf } from '../wall.ts'
import { dayIn } from '../companies/companies.subscription.ts'
import { closesAt, type BulkHours, nextOpen } from './campaigns.hours.ts'
import { gapAfter, type Pace } from './campaigns.pace.ts'
import { type Allowance, newChatsOf, stepOn } from './campaigns.guard.ts'
import { DAY_MS, MINUTE_MS } from '../durations.ts'

export interface ForecastFacts {
  /** People who get a message, or are asked; of these so many are new chats. */
  people: number
  newChats: number
  /** Who is asked says yes at once, and gets the message before anybody else is asked. */
  allAnswer?: boolean
  pace: Pace
  seed: number
  /** Messages that have left before. */
  sends: number
  start: Date
  timeZone: string
  /** Null: at any hour, and as many as there are. */
  guard: (Allowance & { hours: BulkHours }) | null
}

export interface Forecast {
  /** `n` are all that leave, `answered` those of them that go to who was asked and said yes. */
  days: { day: string; from: string; to: string; n: number; answered: number }[]
  perHour: number
  endsAt: string | null
  /** Why there is no end. */
  never: NeverReason | null
}

/** No hours are open, no message or no new chat may leave on any day, or it would take more than a year. */
export type NeverReason = 'hours' | 'daily_cap' | 'new_chats' | 'too_long'

/** A campaign that would take more days than this has no end that anybody plans with. */
const MOST_DAYS = 400

/** When the messages would leave: the same gaps, hours and caps as when they do. */
export function forecast(facts: ForecastFacts): Forecast {
  const { people, pace, seed, timeZone, guard, allAnswer = false } = facts
  const days: { day: string; from: Date; to: Date; n: number; answered: number }[] = []
  let at = facts.start
  let left = people
  /** Who said yes, and has nothing yet: one at most, for they come before all others. */
  let answered = 0
  let fresh = Math.min(facts.newChats, people)
  let sends = facts.sends
  let step = guard?.warmupStep ?? 0
  let lastDay = guard?.warmupDay ?? null
  let used = { day: dayIn(timeZone, at), sent: guard?.sentToday ?? 0, new: guard?.newToday ?? 0 }
  let end: Date | null = null
  let never: NeverReason | null = null
  // Settings decide how often it goes round: it looks at so many days and no more, also at those on which nothing leaves.
  let dayEnds = new Date(0)
  let closes: Date | null = null
  let day = used.day
  for (let looked = 0; left + answered > 0; ) {
    // Within a day's open time nothing has to be asked of the calendar.
    if (at >= dayEnds || (closes && at >= closes)) {
      if (guard) {
        const open = nextOpen(guard.hours, at, timeZone)
        if (!open) {
          never = 'hours'
          break
        }
        at = open
      }
      if (at >= dayEnds) {
        if (looked++ >= MOST_DAYS || at.getTime() - facts.start.getTime() > MOST_DAYS * DAY_MS) {
          never = 'too_long'
          break
        }
        day = dayIn(timeZone, at)
        dayEnds = midnightAfter(at, timeZone)
        if (day !== used.day) used = { day, sent: 0, new: 0 }
      }
      closes = guard && closesAt(guard.hours, at, timeZone)
    }
    if (guard) {
      step = stepOn(step, lastDay, day)
      const isFull = used.sent >= guard.dailyCap
      const newChats = newChatsOf(step, guard.newChatCap)
      if (isFull || (answered === 0 && fresh === left && used.new >= newChats)) {
        // No day has room for it.
        if (guard.dailyCap <= 0) never = 'daily_cap'
        else if (!isFull && newChats <= 0) never = 'new_chats'
        if (never) break
        at = dayEnds
        continue
      }
      lastDay = day
    }
    const entry = days.at(-1)?.day === day ? days.at(-1)! : { day, from: at, to: at, n: 0, answered: 0 }
    if (days.at(-1) !== entry) days.push(entry)
    entry.n++
    entry.to = at
    end = at
    used.sent++
    if (answered > 0) {
      answered--
      entry.answered++
      sends++
      at = new Date(at.getTime() + Math.max(gapAfter(pace, sends, seed), LEAST_GAP_MS))
      continue
    }
    left--
    if (allAnswer) answered++
    if (fresh > 0 && (fresh > left || !guard || used.new < newChatsOf(step, guard.newChatCap))) {
      fresh--
      used.new++
    }
    sends++
    at = new Date(at.getTime() + Math.max(gapAfter(pace, sends, seed), LEAST_GAP_MS))
  }
  const busiest = days.reduce((most, { from, to, n }) => {
    const hours = Math.max((to.getTime() - from.getTime()) / 3_600_000, 1)
    return Math.max(most, n / hours)
  }, 0)
  return {
    days: days.map(({ from, to, ...day }) => ({ ...day, from: from.toISOString(), to: to.toISOString() })),
    perHour: Math.round(busiest),
    endsAt: left + answered === 0 && end ? end.toISOString() : null,
    never,
  }
}

/** One takes about so long to leave, also without a pause. */
const LEAST_GAP_MS = 10

/** The first moment of the next day. Days begin on a minute, wherever the clocks are turned. */
export function midnightAfter(at: Date, timeZone: string): Date {
  const today = dayIn(timeZone, at)
  const { hour, minute } = wallOf(at, timeZone)
  let low = Math.floor(at.getTime() / MINUTE_MS)
  // On nearly every day no clock is turned.
  const likely = low + 24 * 60 - Number(hour) * 60 - Number(minute)
  const isToday = (minutes: number) => dayIn(timeZone, new Date(minutes * MINUTE_MS)) === today
  if (!isToday(likely) && isToday(likely - 1)) return new Date(likely * MINUTE_MS)
  let high = low + (DAY_MS + 3 * 3_600_000) / MINUTE_MS
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isToday(middle)) low = middle
    else high = middle
  }
  return new Date(high * MINUTE_MS)
}
