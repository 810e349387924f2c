import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import { timestamps } from '../columns.ts'

/** A film that explains the product to every company; the operator writes it. */
export const helps = pgTable('helps', {
  id: serial().primaryKey(),
  title: text().notNull(),
  description: text().notNull().default(''),
  /** What YouTube knows it by. */
  video: text().notNull(),
  ...timestamps(),
})
export type Help = typeof helps.$inferSelect
