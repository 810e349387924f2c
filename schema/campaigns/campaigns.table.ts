import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment, ownFile, timestamps } from '../columns.ts'
import { contactLists } from '../contact-lists/contact-lists.table.ts'
import { queues } from '../queues/queues.table.ts'
import { tags } from '../tags/tags.table.ts'
import type { TemplateAbout, TemplateValues } from '../templates/templates.parts.ts'
import { templates } from '../templates/templates.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { whatsapps } from '../whatsapps/whatsapps.table.ts'
import { campaignStatuses, shippingStates } from './campaigns.state.ts'

/** A message to many. */
export const campaigns = pgTable(
  'campaigns',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    status: text({ enum: campaignStatuses }).notNull().default('INATIVA'),
    /** Ask first, and send to who answers. */
    confirmation: boolean().notNull().default(false),
    /** A yes or a no to the question opens a ticket, as whatever else they write does. */
    answersOpenTickets: boolean().notNull().default(false),
    ...{ message1: text(), message2: text(), message3: text(), message4: text(), message5: text() },
    ...{
      confirmationMessage1: text(),
      confirmationMessage2: text(),
      confirmationMessage3: text(),
      confirmationMessage4: text(),
      confirmationMessage5: text(),
    },
    /** How often each of the five is drawn, beside the others. */
    weights: integer().array().notNull().default([1, 1, 1, 1, 1]),
    /** Decides who gets which message; drawn when the campaign is made. */
    seed: integer().notNull(),
    whatsappId: integer().references(() => whatsapps.id, { onDelete: 'set null' }),
    contactListId: integer().references(() => contactLists.id, { onDelete: 'set null' }),
    tagListId: integer().references(() => tags.id, { onDelete: 'set null' }),
    segmentIds: integer().array().notNull().default([]),
    fileListId: integer(),
    /** Over an official connection it goes by this; `message1` is then what it says. */
    templateId: integer().references(() => templates.id, { onDelete: 'set null' }),
    /** What fills the template, with names of the campaign such as `{nome}`. */
    templateValues: jsonb().$type<TemplateValues>().notNull().default({}),
    /** Where the ticket of who answers waits. */
    replyQueueId: integer().references(() => queues.id, { onDelete: 'set null' }),
    /** Hours, caps and stop rates count. */
    bulkGuard: boolean().notNull().default(false),
    scheduledAt: moment(),
    startedAt: moment(),
    completedAt: moment(),
    /** Why it is paused: a word of `pauseReasons`. */
    pauseReason: text(),
    /** When all its rows stood. */
    plannedAt: moment(),
    /** How far the planning came, for who goes on with it. */
    planCursor: jsonb().$type<PlanCursor>(),
    /** People found more than once. */
    duplicates: integer().notNull().default(0),
    /** Messages that left, by which the longer pause is counted. */
    sends: integer().notNull().default(0),
    userId: integer(),
    ...ownFile(),
    ...timestamps(),
  },
  (t) => [
    index('campaigns_page').on(t.companyId, t.id.desc()),
    index('campaigns_due').on(t.scheduledAt).where(sql`${t.status} = 'PROGRAMADA'`),
    index('campaigns_running').on(t.whatsappId, t.startedAt).where(sql`${t.status} = 'EM_ANDAMENTO'`),
  ],
)
export type Campaign = typeof campaigns.$inferSelect
export type NewCampaign = typeof campaigns.$inferInsert

/** The place of the source of people that is being read, and the id after which it goes on. */
export interface PlanCursor {
  source: number
  after: number
}

/** A campaign and one person. */
export const shippings = pgTable(
  'shippings',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    ...companyOwned(),
    campaignId: integer()
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    number: text().notNull(),
    /** See `numberKey`: a person is written to once, however their number is spelt. */
    key: text().notNull(),
    lid: text(),
    email: text().notNull().default(''),
    itemId: integer(),
    state: text({ enum: shippingStates }).notNull().default('planned'),
    /** Why it was skipped or failed, or why nobody sends it: a word of ours, or what WhatsApp said. */
    reason: text(),
    /** Which of the five messages, from 0. */
    messageIndex: smallint().notNull().default(0),
    /** As it was sent. */
    body: text(),
    /** By which template it was sent. */
    about: jsonb().$type<TemplateAbout>(),
    whatsappId: integer(),
    /** WhatsApp's id, made before the first attempt. */
    wid: text(),
    messageId: text(),
    ack: smallint().notNull().default(0),
    attempts: smallint().notNull().default(0),
    /** When it may leave at the earliest; null while an answer is waited for. */
    dueAt: moment(),
    /** 0 goes before all others, for WhatsApp was just asked about them; -1 before those: who said yes is served at once. */
    turn: smallint().notNull().default(1),
    /** WhatsApp was asked about the number, and it has an account. */
    checkedAt: moment(),
    confirmationBody: text(),
    confirmationWid: text(),
    confirmationMessageId: text(),
    confirmationRequestedAt: moment(),
    confirmedAt: moment(),
    /** What they answered to the question, where it was filed in no ticket: it stands in the one that comes. */
    ...{ answerBody: text(), answerWid: text(), answerMessageId: text(), answeredAt: moment() },
    /** The person had never written when the first of it left: with who was asked, the question began the chat. */
    isNewChat: boolean().notNull().default(false),
    sentAt: moment(),
    deliveredAt: moment(),
    readAt: moment(),
    repliedAt: moment(),
    optedOutAt: moment(),
    ticketId: integer().references(() => tickets.id, { onDelete: 'set null' }),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('shippings_person').on(t.campaignId, t.key),
    uniqueIndex('shippings_wid').on(t.whatsappId, t.wid),
    uniqueIndex('shippings_confirmation_wid').on(t.whatsappId, t.confirmationWid),
    index('shippings_state').on(t.campaignId, t.state, t.id),
    index('shippings_next')
      .on(t.campaignId, t.turn, t.id)
      .where(sql`${t.state} = 'planned' AND ${t.dueAt} IS NOT NULL`),
    /** What was handed to WhatsApp and has no word from it. */
    index('shippings_leaving').on(t.whatsappId).where(sql`${t.ack} = 1`),
    index('shippings_sent').on(t.whatsappId, t.sentAt.desc()).where(sql`${t.sentAt} IS NOT NULL`),
    index('shippings_asked')
      .on(t.whatsappId, t.confirmationRequestedAt.desc())
      .where(sql`${t.confirmationRequestedAt} IS NOT NULL`),
    index('shippings_of').on(t.companyId, t.key),
    index('shippings_lid').on(t.companyId, t.lid).where(sql`${t.lid} IS NOT NULL`),
    index('shippings_ticket').on(t.ticketId),
  ],
)
export type Shipping = typeof shippings.$inferSelect

/** What a company has set for its campaigns. */
export const campaignSettings = pgTable(
  'campaign_settings',
  {
    ...companyOwned(),
    key: text().notNull(),
    value: jsonb().$type<unknown>().notNull(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.key] })],
)

/**
 * Messages to many that are no campaign's: of schedules and programs that say so. They count against the caps of their
 * connection, and who answers one with a word to leave is heard. Forgotten after a month.
 */
export const bulkSends = pgTable(
  'bulk_sends',
  {
    messageId: text().primaryKey(),
    ...companyOwned(),
    whatsappId: integer()
      .notNull()
      .references(() => whatsapps.id, { onDelete: 'cascade' }),
    /** The person had never written when it left. */
    isNewChat: boolean().notNull(),
    sentAt: moment().notNull(),
  },
  (t) => [index('bulk_sends_line').on(t.whatsappId, t.sentAt.desc()), index('bulk_sends_company').on(t.companyId)],
)

/** What a connection remembers of sending to many. */
export const bulkLines = pgTable('bulk_lines', {
  whatsappId: integer()
    .primaryKey()
    .references(() => whatsapps.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  /** When the next message may leave. */
  nextAt: moment(),
  /** WhatsApp has said that no new chats are begun; only a person goes on. */
  stoppedAt: moment(),
  stopReason: text(),
  /** From when on its messages say how it goes. */
  ratesSince: moment(),
  lockedUntil: moment(),
  /** Most messages of a day; null takes the company's. */
  dailyCap: integer(),
  /** Most chats of a day with people who never wrote; null warms up. */
  newChatCap: integer(),
  warmupStep: smallint().notNull().default(0),
  warmupDay: date({ mode: 'string' }),
})
export type BulkLine = typeof bulkLines.$inferSelect
