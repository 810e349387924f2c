import { bigint, boolean, index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { users } from './users.table.ts'

/** Keys that a person's devices hold: each signs in without a password, or stands in place of a code after it. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the person calls it. */
    name: text().notNull(),
    /** Chosen by the device, unlike any other; base64url, as the next two. */
    credentialId: text().notNull(),
    publicKey: text().notNull(),
    /** What the devices know the person by: the same for all keys of one person, and no word of who it is. */
    userHandle: text().notNull(),
    /** Uses, as the device counts them; one that goes back is a copy. Many devices do not count, and say 0. */
    counter: bigint({ mode: 'number' }).notNull().default(0),
    /** How browsers reach it, as they said themselves. */
    transports: text().array().notNull(),
    /** Whether it lives in an account of its maker, and so on several devices. */
    synced: boolean().notNull(),
    createdAt: moment().notNull(),
    lastUsedAt: moment(),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialId), index('passkeys_user').on(t.userId)],
)

export type Passkey = typeof passkeys.$inferSelect

export const passkeyCeremonies = ['register', 'enter', 'second'] as const
/** What a question is asked for: a new key, signing in by it alone, or a second step after the password. */
export type PasskeyCeremony = (typeof passkeyCeremonies)[number]

/** Questions that wait for a device's signature. Each is answered once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** The question itself only the browser has. */
    hash: text().primaryKey(),
    ceremony: text({ enum: passkeyCeremonies }).notNull(),
    /** Who is asked; null where the key is to say it. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment().notNull(),
  },
  (t) => [index('passkey_challenges_expiry').on(t.expiresAt), index('passkey_challenges_user').on(t.userId)],
)
