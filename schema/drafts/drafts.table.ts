import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'

/** What somebody has begun to write in a ticket, on whichever of their devices. */
export const drafts = pgTable(
  'drafts',
  {
    /** `{userId}:{ticketId}`: one for each, and two devices mean the same row. */
    id: text().primaryKey(),
    ...companyOwned(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    body: text().notNull(),
    updatedAt: moment().notNull(),
  },
  (t) => [index('drafts_user').on(t.userId)],
)

export type Draft = typeof drafts.$inferSelect
