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
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
  return quietFrom < quietTo ? quietFrom <= time && time < quietTo : time >= quietFrom || time < quietTo
}
