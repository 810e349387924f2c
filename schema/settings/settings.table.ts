import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'

export const settings = pgTable(
  'settings',
  {
    ...companyOwned(),
    key: text().notNull(),
    value: text().notNull(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.key] })],
)

export type Setting = typeof settings.$inferSelect
