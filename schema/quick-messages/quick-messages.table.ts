import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, ownFile, timestamps } from '../columns.ts'
import { users } from '../users/users.table.ts'

/** A reply kept under a short name, typed as `/name` in a conversation; may carry a file. */
export const quickMessages = pgTable(
  'quick_messages',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** Its owner; a general one outlives them. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    shortcode: text().notNull(),
    message: text().notNull(),
    /** Everybody in the company may use it. */
    isGeneral: boolean().notNull().default(false),
    status: boolean().notNull().default(true),
    ...ownFile(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('quick_messages_own').on(t.companyId, t.userId, t.shortcode).where(sql`NOT ${t.isGeneral}`),
    uniqueIndex('quick_messages_general').on(t.companyId, t.shortcode).where(sql`${t.isGeneral}`),
  ],
)

export type QuickMessage = typeof quickMessages.$inferSelect
