import { bigint, date, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'

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

/** What one company did on a day: how much, never what. Days on which nothing happened have no row. */
export const companyUsageDays = pgTable(
  'company_usage_days',
  {
    ...companyOwned(),
    /** `YYYY-MM-DD` in the operator's time zone, as above. */
    day: date({ mode: 'string' }).notNull(),
    messagesIn: integer().notNull(),
    messagesOut: integer().notNull(),
    /** Of the files that came or went. */
    mediaBytes: bigint({ mode: 'number' }).notNull(),
    /** Services that began. */
    tickets: integer().notNull(),
    /** People who had the app open; null where the server did not run. */
    activeUsers: integer(),
    /** The most that were linked at a time; null where the server did not run. */
    connections: integer(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.day] })],
)
export type CompanyUsageDay = typeof companyUsageDays.$inferSelect

/**
 * How one company stands, with what it did in the last 30 days, as it was counted last: a list of ten thousand of them
 * is sorted by this.
 */
export const companyUsage = pgTable(
  'company_usage',
  {
    companyId: companyOwned().companyId.primaryKey(),
    users: integer().notNull(),
    connections: integer().notNull(),
    queues: integer().notNull(),
    /** Connections that are linked. */
    linked: integer().notNull(),
    /** Open and waiting. */
    openTickets: integer().notNull(),
    messagesIn: integer().notNull(),
    messagesOut: integer().notNull(),
    mediaBytes: bigint({ mode: 'number' }).notNull(),
    tickets: integer().notNull(),
    countedAt: moment().notNull(),
  },
  // Whatever it is put in order by, a page is read from its place on.
  (t) =>
    ([t.messagesIn, t.messagesOut, t.tickets, t.openTickets, t.mediaBytes, t.users, t.linked] as const).map((figure) =>
      index(`company_usage_${figure.name}`).on(figure, t.companyId),
    ),
)
export type CompanyUsage = typeof companyUsage.$inferSelect
