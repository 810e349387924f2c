import { date, integer, pgTable } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/**
 * What the whole installation did on a day, for who runs it: counted now and then, so that nobody who looks at it counts
 * messages. Of no company, and of nobody.
 */
export const usageDays = pgTable('usage_days', {
  /** `YYYY-MM-DD` in the operator's time zone. */
  day: date({ mode: 'string' }).primaryKey(),
  /** That were not switched off, as it was counted last. */
  companies: integer().notNull(),
  /** People who had the app open; null where the server did not run. */
  activeUsers: integer(),
  messagesIn: integer().notNull(),
  messagesOut: integer().notNull(),
  /** Services that began. */
  tickets: integer().notNull(),
  /** The most that were linked at a time; null where the server did not run. */
  connections: integer(),
  countedAt: moment().notNull(),
})

export type UsageDay = typeof usageDays.$inferSelect
