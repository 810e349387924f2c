import { DAY_MS } from '../../schema/durations.ts'
import { and, between, desc, eq, sql } from 'drizzle-orm'
import type { AnyPgTable } from 'drizzle-orm/pg-core'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { daysBetween } from '../../schema/invoices/invoices.due.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import {
  type CompanyUsage,
  companyUsage,
  type CompanyUsageDay,
  companyUsageDays,
  type UsageDay,
  usageDays,
} from '../../schema/usage/usage.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { calendarOf } from '../dashboard/dashboard.queries.ts'
import type { Db } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

/** A server that was off for longer, or that never counted, counts no further back. */
const MOST_DAYS_BACK = 31

/** Days of single companies are kept so long; those of the whole installation stay. */
const KEPT_DAYS = 400
/** What a company did is told of so many days where it stands in a list. */
const WINDOW_DAYS = 30

/**
 * Counts what each company, and with that the installation, did on the days that are not over, or that were not when
 * they were counted last. Done twice, or on two servers at once, it says the same: what is kept is written anew, and
 * what only a moment knows (who is there, what is linked) is only ever raised.
 */
export async function countUsage(db: Db, at: Date): Promise<void> {
  const { zone, today } = await calendarOf(db, OPERATOR_COMPANY_ID, at)
  const first = await firstOpenDay(db, zone, today)
  const days = sql`(SELECT g::date AS "day", g AT TIME ZONE ${zone} AS "from", (g + interval '1 day') AT TIME ZONE ${zone} AS "until"
    FROM generate_series(${first}::timestamp, ${today}::timestamp, interval '1 day') g)`
  // A company's own index finds its rows of a day: none of the large tables is read as a whole.
  await db.execute(sql`
    INSERT INTO ${companyUsageDays} ("companyId", "day", "messagesIn", "messagesOut", "mediaBytes", "tickets", "activeUsers", "connections")
    SELECT c."id", d."day", m."in", m."out", m."bytes", s."begun",
      CASE WHEN d."day" = ${today}::date THEN coalesce(u."there", 0) END,
      CASE WHEN d."day" = ${today}::date THEN coalesce(w."linked", 0) END
    FROM ${companies} c CROSS JOIN ${days} d
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE NOT "fromMe") AS "in", count(*) FILTER (WHERE "fromMe") AS "out",
        coalesce(sum("mediaSize"), 0) AS "bytes" FROM ${messages}
      WHERE "companyId" = c."id" AND "createdAt" >= d."from" AND "createdAt" < d."until") m
    CROSS JOIN LATERAL (
      SELECT count(*) AS "begun" FROM ${ticketTrackings}
      WHERE "companyId" = c."id" AND "createdAt" >= d."from" AND "createdAt" < d."until") s
    LEFT JOIN (SELECT "companyId", count(*) AS "there" FROM ${users}
      WHERE "lastSeenAt" >= ${today}::timestamp AT TIME ZONE ${zone} GROUP BY 1) u ON u."companyId" = c."id"
    LEFT JOIN (SELECT "companyId", count(*) AS "linked" FROM ${whatsapps}
      WHERE "status" = 'CONNECTED' GROUP BY 1) w ON w."companyId" = c."id"
    LEFT JOIN ${companyUsageDays} known ON known."companyId" = c."id" AND known."day" = d."day"
    WHERE known."day" IS NOT NULL OR m."in" + m."out" + s."begun" > 0
      OR (d."day" = ${today}::date AND coalesce(u."there", 0) + coalesce(w."linked", 0) > 0)
    ON CONFLICT ("companyId", "day") DO UPDATE SET
      "messagesIn" = excluded."messagesIn",
      "messagesOut" = excluded."messagesOut",
      "mediaBytes" = excluded."mediaBytes",
      "tickets" = excluded."tickets",
      "activeUsers" = greatest(${companyUsageDays}."activeUsers", excluded."activeUsers"),
      "connections" = greatest(${companyUsageDays}."connections", excluded."connections")
    WHERE (${companyUsageDays}."messagesIn", ${companyUsageDays}."messagesOut", ${companyUsageDays}."mediaBytes", ${companyUsageDays}."tickets")
        IS DISTINCT FROM (excluded."messagesIn", excluded."messagesOut", excluded."mediaBytes", excluded."tickets")
      OR excluded."activeUsers" > coalesce(${companyUsageDays}."activeUsers", -1)
      OR excluded."connections" > coalesce(${companyUsageDays}."connections", -1)`)
  await db.execute(sql`
    INSERT INTO ${usageDays} ("day", "companies", "activeUsers", "messagesIn", "messagesOut", "tickets", "connections", "countedAt")
    SELECT d."day",
      (SELECT count(*) FROM ${companies} WHERE "status" AND "removal" IS NULL AND "createdAt" < d."until"),
      CASE WHEN d."day" = ${today}::date THEN
        (SELECT count(*) FROM ${users} WHERE "lastSeenAt" >= d."from") END,
      coalesce(sum(c."messagesIn"), 0), coalesce(sum(c."messagesOut"), 0), coalesce(sum(c."tickets"), 0),
      CASE WHEN d."day" = ${today}::date THEN
        (SELECT count(*) FROM ${whatsapps} WHERE "status" = 'CONNECTED') END,
      ${at.toISOString()}::timestamptz
    FROM ${days} d LEFT JOIN ${companyUsageDays} c ON c."day" = d."day"
    GROUP BY d."day", d."from", d."until"
    ON CONFLICT ("day") DO UPDATE SET
      "companies" = excluded."companies",
      "activeUsers" = greatest(${usageDays}."activeUsers", excluded."activeUsers"),
      "messagesIn" = excluded."messagesIn",
      "messagesOut" = excluded."messagesOut",
      "tickets" = excluded."tickets",
      "connections" = greatest(${usageDays}."connections", excluded."connections"),
      "countedAt" = excluded."countedAt"`)
  await countStanding(db, today, at)
  await db.execute(sql`DELETE FROM ${companyUsageDays} WHERE "day" < ${today}::date - ${KEPT_DAYS}::int`)
}

/** How each company stands at this moment, with what it did in the last days. */
async function countStanding(db: Db, today: string, at: Date): Promise<void> {
  const figures = sql.raw(standingFigures.map((figure) => `"${figure}"`).join(', '))
  const renewed = sql.raw(standingFigures.map((figure) => `"${figure}" = excluded."${figure}"`).join(', '))
  const counted = (table: AnyPgTable, where = sql`true`) =>
    sql`(SELECT "companyId", count(*) AS "n" FROM ${table} WHERE ${where} GROUP BY 1)`
  await db.execute(sql`
    INSERT INTO ${companyUsage} ("companyId", ${figures}, "countedAt")
    SELECT c."id", coalesce(u."n", 0), coalesce(w."n", 0), coalesce(q."n", 0), coalesce(l."n", 0), coalesce(o."n", 0),
      coalesce(d."in", 0), coalesce(d."out", 0), coalesce(d."bytes", 0), coalesce(d."begun", 0), ${at.toISOString()}::timestamptz
    FROM ${companies} c
    LEFT JOIN ${counted(users)} u ON u."companyId" = c."id"
    LEFT JOIN ${counted(whatsapps)} w ON w."companyId" = c."id"
    LEFT JOIN ${counted(queues)} q ON q."companyId" = c."id"
    LEFT JOIN ${counted(whatsapps, sql`"status" = 'CONNECTED'`)} l ON l."companyId" = c."id"
    LEFT JOIN ${counted(tickets, sql`"status" IN ('open', 'pending')`)} o ON o."companyId" = c."id"
    LEFT JOIN (SELECT "companyId", sum("messagesIn") AS "in", sum("messagesOut") AS "out", sum("mediaBytes") AS "bytes",
      sum("tickets") AS "begun" FROM ${companyUsageDays} WHERE "day" > ${today}::date - ${WINDOW_DAYS}::int
      GROUP BY 1) d ON d."companyId" = c."id"
    ON CONFLICT ("companyId") DO UPDATE SET ${renewed}, "countedAt" = excluded."countedAt"`)
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

/** From one day to another, `YYYY-MM-DD` both, or as many of the last ones. */
export interface UsageSpan {
  from?: string | undefined
  to?: string | undefined
  days?: number | undefined
}

/** Days that are told where nobody says how many, and the most that are. */
const TOLD_DAYS = 30
const MOST_TOLD = 366

/**
 * The first and the last day that somebody wishes to read.
 * @throws DomainError `ERR_VALIDATION` where it ends before it begins, or is longer than anybody reads
 */
function spanOf({ from, to, days = TOLD_DAYS }: UsageSpan, today: string): { first: string; last: string } {
  const last = to && to < today ? to : today
  const first = from || dayBefore(last, days - 1)
  const count = daysBetween(first, last) + 1
  if (count < 1 || count > MOST_TOLD)
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'query/from', message: `1 to ${MOST_TOLD} days` }] })
  return { first, last }
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

/** The days that were counted, the oldest first. */
export async function listUsage(
  db: Db,
  wish: UsageSpan,
  at: Date,
): Promise<{ records: UsageDay[]; countedAt: Date | null }> {
  const { today } = await calendarOf(db, OPERATOR_COMPANY_ID, at)
  const { first, last } = spanOf(wish, today)
  const rows = await db
    .select()
    .from(usageDays)
    .where(between(usageDays.day, first, last))
    .orderBy(desc(usageDays.day))
  return { records: rows.toReversed(), countedAt: rows[0]?.countedAt ?? null }
}

/** How each company stands, in the order in which the columns are written. */
const standingFigures = [
  ...(['users', 'connections', 'queues', 'linked', 'openTickets'] as const),
  ...(['messagesIn', 'messagesOut', 'mediaBytes', 'tickets'] as const),
] satisfies (keyof CompanyUsage)[]

/** By what the list of companies is put in order. */
export const usageOrders = [
  'messagesIn',
  'messagesOut',
  'tickets',
  'openTickets',
  'mediaBytes',
  'users',
  'linked',
] as const
export type UsageOrder = (typeof usageOrders)[number]

/**
 * Companies with what each did in the last 30 days, the busiest first, as it was counted last. What a plan limits is
 * counted now, for those of the page.
 * @param cursor of the row before: its figure and its id
 */
export async function listCompanyUsage(
  db: Db,
  {
    order,
    search,
    cursor,
    limit,
  }: { order: UsageOrder; search?: string | undefined; cursor?: string | undefined; limit: number },
) {
  const by = companyUsage[order]
  const [figure, id] = cursor?.split(':').map(Number) ?? []
  const like = search ? sql`plain(${anywhere(search)})` : undefined
  const rows = await db
    .select({
      company: { id: companies.id, name: companies.name },
      plan: { name: plans.name, users: plans.users, connections: plans.connections, queues: plans.queues },
      ...(Object.fromEntries(standingFigures.map((each) => [each, companyUsage[each]])) as Pick<
        typeof companyUsage,
        (typeof standingFigures)[number]
      >),
      now: {
        users: sql<number>`(SELECT count(*)::int FROM ${users} WHERE ${users.companyId} = ${companies.id})`,
        connections: sql<number>`(SELECT count(*)::int FROM ${whatsapps} WHERE ${whatsapps.companyId} = ${companies.id})`,
        queues: sql<number>`(SELECT count(*)::int FROM ${queues} WHERE ${queues.companyId} = ${companies.id})`,
      },
      countedAt: companyUsage.countedAt,
    })
    .from(companyUsage)
    .innerJoin(companies, eq(companies.id, companyUsage.companyId))
    .leftJoin(plans, eq(plans.id, companies.planId))
    .where(
      and(
        figure === undefined ? undefined : sql`(${by}, ${companyUsage.companyId}) < (${figure}::bigint, ${id}::int)`,
        like && sql`plain(${companies.name}) LIKE ${like}`,
      ),
    )
    .orderBy(desc(by), desc(companyUsage.companyId))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const records = page.map(({ now, ...row }) => ({ id: row.company.id, ...row, ...now }))
  // Its place in the order is that of the figure that was counted.
  const last = rows.length > limit ? page.at(-1) : undefined
  return { records, nextCursor: last ? `${last[order]}:${last.company.id}` : null }
}

/** The days of one company, the oldest first; days on which nothing happened are there, too. */
export async function listCompanyDays(db: Db, companyId: number, wish: UsageSpan, at: Date) {
  const { today } = await calendarOf(db, OPERATOR_COMPANY_ID, at)
  const { first, last } = spanOf(wish, today)
  const [company] = await db
    .select({ id: companies.id, name: companies.name })
    .from(companies)
    .where(eq(companies.id, companyId))
  if (!company) throw new DomainError('ERR_NO_COMPANY_FOUND')
  const rows = await db.execute<Omit<CompanyUsageDay, 'companyId'>>(sql`
    SELECT g::date::text AS "day", coalesce(d."messagesIn", 0) AS "messagesIn", coalesce(d."messagesOut", 0) AS "messagesOut",
      coalesce(d."mediaBytes", 0)::float8 AS "mediaBytes", coalesce(d."tickets", 0) AS "tickets", d."activeUsers", d."connections"
    FROM generate_series(${first}::date, ${last}::date, interval '1 day') g
    LEFT JOIN ${companyUsageDays} d ON d."companyId" = ${companyId} AND d."day" = g::date
    ORDER BY 1`)
  return { company, records: [...rows] }
}
