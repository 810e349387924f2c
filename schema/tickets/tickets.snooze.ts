import { DAY_MS } from '../durations.ts'
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

/** Longer than that nobody puts a ticket aside, ms. */
const LONGEST_MS = 366 * DAY_MS

/** Whether a ticket may lie aside until then: in the future, and not for ever. */
export const isSnoozable = (until: Date, now: Date): boolean =>
  waitsForAnswer(until) || (until > now && until.getTime() - now.getTime() <= LONGEST_MS)

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
