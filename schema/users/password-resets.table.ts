import { index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { users } from './users.table.ts'

/**
 * Codes that a user may set a new password with; the use of one deletes all. A new request replaces none: whoever asks
 * in somebody's name would make the code worthless that the person is just typing.
 */
export const passwordResets = pgTable(
  'password_resets',
  {
    id: serial().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ...companyOwned(),
    /** The code itself is only in the mail. */
    codeHash: text().notNull(),
    expiresAt: moment().notNull(),
    /** Wrong codes tried on it. */
    tries: integer().notNull().default(0),
  },
  (t) => [index('password_resets_user').on(t.userId)],
)
