import { sql } from 'drizzle-orm'
import { bigserial, boolean, index, integer, jsonb, pgTable, serial, smallint, text } from 'drizzle-orm/pg-core'
import type { RuleAction } from '../actions/actions.inputs.ts'
import { companyOwned, moment, timestamps } from '../columns.ts'
import { tickets } from '../tickets/tickets.table.ts'
import type { RuleCondition } from './rules.inputs.ts'
import { ruleTriggers } from './rules.triggers.ts'

/** What is done by itself after something has happened to a ticket. */
export const rules = pgTable(
  'rules',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** They are asked in this order, the smallest first. */
    position: integer().notNull(),
    active: boolean().notNull().default(false),
    /** When it went live last: what happened before is not answered. Null: never. */
    activeSince: moment(),
    trigger: text({ enum: ruleTriggers }).notNull(),
    /** Of `idle`: so many minutes nobody has written. */
    minutes: integer(),
    /** Of `created`: also tickets that a person began. */
    byPeople: boolean().notNull().default(false),
    match: text({ enum: ['all', 'any'] })
      .notNull()
      .default('all'),
    conditions: jsonb().$type<RuleCondition[]>().notNull(),
    actions: jsonb().$type<RuleAction[]>().notNull(),
    /** Where it acts, no later rule is asked about the same event. */
    stopOnMatch: boolean().notNull().default(false),
    /** Rises with each change of what it does, and when. */
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    index('rules_order').on(t.companyId, t.position),
    index('rules_active').on(t.companyId, t.trigger).where(sql`${t.active}`),
  ],
)
export type Rule = typeof rules.$inferSelect

/** How a rule that was asked ended. */
export const ruleResults = ['done', 'passed', 'blocked', 'refused'] as const
export type RuleResult = (typeof ruleResults)[number]

/** Whether one condition held, and what it was asked about. */
export interface ConditionMet {
  kind: RuleCondition['kind']
  held: boolean
  /** What it found, as ids and codes, never words of contacts. */
  found?: string | number | boolean | null | readonly number[]
}

/** What a rule did, or why it did not. */
export interface RuleOutcome {
  /** Types of its actions, in their order; empty where it did nothing. */
  done: string[]
  /** Of `blocked`: which guard; of `refused`: the code of the error. */
  why?: string
  /** Of `refused`: at which action, the first is 1. */
  step?: number
}

/** A rule that was asked about an event, and what came of it. */
export const ruleRuns = pgTable(
  'rule_runs',
  {
    /** The event's and the rule's: asking twice writes it once. */
    id: text().primaryKey(),
    ...companyOwned(),
    ruleId: integer()
      .notNull()
      .references(() => rules.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    eventId: text().notNull(),
    trigger: text({ enum: ruleTriggers }).notNull(),
    /** The event with which it began: what follows from rules has that of what they answered. */
    root: text().notNull(),
    /** So many rules stand between the two. */
    depth: smallint().notNull(),
    result: text({ enum: ruleResults }).notNull(),
    met: jsonb().$type<ConditionMet[]>().notNull(),
    outcome: jsonb().$type<RuleOutcome>().notNull(),
    /** The message that was the event. */
    messageId: text(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('rule_runs_rule').on(t.ruleId, t.createdAt.desc(), t.id.desc()),
    index('rule_runs_ticket').on(t.ticketId, t.createdAt.desc()),
    index('rule_runs_swept').on(t.result, t.createdAt),
  ],
)
export type RuleRun = typeof ruleRuns.$inferSelect

/**
 * When tags of a ticket changed: what a rule that answers it would have answered, had it been there. Kept for as long as a
 * dry run looks back.
 */
export const ticketTaggings = pgTable(
  'ticket_taggings',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    /** Those that were put on; empty where some were only taken off. */
    added: integer().array().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [
    index('ticket_taggings_ticket').on(t.ticketId, t.createdAt),
    index('ticket_taggings_company').on(t.companyId, t.createdAt),
    index('ticket_taggings_swept').on(t.createdAt),
  ],
)
