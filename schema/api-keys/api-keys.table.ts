import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import type { ApiScope } from './api-keys.scopes.ts'

/** A key by which a program of the company calls `/api/v1`: a principal of its own, no person's. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** The beginning of the key, by which people tell keys apart. */
    prefix: text().notNull(),
    /** SHA-256 of the key, in hex; the key itself is kept nowhere. */
    hash: text().notNull(),
    scopes: text().array().$type<ApiScope[]>().notNull(),
    /** Addresses and networks it may be used from; empty: any. */
    ipAllow: text().array().notNull(),
    ratePerMinute: integer().notNull().default(120),
    expiresAt: moment(),
    lastUsedAt: moment(),
    lastIp: text(),
    revokedAt: moment(),
    createdBy: integer(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('api_keys_hash').on(t.hash), index('api_keys_company').on(t.companyId, t.id)],
)

export type ApiKey = typeof apiKeys.$inferSelect
