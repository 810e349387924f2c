import { type AnyPgColumn, index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { companyOwned, ownFile, timestamps } from '../columns.ts'
import { queues } from './queues.table.ts'

/** A line of a queue's chatbot: what contacts choose by its number. */
export const queueOptions = pgTable(
  'queue_options',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    queueId: integer()
      .notNull()
      .references(() => queues.id, { onDelete: 'cascade' }),
    /** The option under which it is offered; null at the top. */
    parentId: integer().references((): AnyPgColumn => queueOptions.id, { onDelete: 'cascade' }),
    /** The number that contacts type; it also orders them. */
    option: integer().notNull(),
    title: text().notNull(),
    /** Said when it is chosen. */
    message: text().notNull().default(''),
    ...ownFile(),
    ...timestamps(),
  },
  (t) => [
    index('queue_options_queue').on(t.queueId, t.parentId, t.option),
    index('queue_options_parent').on(t.parentId),
  ],
)
export type QueueOption = typeof queueOptions.$inferSelect
