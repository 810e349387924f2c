import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/** Where a picture of the operator's stands in place of ours. */
export const brandPlaces = ['signup', 'login', 'interno', 'favicon', 'favicon-256x256', 'apple-touch-icon'] as const
export type BrandPlace = (typeof brandPlaces)[number]

/** The operator's pictures, one for each place. They are small, and shown to everybody, before the login too. */
export const branding = pgTable('branding', {
  place: text({ enum: brandPlaces }).primaryKey(),
  /** What it is by its content: PNG, ICO or cleaned SVG. */
  mime: text().notNull(),
  /** Base64. */
  content: text().notNull(),
  /** Bytes. */
  size: integer().notNull(),
  updatedAt: moment().notNull().defaultNow(),
})
