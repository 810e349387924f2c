import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'
import { companies } from '../companies/companies.table.ts'

/**
 * What is to be done after a commit. A row is written in the transaction that causes it and deleted in the one
 * that records its outcome; a crash between the two does it again, so every handler is safe to repeat.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    companyId: integer().references(() => companies.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Jobs of one lane run one at a time, in order of id. */
    lane: text(),
    /** When set, only the process that holds this connection open takes the job. */
    whatsappId: integer(),
    /** At most one waiting job for each key. */
    uniqueKey: text(),
    runAt: moment().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    lockedUntil: moment(),
    /** The process that works on it. */
    lockedBy: text(),
    lastError: text(),
    /** Given up after too many attempts; kept for people to look at. */
    failedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('jobs_due').on(t.runAt, t.id).where(sql`${t.failedAt} IS NULL`),
    index('jobs_lane').on(t.lane, t.id).where(sql`${t.failedAt} IS NULL AND ${t.lane} IS NOT NULL`),
    uniqueIndex('jobs_unique').on(t.uniqueKey).where(sql`${t.failedAt} IS NULL AND ${t.uniqueKey} IS NOT NULL`),
  ],
)

export type Job = typeof jobs.$inferSelect
