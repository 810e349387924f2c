import { Elysia, t } from 'elysia'
import { reportName } from '../../schema/reports/reports.inputs.ts'
import type { AppDeps } from '../http/deps.ts'
import { behindFilters, queryOf, reportFilters, tellBehind, tellReport } from '../reports/reports.routes.ts'
import { asAdmin, needs, programs } from './external.programs.routes.ts'

/** Reports as people read them, over all tickets of the company. */
export const programReportRoutes = (deps: AppDeps) =>
  new Elysia()
    .use(programs(deps))
    .get(
      '/reports/:report',
      async ({ of, caller, params, query }) => {
        of('reports:read')
        return tellReport(deps, asAdmin(caller), params.report, queryOf(query))
      },
      {
        params: t.Object({ report: reportName }),
        query: t.Object(reportFilters),
        detail: needs(
          'getReport',
          'reports:read',
          'A report: agents, queues, tags, connections, hours, sla, csat, campaigns or bots',
          'At most 400 days, without any the last thirty. Times are seconds, shares percent. `isWhole` is false while the past is being counted for the first time.',
        ),
      },
    )
    .get(
      '/reports/:report/tickets',
      async ({ of, caller, params, query }) => {
        of('reports:read')
        return tellBehind(deps, asAdmin(caller), params.report, query)
      },
      {
        params: t.Object({ report: reportName }),
        query: t.Object(behindFilters),
        detail: needs(
          'listReportTickets',
          'reports:read',
          'The tickets that a figure of a report counted, newest first',
        ),
      },
    )
