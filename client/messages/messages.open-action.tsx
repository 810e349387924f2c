import { Trans } from '@lingui/react/macro'
import { CheckCheck, Merge, RotateCcw, Undo2 } from 'lucide-react'
import { can } from '../../schema/permissions.ts'
import { PART_MS } from '../../schema/tickets/tickets.merge.ts'
import { useNow } from '../base/now.ts'
import { useRows } from '../replica/live-rows.ts'
import { usePrincipal } from '../session/session.tsx'
import { actionsFor } from '../tickets/tickets.actions.ts'
import { ticketById, type TicketRow } from '../tickets/tickets.rows.ts'
import { useMergeTickets } from '../tickets/tickets.use-merge.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import { Button } from '../ui/button.tsx'
import { ticketTimeline } from './messages.rows.ts'

/** The one step that makes writing possible. */
export function OpenAction({ ticket }: { ticket: TicketRow }) {
  const who = usePrincipal()
  const actions = useTicketActions()
  const allowed = actionsFor(ticket, who)
  if (ticket.mergedIntoId !== null) return <Merged ticket={ticket} intoId={ticket.mergedIntoId} />
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

/** The way to where the conversation goes on, and for a day the way back. */
function Merged({ ticket, intoId }: { ticket: TicketRow; intoId: number }) {
  const who = usePrincipal()
  const actions = useTicketActions()
  const { part } = useMergeTickets()
  const now = useNow()
  const { rows: [into] = [] } = useRows(ticketById(intoId))
  const { rows: events = [] } = useRows(ticketTimeline(ticket.id))
  const went = events.findLast(({ kind }) => kind === 'merged_into')
  const mayPart = can(who, 'tickets:merge') && went && now - went.createdAt < PART_MS
  return (
    <>
      {mayPart && (
        <Button variant="outline" onClick={() => void part(ticket, intoId, went.id.slice(0, went.id.lastIndexOf(':')))}>
          <Undo2 />
          <Trans>Separar</Trans>
        </Button>
      )}
      {into && (
        <Button onClick={() => actions.open(into)}>
          <Merge />
          <Trans>Abrir o #{intoId}</Trans>
        </Button>
      )}
    </>
  )
}
