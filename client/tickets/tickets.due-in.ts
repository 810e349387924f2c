import { MINUTE_MS } from '../../schema/durations.ts'

/** How far a promise is from its end, as a list shows it. */
export interface DueIn {
  /** `late`: it has passed, by so much. */
  tone: 'calm' | 'risk' | 'late'
  unit: 'minutes' | 'hours' | 'days'
  count: number
}

/**
 * What is left is never told as more than it is, but for the minute that runs; what it is late by neither.
 *
 * @param due milliseconds since 1970
 * @param risk from when on it is at risk; null: never before it is late
 */
export function dueIn(due: number, risk: number | null, now: number): DueIn {
  const late = now >= due
  const tone = late ? 'late' : risk !== null && now >= risk ? 'risk' : 'calm'
  const minutes = late ? Math.floor((now - due) / MINUTE_MS) : Math.ceil((due - now) / MINUTE_MS)
  if (minutes < 60) return { tone, unit: 'minutes', count: minutes }
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? { tone, unit: 'hours', count: hours } : { tone, unit: 'days', count: Math.floor(hours / 24) }
}
