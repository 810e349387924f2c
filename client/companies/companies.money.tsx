import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { dueDay } from '../base/due-date.ts'
import { dateText } from '../i18n/dates.ts'
import { useMoney } from '../invoices/invoices.words.ts'
import { cn } from '../ui/cn.ts'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Company, type MoneyTotals, useMoneyTotals } from './companies.queries.ts'

/** What is open, late and paid, of all companies; and the word that none of them can pay. */
export function MoneyOverview() {
  const { data } = useMoneyTotals()
  return (
    <div className="flex flex-col gap-3">
      {data && !data.canBePaid && <NoWayToPay companies={data.open.companies} />}
      <MoneyFigures totals={data} />
    </div>
  )
}

function MoneyFigures({ totals }: { totals: MoneyTotals | undefined }) {
  const { t } = useLingui()
  const money = useMoney()
  const invoices = (count: number) => <Plural value={count} one="# fatura" other="# faturas" />
  const figures: { label: string; value?: string | undefined; note: ReactNode; bad?: boolean }[] = [
    {
      label: t`Em atraso`,
      value: totals?.late.value,
      note: totals && <Plural value={totals.late.companies} one="de # empresa" other="de # empresas" />,
      bad: (totals?.late.invoices ?? 0) > 0,
    },
    { label: t`Em aberto`, value: totals?.open.value, note: totals && invoices(totals.open.invoices) },
    { label: t`Pago neste mês`, value: totals?.paid.value, note: totals && invoices(totals.paid.invoices) },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {figures.map(({ label, value, note, bad }) => (
        <div
          key={label}
          className="flex flex-col gap-1 max-sm:last:col-span-2 rounded-xl border bg-card px-4 py-3 shadow-xs"
        >
          <dt className="text-xs font-medium text-muted-foreground">{label}</dt>
          <dd
            className={cn(
              'text-xl font-semibold tracking-tight tabular-nums',
              bad && 'text-destructive-soft-foreground',
            )}
          >
            {value === undefined ? <Skeleton className="h-7 w-24" /> : money(value)}
          </dd>
          <dd className="min-h-4 text-xs text-muted-foreground">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

function NoWayToPay({ companies }: { companies: number }) {
  return (
    <Notice>
      {companies > 0 ? (
        <Plural
          value={companies}
          one="# empresa tem fatura aberta e não consegue pagar: falta a chave Pix ou o serviço de pagamento."
          other="# empresas têm fatura aberta e não conseguem pagar: falta a chave Pix ou o serviço de pagamento."
        />
      ) : (
        <Trans>Falta a chave Pix ou o serviço de pagamento: sem ele, nenhuma empresa consegue pagar.</Trans>
      )}{' '}
      <Link
        to="/settings"
        search={{ tab: 'payments' }}
        className="focus-ring rounded-sm font-medium underline underline-offset-2"
      >
        <Trans>Configurar pagamentos</Trans>
      </Link>
    </Notice>
  )
}

/** What a company has still to pay, and since when it should have. */
export function Owed({ of, now }: { of: Pick<Company, 'owed' | 'owedSince' | 'timeZone'>; now: Date }) {
  const { i18n } = useLingui()
  const money = useMoney()
  if (of.owedSince === null) return null
  const since = dateText(i18n.locale, dueDay(of.owedSince), 'fullDate')
  return of.owedSince < dayIn(of.timeZone, now) ? (
    <span className="text-xs font-medium whitespace-nowrap text-destructive-soft-foreground tabular-nums">
      <Trans>
        deve {money(of.owed)} desde {since}
      </Trans>
    </span>
  ) : (
    <span className="text-xs whitespace-nowrap text-muted-foreground tabular-nums">
      <Trans>a pagar: {money(of.owed)}</Trans>
    </span>
  )
}
