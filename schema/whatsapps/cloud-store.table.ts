import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import type { CloudHistoryState } from './whatsapps.cloud.inputs.ts'
import type { PastTold } from './whatsapps.cloud-past.ts'
import { whatsapps } from './whatsapps.table.ts'

/**
 * What a number of the official API must remember. Written and read by `server/cloud` alone; what is sealed is AES-256-GCM
 * under the server's key.
 */
const sealed = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

const ofConnection = () =>
  integer()
    .notNull()
    .references(() => whatsapps.id, { onDelete: 'cascade' })

/** How a connection reaches its number. */
export const cloudNumbers = pgTable(
  'cloud_numbers',
  {
    whatsappId: integer()
      .primaryKey()
      .references(() => whatsapps.id, { onDelete: 'cascade' }),
    ...companyOwned(),
    /** The service's id of the number: by it alone a webhook's bytes find their company, so it is one connection's. */
    phoneNumberId: text().notNull(),
    /** The account that the number is in (WABA). */
    accountId: text().notNull(),
    /** Whose account it is: people's ids are good within it (BSUID). Null where it could not be read; then the account stands for it. */
    portfolioId: text(),
    /** Sealed. */
    token: text().notNull(),
    appSecret: text().notNull(),
    verifyToken: text().notNull(),
    /** The part of the webhook's address that names the app. Follows from the secret, so that all numbers of one app share it. */
    hook: text().notNull(),
    /** The same for two numbers whose app has the same secret, and tells nothing of it. */
    appMark: text().notNull(),
    /** Of the service, such as `v26.0`; each lives some two years. */
    version: text().notNull(),
    /** The number is used in the Business app besides. */
    coexistence: boolean().notNull().default(false),
    /** How far the history of the phone that shares the number has come, see `CloudHistoryState`; null: nobody asked for it. */
    historyState: text().$type<CloudHistoryState>(),
    /** Of what the service has told, in hundredths. */
    historyProgress: smallint().notNull().default(0),
    /** Which of its chunks have come. */
    historyChunks: jsonb().$type<PastTold>().notNull().default({}),
    /** How many of its messages were filed. */
    historyCount: integer().notNull().default(0),
    historyAskedAt: moment(),
    /** As the service says it: GREEN, YELLOW, RED. */
    quality: text(),
    ...timestamps(),
  },
  (t) => [uniqueIndex('cloud_numbers_phone').on(t.phoneNumberId), index('cloud_numbers_hook').on(t.hook)],
)

/** What the service told us, in its own bytes, until it is worked off; the hash stays, because it tells things again for days. */
export const cloudHooks = pgTable(
  'cloud_hooks',
  {
    /** UUIDv7: the order of arrival. */
    id: uuid().primaryKey(),
    hook: text().notNull(),
    /** By which secret it was signed. */
    appMark: text().notNull(),
    /** SHA-256 of hook and body. */
    hash: sealed().notNull(),
    /** Sealed; null when it is worked off. */
    body: sealed(),
    attempts: integer().notNull().default(0),
    runAt: moment().notNull().defaultNow(),
    lockedBy: text(),
    lockedUntil: moment(),
    /** Why the product could not take it; kept for people to look at. */
    error: text(),
    parkedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('cloud_hooks_hash').on(t.hash),
    index('cloud_hooks_waiting').on(t.id).where(sql`${t.body} IS NOT NULL AND ${t.parkedAt} IS NULL`),
    index('cloud_hooks_age').on(t.createdAt),
  ],
)

/** Messages of ours, by our id and by the service's. Kept for 30 days, as long as the service tries to deliver one. */
export const cloudSends = pgTable(
  'cloud_sends',
  {
    whatsappId: ofConnection(),
    /** Ours, see `widOf`. */
    wid: text().notNull(),
    /** Travels with the message and comes back with each of its states: its id in `messages`. */
    callback: text().notNull(),
    /** The service's; null while no answer has told it. */
    wamid: text(),
    /** How far it came, see `rises` of `server/cloud/from-cloud.ts`. */
    state: smallint().notNull().default(0),
    /** How often the service was asked; at most twice, the second time when nothing was heard of the first. */
    tries: smallint().notNull().default(1),
    askedAt: moment().notNull(),
    /** The name of the template that it is made by. */
    template: text(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.whatsappId, t.wid] }),
    index('cloud_sends_callback').on(t.whatsappId, t.callback),
    uniqueIndex('cloud_sends_wamid').on(t.whatsappId, t.wamid),
    index('cloud_sends_age').on(t.createdAt),
  ],
)

/** Files that contacts sent; the service keeps them for seven days. */
export const cloudMedia = pgTable(
  'cloud_media',
  {
    whatsappId: ofConnection(),
    wid: text().notNull(),
    mediaId: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.whatsappId, t.wid] }), index('cloud_media_age').on(t.createdAt)],
)

/** The last change of something that may change again, such as a reaction: the order in which changes are told is not theirs. */
export const cloudChanges = pgTable(
  'cloud_changes',
  {
    whatsappId: ofConnection(),
    key: text().notNull(),
    /** The service's id of the change. */
    wid: text().notNull(),
    at: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.whatsappId, t.key] }), index('cloud_changes_age').on(t.at)],
)

/** The last message of each contact to a number: what is read and where one types is told by it. */
export const cloudChats = pgTable(
  'cloud_chats',
  {
    whatsappId: ofConnection(),
    /** Digits, or the service's id of who has none (BSUID). */
    number: text().notNull(),
    wid: text().notNull(),
    at: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.whatsappId, t.number] })],
)

/** What was told and is no business of the product, counted by its reason. */
export const cloudIgnored = pgTable(
  'cloud_ignored',
  {
    hook: text().notNull(),
    reason: text().notNull(),
    count: integer().notNull().default(0),
    lastAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.hook, t.reason] })],
)

/** What the phone's history tells, in pieces that are filed one after the other while nothing else is held up. */
export const cloudHistory = pgTable(
  'cloud_history',
  {
    /** UUIDv7: the order in which it came. */
    id: uuid().primaryKey(),
    whatsappId: ofConnection(),
    /** Sealed: people's messages, or their names. */
    body: sealed().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('cloud_history_waiting').on(t.whatsappId, t.id)],
)
