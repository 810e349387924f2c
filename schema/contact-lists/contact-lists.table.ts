import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'

export const checkStates = ['none', 'running', 'cancelled', 'done'] as const
export type CheckState = (typeof checkStates)[number]

/** A named list of people, to whom campaigns are sent. They need not be contacts: most have never written. */
export const contactLists = pgTable(
  'contact_lists',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** Asking WhatsApp which numbers have an account; it goes on after a restart. */
    checkState: text({ enum: checkStates }).notNull().default('none'),
    checkTotal: integer().notNull().default(0),
    checkDone: integer().notNull().default(0),
    /** When the next number may be asked about. */
    checkNextAt: moment(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('contact_lists_name').on(t.companyId, t.name),
    index('contact_lists_checks').on(t.checkNextAt).where(sql`${t.checkState} = 'running'`),
  ],
)
export type ContactList = typeof contactLists.$inferSelect

export const contactListItems = pgTable(
  'contact_list_items',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    contactListId: integer()
      .notNull()
      .references(() => contactLists.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Digits; as WhatsApp writes them once it was asked. */
    number: text().notNull(),
    /** The number in one of its spellings, see `numberKey`: two spellings are one person. */
    key: text().notNull(),
    /** WhatsApp's other name for the person, where it told. */
    lid: text(),
    email: text().notNull().default(''),
    /** Null: WhatsApp was not asked yet. */
    isWhatsappValid: boolean(),
    checkedAt: moment(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('contact_list_items_number').on(t.contactListId, t.key),
    index('contact_list_items_page').on(t.contactListId, t.name, t.id),
    index('contact_list_items_unchecked').on(t.contactListId, t.id).where(sql`${t.isWhatsappValid} IS NULL`),
  ],
)
export type ContactListItem = typeof contactListItems.$inferSelect
