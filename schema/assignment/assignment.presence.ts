import { MINUTE_MS } from '../durations.ts'

/** Without a sign of life for this long nobody counts as present, in milliseconds. */
export const SILENCE_MS = 5 * MINUTE_MS

/** What is known of whether somebody is there. */
export interface Agent {
  online: boolean
  lastSeenAt: Date | null
  awayAt: Date | null
  awayUntil: Date | null
}

/** By their own word, or a supervisor's, until a moment or until somebody says so. Moments as rows have them, or in ms. */
export const isAway = <Moment extends Date | number>(
  { awayAt, awayUntil }: { awayAt: Moment | null; awayUntil: Moment | null },
  now: Moment,
): boolean => awayAt !== null && (awayUntil === null || awayUntil > now)

/** With the app open, not away, and heard of within the last minutes: one whose machine fell silent is not given tickets. */
export const isPresent = (who: Agent, now: Date): boolean =>
  who.online && !isAway(who, now) && who.lastSeenAt !== null && now.getTime() - who.lastSeenAt.getTime() < SILENCE_MS
