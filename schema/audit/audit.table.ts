import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'
import type { ActorKind, AuditAction, AuditEntity } from './audit.nouns.ts'

/**
 * Who changed what, and from where. Triggers write it in the transaction of the change, see `0009_audit.sql`; the
 * database refuses to change or delete a row. It names its company without belonging to it: it stays when the company goes.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    companyId: integer().notNull(),
    /** 1, 2, 3 … within the company. */
    seq: bigint({ mode: 'number' }).notNull(),
    at: moment().notNull(),
    actorKind: text().$type<ActorKind>().notNull(),
    actorId: integer(),
    /** As they were called then. */
    actorName: text(),
    /** Who acted in the user's name, and why. */
    operator: jsonb().$type<{ id: number; name: string; reason: string }>(),
    action: text().$type<AuditAction>().notNull(),
    entity: text().$type<AuditEntity>().notNull(),
    entityId: text(),
    /** Of a change only what differs. Secrets are masked. */
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    ip: text(),
    prevHash: text().notNull(),
    /** SHA-256 of all of the above. */
    hash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.seq] }),
    index('audit_entries_entity').on(t.companyId, t.entity, t.seq.desc()),
    index('audit_entries_actor').on(t.companyId, t.actorId, t.seq.desc()).where(sql`${t.actorKind} = 'user'`),
    index('audit_entries_at').on(t.companyId, t.at),
  ],
)
export type AuditEntry = typeof auditEntries.$inferSelect

/**
 * What of each company's log the server has sealed: how long it was, and with which hash it ended. It stays when the
 * company goes, as the log does. Company 0 is the register: up to which company each has one.
 */
export const auditAnchors = pgTable('audit_anchors', {
  companyId: integer().primaryKey(),
  /** As sealed, for whoever has no key: it is believed in nothing. */
  seq: bigint({ mode: 'number' }).notNull(),
  seal: text().notNull(),
})

/** The last entry of each company: the next one follows it. */
export const auditHeads = pgTable('audit_heads', {
  companyId: integer().primaryKey(),
  seq: bigint({ mode: 'number' }).notNull(),
  hash: text().notNull(),
})
