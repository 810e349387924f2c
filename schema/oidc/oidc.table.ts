import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import { roles } from '../roles/roles.table.ts'
import { users } from '../users/users.table.ts'
import type { DomainProofs } from './oidc.proofs.ts'
import type { RoleRule } from './oidc.rules.ts'

/** Whom a company trusts to say who its people are (OpenID Connect): one row each. */
export const oidcProviders = pgTable('oidc_providers', {
  companyId: companyOwned().companyId.primaryKey(),
  /** Its address, as the provider itself writes it. */
  issuer: text().notNull(),
  clientId: text().notNull(),
  /** Sealed; empty for a client that has none. */
  secret: text().notNull().default(''),
  /** What follows the @ of e-mails that the company says are its own. */
  domains: text().array().notNull().default(sql`'{}'::text[]`),
  /** Those of them that are proven, by a record of their DNS or by the operator's word: for no other it may vouch. */
  provenDomains: text().array().notNull().default(sql`'{}'::text[]`),
  /** By which of the two, and since when a record is missing. */
  domainProofs: jsonb().$type<DomainProofs>().notNull().default({}),
  /** Whether who comes for the first time becomes a user. */
  makesUsers: boolean().notNull().default(false),
  /** The role of such a user; null: an agent. */
  roleId: integer().references(() => roles.id, { onDelete: 'set null' }),
  /** What of a token tells the groups of a person. */
  groupsClaim: text().notNull().default('groups'),
  /** Which groups have which role; the first that matches decides. */
  roleRules: jsonb().$type<RoleRule[]>().notNull().default([]),
  /** When an admin last came in by it, as it is set up now. */
  triedAt: timestamp({ withTimezone: true }),
  /** Whether the company’s people come in by it alone, */
  ssoOnly: boolean().notNull().default(false),
  /** but for this admin, for the day on which it does not work. */
  breakGlassUserId: integer().references(() => users.id, { onDelete: 'set null' }),
  ...timestamps(),
})

export type OidcProvider = typeof oidcProviders.$inferSelect

/**
 * By what a provider knows a user: its `sub`, which stays where an e-mail passes from one person to the next. Some
 * providers say another one to each client. Written at the first sign-in; forgotten by an admin's word alone.
 */
export const oidcSubjects = pgTable(
  'oidc_subjects',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ...companyOwned(),
    issuer: text().notNull(),
    clientId: text().notNull(),
    subject: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.issuer, t.clientId] }),
    uniqueIndex('oidc_subjects_subject').on(t.companyId, t.issuer, t.clientId, t.subject),
  ],
)
