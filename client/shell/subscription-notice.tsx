import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { daysBetween } from '../../schema/invoices/invoices.due.ts'
import { ClosableNotice } from '../kit/closable-notice.tsx'
import { useToday } from '../session/company-day.ts'
import { useCan, useUser } from '../session/session.tsx'
import { warningDays } from '../session/subscription.ts'

/** Above the screen while the company's subscription is about to end; it can be put away until the next day. */
export function SubscriptionNotice() {
  const user = useUser()
  const { dueDate } = user.company
  const mayPay = useCan('invoices:pay')
  const today = useToday()
  const [closedAt, setClosedAt] = useState<number | null>(null)
  if (!dueDate || user.super) return null
  const days = daysBetween(today, dueDate.slice(0, 10))
  if (days >= warningDays || days === closedAt) return null
  return (
    <ClosableNotice icon={CalendarClock} onClose={() => setClosedAt(days)}>
      {user.company.onTrial && days >= 0 ? (
        <TrialEnds days={days} />
      ) : days < 0 ? (
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
          <Link
            to={user.company.onTrial ? '/subscription' : '/financeiro'}
            className="focus-ring rounded-sm font-medium underline underline-offset-2"
          >
            {user.company.onTrial ? <Trans>Ver a assinatura</Trans> : <Trans>Ver faturas</Trans>}
          </Link>
        </>
      )}
    </ClosableNotice>
  )
}

/** Nobody has subscribed yet. */
function TrialEnds({ days }: { days: number }) {
  if (days === 0) return <Trans>O teste grátis termina hoje</Trans>
  if (days === 1) return <Trans>O teste grátis termina amanhã</Trans>
  return <Plural value={days} one="O teste grátis termina em # dia" other="O teste grátis termina em # dias" />
}
