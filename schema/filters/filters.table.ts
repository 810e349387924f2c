import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { users } from '../users/users.table.ts'

export interface TicketFilter {
  queueIds?: number[]
  tagIds?: number[]
  userIds?: number[]
  whatsappIds?: number[]
  unreadOnly?: boolean
  unansweredOnly?: boolean
  text?: string
}

/** A view of the ticket list that somebody keeps under a name. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    id: text().primaryKey(),
    ...companyOwned(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    filter: jsonb().$type<TicketFilter>().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('saved_filters_user').on(t.userId)],
)

export type SavedFilter = typeof savedFilters.$inferSelect
