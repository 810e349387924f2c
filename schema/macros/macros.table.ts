import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import type { TicketAction } from '../actions/actions.inputs.ts'
import { companyOwned, timestamps } from '../columns.ts'
import { sharings } from '../sharing.ts'
import { users } from '../users/users.table.ts'

/** Several actions under a name, which an agent does with a ticket by one command. */
export const macros = pgTable(
  'macros',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** Its author. Null of a shared one whose author is gone; own ones go with theirs. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    /** What is typed after a `/` in a conversation; empty where it is chosen by its name only. */
    shortcut: text().notNull().default(''),
    actions: jsonb().$type<TicketAction[]>().notNull(),
    sharing: text({ enum: sharings }).notNull().default('own'),
    /** For whose people it is, where it is shared with queues. */
    queueIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** Rises with each change of what it does: who has seen another one is told so, instead of doing what they did not see. */
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [index('macros_company').on(t.companyId, t.name, t.id), index('macros_user').on(t.userId)],
)

export type Macro = typeof macros.$inferSelect
