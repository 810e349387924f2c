import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import type { FieldTest } from '../custom-fields/custom-fields.conditions.ts'
import { sharings } from '../sharing.ts'
import type { ViewStatus } from '../tickets/tickets.list.ts'
import { users } from '../users/users.table.ts'

export interface TicketFilter {
  queueIds?: number[]
  tagIds?: number[]
  userIds?: number[]
  whatsappIds?: number[]
  unreadOnly?: boolean
  unansweredOnly?: boolean
  text?: string
  /** Fields of the company's own. */
  fields?: FieldTest[]
  /** Of a view; none or both: whatever waits and whatever is open. */
  statuses?: ViewStatus[]
  /** Of a view: only what is the reader's own and waits in their queues, whatever else they may see. */
  mine?: boolean
  /** Of a view: what is due next stands first, in place of what changed last. */
  order?: 'due'
}

/** A view of the ticket list that somebody keeps under a name, for themselves or for others. */
export const savedFilters = pgTable(
  'saved_filters',
  {
    id: text().primaryKey(),
    ...companyOwned(),
    /** Null of a shared one whose author is gone; own ones go with their author. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    color: text(),
    filter: jsonb().$type<TicketFilter>().notNull(),
    sharing: text({ enum: sharings }).notNull().default('own'),
    /** For whose people it is, where it is shared with queues. */
    queueIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** They stand in this order, then in that of their making. */
    position: integer().notNull().default(0),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('saved_filters_user').on(t.userId), index('saved_filters_company').on(t.companyId)],
)

export type SavedFilter = typeof savedFilters.$inferSelect
