import { ms, or, type RowOf, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const event = someOf<'ticketEvents'>()({ id: String, data: or({}), createdAt: ms })
/** A line of the timeline by which a queue gave its ticket to somebody; `createdAt` in milliseconds since 1970. */
export type AssignedRow = RowOf<typeof event>

/** Whom a queue gave the ticket to after a message of its contact, and before the next one. */
export const assignedAfter = (messageId: string): Rows<AssignedRow> => ({
  query: {
    sql: `SELECT ${event.text('e')} FROM messages m JOIN ticket_events e ON e."ticketId" = m."ticketId"
      WHERE m.id = $1 AND NOT m."fromMe" AND e.kind = 'assigned' AND e."createdAt" >= m."createdAt"
        AND NOT EXISTS (SELECT FROM messages n WHERE n."ticketId" = m."ticketId" AND NOT n."fromMe"
          AND n."createdAt" > m."createdAt" AND n."createdAt" <= e."createdAt")
      ORDER BY e."createdAt", e.id LIMIT 20`,
    params: [messageId],
    tables: ['ticket_events', 'messages'],
  },
  read: event.read,
  keyOf: ({ id }) => id,
})
