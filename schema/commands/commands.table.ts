import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { CommandTable } from '../command.ts'
import { companyOwned, moment } from '../columns.ts'

/** What was already done, by idempotency key: a repeated command answers what it answered the first time. */
export const commandLog = pgTable(
  'command_log',
  {
    ...companyOwned(),
    /** The user, or 0 for the company's own token. */
    userId: integer().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    inputHash: text().notNull(),
    /** What was answered, and the shapes whose rows changed. */
    result: jsonb().$type<{ tables: CommandTable[]; value: Record<string, unknown> }>().notNull(),
    /** 32-bit transaction id, as shapes report it. */
    txid: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.userId, t.id] }), index('command_log_age').on(t.createdAt)],
)
