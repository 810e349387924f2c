import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { contacts } from './contacts.table.ts'

/** What a contact may be known by besides the two columns that hold what they are reached by today. */
export const aliasKinds = ['number', 'lid', 'bsuid', 'parent'] as const
export type AliasKind = (typeof aliasKinds)[number]

/**
 * By what else a contact is known. `contacts.number` and `contacts.lid` are what is true of both today; here stand the
 * official API's ids, today's and those before, and numbers that a contact had before. A username is none of them: it may
 * be another's tomorrow.
 */
export const contactAliases = pgTable(
  'contact_aliases',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    kind: text({ enum: aliasKinds }).notNull(),
    /** Of a BSUID, the portfolio in which it names somebody; else empty. */
    scope: text().notNull().default(''),
    /** Digits of a number, else the id as the service writes it. */
    value: text().notNull(),
    /** When it was first told. */
    since: moment().notNull(),
    /** When it was told that it is theirs no more; null while it is. */
    until: moment(),
  },
  (t) => [
    // An id is never given to another person; a number may have been one contact's after the other.
    uniqueIndex('contact_aliases_id').on(t.companyId, t.kind, t.scope, t.value).where(sql`${t.kind} <> 'number'`),
    uniqueIndex('contact_aliases_one').on(t.contactId, t.scope).where(sql`${t.kind} = 'bsuid' AND ${t.until} IS NULL`),
    uniqueIndex('contact_aliases_number').on(t.contactId, t.value).where(sql`${t.kind} = 'number'`),
    index('contact_aliases_value').on(t.companyId, t.value),
  ],
)

export type ContactAlias = typeof contactAliases.$inferSelect
