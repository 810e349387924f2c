import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'
import { companies } from '../companies/companies.table.ts'

/**
 * Each rank is in the order of time and has places of its own, so that none waits for another's crowd and none starves.
 * 0: what a person does in a chat. 1: what the product does by itself. 2: what is said to many, by a program or a clock.
 */
export type JobRank = 0 | 1 | 2

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
    /** Whose places of a worker it takes: see `JobRank`. */
    rank: smallint().$type<JobRank>().notNull().default(1),
    /** At most one waiting job for each key. */
    uniqueKey: text(),
    runAt: moment().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    lockedUntil: moment(),
    /** The process that works on it. */
    lockedBy: text(),
    /** So often the server stood still while this was under way. */
    standstills: smallint().notNull().default(0),
    lastError: text(),
    /** Given up after too many attempts; kept for people to look at. */
    failedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('jobs_due').on(t.rank, t.runAt, t.id).where(sql`${t.failedAt} IS NULL`),
    // Nulls first, so that the index of the key cannot stand in for it: see `turn_over_jobs`.
    index('jobs_lane').on(t.lane, t.id.asc().nullsFirst()).where(sql`${t.failedAt} IS NULL AND ${t.lane} IS NOT NULL`),
    // What each start asks for, and the operator's list.
    index('jobs_failed').on(t.kind, t.id).where(sql`${t.failedAt} IS NOT NULL`),
    uniqueIndex('jobs_unique').on(t.uniqueKey).where(sql`${t.failedAt} IS NULL AND ${t.uniqueKey} IS NOT NULL`),
  ],
)

export type Job = typeof jobs.$inferSelect
