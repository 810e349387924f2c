import { wallOf } from '../wall.ts'

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
 * mean closed all day; a day without an entry, or with empty times, is unrestricted.
 *
 * @param timeZone IANA name of the company's zone.
 */
export function isOpen(schedules: readonly ScheduleEntry[], now: Date, timeZone: string): boolean {
  const { weekday, hour, minute } = wallOf(now, timeZone)
  const entry = schedules.find((e) => e.weekdayEn === weekday.toLowerCase())
  if (!entry?.startTime || !entry.endTime) return true
  if (entry.startTime === entry.endTime) return false
  const time = `${hour}:${minute}`
  return entry.startTime <= entry.endTime
    ? entry.startTime <= time && time <= entry.endTime
    : // A shift over midnight, such as 18:00 to 02:00.
      time >= entry.startTime || time <= entry.endTime
}
