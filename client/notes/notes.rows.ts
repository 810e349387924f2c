import type { TicketNote } from '../../schema/notes/notes.table.ts'
import { msOf, type Rows } from '../replica/rows.ts'

export type NoteRow = Pick<TicketNote, 'id' | 'ticketId' | 'userId' | 'note'> & { createdAt: number }

/** The notes of a contact in all of their services, newest first: what a colleague knew last time still helps. */
export const notesOfContact = (contactId: number): Rows<NoteRow> => ({
  query: {
    sql: `SELECT id, "ticketId", "userId", note, "createdAt" FROM ticket_notes WHERE "contactId" = $1 ORDER BY "createdAt" DESC, id DESC LIMIT 200`,
    params: [contactId],
    tables: [{ table: 'ticket_notes', only: { column: 'contactId', value: contactId } }],
  },
  read: (raw) => ({
    id: String(raw['id']),
    ticketId: Number(raw['ticketId']),
    userId: (raw['userId'] as number | null) ?? null,
    note: String(raw['note']),
    createdAt: msOf(raw['createdAt']),
  }),
  keyOf: (row) => row.id,
})
