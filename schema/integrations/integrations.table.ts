import { integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'
import { flows } from '../flows/flows.table.ts'

export const integrationTypes = ['dialogflow', 'n8n', 'webhook', 'typebot', 'flowbuilder', 'billing'] as const
export type IntegrationType = (typeof integrationTypes)[number]

/** A bot elsewhere that answers in an agent's place, "queue integration" to old clients. */
export const integrations = pgTable(
  'queue_integrations',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    type: text({ enum: integrationTypes }).notNull(),
    name: text().notNull(),
    projectName: text().notNull().default(''),
    /** The service account of Dialogflow; sealed, empty where there is none. */
    jsonContent: text().notNull().default(''),
    language: text().notNull().default(''),
    /** The address of n8n, of a webhook or of Typebot's viewer. */
    urlN8N: text().notNull().default(''),
    /** What webhooks are signed with; sealed, empty where there is none. */
    secret: text().notNull().default(''),
    /** The flow that type `flowbuilder` begins. */
    flowId: integer().references(() => flows.id, { onDelete: 'set null' }),
    typebotSlug: text().notNull().default(''),
    /** Milliseconds between two bubbles. */
    typebotDelayMessage: integer().notNull().default(1000),
    /** Minutes of silence after which a conversation begins anew; 0 never. */
    typebotExpires: integer().notNull().default(1),
    typebotKeywordFinish: text().notNull().default(''),
    typebotKeywordRestart: text().notNull().default(''),
    typebotRestartMessage: text().notNull().default(''),
    typebotUnknownMessage: text().notNull().default(''),
    /** Which billing system, and what else a type needs to know. */
    options: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    ...timestamps(),
  },
  (t) => [uniqueIndex('queue_integrations_name').on(t.companyId, t.name)],
)
export type Integration = typeof integrations.$inferSelect
