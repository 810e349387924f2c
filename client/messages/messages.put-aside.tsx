import { Trans, useLingui } from '@lingui/react/macro'
import { AlarmClock } from 'lucide-react'
import { waitsForAnswer } from '../../schema/tickets/tickets.snooze.ts'
import { useNow } from '../base/now.ts'
import { usePrincipal } from '../session/session.tsx'
import { actionsFor } from '../tickets/tickets.actions.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { untilText } from '../tickets/tickets.until.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import { Button } from '../ui/button.tsx'

/** Above the messages of a ticket that lies aside: until when, and why, and how to have it back. */
export function PutAside({ ticket, until }: { ticket: TicketRow; until: number }) {
  const { t, i18n } = useLingui()
  const who = usePrincipal()
  const actions = useTicketActions()
  const now = useNow()
  const when = untilText(until, now, i18n.locale)
  return (
    <section
      aria-label={t`Atendimento adiado`}
      className="flex min-h-10 shrink-0 items-center gap-2.5 border-b bg-primary-soft px-3 py-1 text-sm text-primary-soft-foreground"
    >
      <AlarmClock aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {waitsForAnswer(until) ? <Trans>Adiado até o contato responder</Trans> : <Trans>Adiado até {when}</Trans>}
        {ticket.snoozeNote !== null && (
          <span dir="auto" className="line-clamp-2 text-foreground">
            {ticket.snoozeNote}
          </span>
        )}
      </p>
      {actionsFor(ticket, who).has('wake') && (
        <Button size="sm" variant="outline" onClick={() => void actions.wake(ticket)}>
          <Trans>Voltar agora</Trans>
        </Button>
      )}
    </section>
  )
}
