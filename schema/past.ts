import { MINUTE_MS } from './durations.ts'

/** Whether a moment that was written has passed. Forms know whole minutes: the one that is on the clock counts as now. */
export const hasPassed = (written: Date, now: Date): boolean => now.getTime() - written.getTime() >= MINUTE_MS
