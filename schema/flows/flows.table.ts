import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment, ownFile, timestamps } from '../columns.ts'
import { contacts } from '../contacts/contacts.table.ts'
import type { FlowLogEntry } from './flows.log.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import { whatsapps } from '../whatsapps/whatsapps.table.ts'

/** A conversation that is drawn: what contacts are told while no agent answers. */
export const flows = pgTable(
  'flows',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** One that is switched off begins for nobody; who is in it goes on. */
    active: boolean().notNull().default(true),
    /** The published version that contacts meet; null until the first is published. */
    versionId: integer(),
    ...timestamps(),
  },
  (t) => [uniqueIndex('flows_name').on(t.companyId, t.name)],
)
export type Flow = typeof flows.$inferSelect

/**
 * The draft of a flow, a row for each node, so that two people who draw at once lose nothing of each other. Contacts do
 * not meet it until it is published.
 */
export const flowNodes = pgTable(
  'flow_nodes',
  {
    /** `<flow>:<node>`: a node's own id is unique in its flow alone. */
    id: text().primaryKey(),
    ...companyOwned(),
    flowId: integer()
      .notNull()
      .references(() => flows.id, { onDelete: 'cascade' }),
    node: text().notNull(),
    type: text().notNull(),
    x: doublePrecision().notNull(),
    y: doublePrecision().notNull(),
    data: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** Which node each port leads to; a port that is not named ends the flow. */
    exits: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Another with each change of what it says, see `revOf`: who changes one that is not what they saw is told. */
    rev: integer().notNull().default(1),
    /** Who changed it last. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [index('flow_nodes_flow').on(t.flowId)],
)
export type FlowNodeRow = typeof flowNodes.$inferSelect

/** What was published, as it was. Never changed: who is in the middle of a flow finishes what they began. */
export const flowVersions = pgTable(
  'flow_versions',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    flowId: integer()
      .notNull()
      .references(() => flows.id, { onDelete: 'cascade' }),
    /** 1, 2, 3 … within the flow. */
    number: integer().notNull(),
    /** The rows of the draft at that moment. */
    nodes: jsonb().$type<Pick<FlowNodeRow, 'node' | 'type' | 'x' | 'y' | 'data' | 'exits'>[]>().notNull(),
    note: text().notNull().default(''),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('flow_versions_number').on(t.flowId, t.number)],
)
export type FlowVersion = typeof flowVersions.$inferSelect

/** Where a contact is in a flow. */
export const flowRuns = pgTable(
  'flow_runs',
  {
    /** A UUIDv7; the ids of its messages follow from it. */
    id: text().primaryKey(),
    ...companyOwned(),
    flowId: integer()
      .notNull()
      .references(() => flows.id, { onDelete: 'cascade' }),
    versionId: integer()
      .notNull()
      .references(() => flowVersions.id, { onDelete: 'cascade' }),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    whatsappId: integer()
      .notNull()
      .references(() => whatsapps.id, { onDelete: 'cascade' }),
    /** What `step` was given back; at most 32 KB. */
    run: jsonb().$type<unknown>().notNull(),
    /** When it goes on by itself; null while it waits for somebody. */
    wakeAt: moment(),
    /** Null while it is active. */
    endedAt: moment(),
    /** How it ended. */
    reason: text(),
    ...timestamps(),
  },
  (t) => [
    // The guarantee behind "one automation at a time".
    uniqueIndex('flow_runs_active').on(t.ticketId).where(sql`${t.endedAt} IS NULL`),
    index('flow_runs_due').on(t.wakeAt).where(sql`${t.endedAt} IS NULL AND ${t.wakeAt} IS NOT NULL`),
    index('flow_runs_flow').on(t.flowId, t.createdAt),
    index('flow_runs_contact').on(t.contactId),
  ],
)
export type FlowRunRow = typeof flowRuns.$inferSelect

/** The nodes that a run went through at one event: what the counts on the nodes are made of. */
export const flowTrails = pgTable(
  'flow_trails',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    ...companyOwned(),
    flowId: integer()
      .notNull()
      .references(() => flows.id, { onDelete: 'cascade' }),
    runId: text()
      .notNull()
      .references(() => flowRuns.id, { onDelete: 'cascade' }),
    nodes: text().array().notNull(),
    /** The node at which the contact fell silent, where the run ended so. */
    left: text(),
    at: moment().notNull().defaultNow(),
  },
  (t) => [index('flow_trails_at').on(t.at), index('flow_trails_run').on(t.runId)],
)

/** What runs did, an event a row: read afterwards, for as long as the run is kept. */
export const flowLogs = pgTable(
  'flow_logs',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    ...companyOwned(),
    runId: text()
      .notNull()
      .references(() => flowRuns.id, { onDelete: 'cascade' }),
    /** See `flows.log.ts`; bounded there. */
    entry: jsonb().$type<FlowLogEntry>().notNull(),
    at: moment().notNull().defaultNow(),
  },
  (t) => [index('flow_logs_run').on(t.runId, t.id), index('flow_logs_at').on(t.at)],
)

/** How often each node was reached on a day, and how many runs ended there. */
export const flowCounts = pgTable(
  'flow_counts',
  {
    ...companyOwned(),
    flowId: integer()
      .notNull()
      .references(() => flows.id, { onDelete: 'cascade' }),
    node: text().notNull(),
    day: date().notNull(),
    reached: integer().notNull().default(0),
    left: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.flowId, t.day, t.node] })],
)

/** Pictures, sounds and films that flows send. */
export const flowFiles = pgTable(
  'flow_files',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** The name that nodes and old clients know it by; unique in the company. */
    name: text().notNull(),
    ...ownFile(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('flow_files_name').on(t.companyId, t.name)],
)
export type FlowFile = typeof flowFiles.$inferSelect

/** Keys that the calls of flows need: nodes know them by name, nobody is shown them. */
export const flowSecrets = pgTable(
  'flow_secrets',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** As nodes write it, `{{secret:name}}`; never changed, and part of what the value is sealed with. */
    name: text().notNull(),
    /** Sealed. */
    value: text().notNull(),
    /** The only hosts that it is sent to, with their port where that is not 443; none: nowhere. */
    hosts: text().array().notNull().default(sql`'{}'::text[]`),
    /** Who wrote it last. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    ...timestamps(),
  },
  (t) => [uniqueIndex('flow_secrets_name').on(t.companyId, t.name)],
)

/** A phrase that begins a flow, "flow campaign" to old clients. */
export const flowCampaigns = pgTable(
  'flow_campaigns',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    flowId: integer()
      .notNull()
      .references(() => flows.id, { onDelete: 'cascade' }),
    /** Null: on any connection. */
    whatsappId: integer().references(() => whatsapps.id, { onDelete: 'cascade' }),
    phrase: text().notNull(),
    /** The phrase trimmed and in lower case, as messages are compared with it. */
    phraseKey: text().notNull(),
    status: boolean().notNull().default(true),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('flow_campaigns_phrase').on(t.companyId, sql`coalesce(${t.whatsappId}, 0)`, t.phraseKey),
    index('flow_campaigns_flow').on(t.flowId),
  ],
)
export type FlowCampaign = typeof flowCampaigns.$inferSelect

/** The flows that begin by themselves in a company: for a contact's first message ever, and for any text without a phrase. */
export const flowDefaults = pgTable('flow_defaults', {
  companyId: companyOwned().companyId.primaryKey(),
  flowIdWelcome: integer().references(() => flows.id, { onDelete: 'set null' }),
  flowIdNotPhrase: integer().references(() => flows.id, { onDelete: 'set null' }),
  updatedAt: moment().notNull().defaultNow(),
})
