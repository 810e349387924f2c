import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'
import { roles } from '../roles/roles.table.ts'

/** Whom a company trusts to say who its people are (OpenID Connect): one row each. */
export const oidcProviders = pgTable('oidc_providers', {
  companyId: companyOwned().companyId.primaryKey(),
  /** Its address, as the provider itself writes it. */
  issuer: text().notNull(),
  clientId: text().notNull(),
  /** Sealed; empty for a client that has none. */
  secret: text().notNull().default(''),
  /** What follows the @ of e-mails that it may vouch for. */
  domains: text().array().notNull().default(sql`'{}'::text[]`),
  /** Whether who comes for the first time becomes a user. */
  makesUsers: boolean().notNull().default(false),
  /** The role of such a user; null: an agent. */
  roleId: integer().references(() => roles.id, { onDelete: 'set null' }),
  ...timestamps(),
})

export type OidcProvider = typeof oidcProviders.$inferSelect
