import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, HandCoins } from 'lucide-react'
import { useState } from 'react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { succeeds } from '../kit/row-actions.tsx'
import { useCompanyEvent } from '../session/use-event.ts'
import { dateText } from '../i18n/dates.ts'
import { CompanyInvoices } from '../invoices/invoices.operator.tsx'
import { oddMoneyWords } from '../invoices/invoices.list.tsx'
import { paymentServices, useMoney } from '../invoices/invoices.words.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { type OddMoney, operator, useOddMoney } from './operator.queries.ts'

/** Money that came and settled no invoice, or went back, of all companies, until the operator has dealt with it. */
export function OddPayments({ onChanged }: { onChanged: () => void }) {
  const { t, i18n } = useLingui()
  const money = useMoney()
  const source = useOddMoney()
  useCompanyEvent('company', source.reload)
  const offline = useReadOnly({})
  const [resolved, setResolved] = useState<OddMoney | null>(null)
  const [billed, setBilled] = useState<OddMoney | null>(null)
  const changed = () => {
    source.reload()
    onChanged()
  }
  const who = ({ company, invoice }: OddMoney) => (
    <span className="flex min-w-0 flex-col">
      <span className="truncate font-medium">{company.name}</span>
      <span className="text-xs text-muted-foreground tabular-nums">
        <Trans>Fatura {invoice.id}</Trans>
      </span>
    </span>
  )
  const why = ({ status, invoice }: OddMoney) => (
    <Badge tone="warning">{i18n._(oddMoneyWords(status, invoice.status))}</Badge>
  )
  const sum = ({ paidValue, value, provider }: OddMoney) => (
    <span className="flex flex-col tabular-nums">
      <span>
        <Trans>
          {money(paidValue ?? '0')} de {money(value)}
        </Trans>
      </span>
      <span className="text-xs text-muted-foreground">{paymentServices[provider]}</span>
    </span>
  )
  const actions = (row: OddMoney) => (
    <div className="flex flex-wrap justify-end gap-1.5">
      <Button size="sm" variant="outline" aria-label={t`Faturas de ${row.company.name}`} onClick={() => setBilled(row)}>
        <Trans>Faturas</Trans>
      </Button>
      <Button
        size="sm"
        disabled={offline}
        aria-label={t`Resolver o pagamento da fatura ${row.invoice.id}`}
        onClick={() => setResolved(row)}
      >
        <HandCoins />
        <Trans>Resolvido</Trans>
      </Button>
    </div>
  )
  return (
    <>
      <DataList
        label={t`Pagamentos a resolver`}
        source={source}
        empty={
          <EmptyState icon={CircleCheck} title={<Trans>Todo o dinheiro quitou a sua fatura</Trans>}>
            <Trans>
              Aqui aparece o que foi pago a menos, em duplicidade, ou por uma fatura cancelada, e o que foi devolvido.
            </Trans>
          </EmptyState>
        }
        columns={[
          { id: 'company', header: <Trans>Empresa</Trans>, cell: who },
          { id: 'why', header: <Trans>Motivo</Trans>, cell: why },
          { id: 'sum', header: <Trans>Pago</Trans>, cell: sum },
          {
            id: 'at',
            header: <Trans>Visto em</Trans>,
            cell: ({ at }) => dateText(i18n.locale, new Date(at), 'moment'),
            className: 'tabular-nums',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-2">
            <div className="flex items-start justify-between gap-2">
              {who(row)}
              {why(row)}
            </div>
            <div className="text-sm">{sum(row)}</div>
            {actions(row)}
          </div>
        )}
      />
      {billed && <CompanyInvoices company={billed.company} onClose={() => setBilled(null)} onChanged={changed} />}
      {resolved && (
        <ConfirmDialog
          open
          onOpenChange={() => setResolved(null)}
          title={<Trans>O dinheiro da fatura {resolved.invoice.id} está resolvido?</Trans>}
          confirmLabel={<Trans>Está resolvido</Trans>}
          cancelLabel={<Trans>Voltar</Trans>}
          onConfirm={() => succeeds(() => operator.resolveMoney(resolved.id), t`Pagamento resolvido`, changed)}
        >
          <p>
            {resolved.status === 'returned' ? (
              resolved.invoice.status === 'refunded' ? (
                <Trans>
                  O dinheiro voltou a {resolved.company.name}, e a fatura já não vale como paga. Confira até quando a
                  assinatura vale.
                </Trans>
              ) : (
                <Trans>
                  Uma parte do dinheiro voltou a {resolved.company.name}. A fatura continua paga, e a assinatura não
                  muda por isso.
                </Trans>
              )
            ) : (
              <Trans>
                Você o devolveu a {resolved.company.name}, ou já contou de outro modo. A assinatura não muda por isso.
              </Trans>
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
