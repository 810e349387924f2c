import { Trans, useLingui } from '@lingui/react/macro'
import { Building2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { nearlyFull } from '../../schema/plans/plans.features.ts'
import { DataList } from '../kit/data-list.tsx'
import { dueDay } from '../base/due-date.ts'
import { errorText } from '../session/error-text.ts'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { dateText } from '../i18n/dates.ts'
import { fileSize } from '../kit/file-size.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/select.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { DaysTable } from './operator.days-table.tsx'
import { useCompanyDays, useCompanyUsage, usageOrders } from './operator.queries.ts'
import type { CompanyDay, CompanyUsage, UsageOrder } from './operator.queries.ts'

const Bars = onDemand(() => import('../dashboard/dashboard.charts.tsx'))

const days = 30

/** What each company has, and did in 30 days, the busiest first: how much, never what. */
export function UsageByCompany() {
  const { t, i18n } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const [order, setOrder] = useState<UsageOrder>('messagesIn')
  const [shown, setShown] = useState<CompanyUsage>()
  const source = useCompanyUsage(order, settled)
  const words: Record<UsageOrder, string> = {
    messagesIn: t`Mensagens recebidas`,
    messagesOut: t`Mensagens enviadas`,
    tickets: t`Atendimentos`,
    openTickets: t`Atendimentos abertos`,
    mediaBytes: t`Arquivos`,
    users: t`Usuários`,
    linked: t`Conexões ligadas`,
  }
  const countedAt = source.data?.[0]?.countedAt
  const name = (row: CompanyUsage) => (
    <Button variant="link" className="h-auto max-w-full justify-start p-0" onClick={() => setShown(row)}>
      <span className="truncate">{row.company.name}</span>
    </Button>
  )
  const of = (used: number, limit: number | undefined) =>
    limit !== undefined && used > 0 && used >= limit * nearlyFull ? (
      <Badge tone={used >= limit ? 'destructive' : 'warning'}>
        {used >= limit ? (
          <Trans>
            {used} de {limit}: no limite
          </Trans>
        ) : (
          <Trans>
            {used} de {limit}
          </Trans>
        )}
      </Badge>
    ) : limit === undefined ? (
      i18n.number(used)
    ) : (
      <Trans>
        {used} de {limit}
      </Trans>
    )
  const bytes = (row: CompanyUsage) => fileSize(row.mediaBytes, i18n.locale)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput value={search} onChange={setSearch} label={t`Pesquisar empresas`} />
        <Select
          aria-label={t`Ordem das empresas`}
          className="w-full sm:w-60"
          value={order}
          onChange={setOrder}
          options={usageOrders.map((value) => ({ value, label: t`Mais: ${words[value]}` }))}
        />
      </div>
      <p className="text-xs text-muted-foreground">
        <Trans>Dos últimos 30 dias.</Trans>{' '}
        {countedAt && (
          <Trans>
            O movimento é contado a cada meia hora; a última vez em{' '}
            {dateText(i18n.locale, new Date(countedAt), 'moment')}.
          </Trans>
        )}
      </p>
      <DataList
        label={t`Uso por empresa`}
        source={source}
        empty={
          <EmptyState
            icon={Building2}
            title={settled ? <Trans>Nenhuma empresa encontrada</Trans> : <Trans>Nada foi contado ainda</Trans>}
          />
        }
        columns={[
          { id: 'company', header: <Trans>Empresa</Trans>, cell: name },
          ...(['messagesIn', 'messagesOut', 'tickets', 'openTickets'] as const).map((figure) => ({
            id: figure,
            header: words[figure],
            cell: (row: CompanyUsage) => i18n.number(row[figure]),
            className: 'tabular-nums',
          })),
          { id: 'bytes', header: words.mediaBytes, cell: bytes, className: 'tabular-nums max-xl:hidden' },
          {
            id: 'users',
            header: words.users,
            cell: (row) => of(row.users, row.plan?.users),
            className: 'tabular-nums',
          },
          {
            id: 'connections',
            header: <Trans>Conexões</Trans>,
            cell: (row) => of(row.connections, row.plan?.connections),
            className: 'tabular-nums',
          },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-1.5">
            <div className="flex items-start justify-between gap-2">
              {name(row)}
              <span className="shrink-0 text-sm font-medium tabular-nums">
                {order === 'mediaBytes' ? bytes(row) : i18n.number(row[order])}
              </span>
            </div>
            <p className="text-xs text-muted-foreground tabular-nums">
              <Trans>
                Recebidas {i18n.number(row.messagesIn)} · enviadas {i18n.number(row.messagesOut)} · abertos{' '}
                {i18n.number(row.openTickets)}
              </Trans>
            </p>
            <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted-foreground tabular-nums">
              <span>
                {words.users}: {of(row.users, row.plan?.users)}
              </span>
              <span>
                <Trans>Conexões</Trans>: {of(row.connections, row.plan?.connections)}
              </span>
            </p>
          </div>
        )}
      />
      {shown && <Days of={shown} onClose={() => setShown(undefined)} />}
    </div>
  )
}

type Figure = Exclude<keyof CompanyDay, 'day'>

/** One company by day. */
function Days({ of, onClose }: { of: CompanyUsage; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { data, error, loading, reload } = useCompanyDays(of.id, days)
  const words: Record<Figure, string> = {
    messagesIn: t`Recebidas`,
    messagesOut: t`Enviadas`,
    tickets: t`Atendimentos`,
    mediaBytes: t`Arquivos`,
    activeUsers: t`Usuários ativos`,
    connections: t`Conexões ligadas`,
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={of.company.name} size="xl">
        <DialogBody className="flex flex-col gap-4">
          {!data ? (
            error && !loading ? (
              <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
            ) : (
              <LoadingBlock className="h-64 w-full" />
            )
          ) : (
            <>
              <h3 className="-mb-2 text-sm font-medium">{t`Mensagens recebidas`}</h3>
              <Suspense fallback={<LoadingBlock className="h-64 w-full" />}>
                <Bars
                  name={t`Mensagens recebidas`}
                  points={data.records.map((row) => ({
                    label: dateText(i18n.locale, dueDay(row.day), 'dayMonth'),
                    value: row.messagesIn,
                  }))}
                />
              </Suspense>
              <DaysTable
                rows={data.records}
                words={words}
                textOf={(figure, value) =>
                  figure === 'mediaBytes' ? fileSize(value, i18n.locale) : i18n.number(value)
                }
                className="max-h-72"
              />
            </>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
