import { pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/** Which server does what is done at its time, where several work on one database. */
export const clockLeases = pgTable('clock_leases', {
  /** Of the clock. */
  name: text().primaryKey(),
  /** The server that has it. */
  holder: text().notNull(),
  /** Then any other may take it; by the database's own clock. */
  until: moment().notNull(),
})
