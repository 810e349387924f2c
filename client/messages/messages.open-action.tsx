import { Trans } from '@lingui/react/macro'
import { CheckCheck, RotateCcw } from 'lucide-react'
import { usePrincipal } from '../session/session.tsx'
import { actionsFor } from '../tickets/tickets.actions.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import { Button } from '../ui/button.tsx'

/** The one step that makes writing possible. */
export function OpenAction({ ticket }: { ticket: TicketRow }) {
  const who = usePrincipal()
  const actions = useTicketActions()
  const allowed = actionsFor(ticket, who)
  if (allowed.has('accept'))
    return (
      <Button onClick={() => void actions.accept(ticket)}>
        <CheckCheck />
        <Trans>Aceitar</Trans>
      </Button>
    )
  if (allowed.has('reopen'))
    return (
      <Button onClick={() => void actions.reopen(ticket)}>
        <RotateCcw />
        <Trans>Reabrir</Trans>
      </Button>
    )
  return null
}
