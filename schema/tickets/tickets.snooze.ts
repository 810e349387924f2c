import { wallOf } from '../wall.ts'
import type { Ticket } from './tickets.table.ts'

/** What a ticket has for its snooze. */
export type Snoozing = Pick<Ticket, 'snoozedUntil' | 'snoozeKeep' | 'snoozeNote' | 'snoozedBy'>

/** A ticket that does not lie aside, and nothing to be reminded of. */
export const notSnoozed = {
  snoozedUntil: null,
  snoozeKeep: false,
  snoozeNote: null,
  snoozedBy: null,
} as const satisfies Snoozing

/**
 * `snoozedUntil` of a ticket that only an answer wakes, or a person: so that a snoozed ticket is one with a moment there,
 * whatever wakes it. No clock reaches it.
 */
export const untilAnswered = new Date('9999-12-31T00:00:00.000Z')

/** Whether a ticket lies aside: it stands in no normal list, and the clocks of idle and of waiting tickets pass over it. */
export const isSnoozed = (ticket: { snoozedUntil: Date | number | null }): boolean => ticket.snoozedUntil !== null

/** Whether only an answer wakes it, or a person. */
export const waitsForAnswer = (until: Date | number): boolean => Number(until) === untilAnswered.getTime()

const DAY_MS = 86_400_000
/** Longer than that nobody puts a ticket aside, ms. */
const LONGEST_MS = 366 * DAY_MS

/** Whether a ticket may lie aside until then: in the future, and not for ever. */
export const isSnoozable = (until: Date, now: Date): boolean =>
  waitsForAnswer(until) || (until > now && until.getTime() - now.getTime() <= LONGEST_MS)

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
      return new Date(now.getTime() + 3_600_000)
    case 'threeHours':
      return new Date(now.getTime() + 3 * 3_600_000)
    case 'tomorrow':
      return nextMorning(now, timeZone, () => true)
    case 'monday':
      return nextMorning(now, timeZone, (weekday) => weekday === 'Monday')
    case 'answer':
      return untilAnswered
  }
}

/** What the timeline says of a ticket that lies aside no more. */
export const wokenBy = (
  by: 'time' | 'contact' | 'person',
  { snoozeNote }: Pick<Ticket, 'snoozeNote'>,
): Record<string, string> => ({ by, ...(snoozeNote !== null && { note: snoozeNote }) })

/** What it says of one that is put aside: until when, in ms, or null. */
export const snoozedFor = ({
  until,
  keep,
  note,
}: {
  until: Date
  keep: boolean
  note: string | null
}): Record<string, string | number | null> => ({
  until: waitsForAnswer(until) ? null : until.getTime(),
  keep: keep ? 1 : 0,
  ...(note !== null && { note }),
})
