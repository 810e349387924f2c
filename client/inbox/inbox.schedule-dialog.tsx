import { useNavigate } from '@tanstack/react-router'
import { ScheduleDialog } from '../schedules/schedules.dialog.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useContactName } from '../tickets/tickets.words.ts'

/** Has a message sent to the ticket's contact, over the ticket's connection; then shows the calendar. */
export default function TicketScheduleDialog({ ticket, onClose }: { ticket: TicketRow; onClose: () => void }) {
  const nameOf = useContactName()
  const navigate = useNavigate()
  return (
    <ScheduleDialog
      to={{ id: ticket.contactId, name: nameOf(ticket), number: null }}
      whatsappId={ticket.whatsappId}
      onClose={onClose}
      onSaved={() => void navigate({ to: '/schedules' })}
    />
  )
}
