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
export const isSnoozed = (ticket: Pick<Ticket, 'snoozedUntil'>): boolean => ticket.snoozedUntil !== null
