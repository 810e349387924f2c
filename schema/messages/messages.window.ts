import { HOUR_MS } from '../durations.ts'

/** Over the official API one may answer for so long after the contact's last message. */
export const ANSWER_MS = 24 * HOUR_MS
/** And for so long after they came by an ad, where they were answered within a day. */
export const AD_MS = 72 * HOUR_MS

/** What was written between a contact and a connection; null: never. */
export interface WindowFacts {
  receivedAt: Date | null
  /** The last message by which they came from an ad, and the first that answered it. */
  adAt: Date | null
  adAnsweredAt: Date | null
}

/** Until when one may write to the contact; null where they have never written. */
export function windowEnd({ receivedAt, adAt, adAnsweredAt }: WindowFacts): Date | null {
  const isAnswered = adAt && adAnsweredAt && adAnsweredAt.getTime() - adAt.getTime() <= ANSWER_MS
  const ends = [receivedAt && receivedAt.getTime() + ANSWER_MS, isAnswered && adAt.getTime() + AD_MS]
  const last = Math.max(...ends.filter((end) => typeof end === 'number'))
  return Number.isFinite(last) ? new Date(last) : null
}

/** @returns null while one may write; otherwise since when not, which is null where the contact has never written */
export function closedWindow(facts: WindowFacts, now: Date): { closedAt: Date | null } | null {
  const closedAt = windowEnd(facts)
  return closedAt && closedAt > now ? null : { closedAt }
}
