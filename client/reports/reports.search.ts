import { Value } from '@sinclair/typebox/value'
import { daysOfRange, type ReportDays } from '../../schema/reports/reports.range.ts'
import { figuresOf, isFigure, type FigureKey } from '../../schema/reports/reports.figures.ts'
import {
  type ReportFilter,
  type ReportName,
  reportNames,
  reportQuery,
  type ReportQuery,
} from '../../schema/reports/reports.inputs.ts'

/** What the address of the screen says: which report, of what, and which figure is open. */
export interface ReportSearch extends ReportQuery {
  report: ReportName
  figure?: FigureKey | undefined
  /** Of which row; without it, of all. */
  row?: string | undefined
  /** What messages cost is shown in place of the report. */
  costs?: true | undefined
}

/** Whatever stands in an address becomes something that can be asked for. */
export function reportSearch(given: Record<string, unknown>): ReportSearch {
  const report = reportNames.find((name) => name === given['report']) ?? 'agents'
  const { report: _report, figure: _figure, row: _row, costs, ...rest } = given
  const query = Value.Check(reportQuery, rest) ? rest : ({ range: 'last30' } as const)
  const { figure, row } = given
  const isOpen = typeof figure === 'string' && isFigure(figure) && figuresOf(report).includes(figure)
  return {
    report,
    ...query,
    ...(costs === true && { costs }),
    ...(isOpen && { figure: figure as FigureKey, ...(row !== undefined && { row: String(row) }) }),
  }
}

/** Without what is open: as a view is kept. */
export const queryOf = ({
  report: _report,
  figure: _figure,
  row: _row,
  costs: _costs,
  ...query
}: ReportSearch): ReportQuery => query

const filters = ['queueIds', 'userIds', 'tagIds', 'whatsappIds', 'fields'] as const satisfies (keyof ReportFilter)[]

/** What the server is asked, with the days that the period is today. */
export function askedOf(query: ReportQuery, today: string): ReportDays & Record<string, string> {
  const chosen = filters.flatMap((name) => {
    const value = query[name]
    return value?.length ? [[name, JSON.stringify(value)]] : []
  })
  return { ...daysOfRange(query, today), ...Object.fromEntries(chosen) }
}

/** How many choices narrow it. */
export const narrowingOf = (query: ReportQuery): number =>
  filters.reduce((count, name) => count + (query[name]?.length ?? 0), 0)
