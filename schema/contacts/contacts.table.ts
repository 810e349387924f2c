import { sql } from 'drizzle-orm'
import { boolean, date, index, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import type { FieldPatch } from '../custom-fields/custom-fields.table.ts'

export interface ExtraInfo {
  id: string
  name: string
  value: string
}

export const contacts = pgTable(
  'contacts',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** `number` and `push` names follow the contact's own; an `edited` one is the company's and stays. */
    nameSource: text({ enum: ['number', 'push', 'edited'] })
      .notNull()
      .default('number'),
    /** Digits of the phone number, or the id of a group; null while they are known by other names only, see `contactAliases`. */
    number: text(),
    /** When WhatsApp told that the number is theirs; null where somebody typed it. What is older says nothing new of it. */
    numberAt: moment(),
    /** Digits of WhatsApp's other name for the same person. */
    lid: text(),
    /** What they call themselves on WhatsApp, without the @. A label: they may change it, and then it may be another's. */
    username: text(),
    email: text().notNull().default(''),
    isGroup: boolean().notNull().default(false),
    /** Path in the media store. */
    profilePicUrl: text(),
    extraInfo: jsonb().$type<ExtraInfo[]>().notNull().default([]),
    /** The company's own fields by their ids. Written by key: what a statement does not name stays, and null empties. */
    fields: jsonb().$type<FieldPatch>().notNull().default({}),
    disableBot: boolean().notNull().default(false),
    /** When their data were erased: the row stays for figures, and names nobody. */
    erasedAt: moment(),
    /** The day of the last sign of life: bounds what browsers keep. Written at most once a day. */
    activeOn: date({ mode: 'string' }).notNull().default(sql`CURRENT_DATE`),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('contacts_number').on(t.companyId, t.number),
    uniqueIndex('contacts_lid').on(t.companyId, t.lid),
    index('contacts_list').on(t.companyId, t.name, t.id),
    // The orders of the list, read from their end.
    index('contacts_active').on(t.companyId, t.activeOn, t.id),
    index('contacts_created').on(t.companyId, t.createdAt, t.id),
    // Who has no fields costs nothing.
    index('contacts_fields').using('gin', t.fields).where(sql`${t.fields} <> '{}'::jsonb`),
  ],
)

export type Contact = typeof contacts.$inferSelect
export type NewContact = typeof contacts.$inferInsert
