import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { Receipt, SearchX } from 'lucide-react'
import { useRef, useState } from 'react'
import { runsPlatform } from '../../schema/companies/companies.subscription.ts'
import { useReadOnly } from '../kit/data-list.tsx'
import { followed } from '../kit/followed.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { announceRenewal } from '../session/renewed.ts'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { refreshUser, useUser } from '../session/session.tsx'
import { PlatformFinance } from '../operator/operator.finance.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { CheckoutDialog } from './invoices.checkout.tsx'
import { InvoiceList } from './invoices.list.tsx'
import { type Invoice, useInvoices } from './invoices.queries.ts'

/** How long the good news stays before the person is taken to their work. */
const redirectMs = 4_000

/** Of the operator's company the money of the platform: it pays nothing to itself. */
export default function InvoicesScreen() {
  return runsPlatform(useUser()) ? <PlatformFinance /> : <OwnInvoices />
}

/** The company's invoices, and the way to pay them. */
function OwnInvoices() {
  const { t } = useLingui()
  const user = useUser()
  const navigate = useNavigate()
  const router = useRouter()
  const { search, setSearch, settled } = useSearchText()
  const source: ListSource<Invoice> = useInvoices(settled)
  const offline = useReadOnly(source)
  const [paying, setPaying] = useState<Invoice | null>(null)
  // Not stopped when the screen goes: the shell looks by itself whether somebody has paid, and then draws it anew.
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)

  const paid = (dueDate: string) => {
    setPaying(null)
    source.reload()
    // The shell of a company whose time is over hears of it by itself, says so, and goes.
    if (user.company.isOver) return
    announceRenewal(dueDate)
    clearTimeout(leaving.current)
    // The shell changes with the user, so it changes when it is time to go.
    leaving.current = setTimeout(() => {
      void refreshUser()
        .catch(() => undefined)
        .finally(() => {
          // Who went elsewhere meanwhile stays there.
          if (router.state.location.pathname === '/financeiro') void navigate({ to: '/' })
        })
    }, redirectMs)
  }

  return (
    <Page title={t`Faturas`}>
      <div className="flex flex-col gap-3">
        <SearchInput value={search} onChange={setSearch} label={t`Buscar fatura por id ou detalhe`} />
        <InvoiceList
          source={source}
          timeZone={user.company.timeZone ?? 'America/Sao_Paulo'}
          empty={
            search ? (
              <EmptyState icon={SearchX} title={<Trans>Nenhuma fatura encontrada</Trans>}>
                <Trans>Nenhuma fatura tem “{search}” no id ou no detalhe.</Trans>
              </EmptyState>
            ) : (
              <EmptyState icon={Receipt} title={<Trans>Nenhuma fatura ainda</Trans>}>
                <Trans>As faturas aparecem aqui quando o vencimento se aproxima.</Trans>
              </EmptyState>
            )
          }
          actions={(invoice, state) =>
            state === 'paid' ? (
              <Button variant="outline" size="sm" disabled>
                <Trans>PAGO</Trans>
              </Button>
            ) : state === 'cancelled' || state === 'refunded' ? null : (
              <Button
                size="sm"
                disabled={offline}
                aria-label={t`PAGAR a fatura ${invoice.id}`}
                onClick={() => setPaying(invoice)}
              >
                <Trans>PAGAR</Trans>
              </Button>
            )
          }
        />
      </div>
      {paying && (
        <CheckoutDialog invoice={followed(source.data, paying)} onClose={() => setPaying(null)} onPaid={paid} />
      )}
    </Page>
  )
}
