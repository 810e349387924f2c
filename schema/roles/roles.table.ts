import { sql } from 'drizzle-orm'
import { boolean, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'

/** Which tickets the people of a role see: their own, those of their queues besides, or all. */
export const ticketScopes = ['own', 'queues', 'all'] as const
export type TicketScopeName = (typeof ticketScopes)[number]

/** What some people of a company may do, as its admins have put it together. */
export const roles = pgTable(
  'roles',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** Names of permissions; one that is known no more opens nothing. */
    permissions: text().array().notNull().default(sql`'{}'::text[]`),
    ticketScope: text({ enum: ticketScopes }).notNull().default('queues'),
    /** Contacts' telephone numbers reach its people without their middle, see `contacts.masking.ts`. */
    maskNumbers: boolean().notNull().default(false),
    ...timestamps(),
  },
  (t) => [uniqueIndex('roles_name').on(t.companyId, sql`lower(${t.name})`)],
)

export type Role = typeof roles.$inferSelect
