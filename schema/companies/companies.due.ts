import type { Company } from './companies.table.ts'

/** Months that a company pays for at once. */
export const monthsOf: Record<Company['recurrence'], number> = {
  MENSAL: 1,
  BIMESTRAL: 2,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
}

const partsOf = (day: string) => day.split('-').map(Number) as [year: number, month: number, date: number]
/** How many days a month has. @param month 0 is January; more than 11 are months of later years */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/**
 * The due date one recurrence, or so many months, later. A day that the month does not have is its last.
 * @param day `YYYY-MM-DD`
 * @param dueDay the day of the month that it falls on where there is one; null: that of `day`. Without it, a date that
 *   a short month has moved to its last day would stay there: 31 January, 28 February, 28 March.
 */
export function nextDueDate(
  day: string,
  later: Company['recurrence'] | number,
  dueDay: Company['dueDay'] = null,
): string {
  const [year, month, date] = partsOf(day)
  const months = month - 1 + (typeof later === 'number' ? later : monthsOf[later])
  return new Date(Date.UTC(year, months, Math.min(dueDay ?? date, daysIn(year, months)))).toISOString().slice(0, 10)
}

/** The day of the month on which due dates fall after this one. @param dueDate `YYYY-MM-DD` */
export const dueDayOf = (dueDate: string, dueDay: Company['dueDay'] = null): number => dueDay ?? partsOf(dueDate)[2]

/** Whether a date is that day of its month, or the last of a month that does not have it. */
export function isDayOf(day: string, dueDay: number): boolean {
  const [year, month, date] = partsOf(day)
  return date === Math.min(dueDay, daysIn(year, month - 1))
}

/** The colour of a company's row in the operator's list, by the days that are left; null without any. */
export function dueTone(days: number): 'soon' | 'due' | 'over' | null {
  // Who does not pay does not fade from sight.
  if (days < -3) return 'over'
  if (days <= 4) return 'due'
  return days === 5 ? 'soon' : null
}
