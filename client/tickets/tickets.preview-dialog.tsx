import { useLingui } from '@lingui/react/macro'
import { Conversation } from '../messages/messages.conversation.tsx'
import { PreviewNote } from '../messages/messages.preview-note.tsx'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import type { TicketRow } from './tickets.rows.ts'
import { useContactName } from './tickets.words.ts'

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
  const name = nameOf(ticket)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Conversa com ${name}`} size="lg" className="h-[min(44rem,92dvh)] overflow-hidden">
        <PreviewNote />
        <Conversation ticket={ticket} remote={remote} preview />
      </DialogContent>
    </Dialog>
  )
}
