import { Trans, useLingui } from '@lingui/react/macro'
import { CheckCheck } from 'lucide-react'
import { usePrincipal } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Conversation } from '../messages/messages.conversation.tsx'
import { PreviewNote } from '../messages/messages.preview-note.tsx'
import { Dialog, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { actionsFor } from '../tickets/tickets.actions.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useContactName } from '../tickets/tickets.words.ts'

/** A look into a conversation that leaves no trace: nothing is marked read. */
export function PreviewDialog({
  ticket,
  remote,
  onClose,
}: {
  ticket: TicketRow
  remote: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const nameOf = useContactName()
  const who = usePrincipal()
  const actions = useTicketActions()
  const name = nameOf(ticket)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Conversa com ${name}`} size="lg" className="h-[min(44rem,92dvh)] overflow-hidden">
        <PreviewNote />
        <Conversation ticket={ticket} remote={remote} preview />
        {actionsFor(ticket, who).has('accept') && (
          <DialogFooter>
            <Button
              onClick={() => {
                onClose()
                void actions.accept(ticket)
              }}
            >
              <CheckCheck />
              <Trans>Aceitar</Trans>
            </Button>
          </DialogFooter>
        )}
      </DialogContent>
    </Dialog>
  )
}
