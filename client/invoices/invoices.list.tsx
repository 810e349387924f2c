import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { invoiceState } from '../../schema/invoices/invoices.due.ts'
import { DataList } from '../kit/data-list.tsx'
import type { ListSource } from '../kit/data-list.tsx'
import { dueDay } from '../base/due-date.ts'
import { useNow } from '../base/now.ts'
import { dateText } from '../i18n/dates.ts'
import { Badge } from '../ui/badge.tsx'
import type { Invoice, OddMoneyWhy } from './invoices.queries.ts'
import { type InvoiceState, useInvoiceStateNames, useMoney } from './invoices.words.ts'

const tones = {
  open: 'info',
  overdue: 'destructive',
  paid: 'success',
  cancelled: 'neutral',
  refunded: 'neutral',
} as const satisfies Record<InvoiceState, string>

/** Why money that came for an invoice has not settled it, or does no more. */
export function oddMoneyWords(why: OddMoneyWhy, status: Invoice['status']): MessageDescriptor {
  if (why === 'returned') return status === 'refunded' ? msg`Dinheiro devolvido` : msg`Devolvido em parte`
  if (why === 'short') return msg`Valor pago a menos`
  return status === 'cancelled' ? msg`Paga depois de cancelada` : msg`Paga em duplicidade`
}

/** Invoices of one company, and what can be done with each. */
export function InvoiceList({
  source,
  timeZone,
  empty,
  actions,
}: {
  source: ListSource<Invoice>
  /** The company's: there a day ends. */
  timeZone: string
  empty: ReactNode
  actions: (invoice: Invoice, state: InvoiceState) => ReactNode
}) {
  const { t, i18n } = useLingui()
  const money = useMoney()
  const today = dayIn(timeZone, new Date(useNow()))
  const names = useInvoiceStateNames()
  const stateOf = (invoice: Invoice) => invoiceState(invoice, today)
  const due = ({ dueDate }: Invoice) => dateText(i18n.locale, dueDay(dueDate), 'fullDate')
  const status = (invoice: Invoice) => {
    const state = stateOf(invoice)
    return (
      <span className="flex flex-wrap gap-1">
        <Badge tone={tones[state]}>{names[state]}</Badge>
        {invoice.oddMoney && <Badge tone="warning">{i18n._(oddMoneyWords(invoice.oddMoney, invoice.status))}</Badge>}
      </span>
    )
  }
  return (
    <DataList
      label={t`Faturas`}
      source={source}
      rowClassName={(invoice) => (stateOf(invoice) === 'overdue' ? 'bg-destructive-soft/60' : undefined)}
      empty={empty}
      columns={[
        {
          id: 'id',
          header: <Trans>Id</Trans>,
          cell: ({ id }) => id,
          className: 'w-16 text-muted-foreground tabular-nums',
        },
        { id: 'detail', header: <Trans>Detalhes</Trans>, cell: ({ detail }) => detail, className: 'wrap-anywhere' },
        { id: 'value', header: <Trans>Valor</Trans>, cell: ({ value }) => money(value), className: 'tabular-nums' },
        { id: 'due', header: <Trans>Data Venc.</Trans>, cell: due, className: 'tabular-nums' },
        { id: 'status', header: <Trans>Status</Trans>, cell: status },
        {
          id: 'actions',
          header: <Trans>Ação</Trans>,
          cell: (invoice) => <div className="flex gap-1.5">{actions(invoice, stateOf(invoice))}</div>,
          className: 'w-1',
        },
      ]}
      card={(invoice) => (
        <div className="flex flex-col gap-2.5">
          <div className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{invoice.detail}</p>
              <p className="text-sm text-muted-foreground tabular-nums">
                #{invoice.id} · {due(invoice)}
              </p>
            </div>
            {status(invoice)}
          </div>
          <div className="flex items-center justify-between gap-2">
            <p className="font-medium tabular-nums">{money(invoice.value)}</p>
            <div className="flex gap-1.5">{actions(invoice, stateOf(invoice))}</div>
          </div>
        </div>
      )}
    />
  )
}
