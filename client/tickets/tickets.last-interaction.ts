import { MINUTE_MS } from '../../schema/durations.ts'

/** How long nobody has written, as a list shows it. `null` where the time is of no interest. */
export interface LastInteraction {
  tone: 'green' | 'orange' | 'red'
  unit: 'minutes' | 'hours' | 'days'
  count: number
}

/**
 * 3 to 10 minutes green, 30 to 59 orange, from 60 red in hours, from 24 hours red in days; nothing under 3 minutes
 * and between 10 and 30.
 *
 * @param at milliseconds since 1970 of the last message
 */
export function lastInteraction(at: number, now: number): LastInteraction | null {
  const minutes = Math.floor((now - at) / MINUTE_MS)
  if (minutes < 3 || (minutes > 10 && minutes < 30)) return null
  if (minutes <= 10) return { tone: 'green', unit: 'minutes', count: minutes }
  if (minutes < 60) return { tone: 'orange', unit: 'minutes', count: minutes }
  const hours = Math.floor(minutes / 60)
  return hours < 24
    ? { tone: 'red', unit: 'hours', count: hours }
    : { tone: 'red', unit: 'days', count: Math.floor(hours / 24) }
}
