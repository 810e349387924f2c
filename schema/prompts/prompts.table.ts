import {
  bigint,
  date,
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'
import { queues } from '../queues/queues.table.ts'

/** An assistant that answers by a language model. */
export const prompts = pgTable(
  'prompts',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    prompt: text().notNull(),
    /** Sealed. */
    apiKey: text().notNull(),
    /** Where the service is, without `/chat/completions`; empty for OpenAI's own. */
    baseUrl: text().notNull().default(''),
    model: text().notNull().default(''),
    /** What makes text of voice notes; empty: they are not understood. */
    transcriptionModel: text().notNull().default(''),
    /** `texto`, or the name of a voice that the answers are spoken with. */
    voice: text().notNull().default('texto'),
    /** Of the speech service; sealed, empty where there is none. */
    voiceKey: text().notNull().default(''),
    voiceRegion: text().notNull().default(''),
    maxTokens: integer().notNull().default(100),
    temperature: doublePrecision().notNull().default(1),
    /** So many latest messages are told to the model. */
    maxMessages: integer().notNull().default(10),
    /** Where a conversation goes that the assistant hands over. */
    queueId: integer().references(() => queues.id, { onDelete: 'set null' }),
    ...timestamps(),
  },
  (t) => [uniqueIndex('prompts_name').on(t.companyId, t.name)],
)
export type Prompt = typeof prompts.$inferSelect

/** What a company's assistants used in a month. */
export const promptUsage = pgTable(
  'prompt_usage',
  {
    ...companyOwned(),
    /** The first day of the month, in the company's time zone. */
    month: date().notNull(),
    tokens: bigint({ mode: 'number' }).notNull().default(0),
    answers: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.month] })],
)
