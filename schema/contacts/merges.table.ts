import { index, integer, jsonb, pgTable, serial } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'

/** A row as Postgres writes it in JSON. */
type Row = Record<string, unknown>

/** Two active tickets of one connection became one. */
export interface JoinedTicket {
  /** The ticket that went on, and what of it the other one's replaced. */
  intoId: number
  into: Row
  /** The ticket that went, with its clock. */
  ticket: Row
  trackings: Row[]
  messageIds: string[]
  noteIds: string[]
  eventIds: string[]
}

/** Two contacts became one; what it takes to undo that. */
export const contactMerges = pgTable(
  'contact_merges',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    keptId: integer().notNull(),
    /** The row of the kept contact before and after, the row of the other one, and which rows moved. */
    before: jsonb()
      .$type<{
        kept: Row
        after: Row
        gone: Row
        /** The other contact's tickets; their messages and notes went with them. */
        ticketIds: number[]
        scheduleIds: string[]
        joined: JoinedTicket[]
        /** What both were known by. Not in merges of older versions. */
        aliases?: { kept: Row[]; gone: Row[] }
      }>()
      .notNull(),
    /** Who merged them; null where WhatsApp told that they are one person. */
    userId: integer(),
    createdAt: moment().notNull().defaultNow(),
    undoneAt: moment(),
  },
  (t) => [index('contact_merges_kept').on(t.companyId, t.keptId)],
)

export type ContactMerge = typeof contactMerges.$inferSelect
