import { wallOf } from '../wall.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

/** A period of a weekday; a day may have several. Times are `HH:MM` in the company's time zone. */
export interface ScheduleEntry {
  weekday: string
  weekdayEn: Weekday
  startTime: string
  endTime: string
}

/** A day on which nobody is there. */
export interface Holiday {
  /** `YYYY-MM-DD`. */
  date: string
  name: string
}

/** The periods of the weekday that it is in the zone; a day without any is not restricted. */
export const periodsOn = <E extends ScheduleEntry>(schedules: readonly E[], now: Date, timeZone: string): E[] => {
  const today = wallOf(now, timeZone).weekday.toLowerCase()
  return schedules.filter(({ weekdayEn, startTime, endTime }) => weekdayEn === today && startTime && endTime)
}

/** The holiday that it is in the zone. */
export function holidayOn(holidays: readonly Holiday[], now: Date, timeZone: string): Holiday | undefined {
  const { year, month, day } = wallOf(now, timeZone)
  return holidays.find(({ date }) => date === `${year}-${month}-${day}`)
}

/**
 * Whether a counter with these hours is open at `now`. Both edge minutes count as open. Equal start and end
 * mean closed all day; a day without an entry, or with empty times, is unrestricted. On a holiday it is closed.
 *
 * @param timeZone IANA name of the company's zone.
 */
export function isOpen(
  schedules: readonly ScheduleEntry[],
  now: Date,
  timeZone: string,
  holidays: readonly Holiday[] = [],
): boolean {
  if (holidays.length > 0 && holidayOn(holidays, now, timeZone)) return false
  const periods = periodsOn(schedules, now, timeZone)
  const { hour, minute } = wallOf(now, timeZone)
  return periods.length === 0 || periods.some((period) => holds(period, `${hour}:${minute}`))
}

/** @param time `HH:MM` */
export function holds({ startTime, endTime }: ScheduleEntry, time: string): boolean {
  if (startTime === endTime) return false
  return startTime <= endTime
    ? startTime <= time && time <= endTime
    : // A shift over midnight, such as 18:00 to 02:00.
      time >= startTime || time <= endTime
}
