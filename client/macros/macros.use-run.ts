import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { DomainError } from '../../schema/errors.ts'
import type { Ticket } from '../../schema/tickets/tickets.table.ts'
import { useReplica } from '../replica/replica.tsx'
import { toastError } from '../session/failure.tsx'
import { perform } from '../session/perform.ts'
import { usePrincipal } from '../session/session.tsx'
import { offerUndo } from '../session/undo.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import { toast } from '../ui/toaster.tsx'
import { macros } from './macros.queries.ts'
import type { MacroRow } from './macros.rows.ts'

/** Runs a macro in a ticket and offers to take it back; who has no more to do there is led away. */
export function useRunMacro() {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const actions = useTicketActions()
  return useCallback(
    async (ticket: TicketRow, macro: MacroRow, after: Pick<Ticket, 'status' | 'userId'>): Promise<void> => {
      const { name } = macro
      const ticketId = ticket.id
      const wasOpen = location.pathname.includes(ticket.uuid)
      // Who reads on would make it read again.
      const isAway = macro.actions.some(({ type }) => type === 'unread' || type === 'snooze')
      const leaves =
        isAway || after.status === 'closed' || (after.userId !== who.userId && ticket.userId !== after.userId)
      if (leaves) actions.leave(ticket)
      const input = { macroId: macro.id, ticketId, version: macro.version, undoable: true }
      const done = replica.mutate('macros.run', input)
      const withdraw = offerUndo(t`Macro ${name} executada`, () => {
        void done.then(async ({ id: commandId }) => {
          if ((await perform(replica, 'macros.undo', { ticketId, commandId })) && leaves && wasOpen)
            actions.open(ticket)
        })
      })
      try {
        await done
      } catch (error) {
        withdraw()
        // This browser does not hold it: long closed, or of another queue.
        const isElsewhere = error instanceof DomainError && error.code === 'ERR_NO_TICKET_FOUND'
        try {
          if (!isElsewhere) throw error
          await macros.run(macro.id, ticketId, macro.version)
          toast.success(t`Macro ${name} executada`)
        } catch (refusal) {
          toastError(refusal)
          if (leaves && wasOpen) actions.open(ticket)
        }
      }
    },
    [t, replica, who, actions],
  )
}
