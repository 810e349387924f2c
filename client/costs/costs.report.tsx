import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Coins } from 'lucide-react'
import { useState } from 'react'
import { type CostGroup, costGroups } from '../../schema/costs/costs.inputs.ts'
import type { Cost } from '../../schema/costs/costs.price.ts'
import { dueDay } from '../base/due-date.ts'
import { dateText } from '../i18n/dates.ts'
import { fetchAllAgain } from '../session/fetched-cache.ts'
import { errorText } from '../session/error-text.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/select.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import { PricesDialog } from './costs.prices.tsx'
import { type CostMonth, type CostRow, useCostMonth, useCostReport } from './costs.queries.ts'
import { useCostWords, useMicros } from './costs.words.ts'

/**
 * What messages cost: this month and at its end, and the chosen days broken up. Nothing where the company has no number
 * of the official API and nothing was charged.
 */
export function Costs({ from, to }: { from: string; to: string }) {
  const [pricing, setPricing] = useState(false)
  const { data } = useCostMonth()
  if (!data || (data.freeTier.length === 0 && data.soFar.messages === 0)) return null
  return (
    <Card className="min-w-0">
      <CardHeader
        title={<Trans>Custos de mensagens</Trans>}
        description={
          <Trans>
            O que a Meta cobra pelas mensagens entregues pela API oficial, cada uma uma vez, pela classe que ela
            informa. O total da fatura pode mudar com descontos por volume, que não são contados aqui.
          </Trans>
        }
        actions={
          <Button variant="outline" onClick={() => setPricing(true)}>
            <Coins />
            <Trans>Preços</Trans>
          </Button>
        }
      />
      <CardBody className="flex flex-col gap-5">
        <MonthFigures month={data} />
        <Breakdown from={from} to={to} />
      </CardBody>
      {pricing && <PricesDialog currency={data.currency} onClose={() => setPricing(false)} onChanged={fetchAllAgain} />}
    </Card>
  )
}

function MonthFigures({ month: { currency, soFar, forecast, freeTier } }: { month: CostMonth }) {
  const { t, i18n } = useLingui()
  const { sum } = useMicros()
  const figures: { label: string; value: string; note: string; bad?: boolean }[] = [
    {
      label: t`Neste mês até agora`,
      value: sum(soFar.micros, currency),
      note: t`Mensagens cobradas e entregues desde o dia 1, vezes o preço do seu dia`,
    },
    {
      label: t`Previsão do mês`,
      value: forecast.days === 0 ? '—' : sum(forecast.micros, currency),
      note:
        forecast.days === 0
          ? t`Aparece no segundo dia do mês`
          : t`Se os dias que faltam forem como os anteriores; respostas só custam depois das grátis`,
    },
    ...freeTier.map(({ name, used, of, level }) => {
      const most = i18n.number(of)
      return {
        label: t`Respostas grátis: ${name}`,
        value: `${i18n.number(Math.min(used, of))} / ${most}`,
        note: t`Respostas entregues neste mês, sem as de anúncios; depois de ${most} cada uma é cobrada`,
        bad: level !== null,
      }
    }),
  ]
  return (
    <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {figures.map(({ label, value, note, bad }) => (
        <div key={label} className="flex flex-col gap-1 rounded-xl border px-4 py-3.5">
          <dt className="text-xs font-medium wrap-anywhere text-muted-foreground">{label}</dt>
          <dd
            className={cn('text-2xl font-semibold tracking-tight tabular-nums', bad && 'text-warning-soft-foreground')}
          >
            {value}
          </dd>
          <dd className="text-xs text-muted-foreground">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

function Breakdown({ from, to }: { from: string; to: string }) {
  const { t } = useLingui()
  const words = useCostWords()
  const [by, setBy] = useState<CostGroup>('month')
  const { data, error, loading, reload } = useCostReport(by, { from, to })
  return (
    <div className="flex flex-col gap-3">
      <Select
        aria-label={t`Dividir os custos por`}
        className="w-full sm:w-56"
        value={by}
        onChange={setBy}
        options={costGroups.map((value) => ({ value, label: words.groups[value] }))}
      />
      {!data && error && !loading ? (
        <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
      ) : !data ? (
        <LoadingBlock />
      ) : data.rows.length === 0 ? (
        <EmptyState icon={Coins} title={<Trans>Nenhuma mensagem entregue nestes dias</Trans>} className="py-8" />
      ) : (
        <>
          <CostTable by={by} report={data} />
          <Hints total={data.total} hasMore={data.hasMore} />
        </>
      )}
    </div>
  )
}

function CostTable({ by, report: { rows, total, currency } }: { by: CostGroup; report: ReportOf }) {
  const { t, i18n } = useLingui()
  const words = useCostWords()
  const { sum } = useMicros()
  const nameOf = ({ key, name }: CostRow): string => {
    if (key === null) return words.none[by] ?? '—'
    if (by === 'category') return words.categoryOf(key)
    if (by === 'template') return key
    if (by === 'day') return dateText(i18n.locale, dueDay(key), 'fullDate')
    if (by === 'month') return key
    return by === 'ticket' ? `${name ?? '—'} · ${key}` : (name ?? t`Excluído (${key})`)
  }
  const cells = (cost: Cost) =>
    [cost.messages, cost.charged, cost.free, cost.unknown + cost.unpriced].map((n, at) => (
      <TableCell key={at} className="text-right tabular-nums">
        {i18n.number(n)}
      </TableCell>
    ))
  return (
    // On a phone it is wider than the screen, and is moved by keys, too.
    <div
      className="overflow-auto [&>div]:overflow-visible"
      tabIndex={0}
      role="group"
      aria-label={t`Custos de mensagens`}
    >
      <Table aria-label={t`Custos de mensagens`} className="max-sm:[&_td]:px-1.5 max-sm:[&_th]:px-1.5">
        <TableHead>
          <TableRow>
            <TableHeader>{words.groups[by]}</TableHeader>
            <TableHeader className="text-right">
              <Trans>Custo</Trans>
            </TableHeader>
            <TableHeader className="text-right">
              <Trans>Entregues</Trans>
            </TableHeader>
            <TableHeader className="text-right">
              <Trans>Cobradas</Trans>
            </TableHeader>
            <TableHeader className="text-right">
              <Trans>Grátis</Trans>
            </TableHeader>
            <TableHeader className="text-right">
              <Trans>Sem preço</Trans>
            </TableHeader>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.key ?? ''}>
              <TableCell className="wrap-anywhere">{nameOf(row)}</TableCell>
              <TableCell className="text-right font-medium tabular-nums">{sum(row.micros, currency)}</TableCell>
              {cells(row)}
            </TableRow>
          ))}
          <TableRow>
            <TableCell className="font-semibold">
              <Trans>Total</Trans>
            </TableCell>
            <TableCell className="text-right font-semibold tabular-nums">{sum(total.micros, currency)}</TableCell>
            {cells(total)}
          </TableRow>
        </TableBody>
      </Table>
    </div>
  )
}

type ReportOf = NonNullable<ReturnType<typeof useCostReport>['data']>

function Hints({ total: { unknown, unpriced }, hasMore }: { total: Cost; hasMore: boolean }) {
  return (
    <ul className="flex flex-col gap-1 text-xs text-muted-foreground">
      {unknown > 0 && (
        <li>
          <Plural
            value={unknown}
            one="De # mensagem a Meta não informou a classe: não está no custo, e não é contada como grátis."
            other="De # mensagens a Meta não informou a classe: não estão no custo, e não são contadas como grátis."
          />
        </li>
      )}
      {unpriced > 0 && (
        <li>
          <Plural
            value={unpriced}
            one="# mensagem é cobrada, mas o seu país ou categoria não tem preço: não está no custo."
            other="# mensagens são cobradas, mas o seu país ou categoria não tem preço: não estão no custo."
          />
        </li>
      )}
      {hasMore && (
        <li>
          <Trans>Só as linhas mais caras são mostradas; o total é de todas.</Trans>
        </li>
      )}
    </ul>
  )
}
