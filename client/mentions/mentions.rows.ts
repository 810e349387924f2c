import { columnsOf, ms, msOrNull, or, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const mention = columnsOf<'mentions'>()({
  id: true,
  companyId: false,
  noteId: true,
  ticketId: true,
  userId: false,
  byUserId: or(null),
  queueId: or(null),
  readAt: msOrNull,
  queueScope: false,
  userScope: false,
  createdAt: ms,
})

/** A note that calls the person, with the ticket in which it stands. */
export type MentionRow = RowOf<typeof mention> & { note: string; ticketUuid: string; contactName: string }

/** So many of the latest are listed. */
const mostListed = 50

/** The latest notes that call the person, newest first: the replica holds own ones only, of tickets that they see. */
export const ownMentions: Rows<MentionRow> = {
  query: {
    sql: `SELECT ${mention.text('m')}, n.note AS note, t.uuid AS "ticketUuid", c.name AS "contactName"
      FROM mentions m JOIN ticket_notes n ON n.id = m."noteId" JOIN tickets t ON t.id = m."ticketId"
      LEFT JOIN contacts c ON c.id = t."contactId" ORDER BY m."createdAt" DESC, m.id DESC LIMIT ${mostListed}`,
    tables: ['mentions', 'ticket_notes', 'tickets', 'contacts'],
  },
  read: (raw) => {
    const { note, ticketUuid, contactName } = raw as Partial<MentionRow>
    return Object.assign(mention.read(raw), {
      ...{ note: note ?? '', ticketUuid: String(ticketUuid), contactName: contactName ?? '' },
    })
  },
  keyOf: (row) => row.id,
}
