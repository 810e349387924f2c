import { index, integer, pgTable, serial, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { tickets, ticketTrackings } from '../tickets/tickets.table.ts'

/** How a contact found a service: 1 unsatisfied, 2 satisfied, 3 very satisfied. */
export const ratings = pgTable(
  'ratings',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    /** The service that was rated: each asks once. */
    trackingId: integer()
      .notNull()
      .references(() => ticketTrackings.id, { onDelete: 'cascade' }),
    /** The agent who closed it. */
    userId: integer(),
    rate: smallint().notNull(),
    createdAt: moment().notNull().defaultNow(),
    /** When the contact was asked why; once. */
    commentAskedAt: moment(),
    /** What they answered. */
    comment: text(),
  },
  (t) => [
    uniqueIndex('ratings_service').on(t.trackingId),
    index('ratings_user').on(t.companyId, t.userId, t.createdAt),
    index('ratings_range').on(t.companyId, t.createdAt),
  ],
)

export type Rating = typeof ratings.$inferSelect
export type NewRating = typeof ratings.$inferInsert
