import { desc, gt, sql } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { type UsageDay, usageDays } from '../../schema/usage/usage.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { calendarOf } from '../dashboard/dashboard.queries.ts'
import type { Db } from '../db/database.ts'

/** A server that was off for longer, or that never counted, counts no further back. */
const MOST_DAYS_BACK = 31

/**
 * Counts what the installation did on the days that are not over, or that were not when they were counted last. Done
 * twice, or on two servers at once, it says the same: what is kept is written anew, and what only a moment knows (who is
 * there, what is linked) is only ever raised.
 */
export async function countUsage(db: Db, at: Date): Promise<void> {
  const { zone, today } = await calendarOf(db, OPERATOR_COMPANY_ID, at)
  const first = await firstOpenDay(db, zone, today)
  const now = at.toISOString()
  // A company's own index finds its rows of a day: none of the tables is read as a whole.
  await db.execute(sql`
    INSERT INTO ${usageDays} ("day", "companies", "activeUsers", "messagesIn", "messagesOut", "tickets", "connections", "countedAt")
    SELECT d."day",
      (SELECT count(*) FROM ${companies} WHERE "status" AND "removal" IS NULL AND "createdAt" < d."until"),
      CASE WHEN d."day" = ${today}::date THEN
        (SELECT count(*) FROM ${users} WHERE "lastSeenAt" >= d."from") END,
      coalesce(m."in", 0), coalesce(m."out", 0), coalesce(s."begun", 0),
      CASE WHEN d."day" = ${today}::date THEN
        (SELECT count(*) FROM ${whatsapps} WHERE "status" = 'CONNECTED') END,
      ${now}::timestamptz
    FROM (SELECT g::date AS "day", g AT TIME ZONE ${zone} AS "from", (g + interval '1 day') AT TIME ZONE ${zone} AS "until"
      FROM generate_series(${first}::timestamp, ${today}::timestamp, interval '1 day') g) d
    LEFT JOIN LATERAL (
      SELECT sum(x."in") AS "in", sum(x."out") AS "out" FROM ${companies} c CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE NOT "fromMe") AS "in", count(*) FILTER (WHERE "fromMe") AS "out" FROM ${messages}
        WHERE "companyId" = c."id" AND "createdAt" >= d."from" AND "createdAt" < d."until") x) m ON true
    LEFT JOIN LATERAL (
      SELECT sum(x."begun") AS "begun" FROM ${companies} c CROSS JOIN LATERAL (
        SELECT count(*) AS "begun" FROM ${ticketTrackings}
        WHERE "companyId" = c."id" AND "createdAt" >= d."from" AND "createdAt" < d."until") x) s ON true
    ON CONFLICT ("day") DO UPDATE SET
      "companies" = excluded."companies",
      "activeUsers" = greatest(${usageDays}."activeUsers", excluded."activeUsers"),
      "messagesIn" = excluded."messagesIn",
      "messagesOut" = excluded."messagesOut",
      "tickets" = excluded."tickets",
      "connections" = greatest(${usageDays}."connections", excluded."connections"),
      "countedAt" = excluded."countedAt"`)
}

/**
 * The day after the last one that was counted when it was over: what was counted then stays, also when rows go. Of a new
 * installation the day on which it began.
 */
async function firstOpenDay(db: Db, zone: string, today: string): Promise<string> {
  const [row] = await db.execute<{ day: string }>(sql`
    SELECT greatest(${today}::date - ${MOST_DAYS_BACK}::int,
      (SELECT max("day") + 1 FROM ${usageDays} WHERE "countedAt" >= ("day" + 1)::timestamp AT TIME ZONE ${zone}),
      (SELECT ("createdAt" AT TIME ZONE ${zone})::date FROM ${companies} WHERE "id" = ${OPERATOR_COMPANY_ID}))::text AS "day"`)
  return row!.day
}

/** The last days that were counted, the oldest first. */
export async function listUsage(
  db: Db,
  days: number,
  at: Date,
): Promise<{ records: UsageDay[]; countedAt: Date | null }> {
  const { today } = await calendarOf(db, OPERATOR_COMPANY_ID, at)
  const rows = await db
    .select()
    .from(usageDays)
    .where(gt(usageDays.day, sql`${today}::date - ${days}::int`))
    .orderBy(desc(usageDays.day))
  return { records: rows.toReversed(), countedAt: rows[0]?.countedAt ?? null }
}
