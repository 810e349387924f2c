import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { transferNote } from '../../schema/tickets/tickets.inputs.ts'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { offerUndo } from '../session/undo.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Textarea } from '../ui/textarea.tsx'

/** Calls a supervisor to a ticket, and says why. */
export default function SupervisorDialog({ ticket, onClose }: { ticket: TicketRow; onClose: () => void }) {
  const { t } = useLingui()
  const replica = useReplica()
  const [note, setNote] = useState('')
  const ticketId = ticket.id
  const submit = async () => {
    const said = note.trim()
    if (!(await perform(replica, 'tickets.callSupervisor', { ticketId, ...(said && { note: said }) }))) return
    onClose()
    offerUndo(t`Supervisor chamado`, () => void perform(replica, 'tickets.answerCall', { ticketId }))
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Chamar supervisor`} size="sm">
        <DialogForm onSubmit={() => void submit()}>
          <DialogBody>
            <Field
              label={t`O que se passa (opcional)`}
              hint={t`Os supervisores são avisados e veem a marca na lista. O contato não vê.`}
            >
              <Textarea
                autoFocus
                value={note}
                maxRows={6}
                className="min-h-20"
                maxLength={transferNote.maxLength}
                onChange={(event) => setNote(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogButtons>
            <Trans>Chamar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
