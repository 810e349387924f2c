import { boolean, index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { sessions } from '../users/sessions.table.ts'
import { users } from '../users/users.table.ts'

/** A browser that may be woken for its user, by the standard Web Push, while the session lasts that asked for it. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: integer()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('push_endpoint').on(t.endpoint),
    index('push_user').on(t.userId),
    index('push_session').on(t.sessionId),
  ],
)

/** When a user does not want to be woken. Times are `HH:MM` in the company's zone; equal ones mean never quiet. */
export const pushPreferences = pgTable('push_preferences', {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  enabled: boolean().notNull().default(true),
  quietFrom: text().notNull().default('00:00'),
  quietTo: text().notNull().default('00:00'),
  updatedAt: moment().notNull().defaultNow(),
})

/** The pair of keys that push services know this server by; one row, made at the first use. */
export const pushKeys = pgTable('push_keys', {
  id: integer().primaryKey(),
  publicKey: text().notNull(),
  /** Sealed with the server's encryption key. */
  privateKey: text().notNull(),
})
