import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, primaryKey, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import type { ScheduleEntry } from '../hours/hours.open.ts'
import { queues } from '../queues/queues.table.ts'
import { providers } from './whatsapps.providers.ts'

export const connectionStatuses = [
  'OPENING',
  'qrcode',
  'PAIRING',
  'CONNECTED',
  'DISCONNECTED',
  'TIMEOUT',
  'PENDING',
] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

/** How near a connection is to WhatsApp's cap of new chats, in WhatsApp's own words. */
export const newChatCapStates = ['NONE', 'FIRST_WARNING', 'SECOND_WARNING', 'CAPPED'] as const

/** A connection: one WhatsApp account linked to a company. */
export const whatsapps = pgTable(
  'whatsapps',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** Digits of the linked account; empty until linked. */
    number: text().notNull().default(''),
    status: text({ enum: connectionStatuses }).notNull().default('DISCONNECTED'),
    /** The text of the QR to scan now; empty when there is none. */
    qrcode: text().notNull().default(''),
    retries: integer().notNull().default(0),
    isDefault: boolean().notNull().default(false),
    /** Bearer token of the external API; admins only. */
    token: text().notNull(),
    /** By which wire it speaks; its meaning stands in `whatsapps.providers.ts`. Never changes. */
    provider: text({ enum: providers }).notNull().default('beta'),
    greetingMessage: text().notNull().default(''),
    completionMessage: text().notNull().default(''),
    outOfHoursMessage: text().notNull().default(''),
    ratingMessage: text().notNull().default(''),
    expiresInactiveMessage: text().notNull().default(''),
    /** Minutes; 0 uses the environment's hours. */
    expiresTicket: integer().notNull().default(0),
    timeUseBotQueues: integer().notNull().default(0),
    maxUseBotQueues: integer().notNull().default(3),
    timeToTransfer: integer().notNull().default(0),
    transferQueueId: integer().references(() => queues.id, { onDelete: 'set null' }),
    integrationId: integer(),
    promptId: integer(),
    schedules: jsonb().$type<ScheduleEntry[]>().notNull().default([]),
    /** True when an admin wants the session to run; a restart brings back exactly these. */
    wanted: boolean().notNull().default(false),

    lastError: text(),
    /** What WhatsApp says of new chats; what follows from it is in `whatsapps.new-chats.ts`. */
    newChatsLockedUntil: moment(),
    /** Why, in WhatsApp's own word, such as `BIZ_QUALITY`. */
    newChatsLockKind: text(),
    /** New chats of the period that WhatsApp counts, and how many of them are used. */
    newChatsQuota: integer(),
    newChatsUsed: integer(),
    newChatsCapState: text({ enum: newChatCapStates }),
    newChatsCycleEndsAt: moment(),
    lastMessageInAt: moment(),
    lastMessageOutAt: moment(),
    connectedAt: moment(),
    /** Messages of contacts that were not kept, since each had the id of another one; and when the last came. */
    reusedIds: integer().notNull().default(0),
    reusedIdAt: moment(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('whatsapps_name').on(t.companyId, t.name),
    uniqueIndex('whatsapps_token').on(t.token),
    uniqueIndex('whatsapps_default').on(t.companyId).where(sql`${t.isDefault}`),
  ],
)

export type Whatsapp = typeof whatsapps.$inferSelect

export const whatsappQueues = pgTable(
  'whatsapp_queues',
  {
    ...companyOwned(),
    whatsappId: integer()
      .notNull()
      .references(() => whatsapps.id, { onDelete: 'cascade' }),
    queueId: integer()
      .notNull()
      .references(() => queues.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.whatsappId, t.queueId] })],
)
