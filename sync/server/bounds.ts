import { DAY_MS } from '../../schema/durations.ts'
import type { Principal } from '../../schema/permissions.ts'
import { type Bounds, shapes } from '../shapes.ts'

const weekMs = 7 * DAY_MS

/** What a browser is asked to hold at most, about. */
export const mostMessages = 50_000
const weeksKept = 4

/** Monday 00:00 UTC of the week that `now` lies in. */
export function weekStart(now: Date): Date {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  // Day 0 of 1970 was a Thursday.
  const sinceMonday = (midnight / DAY_MS + 3) % 7
  return new Date(midnight - sinceMonday * DAY_MS)
}

/**
 * The moments that a replica may begin at, earliest first: Mondays, and for those who get more in a week than a
 * browser should hold, the days of this week.
 */
export function beginnings(now: Date): Date[] {
  const monday = weekStart(now).getTime()
  const weeks = Array.from({ length: weeksKept + 1 }, (_, i) => new Date(monday - (weeksKept - i) * weekMs))
  const days: Date[] = []
  for (let day = monday + DAY_MS; day <= now.getTime(); day += DAY_MS) days.push(new Date(day))
  return [...weeks, ...days]
}

/**
 * The earliest beginning from which there are no more than `mostMessages` messages, else the last one.
 * @param count messages of the scope at or after a moment
 */
export async function replicaSince(now: Date, count: (since: Date) => Promise<number>): Promise<Date> {
  const all = beginnings(now)
  for (const since of all) if ((await count(since)) <= mostMessages) return since
  return all.at(-1)!
}

export interface BoundsOptions {
  now(): Date
  /** Messages that `who` may see at or after a moment; the condition is that of the shape `messages`. */
  countMessages(filter: { where: string; params: string[] }): Promise<number>
}

/**
 * The bounds of each user's replica. They are the same for a whole day and for everybody who sees the same rows, so
 * that shapes are shared and stay alive.
 */
export function createBounds({ now, countMessages }: BoundsOptions): (who: Principal) => Promise<Bounds> {
  let day = -1
  const known = new Map<string, Promise<Bounds>>()
  return (who) => {
    const moment = now()
    const today = Math.floor(moment.getTime() / DAY_MS)
    if (today !== day) {
      known.clear()
      day = today
    }
    const scope = JSON.stringify(shapes.messages.filter(who, { since: new Date(0) }))
    let bounds = known.get(scope)
    if (!bounds) {
      bounds = replicaSince(moment, (since) => countMessages(shapes.messages.filter(who, { since }))).then((since) => ({
        since,
      }))
      known.set(scope, bounds)
      bounds.catch(() => known.delete(scope))
    }
    return bounds
  }
}
