import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import type { FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { slaMetrics } from '../sla-policies/sla.metrics.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'
import { whatsapps } from '../whatsapps/whatsapps.table.ts'

export const ticketStatuses = ['pending', 'open', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** One service: a conversation with a contact over a connection, from its first message to its resolution. */
export const tickets = pgTable(
  'tickets',
  {
    id: serial().primaryKey(),
    uuid: uuid().notNull().defaultRandom(),
    ...companyOwned(),
    status: text({ enum: ticketStatuses }).notNull().default('pending'),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    whatsappId: integer().references(() => whatsapps.id, { onDelete: 'set null' }),
    queueId: integer().references(() => queues.id, { onDelete: 'set null' }),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The line that lists show. Of one that was taken back, a sign without words: each reader has a language. */
    lastMessage: text().notNull().default(''),
    /** The last message was taken back. */
    lastMessageDeleted: boolean().notNull().default(false),
    lastMessageAt: moment().notNull().defaultNow(),
    lastMessageFromMe: boolean().notNull().default(false),
    unreadMessages: integer().notNull().default(0),
    isGroup: boolean().notNull().default(false),
    chatbot: boolean().notNull().default(false),
    useIntegration: boolean().notNull().default(false),
    promptId: integer(),
    integrationId: integer(),
    tagIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** Until when it lies aside; `untilAnswered` of `tickets.snooze.ts` where only an answer wakes it. Null: it does not. */
    snoozedUntil: moment(),
    /** The contact's message does not wake it. */
    snoozeKeep: boolean().notNull().default(false),
    /** What whoever put it aside wants to be reminded of. It stays when the ticket wakes, until it is answered or moved. */
    snoozeNote: text(),
    /** Who put it aside: told when it wakes and nobody has it. */
    snoozedBy: integer(),
    /** When the nearest of its promises is broken, or was; null while none of its clocks goes. */
    nextDueAt: moment(),
    /** Of which promise; set where `nextDueAt` is. */
    nextDueMetric: text({ enum: slaMetrics }),
    /** From when that promise is at risk. */
    nextRiskAt: moment(),
    /** Since when a supervisor is called; null: none is. */
    supervisorCalledAt: moment(),
    supervisorCalledBy: integer(),
    /** The company's own fields by their ids. Written by key: what a statement does not name stays, and null empties. */
    fields: jsonb().$type<FieldPatch>().notNull().default({}),
    /** The ticket of the same contact that what was said here was moved into. */
    mergedIntoId: integer().references((): AnyPgColumn => tickets.id, { onDelete: 'set null' }),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('tickets_uuid').on(t.uuid),
    // The guarantee behind find-or-create: one active ticket for each contact and connection.
    uniqueIndex('tickets_one_active').on(t.contactId, t.whatsappId).where(sql`${t.status} <> 'closed'`),
    index('tickets_list').on(t.companyId, t.status, t.updatedAt.desc(), t.id.desc()),
    index('tickets_recent').on(t.companyId, t.updatedAt.desc(), t.id.desc()),
    index('tickets_queue').on(t.queueId, t.status, t.updatedAt.desc()),
    index('tickets_user').on(t.userId, t.status, t.updatedAt.desc()),
    index('tickets_contact').on(t.contactId, t.updatedAt.desc()),
    index('tickets_tags').using('gin', t.tagIds),
    // What the clock wakes, and the list of what lies aside: few of all.
    index('tickets_snoozed').on(t.snoozedUntil, t.id).where(sql`${t.snoozedUntil} IS NOT NULL`),
    // Of those with a promise only: who makes none writes nothing here.
    index('tickets_due')
      .on(t.companyId, t.status, t.nextDueAt, t.updatedAt.desc(), t.id.desc())
      .where(sql`${t.nextDueAt} IS NOT NULL`),
    index('tickets_return')
      .on(t.companyId, t.snoozedUntil, t.updatedAt.desc(), t.id.desc())
      .where(sql`${t.snoozedUntil} IS NOT NULL`),
    index('tickets_called').on(t.companyId, t.supervisorCalledAt).where(sql`${t.supervisorCalledAt} IS NOT NULL`),
    // Who has no fields costs nothing.
    index('tickets_fields').using('gin', t.fields).where(sql`${t.fields} <> '{}'::jsonb`),
    index('tickets_merged_into').on(t.mergedIntoId).where(sql`${t.mergedIntoId} IS NOT NULL`),
  ],
)

export type Ticket = typeof tickets.$inferSelect
export type NewTicket = typeof tickets.$inferInsert

/** The clock of a service, for the reports: one open row (finishedAt null) for each active ticket. */
export const ticketTrackings = pgTable(
  'ticket_trackings',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    whatsappId: integer(),
    /** Where the ticket was when it ended; null while it goes on. */
    queueId: integer(),
    userId: integer(),
    queuedAt: moment(),
    startedAt: moment(),
    finishedAt: moment(),
    ratingAt: moment(),
    rated: boolean().notNull().default(false),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('ticket_trackings_current').on(t.ticketId).where(sql`${t.finishedAt} IS NULL`),
    index('ticket_trackings_ticket').on(t.ticketId, t.id),
    index('ticket_trackings_range').on(t.companyId, t.createdAt),
  ],
)

export type TicketTracking = typeof ticketTrackings.$inferSelect

export const ticketEventKinds = [
  'created',
  'accepted',
  'returned',
  'resolved',
  'reopened',
  /** A macro was run; `data.macro`, its name, and `data.before`, what it takes to take it back. What it did stands below. */
  'macro',
  /** A rule of the company acted; `data.rule`, its name, and `data.ruleId`. What it did stands below. */
  'rule',
  /** Taken back a moment after it was done; `data.done`, and of a macro `data.macro`. */
  'undone',
  'transferred',
  'expired',
  'reopened_by_contact',
  /** Waited too long without a queue: given to one. */
  'queued',
  /** The contact chose a queue in a menu, or left it for the menu. */
  'chosen',
  /** The contact was told that nobody is there now. */
  'out_of_hours',
  /** The contact answered how the service was; `data.rate`. */
  'rated',
  /** Fields were filled in or emptied; `data.fields`, their names. */
  'fields',
  /** The contact answered to a campaign; `data.campaign`. */
  'campaign_replied',
  /** Put aside; `data.until` in ms, null until an answer, `data.keep` 1 where the contact does not wake it, `data.note`. */
  'snoozed',
  /** Lies aside no more: `data.by` is `time`, `contact` or `person`; `data.note`. */
  'woken',
  /** A promise was at risk, or was broken; `data.metric`, and `data.policy` by its name. */
  'sla_warned',
  'sla_breached',
  /** The queue's rule gave it to an agent; `data` says why. */
  'assigned',
  /** Its agent went away, and it waits again; `data.user`. */
  'left_behind',
  /** An agent called a supervisor; `data.note`. */
  'supervisor_called',
  /** A supervisor has seen to it. */
  'supervisor_answered',
  /** What was said in another ticket came here; `data.ticket`. */
  'merged',
  /** What was said here went to another ticket; `data.ticket`. */
  'merged_into',
  /** It came back, or went back; `data.ticket`. */
  'parted',
] as const
export type TicketEventKind = (typeof ticketEventKinds)[number]

/** The timeline: what happened to a ticket, and who did it. Never changed. */
export const ticketEvents = pgTable(
  'ticket_events',
  {
    /** The id of the command, or of the message, that caused it: telling it twice writes it once. */
    id: text().primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    kind: text({ enum: ticketEventKinds }).notNull(),
    /** Who did it; null for the contact or for automation. */
    userId: integer(),
    /** Names and ids that the sentence needs, such as the queue transferred to. */
    data: jsonb().$type<Record<string, string | number | null>>().notNull().default({}),
    queueScope: integer(),
    userScope: integer(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('ticket_events_ticket').on(t.ticketId, t.createdAt)],
)

export type TicketEvent = typeof ticketEvents.$inferSelect

/** Two tickets of a contact became one; what it takes to part them again. */
export const ticketMerges = pgTable(
  'ticket_merges',
  {
    /** The id of the command that made them one. */
    id: text().primaryKey(),
    ...companyOwned(),
    fromId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    intoId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    messageIds: text().array().notNull(),
    noteIds: text().array().notNull(),
    eventIds: text().array().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('ticket_merges_from').on(t.fromId), index('ticket_merges_into').on(t.intoId)],
)
