import { boolean, index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { users } from './users.table.ts'

/** Why a session ended before its time; `remote`: its owner ended it from another; `copied`: a refresh token was used that had been replaced long before. */
export const sessionEnds = ['logout', 'remote', 'elsewhere', 'password', 'copied'] as const
export type SessionEnd = (typeof sessionEnds)[number]

/** A login, from its beginning to its end. What ended is kept for a while: a person reads where they were signed in. */
export const sessions = pgTable(
  'sessions',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's at the login, no other session's; its tokens carry it. */
    tokenVersion: integer().notNull(),
    /** The one refresh token that is good now, hashed; a second use of an older one ends the session. */
    refreshHash: text(),
    /** What the browser said it was, cut. */
    userAgent: text(),
    /** Where the login came from, as far as it is known. */
    address: text(),
    createdAt: moment().notNull(),
    /** The last renewal of its tokens. */
    lastSeenAt: moment().notNull(),
    /** Its end at the latest, however often it is renewed. */
    expiresAt: moment().notNull(),
    endedAt: moment(),
    endedBy: text({ enum: sessionEnds }),
    /** The operator, who works in the user's name; null: it is the user themselves. Such a session is never renewed. */
    operatorId: integer().references(() => users.id, { onDelete: 'cascade' }),
    operatorName: text(),
    /** Of the operator's own session, without which this one is worth nothing. */
    operatorSessionId: integer(),
    /** Why, as the company is told. */
    reason: text(),
    /** The operator looks and changes nothing. */
    readOnly: boolean().notNull().default(false),
  },
  (t) => [uniqueIndex('sessions_version').on(t.userId, t.tokenVersion), index('sessions_expiry').on(t.expiresAt)],
)

export type SessionRow = typeof sessions.$inferSelect
