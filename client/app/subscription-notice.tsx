import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ClosableNotice } from './closable-notice.tsx'
import { daysLeft } from './due-date.ts'
import { useCan, useUser } from './session.tsx'
import { warningDays } from './subscription.ts'

/** Long enough for nobody to notice, short enough that the day is right after a night. */
const checkMs = 10 * 60_000

/** Above the screen while the company's subscription is about to end; it can be put away until the next day. */
export function SubscriptionNotice() {
  const user = useUser()
  const { dueDate } = user.company
  const mayPay = useCan('invoices:pay')
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
    <ClosableNotice icon={CalendarClock} onClose={() => setClosedAt(days)}>
      {days < 0 ? (
        <Trans>A assinatura venceu</Trans>
      ) : days === 0 ? (
        <Trans>A assinatura vence hoje</Trans>
      ) : days === 1 ? (
        <Trans>A assinatura vence amanhã</Trans>
      ) : (
        <Trans>A assinatura vence em {days} dias</Trans>
      )}
      {mayPay && (
        <>
          {'. '}
          <Link to="/financeiro" className="focus-ring rounded-sm font-medium underline underline-offset-2">
            <Trans>Ver faturas</Trans>
          </Link>
        </>
      )}
    </ClosableNotice>
  )
}
