import { sql } from 'drizzle-orm'
import { messages } from '../../schema/messages/messages.table.ts'
import type { Db, Tx } from '../db/database.ts'

/**
 * Whether a person wrote it: the contact, an agent, or somebody on the phone itself, where its WhatsApp id is none of ours
 * (`widOf`). What the product says by itself breaks no silence, or a rule would answer itself for ever.
 */
export const byPeople = sql`NOT (m."fromMe" AND m."authorId" IS NULL AND
  (m."wid" IS NULL OR m."wid" = '3EB0' || substr(upper(replace(m."id", '-', '')), 15, 18)))`

/** The last message of people in a ticket. */
export async function lastByPeople(db: Db | Tx, ticketId: number): Promise<string | undefined> {
  const [row] = await db.execute<{ id: string }>(sql`
    SELECT m."id" FROM ${messages} m WHERE m."ticketId" = ${ticketId} AND ${byPeople}
    ORDER BY m."createdAt" DESC, m."id" DESC LIMIT 1`)
  return row?.id
}

/** A ticket in which nobody has written for as long as a rule says. */
export interface Silent extends Record<string, unknown> {
  companyId: number
  ruleId: number
  ticketId: number
  messageId: string
  /** ISO instant at which it was long enough. */
  at: string
}

/** A server that was off asks about silences that became long enough within this time. */
const LOOK_BACK = '1 day'

/** Those that no rule was asked about: each silence is one event. What lies aside is meant to be silent. */
export const silentTickets = (db: Db, now: Date, limit: number): Promise<Silent[]> =>
  db.execute<Silent>(sql`
    SELECT r."companyId", r."id" AS "ruleId", t."id" AS "ticketId", last."id" AS "messageId",
      to_char((last."createdAt" + r."minutes" * interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "at"
    FROM "rules" r
    JOIN "tickets" t ON t."companyId" = r."companyId" AND t."status" IN ('pending', 'open') AND NOT t."isGroup"
      AND t."snoozedUntil" IS NULL AND t."mergedIntoId" IS NULL
      AND t."lastMessageAt" > ${now.toISOString()}::timestamptz - r."minutes" * interval '1 minute' - interval '${sql.raw(LOOK_BACK)}'
    CROSS JOIN LATERAL (
      SELECT m."id", m."createdAt" FROM ${messages} m WHERE m."ticketId" = t."id" AND ${byPeople}
      ORDER BY m."createdAt" DESC, m."id" DESC LIMIT 1) last
    WHERE r."active" AND r."trigger" = 'idle'
      AND last."createdAt" + r."minutes" * interval '1 minute' <= ${now.toISOString()}::timestamptz
      AND last."createdAt" + r."minutes" * interval '1 minute' > greatest(
        ${now.toISOString()}::timestamptz - interval '${sql.raw(LOOK_BACK)}', r."activeSince")
      AND NOT EXISTS (SELECT FROM "rule_runs" x
        WHERE x."id" = 'idle:' || r."id" || ':' || last."id" || ':' || r."id")
    ORDER BY last."createdAt" LIMIT ${limit}`) as unknown as Promise<Silent[]>
