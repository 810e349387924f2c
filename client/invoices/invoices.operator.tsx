import { Trans, useLingui } from '@lingui/react/macro'
import { Receipt } from 'lucide-react'
import { useState } from 'react'
import { useReadOnly } from '../kit/data-list.tsx'
import { followed } from '../kit/followed.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { succeeds } from '../kit/row-actions.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { InvoiceList } from './invoices.list.tsx'
import { useMoney } from './invoices.words.ts'
import { type Invoice, invoices, useInvoicesOf } from './invoices.queries.ts'

/** A company's invoices as the operator has them: what came by hand is noted here. */
export function CompanyInvoices({
  company,
  onClose,
  onChanged,
}: {
  company: { id: number; name: string; timeZone: string }
  onClose: () => void
  onChanged: () => void
}) {
  const { t } = useLingui()
  const money = useMoney()
  const source: ListSource<Invoice> = useInvoicesOf(company.id)
  const offline = useReadOnly(source)
  const [opened, setAsked] = useState<{ invoice: Invoice; to: 'paid' | 'cancelled' | 'refunded' } | null>(null)
  // What is asked about has the price that it has now.
  const asked = opened && { ...opened, invoice: followed(source.data, opened.invoice) }
  const changed = () => {
    source.reload()
    onChanged()
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`Faturas de ${company.name}`} size="xl">
        <DialogBody>
          <InvoiceList
            source={source}
            timeZone={company.timeZone}
            empty={
              <EmptyState icon={Receipt} title={<Trans>Nenhuma fatura ainda</Trans>}>
                <Trans>Uma fatura é feita menos de 20 dias antes do vencimento, se o plano tem preço.</Trans>
              </EmptyState>
            }
            actions={(invoice) =>
              invoice.status === 'open' ? (
                <>
                  <Button
                    size="sm"
                    disabled={offline}
                    aria-label={t`Marcar como paga a fatura ${invoice.id}`}
                    onClick={() => setAsked({ invoice, to: 'paid' })}
                  >
                    <Trans>Marcar como paga</Trans>
                  </Button>
                  <Button
                    size="sm"
                    variant="outline"
                    disabled={offline}
                    aria-label={t`Cancelar a fatura ${invoice.id}`}
                    onClick={() => setAsked({ invoice, to: 'cancelled' })}
                  >
                    <Trans>Cancelar</Trans>
                  </Button>
                </>
              ) : invoice.status === 'paid' ? (
                <Button
                  size="sm"
                  variant="outline"
                  disabled={offline}
                  aria-label={t`Marcar como devolvida a fatura ${invoice.id}`}
                  onClick={() => setAsked({ invoice, to: 'refunded' })}
                >
                  <Trans>Marcar como devolvida</Trans>
                </Button>
              ) : null
            }
          />
        </DialogBody>
      </DialogContent>
      {asked?.to === 'paid' && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          title={<Trans>Marcar como paga a fatura {asked.invoice.id}?</Trans>}
          confirmLabel={<Trans>Marcar como paga</Trans>}
          onConfirm={() => succeeds(() => invoices.markPaid(asked.invoice.id), t`Fatura paga`, changed)}
        >
          <p>
            <Trans>
              {company.name} pagou {money(asked.invoice.value)}, e a assinatura é renovada na hora. Isto não pode ser
              desfeito.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {asked?.to === 'refunded' && (
        <ConfirmDialog
          open
          destructive
          onOpenChange={() => setAsked(null)}
          title={<Trans>Marcar como devolvida a fatura {asked.invoice.id}?</Trans>}
          confirmLabel={<Trans>Marcar como devolvida</Trans>}
          cancelLabel={<Trans>Voltar</Trans>}
          onConfirm={() => succeeds(() => invoices.markRefunded(asked.invoice.id), t`Fatura devolvida`, changed)}
        >
          <p>
            <Trans>
              Você devolveu {money(asked.invoice.value)} a {company.name}. O vencimento volta ao de antes do pagamento,
              mas nunca a menos de três dias, e é cobrado de novo. Se ele mudou depois do pagamento, fica como está.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {asked?.to === 'cancelled' && (
        <ConfirmDialog
          open
          destructive
          onOpenChange={() => setAsked(null)}
          title={<Trans>Cancelar a fatura {asked.invoice.id}?</Trans>}
          confirmLabel={<Trans>Cancelar a fatura</Trans>}
          onConfirm={() => succeeds(() => invoices.cancel(asked.invoice.id), t`Fatura cancelada`, changed)}
        >
          <p>
            <Trans>Ela não pode mais ser paga, e este vencimento não é cobrado de novo.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
