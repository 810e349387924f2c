import { boolean, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, ownFile, timestamps } from '../columns.ts'
import type { ScheduleEntry } from '../hours/hours.open.ts'

/** How its waiting tickets come to agents: they take them, or are given them in turn, by load, or by what they know. */
export const assignmentRules = ['manual', 'roundRobin', 'leastBusy', 'skill'] as const
export type AssignmentRule = (typeof assignmentRules)[number]

/** What becomes of the open tickets of an agent who goes away. */
export const leavings = ['keep', 'queue', 'others'] as const
export type Leaving = (typeof leavings)[number]

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
    assignment: text({ enum: assignmentRules }).notNull().default('manual'),
    /** Who served the contact last gets them again, if they are there and not full. */
    lastAgentFirst: boolean().notNull().default(false),
    whenAway: text({ enum: leavings }).notNull().default('keep'),
    /** Sent with its greeting. */
    ...ownFile(),
    ...timestamps(),
  },
  (t) => [uniqueIndex('queues_name').on(t.companyId, t.name), uniqueIndex('queues_color').on(t.companyId, t.color)],
)

export type Queue = typeof queues.$inferSelect

/** Whose turn was last in a queue that gives its tickets in turn. Only the server knows it. */
export const queueTurns = pgTable('queue_turns', {
  queueId: integer()
    .primaryKey()
    .references(() => queues.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  userId: integer().notNull(),
})
