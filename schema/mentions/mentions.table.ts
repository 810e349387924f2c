import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { ticketNotes } from '../notes/notes.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'

/** That a note calls a person, by name or as one of a queue. Who cannot see the ticket has no sight of it. */
export const mentions = pgTable(
  'mentions',
  {
    /** Of the note and the person: nobody is called twice by one note. */
    id: text().primaryKey(),
    ...companyOwned(),
    noteId: text()
      .notNull()
      .references(() => ticketNotes.id, { onDelete: 'cascade' }),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    /** Who is called. */
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Who calls; null where a program wrote the note. */
    byUserId: integer(),
    /** The queue that was called; null where the person was called by name. */
    queueId: integer(),
    readAt: moment(),
    queueScope: integer(),
    userScope: integer(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('mentions_user').on(t.userId, t.createdAt.desc()),
    index('mentions_note').on(t.noteId),
    index('mentions_ticket').on(t.ticketId),
  ],
)

export type Mention = typeof mentions.$inferSelect
