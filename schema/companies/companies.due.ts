import type { Company } from './companies.table.ts'

/** Months that a company pays for at once. */
export const monthsOf: Record<Company['recurrence'], number> = {
  MENSAL: 1,
  BIMESTRAL: 2,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
}

/**
 * The due date one recurrence, or so many months, later. A day that the month does not have is its last.
 * @param day `YYYY-MM-DD`
 */
export function nextDueDate(day: string, later: Company['recurrence'] | number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const months = month - 1 + (typeof later === 'number' ? later : monthsOf[later])
  const last = new Date(Date.UTC(year, months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** The colour of a company's row in the operator's list, by the days that are left; null without any. */
export function dueTone(days: number): 'soon' | 'due' | 'over' | null {
  if (days === 5) return 'soon'
  if (days >= -3 && days <= 4) return 'due'
  return days === -4 ? 'over' : null
}
