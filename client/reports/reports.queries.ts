import type { Behind, ReportRow, Values } from '../../schema/reports/reports.answers.ts'
import type { FigureKey, FigureUnit } from '../../schema/reports/reports.figures.ts'
import type { ReportName, ReportQuery, ReportScheduleInput } from '../../schema/reports/reports.inputs.ts'
import type { ReportFormat } from '../../schema/reports/reports.table.ts'
import { api, requestBlob } from '../session/api.ts'
import type { Pages } from '../session/fetched.ts'
import { type Fetched, useFetched, useRecords } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface Report {
  report: ReportName
  from: string
  to: string
  /** The past is being counted for the first time while it is false. */
  isWhole: boolean
  /** How much of it is, of 1. */
  made: number
  figures: { key: FigureKey; unit: FigureUnit }[]
  rows: ReportRow[]
  total: Values
  hasMore: boolean
}

/** While a long past is being counted it is asked again now and then. */
const AGAIN_MS = 3_000

export function useReport(report: ReportName, asked: Record<string, string>): Fetched<Report> {
  const path = `/reports/${report}`
  const { data } = useFetched<Report>(path, asked)
  return useFetched<Report>(path, asked, { everyMs: data && !data.isWhole ? AGAIN_MS : false })
}

export const useBehind = (
  report: ReportName,
  asked: Record<string, string>,
  figure: FigureKey,
  row: string | undefined,
): Pages<Behind> =>
  useRecords<Behind>(`/reports/${report}/tickets`, { ...asked, figure, ...(row !== undefined && { row }) })

export interface ReportViewRow {
  id: number
  userId: number | null
  name: string
  isShared: boolean
  report: ReportName
  query: ReportQuery
}

export interface ReportScheduleRow extends ReportScheduleInput {
  id: number
  userId: number | null
  nextAt: string
  sentAt: string | null
}

/** One's own and those that are shared. */
export function useReportViews(): Fetched<{ records: ReportViewRow[] }> {
  const list = useFetched<{ records: ReportViewRow[] }>('/report-views')
  useCompanyEvent('report', list.reload)
  return list
}

/** What goes out by mail, and whether anything can. */
export function useReportSchedules(): Fetched<{ records: ReportScheduleRow[]; hasMail: boolean }> {
  const list = useFetched<{ records: ReportScheduleRow[]; hasMail: boolean }>('/report-schedules')
  useCompanyEvent('report', list.reload)
  return list
}

export const reports = {
  file: (report: ReportName, asked: Record<string, string>, format: ReportFormat, language: string) =>
    requestBlob(`/reports/${report}/export`, { query: { ...asked, format, language } }),
  keepView: (input: Omit<ReportViewRow, 'id' | 'userId'>) => api.post<ReportViewRow>('/report-views', input),
  removeView: (id: number) => api.delete(`/report-views/${id}`),
  schedule: (input: Omit<ReportScheduleInput, 'active'>) => api.post<ReportScheduleRow>('/report-schedules', input),
  changeSchedule: (id: number, input: Partial<ReportScheduleInput>) =>
    api.put<ReportScheduleRow>(`/report-schedules/${id}`, input),
  removeSchedule: (id: number) => api.delete(`/report-schedules/${id}`),
}
