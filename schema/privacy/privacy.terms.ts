import type { RequestLaw } from './privacy.table.ts'

/** A day as `YYYY-MM-DD`. */
type Day = string

const daysAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The same day of the next month, or the last one of it: a month from 31 January ends with February. */
function monthAfter(day: Day): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10)
}

/**
 * By which day a request is to be answered. LGPD, article 19, II: 15 days. GDPR, article 12 (3): one month.
 * @param receivedAt the day on which it came
 */
export const dueOf = (law: RequestLaw, receivedAt: Day): Day =>
  law === 'lgpd' ? daysAfter(receivedAt, 15) : monthAfter(receivedAt)

/** What is kept for a term. */
export const retentionKinds = ['messages', 'media', 'traces'] as const
export type RetentionKind = (typeof retentionKinds)[number]
/** A term below this is a mistake more often than a wish. 0 keeps for ever. */
export const LEAST_DAYS = 30
const MOST_DAYS = 3_650

/** The days that a text says; undefined where it says no term. */
export function readDays(text: string): number | undefined {
  if (!/^\d{1,4}$/.test(text)) return undefined
  const days = Number(text)
  return days === 0 || (days >= LEAST_DAYS && days <= MOST_DAYS) ? days : undefined
}
