import { MINUTE_MS } from '../durations.ts'
import { type Weekday, weekdays } from '../hours/hours.open.ts'
import { wallOf } from '../wall.ts'

/** When messages to many may leave, on the company's wall. */
export interface BulkHours {
  /** Several periods a day, each `HH:MM`; a day without any is closed. The end is not in it. */
  periods: Partial<Record<Weekday, { from: string; to: string }[]>>
  /** `YYYY-MM-DD`. */
  holidays: { date: string; name: string }[]
}

const day = [{ from: '09:00', to: '20:00' }]
export const standardHours: BulkHours = {
  periods: { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day },
  holidays: [],
}

function openOn({ periods, holidays }: BulkHours, weekday: string, date: string) {
  if (holidays.some((holiday) => holiday.date === date)) return []
  return (periods[weekday.toLowerCase() as Weekday] ?? []).filter(({ from, to }) => from < to)
}

/** Whether messages to many may leave at that moment, by the clocks of `timeZone`. */
export function isBulkOpen(hours: BulkHours, now: Date, timeZone: string): boolean {
  const { year, month, day: date, hour, minute, weekday } = wallOf(now, timeZone)
  const time = `${hour}:${minute}`
  return openOn(hours, weekday, `${year}-${month}-${date}`).some(({ from, to }) => from <= time && time < to)
}

/** The next moment at which it is open: now, or the beginning of a minute; null when it never is within a year. */
export function nextOpen(hours: BulkHours, now: Date, timeZone: string): Date | null {
  if (isBulkOpen(hours, now, timeZone)) return now
  if (weekdays.every((weekday) => !hours.periods[weekday]?.length)) return null
  let at = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + MINUTE_MS
  for (let steps = 0; steps < 20_000; steps++) {
    const { year, month, day: date, hour, minute, weekday } = wallOf(new Date(at), timeZone)
    const time = `${hour}:${minute}`
    const open = openOn(hours, weekday, `${year}-${month}-${date}`)
    if (open.some(({ from, to }) => from <= time && time < to)) return new Date(at)
    const later = open.map(({ from }) => from).filter((from) => from > time)
    // To the next beginning of that day, else to midnight; an hour that the clocks leave out costs one step more.
    const target = later.length > 0 ? later.sort()[0]! : '24:00'
    const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
    at += Math.max(1, minutes(target) - minutes(time)) * MINUTE_MS
    if (at - now.getTime() > 370 * 24 * 60 * MINUTE_MS) return null
  }
  return null
}

/** The end of the open time in which `now` lies; null where it is closed. */
export function closesAt(hours: BulkHours, now: Date, timeZone: string): Date | null {
  const { year, month, day: date, hour, minute, weekday } = wallOf(now, timeZone)
  const time = `${hour}:${minute}`
  const found = openOn(hours, weekday, `${year}-${month}-${date}`).find(({ from, to }) => from <= time && time < to)
  if (!found) return null
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  const start = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  return new Date(start + (minutes(found.to) - minutes(time)) * MINUTE_MS)
}
