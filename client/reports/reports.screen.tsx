import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChartColumn, Printer, WifiOff } from 'lucide-react'
import { Suspense } from 'react'
import { reportNames, type ReportName } from '../../schema/reports/reports.inputs.ts'
import { daysOfRange } from '../../schema/reports/reports.range.ts'
import { onDemand } from '../base/late.tsx'
import { useCostMonth } from '../costs/costs.queries.ts'
import { Costs } from '../costs/costs.report.tsx'
import { useToday } from '../session/company-day.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { useCan } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { ReportFilters } from './reports.filters.tsx'
import { FigureCards, HeatMap, Meanings, ReportTable, RowBars, type OpenFigure } from './reports.figures.tsx'
import { ReportMenus } from './reports.menus.tsx'
import { type Report, useReport } from './reports.queries.ts'
import { askedOf, queryOf, reportSearch, type ReportSearch } from './reports.search.ts'
import { useReportWords } from './reports.words.ts'

/** The tab of what messages cost, which is a report of its own. */
const COSTS = 'costs'

const TicketsPanel = onDemand(() => import('./reports.tickets.tsx'))

/** What was done in some days, by whom and how fast; every figure opens the tickets that it counted. */
export default function ReportsScreen() {
  const { t } = useLingui()
  const words = useReportWords()
  const search = reportSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const today = useToday()
  const { report } = search
  const asked = askedOf(queryOf(search), today)
  const fetched = useReport(report, asked)
  const offline = useConnectionState() === 'offline'
  const go = (next: ReportSearch, replace = true) => void navigate({ to: '/reports', search: { ...next }, replace })
  const open: OpenFigure = (figure, row) => go({ ...search, figure, row }, false)
  const { figure: _figure, row: _row, ...closed } = search
  const hasCosts = useHasCosts()
  const choose = (next: string) =>
    go(
      next === COSTS ? { ...queryOf(search), report, costs: true } : { ...queryOf(search), report: next as ReportName },
    )
  return (
    <Page
      title={t`Relatórios`}
      className="print:overflow-visible"
      actions={
        <div className="flex flex-wrap items-center gap-2 print:hidden">
          <ReportMenus
            search={search}
            asked={asked}
            offline={offline}
            onView={(view) => go({ ...view.query, report: view.report }, false)}
          />
          <Button variant="outline" size="icon" aria-label={t`Imprimir`} onClick={() => print()}>
            <Printer />
          </Button>
        </div>
      }
      toolbar={
        <div className="flex w-full min-w-0 flex-col gap-3 print:hidden">
          <Tabs value={search.costs ? COSTS : report} onValueChange={choose}>
            <TabsList aria-label={t`Relatório`} className="mx-0">
              {reportNames.map((name) => (
                <TabsTrigger key={name} value={name}>
                  {words.reports[name]}
                </TabsTrigger>
              ))}
              {hasCosts && (
                <TabsTrigger value={COSTS}>
                  <Trans>Custos</Trans>
                </TabsTrigger>
              )}
            </TabsList>
          </Tabs>
          <ReportFilters
            search={search}
            onChange={(query) => go({ ...query, report, ...(search.costs && { costs: true }) })}
          />
        </div>
      }
    >
      {search.costs && hasCosts ? (
        <Costs {...daysOfRange(search, today)} />
      ) : (
        <Shown report={report} fetched={fetched} open={open} />
      )}
      {search.figure && !search.costs && (
        <Suspense fallback={null}>
          <TicketsPanel
            report={report}
            asked={asked}
            figure={search.figure}
            row={search.row}
            shown={fetched.data}
            onClose={() => go(closed)}
          />
        </Suspense>
      )}
    </Page>
  )
}

function Shown({
  report,
  fetched: { data, error, loading, reload },
  open,
}: {
  report: ReportName
  fetched: ReturnType<typeof useReport>
  open: OpenFigure
}) {
  const words = useReportWords()
  const offline = useConnectionState() === 'offline'
  if (!data)
    return error && !loading ? (
      <Card>
        <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
      </Card>
    ) : (
      <div className="flex flex-col gap-4" aria-busy="true">
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    )
  return (
    <div className="flex flex-col gap-4">
      <Period report={data} />
      {(offline || (error && !loading)) && (
        <p
          role="status"
          className="flex items-center gap-2 rounded-lg bg-warning-soft px-3.5 py-2.5 text-sm text-warning-soft-foreground"
        >
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          <Trans>Estes números são os últimos recebidos; eles se atualizam quando a conexão voltar.</Trans>
        </p>
      )}
      {!data.isWhole && <Counting made={data.made} />}
      {data.rows.length === 0 ? (
        <Card>
          <EmptyState icon={ChartColumn} title={<Trans>Nada foi contado nestes dias</Trans>} className="py-12">
            <Trans>Escolha outro período, ou tire um dos filtros.</Trans>
          </EmptyState>
        </Card>
      ) : (
        <>
          <FigureCards report={data} open={open} />
          {report === 'hours' ? <HeatMap report={data} open={open} /> : <RowBars report={data} open={open} />}
          {report !== 'hours' && (
            <Card className="min-w-0">
              <CardHeader title={words.reports[report]} />
              <ReportTable report={data} open={open} />
            </Card>
          )}
        </>
      )}
      <Meanings report={data} />
    </div>
  )
}

/** Where the official wire is there, and one may see what it costs. */
function useHasCosts(): boolean {
  const may = useCan('dashboard:view')
  const { data } = useCostMonth(may)
  return data !== undefined && (data.freeTier.length > 0 || data.soFar.messages > 0)
}

/** What paper says, where no filter is seen. */
function Period({ report: { from, to, report } }: { report: Report }) {
  const words = useReportWords()
  const name = words.reports[report]
  return (
    <p className="hidden text-sm print:block">
      <Trans>
        {name}, de {from} a {to}
      </Trans>
    </p>
  )
}

/** The first report of a company counts its whole past. */
function Counting({ made }: { made: number }) {
  const { i18n } = useLingui()
  const share = i18n.number(made, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <p role="status" className="rounded-lg bg-muted px-3.5 py-2.5 text-sm text-muted-foreground">
      <Trans>O passado está sendo contado pela primeira vez: {share} pronto. Os números ainda vão crescer.</Trans>
    </p>
  )
}
