import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, serial, smallint, text } from 'drizzle-orm/pg-core'
import { moment, ownFile, timestamps } from '../columns.ts'
import { profiles } from '../users/users.table.ts'

/** What the operator tells companies. Priority 1 is urgent, 3 is by the way. */
export const announcements = pgTable('announcements', {
  id: serial().primaryKey(),
  priority: smallint().notNull().default(3),
  title: text().notNull(),
  text: text().notNull(),
  ...ownFile(),
  status: boolean().notNull().default(true),
  /** Not shown before; null: at once. */
  startsAt: moment(),
  /** Not shown from then on; null: for good. */
  endsAt: moment(),
  /** Whom it is for: anybody of each list that is not empty. */
  companyIds: integer().array().notNull().default(sql`'{}'::integer[]`),
  planIds: integer().array().notNull().default(sql`'{}'::integer[]`),
  profiles: text({ enum: profiles }).array().notNull().default(sql`'{}'::text[]`),
  /** It tells a company of a visit of the operator's, and is not the operator's to rewrite, see `demandOwn`. */
  isVisit: boolean().notNull().default(false),
  ...timestamps(),
})

export type Announcement = typeof announcements.$inferSelect
