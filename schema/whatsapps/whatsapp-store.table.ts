import { sql } from 'drizzle-orm'
import { boolean, customType, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'
import { whatsapps } from './whatsapps.table.ts'

/**
 * What a linked device must remember to go on speaking for its account. Written and read by `server/whatsapp`
 * alone; `sealed` columns are AES-256-GCM under the server's key, because who can read them can read the chats.
 */
const sealed = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

const ofConnection = () =>
  integer()
    .notNull()
    .references(() => whatsapps.id, { onDelete: 'cascade' })

/** The device's identity, one row for each connection that was ever started. */
export const whatsappCredentials = pgTable('whatsapp_credentials', {
  whatsappId: integer()
    .primaryKey()
    .references(() => whatsapps.id, { onDelete: 'cascade' }),
  creds: sealed().notNull(),
  /** True from the scan until the account says goodbye: only then is there something to come back to. */
  linked: boolean().notNull().default(false),
  /** The last client version that the service accepted after it refused the built-in one. */
  version: jsonb().$type<[number, number, number]>(),
  updatedAt: moment().notNull().defaultNow(),
})

/** Signal's key store: ratchets, pre-keys, sender keys, LID mappings. */
export const whatsappKeys = pgTable(
  'whatsapp_keys',
  {
    whatsappId: ofConnection(),
    type: text().notNull(),
    id: text().notNull(),
    value: sealed().notNull(),
  },
  (t) => [primaryKey({ columns: [t.whatsappId, t.type, t.id] })],
)

/**
 * Events that WhatsApp considers delivered and the product has not stored yet. A row is written in the statement
 * that advances the ratchet, before the receipt leaves, and deleted once `receive` returned.
 */
export const whatsappJournal = pgTable(
  'whatsapp_journal',
  {
    /** UUIDv7: the order of arrival. */
    id: uuid().primaryKey(),
    whatsappId: ofConnection(),
    wid: text().notNull(),
    event: sealed().notNull(),
    attempts: integer().notNull().default(0),
    /** Why the product could not take it; kept for people to look at, tried again at the next start. */
    error: text(),
    parkedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('whatsapp_journal_order').on(t.whatsappId, t.id)],
)

/** Messages as WhatsApp knows them: to send one again, quote it, or fetch its file. Kept for 30 days. */
export const whatsappProtos = pgTable(
  'whatsapp_protos',
  {
    whatsappId: ofConnection(),
    wid: text().notNull(),
    /** An encoded `WebMessageInfo`. */
    message: sealed().notNull(),
    /** A message of ours that left and that the service has not confirmed. */
    awaitingAckSince: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.whatsappId, t.wid] }),
    index('whatsapp_protos_age').on(t.createdAt),
    index('whatsapp_protos_unconfirmed').on(t.whatsappId).where(sql`${t.awaitingAckSince} IS NOT NULL`),
  ],
)

/**
 * Which server process speaks for a connection. Two at once would break the ratchets and be thrown out (440).
 * A table of its own: it is written every few seconds, and `whatsapps` is replicated to every screen.
 */
export const whatsappLeases = pgTable('whatsapp_leases', {
  whatsappId: integer()
    .primaryKey()
    .references(() => whatsapps.id, { onDelete: 'cascade' }),
  owner: text().notNull(),
  until: moment().notNull(),
})
