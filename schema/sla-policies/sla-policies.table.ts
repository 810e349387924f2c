import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import type { FieldTest } from '../custom-fields/custom-fields.conditions.ts'
import { queues } from '../queues/queues.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { slaMetrics } from './sla.metrics.ts'

/** What is asked of a contact: a piece of extra information, or a field of the company's own. */
export type ContactAsked = { name: string; value: string } | FieldTest

/** By whose hours the minutes of a policy are counted: all of them, the company's, or those of the ticket's queue. */
export const slaCalendars = ['24x7', 'company', 'queue'] as const
export type SlaCalendar = (typeof slaCalendars)[number]

/** What a company promises: how soon contacts are answered, and served. The first active one that fits a ticket counts. */
export const slaPolicies = pgTable(
  'sla_policies',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** They are asked in this order, the smallest first. */
    position: integer().notNull(),
    active: boolean().notNull().default(true),
    /** Tickets of these queues; empty: of any, and of none. */
    queueIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** Tickets that have one of these tags; empty: any. */
    tagIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** Tickets of contacts whose extra information has this value, or whose field of the company's own meets this; null: of any. */
    contactField: jsonb().$type<ContactAsked | null>(),
    /** Minutes until a person answers the first message of a service; null: no promise. */
    firstAnswer: integer(),
    /** Minutes until a person answers each later one. */
    nextAnswer: integer(),
    /** Minutes until the service is over. */
    resolution: integer(),
    calendar: text({ enum: slaCalendars }).notNull().default('company'),
    /** Percent of the time after which people are warned. */
    warnAt: smallint().notNull().default(80),
    /** Who is told of a breach besides the ticket's own people. */
    escalateUserIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** Where the ticket goes when a promise is broken. */
    escalateQueueId: integer().references(() => queues.id, { onDelete: 'set null' }),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('sla_policies_name').on(t.companyId, t.name),
    index('sla_policies_order').on(t.companyId, t.position),
  ],
)
export type SlaPolicy = typeof slaPolicies.$inferSelect

/**
 * What is remembered of a ticket so that its clocks can begin, stop and go. Kept while its company has an active policy;
 * no browser holds it.
 */
export const slaStates = pgTable('sla_states', {
  ticketId: integer()
    .primaryKey()
    .references(() => tickets.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  /** Which policy counts; null: none fits. */
  policyId: integer().references(() => slaPolicies.id, { onDelete: 'set null' }),
  /** When the service began, or began again; null while the ticket is closed. */
  serviceAt: moment(),
  /** When a person first answered in it, or wrote first. */
  answeredAt: moment(),
  /** When the contact wrote the first message that no person has answered. */
  waitingSince: moment(),
  /** The last word is a person's: the contact is waited for. */
  isHeld: boolean().notNull().default(false),
})
export type SlaState = typeof slaStates.$inferSelect

/** A promise to one contact, and what became of it. A ticket has at most one open clock of each metric. */
export const slaClocks = pgTable(
  'sla_clocks',
  {
    /** UUIDv7. */
    id: text().primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    policyId: integer().references(() => slaPolicies.id, { onDelete: 'set null' }),
    metric: text({ enum: slaMetrics }).notNull(),
    /** Minutes that were promised. */
    minutes: integer().notNull(),
    startedAt: moment().notNull(),
    /** Since when it goes, or went when it ended; null while it stands still. */
    runningSince: moment(),
    /** Milliseconds of open hours that had gone when it last stood still. */
    usedMs: bigint({ mode: 'number' }).notNull().default(0),
    /** Since when it stands still. */
    pausedAt: moment(),
    /** Milliseconds for which it stood still, by any clock. */
    pausedMs: bigint({ mode: 'number' }).notNull().default(0),
    /** From when the promise is at risk; null while it stands still, and where the hours never reach it. */
    riskAt: moment(),
    /** When the promise is broken; null likewise. */
    dueAt: moment(),
    /** When people are told next: at `riskAt`, then at `dueAt`; null: no more. */
    nextAt: moment(),
    warnedAt: moment(),
    breachedAt: moment(),
    /** When what was promised was done, in time or late. */
    metAt: moment(),
    /** When it ended: done, or there was nothing to do any more. */
    endedAt: moment(),
    /** Milliseconds of open hours that it took, where it was done. */
    tookMs: bigint({ mode: 'number' }),
  },
  (t) => [
    uniqueIndex('sla_clocks_open').on(t.ticketId, t.metric).where(sql`${t.endedAt} IS NULL`),
    index('sla_clocks_ticket').on(t.ticketId, t.endedAt),
    index('sla_clocks_due').on(t.nextAt).where(sql`${t.nextAt} IS NOT NULL`),
    index('sla_clocks_company').on(t.companyId, t.ticketId).where(sql`${t.endedAt} IS NULL`),
    index('sla_clocks_report').on(t.companyId, t.endedAt),
  ],
)
export type SlaClock = typeof slaClocks.$inferSelect
