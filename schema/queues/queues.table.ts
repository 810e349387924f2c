import { integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, ownFile, timestamps } from '../columns.ts'
import type { ScheduleEntry } from '../hours/hours.open.ts'

export const queues = pgTable(
  'queues',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    color: text().notNull(),
    greetingMessage: text().notNull().default(''),
    outOfHoursMessage: text().notNull().default(''),
    /** Position in the menu that contacts see; lower first. */
    orderQueue: integer(),
    schedules: jsonb().$type<ScheduleEntry[]>().notNull().default([]),
    promptId: integer(),
    integrationId: integer(),
    /** Sent with its greeting. */
    ...ownFile(),
    ...timestamps(),
  },
  (t) => [uniqueIndex('queues_name').on(t.companyId, t.name), uniqueIndex('queues_color').on(t.companyId, t.color)],
)

export type Queue = typeof queues.$inferSelect
