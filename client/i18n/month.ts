/** A month of the calendar on the machine's own wall; `month` counts from 0. */
export interface Month {
  year: number
  month: number
}

export function monthOf(at: number): Month {
  const date = new Date(at)
  return { year: date.getFullYear(), month: date.getMonth() }
}

export const addMonths = ({ year, month }: Month, n: number): Month => monthOf(new Date(year, month + n, 1).getTime())

/**
 * The weeks that a month's page shows: whole ones, so that days of its neighbours stand at both ends.
 * @param firstDay 0 for weeks that begin on Sunday, 1 for Monday…
 * @returns midnights
 */
export function weeksOf({ year, month }: Month, firstDay: number): Date[][] {
  const lead = (new Date(year, month, 1).getDay() - firstDay + 7) % 7
  const days = new Date(year, month + 1, 0).getDate()
  return Array.from({ length: Math.ceil((lead + days) / 7) }, (_, week) =>
    // By the calendar, not by 24 hours: a day on which the clock is put forward has 23.
    Array.from({ length: 7 }, (_, day) => new Date(year, month, 1 - lead + week * 7 + day)),
  )
}

/** What tells one day from another: `2026-11-05`. */
export function dayKey(at: number | Date): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
