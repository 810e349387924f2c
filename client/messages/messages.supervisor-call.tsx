import { Trans, useLingui } from '@lingui/react/macro'
import { Hand } from 'lucide-react'
import { can } from '../../schema/permissions.ts'
import { useUsers } from '../replica/directory.ts'
import { useReplica } from '../replica/replica.tsx'
import { whenText } from '../session/moment-text.ts'
import { perform } from '../session/perform.ts'
import { usePrincipal } from '../session/session.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Button } from '../ui/button.tsx'

/** Above the messages of a ticket to which a supervisor is called: by whom, since when, and how to say that one is there. */
export function SupervisorCall({ ticket, calledAt }: { ticket: TicketRow; calledAt: number }) {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const { byId } = useUsers()
  const isMine = ticket.supervisorCalledBy === who.userId
  const name = byId.get(ticket.supervisorCalledBy ?? 0)?.name
  const when = whenText(new Date(calledAt))
  const answer = () => void perform(replica, 'tickets.answerCall', { ticketId: ticket.id })
  return (
    <section
      aria-label={t`Chamado de supervisor`}
      className="flex min-h-10 shrink-0 items-center gap-2.5 border-b bg-warning-soft px-3 py-1 text-sm text-warning-soft-foreground"
    >
      <Hand aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {isMine ? (
          <Trans>Você chamou um supervisor {when}</Trans>
        ) : name ? (
          <Trans>
            {name} chamou um supervisor {when}
          </Trans>
        ) : (
          <Trans>Um supervisor foi chamado {when}</Trans>
        )}
      </p>
      {can(who, 'tickets:supervise') && !isMine ? (
        <Button size="sm" variant="outline" onClick={answer}>
          <Trans>Atender ao chamado</Trans>
        </Button>
      ) : (
        isMine && (
          <Button size="sm" variant="outline" onClick={answer}>
            <Trans>Cancelar o chamado</Trans>
          </Button>
        )
      )}
    </section>
  )
}
