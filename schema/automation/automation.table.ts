import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'
import { messages } from '../messages/messages.table.ts'
import { tickets } from '../tickets/tickets.table.ts'

/**
 * What the automation remembers of a ticket. No browser holds it: a column more in a synced table would rebuild every
 * replica.
 */
export const automationStates = pgTable('automation_states', {
  ticketId: integer()
    .primaryKey()
    .references(() => tickets.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  /** The service it is about, by its clock. What is of an earlier one counts no more. */
  serviceId: integer(),
  /** The connection's greeting was sent. */
  greeted: boolean().notNull().default(false),
  /** So many times the queue menu was sent since a choice was made. */
  menusSent: integer().notNull().default(0),
  menuSentAt: moment(),
  /** The queue whose bot has greeted the contact. */
  enteredQueueId: integer(),
  /** Where the contact is in the option tree of that queue; null at its top. */
  optionId: integer(),
  /** The option tree waits for a choice. */
  inOptions: boolean().notNull().default(false),
  /** So many choices in a row that there are not. */
  misses: integer().notNull().default(0),
  /** The default flow has begun. */
  defaultFlow: boolean().notNull().default(false),
  /** When the contact was told last that nobody is there now. */
  hoursToldAt: moment(),
  /** What the bot elsewhere wants to be told again; at most 4 KB. */
  session: jsonb().$type<Record<string, unknown> | null>(),
  sessionAt: moment(),
  /** When the contact asked for the menu: bots answer again who was served before. */
  menuAskedAt: moment(),
  /** Somebody has answered on the phone itself: a person has the conversation in hand. */
  answeredByPhone: boolean().notNull().default(false),
  /** A bot or a flow has handed over to people: nothing answers by itself in this service, unless the contact asks for the menu. */
  handedOver: boolean().notNull().default(false),
  /** A bot elsewhere or a flow has come to its end, and promised nobody: it is not asked again. */
  botOver: boolean().notNull().default(false),
})
export type AutomationState = typeof automationStates.$inferSelect

/** What voice notes say, as a service has heard them: it is asked once, and later answers know it too. */
export const voiceTranscripts = pgTable('voice_transcripts', {
  messageId: text()
    .primaryKey()
    .references(() => messages.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  text: text().notNull(),
  createdAt: moment().notNull().defaultNow(),
})

/** What was asked, and what came of it, in the order of `server-behaviour`'s precedence. */
export interface DecisionStep {
  step: string
  result: 'matched' | 'passed' | 'blocked'
  /** A code; the client has a sentence for it. */
  why: string
  facts?: Record<string, string | number | boolean | null>
}

/** Why the product answered a message, or did not. Kept for 90 days. */
export const automationDecisions = pgTable(
  'automation_decisions',
  {
    id: text().primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    /** The message that was decided about. */
    messageId: text().references(() => messages.id, { onDelete: 'cascade' }),
    trigger: text({ enum: ['message', 'timer', 'answer', 'rule', 'asked'] }).notNull(),
    steps: jsonb().$type<DecisionStep[]>().notNull(),
    /** What it did: kinds and ids, no texts. */
    actions: jsonb().$type<Record<string, unknown>[]>().notNull().default([]),
    /** Ids of the messages that were said. */
    replies: text().array().notNull().default([]),
    /** Of the flow or prompt that answered, and what it cost. */
    by: jsonb().$type<Record<string, unknown> | null>(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('automation_decisions_message').on(t.messageId, t.trigger, t.id),
    index('automation_decisions_ticket').on(t.ticketId, t.createdAt),
    index('automation_decisions_at').on(t.createdAt),
    index('automation_decisions_replies').using('gin', t.replies),
  ],
)
export type AutomationDecision = typeof automationDecisions.$inferSelect
