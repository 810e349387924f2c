import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChartColumn, Star, Tv, WifiOff } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { onDemand } from '../base/late.tsx'
import { Costs } from '../costs/costs.report.tsx'
import { SlaReport } from '../sla-policies/sla-policies.report.tsx'
import { useToday } from '../session/company-day.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import type { Fetched } from '../session/fetched.ts'
import { useCan, useUser } from '../session/session.tsx'
import { dateText, hourText } from '../i18n/dates.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'
import { DateInput } from '../ui/date-input.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { toast } from '../ui/toaster.tsx'
import type { Point } from './dashboard.charts.tsx'
import { costDays, everyMoment, hoursAndMinutes, periods, problemOf, thisMonth } from './dashboard.filter.queries.ts'
import type { Filter } from './dashboard.filter.queries.ts'
import { useDashboard } from './dashboard.queries.ts'
import type { Attendant, Counters } from './dashboard.queries.ts'
import { FirstSteps } from './dashboard.first-steps.tsx'

/** What is asked of any of the answers here, whatever it holds. */
type Figures = Pick<Fetched<unknown>, 'error' | 'loading' | 'reload'> & { data: unknown }

const Bars = onDemand(() => import('./dashboard.charts.tsx'))

/** To what hangs on the wall. */
function WallLink() {
  return (
    <Button asChild variant="outline">
      <Link to="/wall">
        <Tv />
        <Trans>Painel de parede</Trans>
      </Link>
    </Button>
  )
}

/** How the company's service goes: what happens now, what was done in the chosen days, by whom. */
export default function DashboardScreen() {
  const { t, i18n } = useLingui()
  const today = useToday()
  const [filter, setFilter] = useState<Filter>(() => thisMonth(today))
  const problem = problemOf(filter)
  const mayWall = useCan('wall:read')
  const { dashboard, perUser, perDay } = useDashboard(filter)
  useFailureToast(perUser, t`Erro ao obter informações da conversa`)
  useFailureToast(perDay, t`Erro ao buscar informações dos tickets`)

  const users = perUser.data?.data.map(({ nome, quantidade }): Point => ({ label: nome, value: quantidade }))
  const total = i18n.number(perDay.data?.count ?? 0)
  const moments = perDay.data && everyMoment(perDay.data.data)
  const byHour = moments?.some((moment) => 'horario' in moment) ?? false
  const days = moments?.map(
    (moment): Point => ({
      label: 'horario' in moment ? hourText(i18n.locale, moment.horario) : dayLabel(moment.data, i18n.locale),
      value: moment.total,
    }),
  )
  return (
    <Page
      title={t`Painel`}
      actions={mayWall && <WallLink />}
      toolbar={<FilterBar filter={filter} onChange={setFilter} />}
    >
      <FirstSteps />
      {problem ? (
        <EmptyState
          icon={ChartColumn}
          title={problem === 'nothing' ? t`Parametrize o filtro` : t`O período termina antes de começar`}
        >
          {problem === 'nothing' ? (
            <Trans>Escolha um período, ou ao menos uma das datas.</Trans>
          ) : (
            <Trans>A data final precisa ser igual ou posterior à inicial.</Trans>
          )}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4">
          <Stale resource={dashboard} />
          {!dashboard.data && dashboard.error && !dashboard.loading ? (
            <Card>
              <ErrorState onRetry={dashboard.reload}>{errorText(dashboard.error)}</ErrorState>
            </Card>
          ) : (
            <>
              <CounterCards counters={dashboard.data?.counters} />
              <Attendants rows={dashboard.data?.attendants} />
            </>
          )}
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <Chart
              title={t`Atendimentos por usuário`}
              head={t`Usuário`}
              points={users}
              source={perUser}
              empty={users?.every(({ value }) => value === 0) ?? false}
              lying
            />
            <Chart
              title={byHour ? t`Atendimentos por hora` : t`Atendimentos por dia`}
              head={byHour ? t`Hora` : t`Dia`}
              note={perDay.data && <Trans>Total: {total}</Trans>}
              points={days}
              source={perDay}
              empty={perDay.data?.count === 0}
            />
          </div>
          <SlaReport {...costDays(filter, today)} />
          <Costs {...costDays(filter, today)} />
        </div>
      )}
    </Page>
  )
}

/** Tells of a chart that could not be had, once for each failure. */
function useFailureToast({ error, loading }: Figures, text: string): void {
  const failed = error !== null && !loading
  useEffect(() => {
    if (failed) toast.error(text)
    // Another language is no other failure.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [failed])
}

function FilterBar({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const { t } = useLingui()
  // What one of the two was set to stays for when it is chosen again.
  const [period, setPeriod] = useState<Extract<Filter, { kind: 'period' }>>({ kind: 'period', days: null })
  const [dates, setDates] = useState(() =>
    filter.kind === 'dates' ? filter : { kind: 'dates' as const, from: '', to: '' },
  )
  const choose = (next: Filter) => {
    if (next.kind === 'period') setPeriod(next)
    else setDates(next)
    onChange(next)
  }
  return (
    <>
      <Tabs value={filter.kind} onValueChange={(kind) => onChange(kind === 'period' ? period : dates)}>
        <TabsList look="pill" aria-label={t`Tipo de filtro`}>
          <TabsTrigger value="dates" aria-controls={undefined}>
            <Trans>Por data</Trans>
          </TabsTrigger>
          <TabsTrigger value="period" aria-controls={undefined}>
            <Trans>Por período</Trans>
          </TabsTrigger>
        </TabsList>
      </Tabs>
      {filter.kind === 'period' ? (
        <Select
          aria-label={t`Período`}
          className="w-48"
          placeholder={t`Escolha o período`}
          value={filter.days === null ? undefined : String(filter.days)}
          onChange={(days) => choose({ kind: 'period', days: Number(days) })}
          options={periods.map((days) => ({ value: String(days), label: t`Últimos ${days} dias` }))}
        />
      ) : (
        <div className="flex items-center gap-2 text-sm text-muted-foreground">
          <DateInput
            aria-label={t`Data inicial`}
            className="w-38"
            value={filter.from}
            max={filter.to || undefined}
            onChange={(from) => choose({ ...filter, from })}
          />
          <Trans context="intervalo de datas">a</Trans>
          <DateInput
            aria-label={t`Data final`}
            className="w-38"
            value={filter.to}
            min={filter.from || undefined}
            onChange={(to) => choose({ ...filter, to })}
          />
        </div>
      )}
    </>
  )
}

/** What is on the screen while the server cannot be reached is what it last said. */
function Stale({ resource }: { resource: Figures }) {
  const offline = useConnectionState() === 'offline'
  if (!resource.data || (!offline && (!resource.error || resource.loading))) return null
  return (
    <p
      role="status"
      className="flex items-center gap-2 rounded-lg bg-warning-soft px-3.5 py-2.5 text-sm text-warning-soft-foreground"
    >
      <WifiOff aria-hidden="true" className="size-4 shrink-0" />
      <Trans>Estes números são os últimos recebidos; eles se atualizam quando a conexão voltar.</Trans>
    </p>
  )
}

function CounterCards({ counters }: { counters: Counters | undefined }) {
  const { t, i18n } = useLingui()
  const user = useUser()
  const number = (value: number | undefined) => i18n.number(value ?? 0)
  const cards: { label: string; value: string }[] = [
    { label: t`Em atendimento`, value: number(counters?.supportHappening) },
    { label: t`Aguardando`, value: number(counters?.supportPending) },
    { label: t`Finalizados`, value: number(counters?.supportFinished) },
    { label: t`Tempo médio de atendimento`, value: hoursAndMinutes(counters?.avgSupportTime) },
    { label: t`Tempo médio de espera`, value: hoursAndMinutes(counters?.avgWaitTime) },
    ...(user.super
      ? [
          { label: t`Conexões ativas`, value: number(counters?.totalWhatsappSessions) },
          { label: t`Empresas`, value: number(counters?.totalCompanies) },
        ]
      : []),
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 max-sm:[&>:last-child:nth-child(odd)]:col-span-2 sm:grid-cols-3 xl:grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))]">
      {cards.map(({ label, value }) => (
        <div
          key={label}
          className="flex flex-col justify-between gap-1.5 rounded-xl border bg-card px-4 py-3.5 shadow-xs"
        >
          <dt className="text-xs font-medium text-muted-foreground">{label}</dt>
          <dd className="text-2xl font-semibold tracking-tight tabular-nums">
            {counters ? value : <Skeleton className="h-8 w-16" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Attendants({ rows }: { rows: readonly Attendant[] | undefined }) {
  const { t } = useLingui()
  return (
    <Card className="overflow-hidden">
      <CardHeader title={<Trans>Atendentes</Trans>} />
      <Table
        aria-label={t`Atendentes`}
        // On a phone all four columns have room, in Spanish, too.
        className="max-sm:[&_td]:px-1.5 max-sm:[&_th]:px-1.5 max-sm:[&_th]:whitespace-normal"
      >
        <TableHead>
          <TableRow>
            <TableHeader>
              <Trans>Nome</Trans>
            </TableHeader>
            <TableHeader>
              <Trans>Avaliação</Trans>
            </TableHeader>
            <TableHeader>
              <Trans>Tempo médio</Trans>
            </TableHeader>
            <TableHeader>
              <Trans>Situação</Trans>
            </TableHeader>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows?.map((row) => (
            <TableRow key={row.id}>
              <TableCell>
                <span className="flex min-w-0 items-center gap-2.5">
                  <Avatar name={row.name} size="sm" className="max-sm:hidden" />
                  <span className="font-medium">{row.name}</span>
                </span>
              </TableCell>
              <TableCell>
                <Rating value={row.rating} />
              </TableCell>
              <TableCell className="tabular-nums">{hoursAndMinutes(row.avgSupportTime)}</TableCell>
              <TableCell>
                <Badge tone={row.online ? 'success' : 'neutral'}>{row.online ? t`Online` : t`Offline`}</Badge>
              </TableCell>
            </TableRow>
          ))}
          {!rows && (
            <TableRow>
              <TableCell colSpan={4}>
                <Skeleton className="h-5 w-full" />
              </TableCell>
            </TableRow>
          )}
          {rows?.length === 0 && (
            <TableRow>
              <TableCell colSpan={4} className="py-6 text-center text-muted-foreground">
                <Trans>Ninguém atende ainda.</Trans>
              </TableCell>
            </TableRow>
          )}
        </TableBody>
      </Table>
    </Card>
  )
}

/** The scale has three steps: unsatisfied, satisfied, very satisfied. */
const mostStars = 3

function Rating({ value }: { value: number | null }) {
  const { t, i18n } = useLingui()
  if (value === null || value === 0)
    return (
      <span className="text-muted-foreground">
        <span aria-hidden="true">—</span>
        <span className="sr-only">{t`Sem avaliações`}</span>
      </span>
    )
  const figure = i18n.number(value, { maximumFractionDigits: 1 })
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className="relative inline-flex">
        <Stars className="text-border" />
        <span
          className="absolute inset-0 overflow-hidden"
          style={{ width: `${Math.min(1, value / mostStars) * 100}%` }}
        >
          <Stars className="text-warning" />
        </span>
      </span>
      <span aria-hidden="true" className="text-xs text-muted-foreground tabular-nums">
        {figure}
      </span>
      <span className="sr-only">{t`${figure} de ${mostStars}`}</span>
    </span>
  )
}

const Stars = ({ className }: { className: string }) => (
  <span className={cn('inline-flex w-max gap-0.5', className)}>
    {Array.from({ length: mostStars }, (_, index) => (
      <Star key={index} className="size-4 fill-current" />
    ))}
  </span>
)

function Chart({
  title,
  head,
  note,
  points,
  source,
  empty,
  lying = false,
}: {
  title: string
  /** What the points are, at the head of the table. */
  head: string
  note?: ReactNode
  points: readonly Point[] | undefined
  source: Figures
  empty: boolean
  lying?: boolean
}) {
  const { i18n } = useLingui()
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        actions={note && <span className="text-xs text-muted-foreground tabular-nums">{note}</span>}
      />
      <CardBody>
        {!points && source.error && !source.loading ? (
          <ErrorState onRetry={source.reload}>{errorText(source.error)}</ErrorState>
        ) : !points ? (
          <Skeleton className="h-64 w-full" />
        ) : empty ? (
          <EmptyState icon={ChartColumn} title={<Trans>Nenhum atendimento nestes dias</Trans>} className="py-12" />
        ) : (
          <>
            <Suspense fallback={<Skeleton className="h-64 w-full" />}>
              <Bars points={points} lying={lying} />
            </Suspense>
            <details className="mt-3 text-sm">
              <summary className="focus-ring w-fit cursor-pointer rounded-sm text-xs font-medium text-muted-foreground hover:text-foreground">
                <Trans>Ver como tabela</Trans>
              </summary>
              <div className="mt-2 max-h-72 overflow-y-auto" tabIndex={0} role="group" aria-label={title}>
                <Table aria-label={title}>
                  <TableHead>
                    <TableRow>
                      <TableHeader>{head}</TableHeader>
                      <TableHeader className="text-right">
                        <Trans>Atendimentos</Trans>
                      </TableHeader>
                    </TableRow>
                  </TableHead>
                  <TableBody>
                    {points.map(({ label, value }, index) => (
                      <TableRow key={index}>
                        <TableCell className="h-8">{label}</TableCell>
                        <TableCell className="h-8 text-right tabular-nums">{i18n.number(value)}</TableCell>
                      </TableRow>
                    ))}
                  </TableBody>
                </Table>
              </div>
            </details>
          </>
        )}
      </CardBody>
    </Card>
  )
}

/** A day, `YYYY-MM-DD`, as people of the language write it. */
function dayLabel(day: string, locale: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return dateText(locale, new Date(year, month - 1, date), 'dayMonth')
}
