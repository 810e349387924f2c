import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import { ticketTrackings } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import type { ReportQuery } from './reports.inputs.ts'

/** Who served somebody in the end: a person, or a bot alone; or nobody, though the contact wrote. */
export const outcomes = ['active', 'served', 'bot', 'abandoned', 'empty'] as const
export type Outcome = (typeof outcomes)[number]

/** How the last flow of a service ended: alone, by handing over to people, or without either. */
export const botEnds = ['running', 'solved', 'handedOver', 'gaveUp'] as const
export type BotEnd = (typeof botEnds)[number]

/**
 * What became of each service, for reports. Made of what happened (`reports.facts.ts`), and made anew whenever that is
 * wished: nothing is known here alone, but for flows whose runs were forgotten since.
 */
export const reportServices = pgTable(
  'report_services',
  {
    trackingId: integer()
      .primaryKey()
      .references(() => ticketTrackings.id, { onDelete: 'cascade' }),
    ...companyOwned(),
    ticketId: integer().notNull(),
    /** As it was when the service ended; of one that goes on as it is. */
    ...{ whatsappId: integer(), queueId: integer(), userId: integer() },
    openedAt: moment().notNull(),
    /** When a person first answered a contact who waited. */
    answeredAt: moment(),
    closedAt: moment(),
    /** The ticket had been served before. */
    isReopened: boolean().notNull(),
    outcome: text({ enum: outcomes }).notNull(),
    /** Seconds from the beginning to the first answer, by the clock, and of those the open ones. */
    ...{ answerSeconds: integer(), answerOpenSeconds: integer() },
    /** Seconds from the beginning to the end, likewise. */
    ...{ closeSeconds: integer(), closeOpenSeconds: integer() },
    /** When the contact was asked how it was, and what they said. */
    ...{ askedAt: moment(), ratedAt: moment(), rate: smallint(), comment: text() },
    /** The flow that ran last in it, by the number of its version. */
    ...{ botAt: moment(), flowId: integer(), flowVersion: integer(), botEnd: text({ enum: botEnds }) },
    /** The ticket's tags as they are: a ticket that is tagged anew has its facts made anew. */
    tagIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** All its messages, and the first and the last hour in which there are any: sums of `report_hours`. */
    ...{ received: integer().notNull().default(0), sent: integer().notNull().default(0) },
    automatic: integer().notNull().default(0),
    ...{ firstHourAt: moment(), lastHourAt: moment() },
  },
  (t) => [
    // What went on in a period: it had not ended before, and had begun.
    index('report_services_period').on(t.companyId, sql`coalesce(${t.closedAt}, 'infinity'::timestamptz)`, t.openedAt),
    index('report_services_ticket').on(t.ticketId),
    // Whose end may come without a word.
    index('report_services_running').on(t.companyId).where(sql`${t.botEnd} = 'running'`),
    index('report_services_said').on(t.companyId, t.lastHourAt),
    index('report_services_rated').on(t.companyId, t.ratedAt).where(sql`${t.ratedAt} IS NOT NULL`),
  ],
)
export type ReportService = typeof reportServices.$inferSelect

/** How many messages of a service fall into an hour, by who wrote them. Made with its service. */
export const reportHours = pgTable(
  'report_hours',
  {
    trackingId: integer()
      .notNull()
      .references(() => ticketTrackings.id, { onDelete: 'cascade' }),
    ...companyOwned(),
    /** Where an hour of the company's clock begins. */
    hourAt: moment().notNull(),
    /** The colleague who wrote what was sent; 0 for the contact, the phone and what was said by itself. */
    authorId: integer().notNull(),
    /** Of the service, so that most reports need nothing else. */
    ...{ whatsappId: integer(), queueId: integer(), userId: integer() },
    received: integer().notNull(),
    /** By people, the paired phone included. */
    sent: integer().notNull(),
    /** By itself: bots, campaigns, programs. */
    automatic: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.trackingId, t.hourAt, t.authorId] }),
    index('report_hours_period').on(t.companyId, t.hourAt),
  ],
)
export type ReportHour = typeof reportHours.$inferSelect

/** How far a company's facts are made. Who never asked for a report has no row, and pays nothing. */
export const reportStates = pgTable('report_states', {
  companyId: companyOwned().companyId.primaryKey(),
  /** Which facts these are, see `REPORT_FACTS`; of others all is made anew. */
  facts: integer().notNull(),
  /** By which clock their hours begin. */
  timeZone: text().notNull(),
  /** Which Postgres counted its transactions so far: of another one all is made anew. */
  origin: text().notNull(),
  /** Every change of a ticket by an earlier transaction was seen. */
  change: bigint({ mode: 'bigint' }).notNull(),
  /** When that was. */
  countedAt: moment().notNull(),
  /** When somebody asked last: of whom nobody asks any more nothing is made by the clock. */
  askedAt: moment().notNull(),
})
export type ReportState = typeof reportStates.$inferSelect

/** Tickets whose facts are to be made: those that have changed since, and at first all of them. */
export const reportStale = pgTable('report_stale', { ...companyOwned(), ticketId: integer().notNull() }, (t) => [
  primaryKey({ columns: [t.companyId, t.ticketId] }),
])

/** A report with its filters under a name, of one person or of all who read reports. */
export const reportViews = pgTable(
  'report_views',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** Null where its author is gone. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    isShared: boolean().notNull().default(false),
    report: text().notNull(),
    query: jsonb().$type<ReportQuery>().notNull(),
    ...timestamps(),
  },
  (t) => [index('report_views_company').on(t.companyId, t.name)],
)
export type ReportView = typeof reportViews.$inferSelect

export const reportRhythms = ['day', 'week', 'month'] as const
export type ReportRhythm = (typeof reportRhythms)[number]
export const reportFormats = ['csv', 'xlsx', 'pdf'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** A report that goes out by mail: of the day, week or month before. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** In whose sight it is made; it stands still where they are gone. */
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    active: boolean().notNull().default(true),
    report: text().notNull(),
    query: jsonb().$type<ReportQuery>().notNull(),
    every: text({ enum: reportRhythms }).notNull(),
    /** The hour of the company's day at which it leaves. */
    hour: smallint().notNull(),
    format: text({ enum: reportFormats }).notNull(),
    /** Who gets it, of those who may read reports. */
    userIds: integer().array().notNull(),
    /** When it leaves next. */
    nextAt: moment().notNull(),
    sentAt: moment(),
    ...timestamps(),
  },
  (t) => [
    index('report_schedules_due').on(t.nextAt).where(sql`${t.active}`),
    index('report_schedules_company').on(t.companyId),
  ],
)
export type ReportSchedule = typeof reportSchedules.$inferSelect
