import { type Static, Type } from '@sinclair/typebox'
import { fieldTests } from '../custom-fields/custom-fields.inputs.ts'
import { patterned, requiring, rowId } from '../inputs.ts'
import { reportFormats, reportRhythms } from './reports.table.ts'

export const reportNames = [
  'agents',
  'queues',
  'tags',
  'connections',
  'hours',
  'sla',
  'csat',
  'campaigns',
  'bots',
] as const
export type ReportName = (typeof reportNames)[number]

/** `views` and `schedules` of a company; `chosen` of one filter; `rows` of a table. */
export const reportBounds = {
  ...{ days: 400, name: 60, views: 100, schedules: 20, users: 20, chosen: 100, rows: 500, figure: 40, row: 40 },
} as const

const oneOf = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(words.map((word) => Type.Literal(word))))

export const reportName = oneOf(reportNames)
export const reportFormat = oneOf(reportFormats)
/** Which figure of a report, of which of its rows, as an address says it. */
export const figureKey = Type.String({ maxLength: reportBounds.figure })
export const rowKey = Type.String({ maxLength: reportBounds.row })

/** 0 stands for none. */
const chosen = Type.Array(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), {
  maxItems: reportBounds.chosen,
  uniqueItems: true,
})
const day = patterned({ maxLength: 10, pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' })

/** Periods that move with the day: today, so many last days, this month and the one before. */
export const reportRanges = ['today', 'last7', 'last30', 'last90', 'month', 'lastMonth', 'custom'] as const
export type ReportRange = (typeof reportRanges)[number]

/** What a report is asked for, as it is kept: days only where the period is `custom`. */
export const reportQuery = Type.Object(
  {
    range: oneOf(reportRanges),
    from: Type.Optional(day),
    to: Type.Optional(day),
    queueIds: Type.Optional(chosen),
    userIds: Type.Optional(chosen),
    tagIds: Type.Optional(chosen),
    whatsappIds: Type.Optional(chosen),
    fields: Type.Optional(fieldTests),
  },
  { additionalProperties: false },
)
export type ReportQuery = Static<typeof reportQuery>

/** What a report is narrowed to: any one of each, all of the tags, and all tests of fields. */
export type ReportFilter = Pick<ReportQuery, 'queueIds' | 'userIds' | 'tagIds' | 'whatsappIds' | 'fields'>

export const reportViewName = patterned({ minLength: 1, maxLength: reportBounds.name, pattern: '\\S' })
export const reportViewInput = Type.Object({
  name: reportViewName,
  isShared: Type.Boolean(),
  report: reportName,
  query: reportQuery,
})
export type ReportViewInput = Static<typeof reportViewInput>
export const newReportView = requiring(reportViewInput, ['name', 'report', 'query'])
export const changedReportView = requiring(reportViewInput, [])

export const reportScheduleInput = Type.Object({
  name: reportViewName,
  active: Type.Boolean(),
  report: reportName,
  query: reportQuery,
  every: oneOf(reportRhythms),
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  format: oneOf(reportFormats),
  userIds: Type.Array(rowId, { minItems: 1, maxItems: reportBounds.users, uniqueItems: true }),
})
export type ReportScheduleInput = Static<typeof reportScheduleInput>
export const newReportSchedule = requiring(reportScheduleInput, [
  'name',
  'report',
  'query',
  'every',
  'hour',
  'format',
  'userIds',
])
export const changedReportSchedule = requiring(reportScheduleInput, [])
