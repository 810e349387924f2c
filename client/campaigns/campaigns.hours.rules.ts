import type { BulkHours } from '../../schema/campaigns/campaigns.hours.ts'
import { type ScheduleEntry, type Weekday, weekdays } from '../../schema/hours/hours.open.ts'
import { fullWeek } from '../hours/hours.rules.ts'

const MIDNIGHT = '00:00'
const END_OF_DAY = '23:59'

/** As the editor of a week has it: a closed day begins and ends at the same time. */
export function weekOf({ periods }: BulkHours): ScheduleEntry[] {
  return fullWeek(
    weekdays.flatMap((weekdayEn) => {
      const open = periods[weekdayEn] ?? []
      const entry = (startTime: string, endTime: string) => ({ weekday: weekdayEn, weekdayEn, startTime, endTime })
      return open.length === 0 ? [entry(MIDNIGHT, MIDNIGHT)] : open.map(({ from, to }) => entry(from, to))
    }),
  )
}

/** As it is stored: what goes on after midnight belongs to the next day, and a day without a limit ends with its last minute. */
export function periodsOf(week: readonly ScheduleEntry[]): BulkHours['periods'] {
  const periods: Record<Weekday, { from: string; to: string }[]> = Object.fromEntries(
    weekdays.map((weekday) => [weekday, []]),
  ) as never
  for (const { weekdayEn, startTime, endTime } of week) {
    if (!startTime || !endTime) periods[weekdayEn].push({ from: MIDNIGHT, to: END_OF_DAY })
    else if (startTime < endTime) periods[weekdayEn].push({ from: startTime, to: endTime })
    else if (startTime > endTime) {
      periods[weekdayEn].push({ from: startTime, to: END_OF_DAY })
      const next = weekdays[(weekdays.indexOf(weekdayEn) + 1) % weekdays.length]!
      if (endTime > MIDNIGHT) periods[next].push({ from: MIDNIGHT, to: endTime })
    }
  }
  return periods
}
