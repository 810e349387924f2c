import { DAY_MS } from '../durations.ts'
import type { ReportQuery } from './reports.inputs.ts'

/** Whole days of the company's calendar, both included, `YYYY-MM-DD`. */
export interface ReportDays {
  from: string
  to: string
}

const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10)
const lastOf = { today: 1, last7: 7, last30: 30, last90: 90 } as const

/**
 * The days that a period is on some day.
 * @param today `YYYY-MM-DD`
 */
export function daysOfRange(
  { range, from, to }: Pick<ReportQuery, 'range' | 'from' | 'to'>,
  today: string,
): ReportDays {
  const now = Date.parse(today)
  switch (range) {
    case 'custom':
      return { from: from ?? today, to: to ?? today }
    case 'month':
      return { from: `${today.slice(0, 8)}01`, to: today }
    case 'lastMonth': {
      const last = dayAt(Date.parse(`${today.slice(0, 8)}01`) - DAY_MS)
      return { from: `${last.slice(0, 8)}01`, to: last }
    }
    default:
      return { from: dayAt(now - (lastOf[range] - 1) * DAY_MS), to: today }
  }
}
