import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { whatsapps } from '../whatsapps/whatsapps.table.ts'

/**
 * The ledger: one row for each message that the service told a price class or a delivery of. It counts once it has a
 * day, for only what was delivered is billed. Rows outlive the connection, the ticket and whoever wrote it.
 */
export const messageCosts = pgTable(
  'message_costs',
  {
    whatsappId: integer().notNull(),
    /** The service's id of the message. */
    wamid: text().notNull(),
    ...companyOwned(),
    /** As the service says it, such as `marketing`; null while it has said nothing. */
    category: text(),
    /** See `priceTypes`. */
    type: text(),
    /** Which state told the class: what comes with a delivery stands above what came with `sent`. 0: none. */
    classRank: smallint().notNull().default(0),
    /** The earliest moment at which it is known to have been delivered. */
    deliveredAt: moment(),
    /** The day of that moment by the company's clock, as it was then. */
    day: date({ mode: 'string' }),
    /** The recipient's country, two letters; empty where nobody knows it. */
    market: text().notNull().default(''),
    /** What it was said for, as it was when it was first told of. */
    messageId: text(),
    ticketId: integer(),
    userId: integer(),
    queueId: integer(),
    flowId: integer(),
    campaignId: integer(),
    /** The name of the template. */
    template: text(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.whatsappId, t.wamid] }),
    index('message_costs_day').on(t.companyId, t.day).where(sql`${t.day} IS NOT NULL`),
    index('message_costs_ticket').on(t.ticketId).where(sql`${t.ticketId} IS NOT NULL`),
  ],
)
export type MessageCost = typeof messageCosts.$inferSelect

/** How many of the ledger's messages fall on a day, by class. Kept by triggers in the transaction that changes the ledger. */
export const costDays = pgTable(
  'cost_days',
  {
    ...companyOwned(),
    whatsappId: integer().notNull(),
    day: date({ mode: 'string' }).notNull(),
    market: text().notNull(),
    /** Empty: unknown. */
    category: text().notNull(),
    type: text().notNull(),
    n: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.whatsappId, t.day, t.market, t.category, t.type] }),
    index('cost_days_company').on(t.companyId, t.day),
  ],
)

/**
 * What a message costs from a day on. Rows of the operator's company hold for everybody; a company's own stand above them.
 * What the product comes with stands in `costs.given.ts`.
 */
export const messagePrices = pgTable(
  'message_prices',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** Two letters of a country, or `*`: all others. */
    market: text().notNull(),
    category: text().notNull(),
    currency: text().notNull(),
    /** `YYYY-MM-DD` */
    since: date({ mode: 'string' }).notNull(),
    /** Millionths of the currency. */
    micros: bigint({ mode: 'number' }).notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('message_prices_place').on(t.companyId, t.market, t.category, t.currency, t.since)],
)
export type MessagePrice = typeof messagePrices.$inferSelect

/** That admins were told how much of a number's free messages of a month is used: once for each level, whatever restarts. */
export const costNotices = pgTable(
  'cost_notices',
  {
    whatsappId: integer()
      .notNull()
      .references(() => whatsapps.id, { onDelete: 'cascade' }),
    ...companyOwned(),
    /** `YYYY-MM` */
    month: text().notNull(),
    /** Percent, see `noticeLevels`. */
    level: smallint().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.whatsappId, t.month, t.level] })],
)
