import { wallOf } from '../wall.ts'

export interface QuietHours {
  /** `HH:MM` in the company's zone. */
  quietFrom: string
  quietTo: string
}

/**
 * Whether a user does not want to be woken at `now`. The first minute is quiet, the last one is not; equal times mean
 * never. Hours over midnight, such as 22:00 to 07:00, are those of two days.
 *
 * @param timeZone IANA name of the company's zone
 */
export function isQuiet({ quietFrom, quietTo }: QuietHours, now: Date, timeZone: string): boolean {
  if (quietFrom === quietTo) return false
  const { hour, minute } = wallOf(now, timeZone)
  const time = `${hour}:${minute}`
  return quietFrom < quietTo ? quietFrom <= time && time < quietTo : time >= quietFrom || time < quietTo
}
