import { DAY_MS, HOUR_MS } from '../durations.ts'
import { wallOf } from '../wall.ts'
import { untilAnswered } from './tickets.snooze.ts'

/** In the morning it is this hour, on the company's wall. */
const MORNING = 9

/** The next morning of a day that `isWanted`, after today, on the wall of a zone. */
function nextMorning(now: Date, timeZone: string, isWanted: (weekday: string) => boolean): Date {
  for (let days = 1; days <= 7; days++) {
    const { year, month, day, weekday } = wallOf(new Date(now.getTime() + days * DAY_MS), timeZone)
    if (isWanted(weekday)) return momentAt({ year, month, day }, MORNING, timeZone)
  }
  throw new Error('no such day in a week')
}

/** The moment at which a wall shows this hour of this day; where the clocks skip it, the one after. */
function momentAt(day: { year: string; month: string; day: string }, hour: number, timeZone: string): Date {
  const shown = Date.UTC(Number(day.year), Number(day.month) - 1, Number(day.day), hour)
  let at = shown
  // Once for the zone, once more where the clocks were changed between the two.
  for (let i = 0; i < 2; i++) {
    const wall = wallOf(new Date(at), timeZone)
    const { year, month, day: d, hour: h, minute } = wall
    at += shown - Date.UTC(Number(year), Number(month) - 1, Number(d), Number(h), Number(minute))
  }
  return new Date(at)
}

/** The times that people are offered; `answer` is none. */
export const snoozeChoices = ['hour', 'threeHours', 'tomorrow', 'monday', 'answer'] as const
export type SnoozeChoice = (typeof snoozeChoices)[number]

/** Until when a choice is. @param timeZone the company's, IANA */
export function snoozedUntil(choice: SnoozeChoice, now: Date, timeZone: string): Date {
  switch (choice) {
    case 'hour':
      return new Date(now.getTime() + HOUR_MS)
    case 'threeHours':
      return new Date(now.getTime() + 3 * HOUR_MS)
    case 'tomorrow':
      return nextMorning(now, timeZone, () => true)
    case 'monday':
      return nextMorning(now, timeZone, (weekday) => weekday === 'Monday')
    case 'answer':
      return untilAnswered
  }
}
