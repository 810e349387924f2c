import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'

/** On what a field stands. */
export const fieldEntities = ['contact', 'ticket'] as const
export type FieldEntity = (typeof fieldEntities)[number]

export const fieldTypes = ['text', 'number', 'date', 'boolean', 'choice'] as const
export type FieldType = (typeof fieldTypes)[number]

/** One of the answers of a choice. Values name it by its id, so that it may be called otherwise later. */
export interface FieldOption {
  id: string
  label: string
  /** It is offered no more; who has it keeps it. */
  archived?: boolean
}

/**
 * A field that a company has given its contacts or its tickets. Their values stand in `fields` of the contact or the ticket,
 * by the id of the field; see `custom-fields.values.ts`.
 */
export const customFields = pgTable(
  'custom_fields',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    entity: text({ enum: fieldEntities }).notNull(),
    name: text().notNull(),
    /** What programs and placeholders call it. It stays when the name changes, and no other field of the company has it. */
    key: text().notNull(),
    type: text({ enum: fieldTypes }).notNull(),
    /** Of a choice, in the order in which they are offered. */
    options: jsonb().$type<FieldOption[]>().notNull().default([]),
    help: text().notNull().default(''),
    position: integer().notNull().default(0),
    /** A person closes no ticket while it is empty. */
    required: boolean().notNull().default(false),
    /** It is shown nowhere, and its values stay. */
    archivedAt: moment(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('custom_fields_key').on(t.companyId, t.key),
    uniqueIndex('custom_fields_name').on(t.companyId, t.entity, t.name).where(sql`${t.archivedAt} IS NULL`),
    index('custom_fields_list').on(t.companyId, t.entity, t.position, t.id),
  ],
)

export type CustomField = typeof customFields.$inferSelect

/** What somebody has said of a field. Of a date the day, such as `2026-11-30`; of a choice the id of the option. */
export type FieldValue = string | number | boolean
/** The values of a contact or a ticket, by the id of the field. What is empty has no key. */
export type FieldValues = Record<string, FieldValue>
/** What is to become of some of them; null empties one. */
export type FieldPatch = Record<string, FieldValue | null>
