import { boolean, integer, numeric, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { newPlanLimits } from './plans.features.ts'

export const plans = pgTable('plans', {
  id: serial().primaryKey(),
  name: text().notNull().unique(),
  users: integer().notNull().default(newPlanLimits.users),
  connections: integer().notNull().default(newPlanLimits.connections),
  queues: integer().notNull().default(newPlanLimits.queues),
  value: numeric({ precision: 12, scale: 2 }).notNull().default('0'),
  useCampaigns: boolean().notNull().default(true),
  useSchedules: boolean().notNull().default(true),
  useInternalChat: boolean().notNull().default(true),
  useExternalApi: boolean().notNull().default(true),
  useKanban: boolean().notNull().default(true),
  useOpenAi: boolean().notNull().default(true),
  useIntegrations: boolean().notNull().default(true),
  /** True: offered at sign-up; false: an internal plan, for the operator to assign. */
  useInternal: boolean().notNull().default(true),
  createdAt: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  updatedAt: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
})

export type Plan = typeof plans.$inferSelect
