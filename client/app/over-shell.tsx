import { Trans, useLingui } from '@lingui/react/macro'
import { Outlet } from '@tanstack/react-router'
import { CalendarX, LogOut } from 'lucide-react'
import { useEffect } from 'react'
import { dateText } from '../i18n/dates.ts'
import { LanguageSwitch } from '../i18n/language-switch.tsx'
import { Button } from '../ui/button.tsx'
import { Brand } from './brand.tsx'
import { dueDay } from './due-date.ts'
import { logout, refreshUser, useUser } from './session.tsx'

/** Somebody else may have paid, or the operator said so. */
const lookMs = 30_000

/** Around the invoices of a company whose time is over: there is nothing else to go to, and no socket to hear by. */
export default function OverShell() {
  const { i18n } = useLingui()
  const { dueDate } = useUser().company
  useEffect(() => {
    const timer = setInterval(() => void refreshUser().catch(() => undefined), lookMs)
    return () => clearInterval(timer)
  }, [])
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
        <Trans>
          A assinatura venceu em {day}. As mensagens recebidas continuam guardadas; pague a fatura para voltar a
          atender.
        </Trans>
      </p>
      <main id="content" tabIndex={-1} className="min-h-0 flex-1 outline-none">
        <Outlet />
      </main>
    </div>
  )
}
