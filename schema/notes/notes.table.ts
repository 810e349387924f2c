import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { tickets } from '../tickets/tickets.table.ts'

/** Somebody, or everybody of a queue, whom a note calls; `name` is what stands in its text behind the `@`. */
export interface NoteMention {
  kind: 'user' | 'queue'
  id: number
  name: string
}

/** What colleagues tell each other about a ticket; the contact never sees it. */
export const ticketNotes = pgTable(
  'ticket_notes',
  {
    id: text().primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    contactId: integer().notNull(),
    userId: integer(),
    note: text().notNull(),
    mentions: jsonb().$type<NoteMention[]>().notNull().default(sql`'[]'::jsonb`),
    queueScope: integer(),
    userScope: integer(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('ticket_notes_ticket').on(t.ticketId, t.createdAt)],
)

export type TicketNote = typeof ticketNotes.$inferSelect
