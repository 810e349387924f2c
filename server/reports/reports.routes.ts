import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { type FigureKey, figureOf, figuresOf, isFigure } from '../../schema/reports/reports.figures.ts'
import {
  figureKey,
  reportBounds,
  reportFormat,
  reportName,
  type ReportName,
  type ReportQuery,
  rowKey,
} from '../../schema/reports/reports.inputs.ts'
import { audit } from '../audit/audit.changes.ts'
import { sheetLanguage } from '../contacts/contacts.sheets.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { day, fieldTestsOf, idsOf, isRealDay, jsonIds, jsonTests, textCursorQuery } from '../http/inputs.ts'
import { askedBy } from './reports.asked.queries.ts'
import { type BehindPage, behindOf } from './reports.behind.queries.ts'
import { bringUpToDate } from './reports.make.ts'
import { exportTypes, fileNameOf, fileOf } from './reports.export.ts'
import { reportFor } from './reports.told.ts'

const tags = ['reports']

const wrong = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/** Days and what they are narrowed to, as they stand in an address. */
export const reportFilters = {
  from: day,
  to: day,
  queueIds: jsonIds,
  userIds: jsonIds,
  tagIds: jsonIds,
  whatsappIds: jsonIds,
  fields: jsonTests,
}
type Filters = { [K in keyof typeof reportFilters]?: string | undefined }

/** Without days the last thirty. @throws DomainError `ERR_VALIDATION` for what the calendar has not */
export function queryOf({ from, to, ...rest }: Filters): ReportQuery {
  for (const [name, value] of Object.entries({ from, to }))
    if (value && !isRealDay(value)) throw wrong(`query/${name}`, 'a day')
  const ids = (name: 'queueIds' | 'userIds' | 'tagIds' | 'whatsappIds') => {
    const chosen = idsOf(rest[name], name)
    if (chosen && chosen.length > reportBounds.chosen) throw wrong(`query/${name}`, `at most ${reportBounds.chosen}`)
    return chosen
  }
  const filter = {
    ...{ queueIds: ids('queueIds'), userIds: ids('userIds') },
    ...{ tagIds: ids('tagIds'), whatsappIds: ids('whatsappIds'), fields: fieldTestsOf(rest.fields, 'fields') },
  }
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  if (!from && !to) return { range: 'last30', ...given }
  return { range: 'custom', ...(from && { from }), ...(to && { to }), ...given }
}

export const behindFilters = {
  ...reportFilters,
  ...textCursorQuery,
  figure: figureKey,
  row: t.Optional(rowKey),
}

/** @throws DomainError `ERR_VALIDATION` for a figure that the report has not */
function figureIn(report: ReportName, key: string): FigureKey {
  if (!isFigure(key) || !figuresOf(report).includes(key)) throw wrong('query/figure', 'a figure of this report')
  return key
}

/** @throws DomainError `ERR_VALIDATION` */
function cursorOf(text: string | undefined): { at: string; id: string } | undefined {
  if (!text) return undefined
  const [, at, id] = /^(-?[0-9]{1,18})\.([0-9A-Za-z-]{1,64})$/.exec(text) ?? []
  if (!at || !id) throw wrong('query/cursor', 'a cursor')
  return { at, id }
}

/** A report as routes tell it. */
export async function tellReport(
  deps: Pick<AppDeps, 'db' | 'now'>,
  who: Principal,
  report: ReportName,
  query: ReportQuery,
) {
  const { days, made, told } = await reportFor(deps, who, report, query)
  return {
    ...{ report, ...days, isWhole: made.isWhole, made: made.share },
    ...{ ...told, figures: told.figures.map((key) => ({ key, unit: figureOf(key).unit })) },
  }
}

/** What a figure counted, as routes tell it. */
export async function tellBehind(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  who: Principal,
  report: ReportName,
  {
    figure,
    row,
    cursor,
    limit,
    ...filters
  }: Filters & { figure: string; row?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<BehindPage & { figure: FigureKey; from: string; to: string }> {
  const key = figureIn(report, figure)
  const place = cursorOf(cursor)
  const { asked, days } = await askedBy(db, who, report, queryOf(filters), now())
  // The pages behind the first one are of the same facts.
  if (!place) await bringUpToDate(db, who.companyId, now)
  return {
    figure: key,
    ...days,
    ...(await behindOf(db, asked, { figure: key, row }, { cursor: place, limit: limit ?? 40 })),
  }
}

/** Reports: figures of a period, and the tickets behind each of them. */
export function reportRoutes(deps: AppDeps) {
  const { db } = deps
  return new Elysia({ prefix: '/reports' })
    .use(authed(deps))
    .get(
      '/:report',
      async ({ who, params, query }) => {
        demand(who, 'reports:read')
        return tellReport(deps, who, params.report, queryOf(query))
      },
      {
        params: t.Object({ report: reportName }),
        query: t.Object(reportFilters),
        detail: {
          tags,
          summary: 'A report: its figures, by row and in all, of some days',
          description:
            'At most 400 days of the company’s calendar, without any the last thirty. `queueIds`, `userIds`, `tagIds` and `whatsappIds` are JSON lists; 0 stands for none. Only tickets count that you see. `isWhole` is false while the past is being counted for the first time; `made` says how much of it is, of 1.',
        },
      },
    )
    .get(
      '/:report/tickets',
      async ({ who, params, query }) => {
        demand(who, 'reports:read')
        return tellBehind(deps, who, params.report, query)
      },
      {
        params: t.Object({ report: reportName }),
        query: t.Object(behindFilters),
        detail: {
          tags,
          summary: 'The tickets that a figure counted, page by page, newest first',
          description:
            '`count` is the figure, or, of a share, a mean or a percentile, how many were counted. `row` is the key of a row; without it all of them.',
        },
      },
    )
    .get(
      '/:report/export',
      async ({ who, params: { report }, query: { format = 'xlsx', language, ...filters } }) => {
        demand(who, 'reports:export')
        const { days, told } = await reportFor(deps, who, report, queryOf(filters))
        const { name: company } = await deps.facts.of(who.companyId)
        const { companyId } = who
        await audit(db, { companyId, action: 'export', entity: 'report', facts: { report, format, ...days } })
        const file = await fileOf({ companyId, company, report, days, told, language }, format)
        return new Response(file, {
          headers: {
            'content-type': exportTypes[format],
            'content-disposition': `attachment; filename="${fileNameOf(report, days, format)}"`,
            'cache-control': 'no-store',
          },
        })
      },
      {
        params: t.Object({ report: reportName }),
        query: t.Object({ ...reportFilters, format: t.Optional(reportFormat), language: sheetLanguage }),
        detail: {
          tags,
          summary: 'A report as a file: csv, xlsx or pdf',
          description:
            'Without `language` columns are named by keys, and times are seconds. Cells that a spreadsheet would take for a formula begin with an apostrophe.',
        },
      },
    )
}
