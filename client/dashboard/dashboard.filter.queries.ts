import { DAY_MS } from '../../schema/durations.ts'

/** What the figures are about: the last days, or the days between two dates (`YYYY-MM-DD`, '' for an open end). */
export type Filter = { kind: 'period'; days: number | null } | { kind: 'dates'; from: string; to: string }

/** Days that a period may have. */
export const periods = [3, 7, 15, 30, 60, 90] as const

/**
 * From the first of the month to today.
 *
 * @param today `YYYY-MM-DD` by the company's clock, as everything here: the server counts by its days
 */
export const thisMonth = (today: string): Filter => ({ kind: 'dates', from: `${today.slice(0, 8)}01`, to: today })

export type Problem = 'nothing' | 'backwards'

/** What keeps the filter from being asked for: nothing is given, or it ends before it begins. */
export function problemOf(filter: Filter): Problem | null {
  if (filter.kind === 'period') return filter.days === null ? 'nothing' : null
  if (!filter.from && !filter.to) return 'nothing'
  return filter.from && filter.to && filter.from > filter.to ? 'backwards' : null
}

/** What `GET /dashboard` is asked. */
export function countersQuery(filter: Filter): Record<string, string | number> {
  if (filter.kind === 'period') return filter.days === null ? {} : { days: filter.days }
  return { ...(filter.from && { date_from: filter.from }), ...(filter.to && { date_to: filter.to }) }
}

/** What the charts are asked, which know only dates. A period counts today as its last day. */
export function chartQuery(filter: Filter, today: string): Record<string, string> {
  if (filter.kind === 'dates')
    return { ...(filter.from && { initialDate: filter.from }), ...(filter.to && { finalDate: filter.to }) }
  if (filter.days === null) return {}
  const first = new Date(Date.parse(today) - (filter.days - 1) * DAY_MS)
  return { initialDate: first.toISOString().slice(0, 10), finalDate: today }
}

/** The days that costs and promises are asked of. An open beginning is a year before. */
export function costDays(filter: Filter, today: string): { from: string; to: string } {
  const { initialDate, finalDate: to = today } = chartQuery(filter, today)
  return { from: initialDate ?? new Date(Date.parse(to) - 364 * DAY_MS).toISOString().slice(0, 10), to }
}

/** Minutes as hours and minutes: `1h 05m`. Of nothing there is no mean: `—`. */
export function hoursAndMinutes(minutes: number | null | undefined): string {
  if (minutes === null || minutes === undefined) return '—'
  const whole = Math.max(0, Math.round(minutes))
  return `${Math.floor(whole / 60)}h ${String(whole % 60).padStart(2, '0')}m`
}

/** The services that began in an hour (0 to 23) or on a day (`YYYY-MM-DD`). */
export type Moment = { horario: number; total: number } | { data: string; total: number }

/** Moments in order, with those between the first and the last in which nothing began: a chart is not to close its gaps. */
export function everyMoment(moments: readonly Moment[]): readonly Moment[] {
  const place = (moment: Moment) => ('horario' in moment ? moment.horario : Date.parse(moment.data) / DAY_MS)
  const [first, last] = [moments[0], moments.at(-1)]
  if (!first || !last) return moments
  const known = new Map(moments.map((moment) => [place(moment), moment]))
  return Array.from({ length: place(last) - place(first) + 1 }, (_, index) => {
    const at = place(first) + index
    return (
      known.get(at) ??
      ('horario' in first
        ? { horario: at, total: 0 }
        : { data: new Date(at * DAY_MS).toISOString().slice(0, 10), total: 0 })
    )
  })
}
