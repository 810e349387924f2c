import { boolean, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'
import { whatsapps } from '../whatsapps/whatsapps.table.ts'
import type { TemplateParts } from './templates.parts.ts'

/**
 * A message that the service has looked at and lets be sent at any time. It is the account's, and kept for each connection
 * of that account: what is true of it the service says, and every change is fetched.
 */
export const templates = pgTable(
  'templates',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    whatsappId: integer()
      .notNull()
      .references(() => whatsapps.id, { onDelete: 'cascade' }),
    /** The service's id of it. */
    metaId: text().notNull(),
    name: text().notNull(),
    /** As the service spells it: `pt_BR`, `es`, `en_US`. */
    language: text().notNull(),
    /** As the service says it: MARKETING, UTILITY, AUTHENTICATION. It may change it. */
    category: text().notNull(),
    /** The category that the company knows of: the price follows from it, so what became dearer is confirmed first. */
    confirmedCategory: text().notNull(),
    /** What the service has said that it will change the category to. */
    nextCategory: text(),
    /** As the service says it, see `templateStatuses`. */
    status: text().notNull(),
    /** GREEN, YELLOW, RED or UNKNOWN; null before it was rated. */
    quality: text(),
    /** Why it was refused: a word of the service, see `templateReasons`. */
    reason: text(),
    /** What the service advises, in its own words. */
    advice: text(),
    parts: jsonb().$type<TemplateParts>().notNull(),
    /** It has parts that are not known here, such as a carousel: it is shown, and not sent. */
    isStrange: boolean().notNull().default(false),
    /** When it was changed from here within the last 30 days, ISO moments: the service lets an approved one be changed seldom. */
    edits: jsonb().$type<string[]>().notNull().default([]),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('templates_name').on(t.whatsappId, t.name, t.language),
    index('templates_company').on(t.companyId, t.name, t.language),
  ],
)
export type Template = typeof templates.$inferSelect
