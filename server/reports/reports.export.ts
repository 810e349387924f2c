import { writeXlsxStream } from 'hucre/xlsx'
import type { Language, Words } from '../../schema/languages.ts'
import { wordIn } from '../../schema/languages.ts'
import type { ReportName } from '../../schema/reports/reports.inputs.ts'
import type { ReportDays } from '../../schema/reports/reports.range.ts'
import type { ReportFormat } from '../../schema/reports/reports.table.ts'
import { pdfOf } from './reports.pdf.ts'
import type { Report } from './reports.queries.ts'
import { sheetOf } from './reports.sheet.ts'

export const exportTypes: Record<ReportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

const meaningsTitle: Words = ['O que cada número conta', 'Qué cuenta cada número', 'What each figure counts']

/** What of a report goes into a file. */
export interface Exported {
  companyId: number
  company: string
  report: ReportName
  days: ReportDays
  told: Report
  language: Language | undefined
}

/** A report as a file. */
export async function fileOf(
  { companyId, company, report, days, told, language }: Exported,
  format: ReportFormat,
): Promise<Blob> {
  const sheet = sheetOf(report, told, language)
  const type = exportTypes[format]
  if (format === 'pdf') {
    const subtitle = `${company} · ${days.from} – ${days.to}`
    const title = wordIn(meaningsTitle, language ?? 'en')
    return new Blob([await pdfOf(companyId, { subtitle, meaningsTitle: title, sheet })], { type })
  }
  const rows = [...sheet.rows, sheet.total]
  // With a mark for its encoding, or Excel takes accents for something else.
  if (format === 'csv') return new Blob(['\ufeff', ...[sheet.header, ...rows].map(csvLine)], { type })
  async function* lines(): AsyncGenerator<string[]> {
    yield* rows
  }
  const stream = writeXlsxStream(lines(), {
    name: sheet.title,
    columns: sheet.header.map((text, i) => ({ header: text, width: i === 0 ? 28 : 16 })),
    freezePane: { rows: 1 },
  })
  return new Blob([await new Response(stream).arrayBuffer()], { type })
}

const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`

/** What a file is called. */
export const fileNameOf = (report: ReportName, { from, to }: ReportDays, format: ReportFormat): string =>
  `${report}-${from}-${to}.${format}`
