import { integer, pgTable, serial, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'
import { users } from '../users/users.table.ts'

/** A label for tickets; with `kanban` 1 it is also a lane of the board. A ticket holds its tags' ids. */
export const tags = pgTable(
  'tags',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    color: text().notNull(),
    kanban: smallint().notNull().default(0),
    /** The place of its lane; those without one come after, by name. */
    laneOrder: integer(),
    /** So many cards are meant to be in its lane; more are shown as too many, and are not refused. */
    laneLimit: integer(),
    /** Who made it; null where that was a program, or they are gone. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    ...timestamps(),
  },
  (t) => [uniqueIndex('tags_name').on(t.companyId, t.name)],
)

export type Tag = typeof tags.$inferSelect
