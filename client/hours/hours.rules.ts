import { weekdays } from '../../schema/hours/hours.open.ts'
import type { ScheduleEntry, Weekday } from '../../schema/hours/hours.open.ts'

/** The names that are stored beside the day; screens show them in the person's language instead. */
const storedNames: Record<Weekday, string> = {
  monday: 'Segunda-feira',
  tuesday: 'Terça-feira',
  wednesday: 'Quarta-feira',
  thursday: 'Quinta-feira',
  friday: 'Sexta-feira',
  saturday: 'Sábado',
  sunday: 'Domingo',
}

const usual: Partial<Record<Weekday, [string, string]>> = { saturday: ['08:00', '12:00'], sunday: ['00:00', '00:00'] }

/** What more than one day of work has room for. */
export const MOST_PERIODS = 4

/**
 * All seven days in order: those of `stored` with all their periods, the others as they are, without a limit. Where
 * nothing is stored, the usual hours: Monday to Friday 08:00–18:00, Saturday 08:00–12:00, Sunday closed.
 */
export function fullWeek(stored: readonly ScheduleEntry[] = []): ScheduleEntry[] {
  return weekdays.flatMap((weekdayEn) => {
    const known = stored.filter((entry) => entry.weekdayEn === weekdayEn)
    const [startTime, endTime] = stored.length > 0 ? ['', ''] : (usual[weekdayEn] ?? ['08:00', '18:00'])
    return known.length > 0 ? known : [{ weekday: storedNames[weekdayEn], weekdayEn, startTime, endTime }]
  })
}

/** The week with one more period on a day, empty, after those it has. */
export function withPeriod(week: readonly ScheduleEntry[], weekdayEn: Weekday): ScheduleEntry[] {
  const at = week.findLastIndex((entry) => entry.weekdayEn === weekdayEn) + 1
  return week.toSpliced(at, 0, { weekday: storedNames[weekdayEn], weekdayEn, startTime: '', endTime: '' })
}

/** What is typed, as a time: `0830` and `8:30` become `08:30`. Nothing is rounded: a wrong hour stays to be seen. */
export function maskTime(typed: string): string {
  const parts = /^(\d):(\d{0,2})$/.exec(typed)
  const digits = parts ? `0${parts[1]}${parts[2]}` : typed.replace(/\D/g, '').slice(0, 4)
  return digits.length > 2 ? `${digits.slice(0, 2)}:${digits.slice(2)}` : digits
}

/** What a day's hours mean: see `isOpen` in `schema/hours`. */
export function dayMeaning({ startTime, endTime }: ScheduleEntry): 'closed' | 'always' | 'overnight' | 'open' {
  if (!startTime || !endTime) return 'always'
  if (startTime === endTime) return 'closed'
  return startTime > endTime ? 'overnight' : 'open'
}
