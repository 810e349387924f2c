import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { users } from './users.table.ts'

/** What a person proves a login with, besides the password. */
export const twoFactors = pgTable('two_factors', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  /** Sealed. */
  secret: text().notNull(),
  /** Null until a first code has shown that the app has the secret. */
  enabledAt: moment(),
  /** The half minute of the last code: none before it, and not itself, is good again. */
  lastStep: integer().notNull().default(0),
  /** Hashes of the codes for when the phone is gone; each is good once. */
  recovery: text().array().notNull(),
  /** Wrong codes since the last right one. */
  errors: integer().notNull().default(0),
  lockedUntil: moment(),
})

export type TwoFactor = typeof twoFactors.$inferSelect
