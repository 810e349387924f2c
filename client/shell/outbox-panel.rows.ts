import { someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const ticket = someOf<'tickets'>()({ id: true, uuid: true })

export interface TicketName {
  id: number
  uuid: string
  name: string | null
}

/** Whose tickets these are. */
export const ticketNames = (ids: readonly number[]): Rows<TicketName> => ({
  query: {
    sql: `SELECT ${ticket.text('t')}, c.name FROM tickets t LEFT JOIN contacts c ON c.id = t."contactId" WHERE t.id = ANY($1::int[])`,
    params: [`{${ids.join(',')}}`],
    tables: ['tickets', 'contacts'],
  },
  read: (raw) => ({ ...ticket.read(raw), name: raw['name'] as string | null }),
  keyOf: ({ id }) => id,
})
