import { sql } from 'drizzle-orm'
import { bigserial, boolean, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import type { DeliveredType, WebhookAttempt, WebhookEventType } from './webhooks.events.ts'

/** An address that a company wants to be told at. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    url: text().notNull(),
    events: text().array().$type<WebhookEventType[]>().notNull(),
    /** Of messages and tickets only those in these queues; empty: all. */
    queueIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    /** Sealed: the secret, and for a day the one before. */
    secret: text().notNull(),
    active: boolean().notNull().default(true),
    /** Why the server has switched it off: `gone` (410), `failing`. */
    disabledReason: text({ enum: ['gone', 'failing'] }),
    /** Since when nothing has arrived; null while it does. */
    failingSince: moment(),
    ...timestamps(),
  },
  (t) => [index('webhooks_company').on(t.companyId, t.id)],
)

export type Webhook = typeof webhooks.$inferSelect

/**
 * What has happened and is still to be told, written in the transaction in which it happened: by decisions, and of some
 * tables by triggers; see `webhooks.causes.ts`. The bodies are made after the commit.
 */
export const webhookOutbox = pgTable(
  'webhook_outbox',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    ...companyOwned(),
    type: text().$type<WebhookEventType>().notNull(),
    /** Id of the message, ticket, contact or connection. */
    subject: text().notNull(),
    ticketId: integer(),
    /** What of it is told as it was then. */
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The transaction, low 32 bits: the timeline's row of the same one says who did it. */
    xid: text().notNull().default(sql`pg_current_xact_id()::xid::text`),
    createdAt: moment().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [index('webhook_outbox_company').on(t.companyId)],
)

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const

/** One event for one webhook, with every try to deliver it. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    ...companyOwned(),
    webhookId: integer()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The `webhook-id`: the same at every try. */
    eventId: text().notNull(),
    type: text().$type<DeliveredType>().notNull(),
    /** The body as it is sent and signed, at most 20 KB. */
    payload: text().notNull(),
    state: text({ enum: deliveryStates }).notNull().default('waiting'),
    attempts: jsonb().$type<WebhookAttempt[]>().notNull().default([]),
    /** Tries of this round; sending it again begins another. */
    tries: integer().notNull().default(0),
    nextAt: moment(),
    lockedUntil: moment(),
    /** The process that makes the call. */
    lockedBy: text(),
    deliveredAt: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_event').on(t.webhookId, t.eventId),
    index('webhook_deliveries_due').on(t.webhookId, t.nextAt, t.id).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_log').on(t.webhookId, t.id.desc()),
    index('webhook_deliveries_age').on(t.createdAt),
  ],
)

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect
