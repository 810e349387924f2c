import { Trans, useLingui } from '@lingui/react/macro'
import { ChartColumn, Download } from 'lucide-react'
import { Suspense, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import { dueDay } from '../base/due-date.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { dateText } from '../i18n/dates.ts'
import { saveBlob } from '../kit/media.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/select.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { DaysTable } from './operator.days-table.tsx'
import { operator, useUsage } from './operator.queries.ts'
import type { UsageDay } from './operator.queries.ts'

const Bars = onDemand(() => import('../dashboard/dashboard.charts.tsx'))

type Figure = Exclude<keyof UsageDay, 'day'>
const periods = [7, 30, 90, 365]

/** What the installation did by day: a chart of one figure, and all of them as a table and as a file. */
export function Usage() {
  const { t, i18n } = useLingui()
  const [days, setDays] = useState(30)
  const [figure, setFigure] = useState<Figure>('messagesIn')
  const [saving, setSaving] = useState(false)
  const offline = useConnectionState() === 'offline'
  const { data, error, loading, reload } = useUsage(days)
  const words: Record<Figure, string> = {
    messagesIn: t`Mensagens recebidas`,
    messagesOut: t`Mensagens enviadas`,
    tickets: t`Atendimentos`,
    activeUsers: t`Usuários ativos`,
    connections: t`Conexões ligadas`,
    companies: t`Empresas ativas`,
  }
  const save = async () => {
    setSaving(true)
    try {
      saveBlob(await operator.usageFile(days, i18n.locale), `${t`uso`}.csv`)
    } catch (failure) {
      toastError(failure)
    }
    setSaving(false)
  }
  const countedAt = data?.countedAt && dateText(i18n.locale, new Date(data.countedAt), 'moment')
  const name = words[figure]
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={t`O que é contado`}
          className="w-full sm:w-52"
          value={figure}
          onChange={setFigure}
          options={(Object.keys(words) as Figure[]).map((value) => ({ value, label: words[value] }))}
        />
        <Select
          aria-label={t`Período`}
          className="flex-1 sm:w-40 sm:flex-none"
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          options={periods.map((days) => ({ value: String(days), label: t`Últimos ${days} dias` }))}
        />
        <Button variant="outline" disabled={offline || !data} busy={saving} onClick={() => void save()}>
          <Download />
          <Trans>Exportar</Trans>
        </Button>
      </div>
      <Card className="min-w-0">
        <CardHeader
          title={name}
          description={countedAt && <Trans>Contado a cada meia hora; a última vez em {countedAt}.</Trans>}
        />
        <CardBody>
          {!data ? (
            error && !loading ? (
              <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
            ) : (
              <LoadingBlock className="h-64 w-full" />
            )
          ) : data.records.length === 0 ? (
            <EmptyState icon={ChartColumn} title={<Trans>Nada foi contado ainda</Trans>} className="py-12">
              <Trans>O servidor conta o uso a cada meia hora.</Trans>
            </EmptyState>
          ) : (
            <Suspense fallback={<LoadingBlock className="h-64 w-full" />}>
              <Bars
                name={name}
                points={data.records.map((row) => ({
                  label: dateText(i18n.locale, dueDay(row.day), 'dayMonth'),
                  value: row[figure] ?? 0,
                }))}
              />
            </Suspense>
          )}
        </CardBody>
      </Card>
      {data && data.records.length > 0 && (
        <Card className="overflow-hidden">
          <DaysTable
            rows={data.records}
            words={words}
            textOf={(_, value) => i18n.number(value)}
            className="max-h-112"
          />
        </Card>
      )}
    </div>
  )
}
