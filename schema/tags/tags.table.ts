import { pgTable, serial, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'

/** A label for tickets; with `kanban` 1 it is also a lane of the board. A ticket holds its tags' ids. */
export const tags = pgTable(
  'tags',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    color: text().notNull(),
    kanban: smallint().notNull().default(0),
    ...timestamps(),
  },
  (t) => [uniqueIndex('tags_name').on(t.companyId, t.name)],
)

export type Tag = typeof tags.$inferSelect
