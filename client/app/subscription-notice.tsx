import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarClock, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { daysLeft } from './due-date.ts'
import { useUser } from './session.tsx'
import { warningDays } from './subscription.ts'

/** Long enough for nobody to notice, short enough that the day is right after a night. */
const checkMs = 10 * 60_000

/** Above the screen while the company's subscription is about to end; it can be put away until the next day. */
export function SubscriptionNotice() {
  const { t } = useLingui()
  const user = useUser()
  const { dueDate } = user.company
  const [now, setNow] = useState(() => new Date())
  const [closedAt, setClosedAt] = useState<number | null>(null)
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), checkMs)
    return () => clearInterval(timer)
  }, [])
  if (!dueDate || user.super) return null
  const days = daysLeft(dueDate, now)
  if (days >= warningDays || days === closedAt) return null
  return (
    <div
      role="status"
      className="flex items-center gap-2.5 border-b bg-warning-soft py-1 pr-2 pl-4 text-sm text-warning-soft-foreground"
    >
      <CalendarClock aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        {days < 0 ? (
          <Trans>A assinatura venceu</Trans>
        ) : days === 0 ? (
          <Trans>A assinatura vence hoje</Trans>
        ) : days === 1 ? (
          <Trans>A assinatura vence amanhã</Trans>
        ) : (
          <Trans>A assinatura vence em {days} dias</Trans>
        )}
      </p>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t`Fechar o aviso`}
        className="text-inherit"
        onClick={() => setClosedAt(days)}
      >
        <X />
      </Button>
    </div>
  )
}
