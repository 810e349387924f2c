import type { RowChange } from '../command.ts'
import type { Ticket } from '../tickets/tickets.table.ts'

/** A note that the product leaves in a ticket by itself, for the people who take it. */
export const noteOn = (
  { id: ticketId, companyId, contactId, queueId, userId }: Ticket,
  { id, note, now }: { id: string; note: string; now: Date },
): RowChange => ({
  table: 'ticketNotes',
  op: 'insert',
  values: {
    ...{ id, companyId, ticketId, contactId, userId: null, note },
    ...{ queueScope: queueId, userScope: userId, createdAt: now },
  },
})
