import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { users } from './users.table.ts'

/** The one code that a user may set a new password with; a new request replaces it, its use deletes it. */
export const passwordResets = pgTable('password_resets', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  /** The code itself is only in the mail. */
  codeHash: text().notNull(),
  expiresAt: moment().notNull(),
  /** Wrong codes tried on it. */
  tries: integer().notNull().default(0),
})
