import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
} from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import { contacts } from '../contacts/contacts.table.ts'

/** The data of one contact, being gathered into a file for whoever asked, or gathered. */
export const exportStates = ['waiting', 'running', 'ready', 'failed', 'cancelled'] as const
export type ExportState = (typeof exportStates)[number]

export const privacyExports = pgTable(
  'privacy_exports',
  {
    /** UUIDv7. */
    id: text().primaryKey(),
    ...companyOwned(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    /** Who asked, and alone may fetch it. */
    userId: integer().notNull(),
    /** With what colleagues noted about the contact. */
    notes: boolean().notNull().default(false),
    state: text({ enum: exportStates }).notNull().default('waiting'),
    /** Messages that are in it, of how many. */
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    /** Of the file, in the media store; null until it is whole, and when its time is over. */
    path: text(),
    /** Bytes. */
    size: bigint({ mode: 'number' }),
    /** Why it failed: a code of the error catalogue. */
    error: text(),
    createdAt: moment().notNull().defaultNow(),
    readyAt: moment(),
    /** When the file goes. */
    expiresAt: moment(),
  },
  (t) => [
    index('privacy_exports_contact').on(t.contactId, t.id),
    index('privacy_exports_user').on(t.userId, t.id),
    index('privacy_exports_path').on(t.path).where(sql`${t.path} IS NOT NULL`),
    index('privacy_exports_expires').on(t.expiresAt).where(sql`${t.path} IS NOT NULL`),
  ],
)
export type PrivacyExport = typeof privacyExports.$inferSelect

export const erasureStates = ['running', 'done'] as const
export type ErasureState = (typeof erasureStates)[number]

/**
 * That a contact's data were erased, and the proof of it. It names the contact by id alone. Never deleted but with its company.
 */
export const erasures = pgTable(
  'erasures',
  {
    /** UUIDv7. */
    id: text().primaryKey(),
    ...companyOwned(),
    /** 1, 2, 3 … of the installation: by it browsers know which of them they have followed. */
    seq: bigserial({ mode: 'number' }).notNull(),
    contactId: integer().notNull(),
    userId: integer(),
    reason: text().notNull(),
    state: text({ enum: erasureStates }).notNull().default('running'),
    /** By what the contact was known, sealed, until the work is done. */
    names: text(),
    /** The same as keyed hashes: a restored backup is held against them. */
    hashes: text().array().notNull(),
    /** How many rows or files of each kind were erased, by the kinds of `privacy.kinds.ts`. */
    counts: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** Which steps are done. */
    steps: text().array().notNull().default(sql`'{}'::text[]`),
    /** SHA-256 over what the proof says, see `proofOf`; null until it is done. */
    proof: text(),
    createdAt: moment().notNull().defaultNow(),
    finishedAt: moment(),
  },
  (t) => [index('erasures_company').on(t.companyId, t.seq.desc()), index('erasures_contact').on(t.contactId)],
)
export type Erasure = typeof erasures.$inferSelect

/** A contact whose data must not be erased before a day: a court, or a claim, wants them kept. */
export const privacyHolds = pgTable(
  'privacy_holds',
  {
    contactId: integer()
      .primaryKey()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    ...companyOwned(),
    /** Until the end of which it holds, by the company's clock. */
    until: date({ mode: 'string' }).notNull(),
    reason: text().notNull(),
    userId: integer(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('privacy_holds_company').on(t.companyId, t.until)],
)
export type PrivacyHold = typeof privacyHolds.$inferSelect

/** Somebody whose data were erased wants no messages to many all the same: what is kept of them is this hash. */
export const erasedOptOuts = pgTable(
  'erased_opt_outs',
  {
    ...companyOwned(),
    /** Keyed hash of what `opt_outs.key` or `opt_outs.lid` had said. */
    hash: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.hash] })],
)

/** What a person may ask of a company about their data. */
export const requestKinds = ['access', 'correction', 'erasure', 'portability', 'objection', 'information'] as const
export type RequestKind = (typeof requestKinds)[number]
/** By which law, which says how long there is for it. */
export const requestLaws = ['lgpd', 'gdpr'] as const
export type RequestLaw = (typeof requestLaws)[number]
export const requestStates = ['open', 'done', 'refused'] as const
export type RequestState = (typeof requestStates)[number]

/** The register: what people have asked about their data, and what became of it. */
export const privacyRequests = pgTable(
  'privacy_requests',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** Whose data; null where nobody here is that person, or the contact is gone. */
    contactId: integer().references(() => contacts.id, { onDelete: 'set null' }),
    /** Who asks, as the data officer wrote it down; emptied when their data are erased. */
    subject: text().notNull(),
    kind: text({ enum: requestKinds }).notNull(),
    law: text({ enum: requestLaws }).notNull(),
    state: text({ enum: requestStates }).notNull().default('open'),
    note: text().notNull().default(''),
    /** The day on which it came, and that on which it must be answered: `YYYY-MM-DD`, by the company's clock. */
    receivedAt: date({ mode: 'string' }).notNull(),
    dueAt: date({ mode: 'string' }).notNull(),
    closedAt: moment(),
    userId: integer(),
    ...timestamps(),
  },
  (t) => [
    index('privacy_requests_due').on(t.companyId, t.state, t.dueAt, t.id),
    index('privacy_requests_page').on(t.companyId, t.id.desc()),
    index('privacy_requests_contact').on(t.contactId).where(sql`${t.contactId} IS NOT NULL`),
  ],
)
export type PrivacyRequest = typeof privacyRequests.$inferSelect
