import { columnsOf, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const field = columnsOf<'customFields'>()({
  id: true,
  companyId: false,
  entity: true,
  name: true,
  key: true,
  type: true,
  options: true,
  help: true,
  position: true,
  required: true,
  archivedAt: false,
  createdAt: false,
  updatedAt: false,
})
/** A field of tickets that is in use. */
export type TicketField = RowOf<typeof field>

/** The fields that tickets have, in their order. */
export const ticketFields: Rows<TicketField> = {
  query: {
    sql: `SELECT ${field.text()} FROM custom_fields WHERE entity = 'ticket' AND "archivedAt" IS NULL ORDER BY position, id`,
    tables: ['custom_fields'],
  },
  read: field.read,
  keyOf: ({ id }) => id,
}
