import { columnsOf, ms, or, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const note = columnsOf<'ticketNotes'>()({
  id: true,
  companyId: false,
  ticketId: true,
  contactId: false,
  userId: or(null),
  note: true,
  mentions: or([]),
  queueScope: false,
  userScope: false,
  createdAt: ms,
})
export type NoteRow = RowOf<typeof note>

/** The notes of a contact in all of their services, newest first: what a colleague knew last time still helps. */
export const notesOfContact = (contactId: number): Rows<NoteRow> => ({
  query: {
    sql: `SELECT ${note.text()} FROM ticket_notes WHERE "contactId" = $1 ORDER BY "createdAt" DESC, id DESC LIMIT 200`,
    params: [contactId],
    tables: [{ table: 'ticket_notes', only: { column: 'contactId', value: contactId } }],
  },
  read: note.read,
  keyOf: (row) => row.id,
})
