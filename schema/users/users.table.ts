import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import { roles } from '../roles/roles.table.ts'
import { queues } from '../queues/queues.table.ts'
import { whatsapps } from '../whatsapps/whatsapps.table.ts'

export const profiles = ['user', 'supervisor', 'admin'] as const
export type Profile = (typeof profiles)[number]

export const users = pgTable(
  'users',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    email: text().notNull(),
    /** argon2id, never leaves the server. */
    passwordHash: text().notNull(),
    /** It is the one of the first start, which stands in a file or in a log. */
    passwordIsInitial: boolean().notNull().default(false),
    /** False: it was made of chance, for somebody who comes in another way, and nobody knows it. */
    passwordIsKnown: boolean().notNull().default(true),
    profile: text({ enum: profiles }).notNull().default('user'),
    /** What takes the place of the profile, which is then `user`. */
    roleId: integer().references(() => roles.id, { onDelete: 'set null' }),
    /** The platform's operator. */
    super: boolean().notNull().default(false),
    /** Sees tickets without a queue. */
    allTicket: boolean().notNull().default(false),
    whatsappId: integer().references(() => whatsapps.id, { onDelete: 'set null' }),
    online: boolean().notNull().default(false),
    lastSeenAt: moment(),
    /** Since when they take no conversations, by their own word or an admin's; null: they do. */
    awayAt: moment(),
    /** When that ends by itself; null: when somebody says so. */
    awayUntil: moment(),
    /** At so many open tickets they are given no more; null: as the company says. */
    capacity: integer(),
    /** The tags of tickets that they are good at. */
    skillIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** Raised by every login: it names the session, whose row says whether its tokens are good. */
    tokenVersion: integer().notNull().default(0),
    /** When they wanted no more of the first steps of a new company. */
    firstStepsClosedAt: moment(),
    ...timestamps(),
  },
  (t) => [
    check('users_role', sql`${t.roleId} IS NULL OR ${t.profile} = 'user'`),
    index('users_role_id').on(t.roleId),
    uniqueIndex('users_email').on(sql`lower(${t.email})`),
    // As the list has them: a page far behind reads the index alone.
    index('users_company').on(t.companyId, t.name, t.id),
  ],
)

export type User = typeof users.$inferSelect

export const userQueues = pgTable(
  'user_queues',
  {
    ...companyOwned(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    queueId: integer()
      .notNull()
      .references(() => queues.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.queueId] }), index('user_queues_queue').on(t.queueId)],
)
