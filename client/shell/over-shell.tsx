import { Trans, useLingui } from '@lingui/react/macro'
import { Outlet, useRouter } from '@tanstack/react-router'
import { CalendarX, LogOut } from 'lucide-react'
import { useEffect } from 'react'
import { dateText } from '../i18n/dates.ts'
import { LanguageSwitch } from '../kit/language-switch.tsx'
import { Button } from '../ui/button.tsx'
import { Brand } from '../kit/brand.tsx'
import { dueDay } from '../base/due-date.ts'
import { useFetched } from '../session/fetched.ts'
import { startEvents, stopEvents } from '../session/events.ts'
import { announceRenewal } from '../session/renewed.ts'
import { session } from '../session/session-store.ts'
import { logout, useUser } from '../session/session.tsx'
import { watchForcedLogout, watchOwnUser } from '../session/session-watch.ts'
import { useCompanyEvent } from '../session/use-event.ts'

/** Of the company's subscription, what decides whether it can pay. */
interface ToPay {
  openInvoices: number
  /** Null: the operator has not said how invoices are paid. */
  provider: string | null
  operatorEmail: string | null
}

/** Around the invoices of a company whose time is over: there is nothing else to go to. Its socket hears when it may work again. */
export default function OverShell() {
  const { i18n } = useLingui()
  const { dueDate } = useUser().company
  const router = useRouter()
  const { data, reload } = useFetched<ToPay>('/subscription')
  useCompanyEvent('payment', reload)
  useEffect(() => {
    const current = session.get()
    if (!current) return
    const stops = [watchForcedLogout(), watchOwnUser(), stopEvents]
    startEvents(current)
    return () => {
      for (const stop of stops) stop()
      // What comes in its place knows nothing of what was waited for.
      const company = session.get()?.user.company
      if (!company || company.isOver) return
      if (company.dueDate) announceRenewal(company.dueDate)
      void router.navigate({ to: '/' })
    }
  }, [router])
  const day = dueDate ? dateText(i18n.locale, dueDay(dueDate), 'fullDate') : ''
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-13 shrink-0 items-center gap-2 border-b bg-card px-3">
        <Brand place="interno" className="min-w-0 flex-1" />
        <div className="max-sm:hidden">
          <LanguageSwitch />
        </div>
        <Button variant="ghost" onClick={() => void logout()}>
          <LogOut />
          <Trans>Sair</Trans>
        </Button>
      </header>
      <p
        role="status"
        className="flex items-center gap-2.5 border-b bg-destructive-soft px-4 py-2.5 text-sm text-destructive-soft-foreground"
      >
        <CalendarX aria-hidden="true" className="size-4 shrink-0" />
        {data && (data.openInvoices === 0 || data.provider === null) ? (
          <NothingToPay day={day} operatorEmail={data.operatorEmail} />
        ) : (
          <Trans>
            A assinatura venceu em {day}. As mensagens recebidas continuam guardadas; pague a fatura para voltar a
            atender.
          </Trans>
        )}
      </p>
      <main id="content" tabIndex={-1} className="min-h-0 flex-1 outline-none">
        <Outlet />
      </main>
    </div>
  )
}

/** It has no plan with a price, its invoice was cancelled, or nobody has said how invoices are paid: only the operator helps. */
function NothingToPay({ day, operatorEmail }: { day: string; operatorEmail: string | null }) {
  if (!operatorEmail)
    return (
      <Trans>
        A assinatura venceu em {day} e não há como pagar por aqui. As mensagens recebidas continuam guardadas; fale com
        quem opera a plataforma para voltar a atender.
      </Trans>
    )
  return (
    <span>
      <Trans>
        A assinatura venceu em {day} e não há como pagar por aqui. As mensagens recebidas continuam guardadas; para
        voltar a atender, escreva para{' '}
        <a className="focus-ring rounded-sm font-medium underline" href={`mailto:${operatorEmail}`}>
          {operatorEmail}
        </a>
        .
      </Trans>
    </span>
  )
}
