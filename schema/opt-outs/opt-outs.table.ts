import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import { users } from '../users/users.table.ts'

export const optOutSources = ['word', 'hand', 'import', 'api', 'whatsapp'] as const
export type OptOutSource = (typeof optOutSources)[number]

/** Somebody who wants no bulk messages. Never deleted: a revoked one stays, and says who revoked it and why. */
export const optOuts = pgTable(
  'opt_outs',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** Digits of the phone number; empty while only the LID is known. */
    number: text().notNull(),
    /** See `numberKey`; of somebody without a known number `lid:` and the LID. */
    key: text().notNull(),
    lid: text(),
    source: text({ enum: optOutSources }).notNull(),
    /** What they wrote, or what a colleague noted. */
    text: text().notNull().default(''),
    /** WhatsApp's id of the message. */
    messageId: text(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    ...timestamps(),
    revokedAt: moment(),
    revokedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** WhatsApp's id of the message that took it back. */
    revokedMessageId: text(),
    reason: text(),
  },
  (t) => [
    uniqueIndex('opt_outs_active').on(t.companyId, t.key).where(sql`${t.revokedAt} IS NULL`),
    index('opt_outs_lid').on(t.companyId, t.lid).where(sql`${t.revokedAt} IS NULL AND ${t.lid} IS NOT NULL`),
    index('opt_outs_page').on(t.companyId, t.id.desc()),
  ],
)
export type OptOut = typeof optOuts.$inferSelect
