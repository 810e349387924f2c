export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

/** One day of business hours. Times are `HH:MM` in the company's time zone. */
export interface ScheduleEntry {
  weekday: string
  weekdayEn: Weekday
  startTime: string
  endTime: string
}

/**
 * Whether a counter with these hours is open at `now`. Both edge minutes count as open. Equal start and end
 * mean closed all day; a day without an entry, or with empty times, is unrestricted (`server-behaviour.md` §3).
 *
 * @param timeZone IANA name of the company's zone.
 */
export function isOpen(schedules: readonly ScheduleEntry[], now: Date, timeZone: string): boolean {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? ''
  const entry = schedules.find((e) => e.weekdayEn === part('weekday').toLowerCase())
  if (!entry?.startTime || !entry.endTime) return true
  if (entry.startTime === entry.endTime) return false
  const time = `${part('hour')}:${part('minute')}`
  return entry.startTime <= entry.endTime
    ? entry.startTime <= time && time <= entry.endTime
    : // A shift over midnight, such as 18:00 to 02:00.
      time >= entry.startTime || time <= entry.endTime
}
