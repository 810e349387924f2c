import { and, eq, type SQL, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'

/** Days of the company's calendar, `YYYY-MM-DD`, both included; undefined is an open end. */
export interface Days {
  from: string | undefined
  to: string | undefined
}

/** Whole days of the company's zone, as moments: `column` compares with its index. */
function within(
  column: SQL | typeof ticketTrackings.createdAt | typeof ratings.createdAt,
  { from, to }: Days,
  zone: string,
) {
  return and(
    from ? sql`${column} >= (${from}::date::timestamp AT TIME ZONE ${zone})` : undefined,
    to ? sql`${column} < ((${to}::date + 1)::timestamp AT TIME ZONE ${zone})` : undefined,
  )
}

/** The company's zone, and what day it is there. */
export async function calendarOf(db: Db, companyId: number, now: Date): Promise<{ zone: string; today: string }> {
  const [row] = await db
    .select({
      zone: companies.timeZone,
      today: sql<string>`(${now.toISOString()}::timestamptz AT TIME ZONE ${companies.timeZone})::date::text`,
    })
    .from(companies)
    .where(eq(companies.id, companyId))
  return row!
}

/** Minutes, null where there is nothing to average. */
const minutes = (from: SQL, to: SQL) =>
  sql<number | null>`round((avg(extract(epoch FROM ${to} - ${from})) / 60)::numeric, 1)::float8`
const served = sql`COALESCE(${ticketTrackings.ratingAt}, ${ticketTrackings.finishedAt})`

/** What happens now, and what happened to the services that began in the range. Times are minutes. */
export async function counters(db: Db, companyId: number, days: Days, zone: string) {
  const [[past], [now]] = await Promise.all([
    db
      .select({
        supportFinished: sql<number>`(count(*) FILTER (WHERE ${ticketTrackings.finishedAt} IS NOT NULL))::int`,
        avgSupportTime: minutes(sql`${ticketTrackings.startedAt}`, served),
        avgWaitTime: minutes(sql`${ticketTrackings.queuedAt}`, sql`${ticketTrackings.startedAt}`),
      })
      .from(ticketTrackings)
      .where(and(eq(ticketTrackings.companyId, companyId), within(ticketTrackings.createdAt, days, zone))),
    db
      .select({
        supportHappening: sql<number>`(count(*) FILTER (WHERE ${tickets.status} = 'open'))::int`,
        supportPending: sql<number>`(count(*) FILTER (WHERE ${tickets.status} = 'pending'))::int`,
      })
      .from(tickets)
      // Said in full, so that the closed ones are never read.
      .where(and(eq(tickets.companyId, companyId), sql`${tickets.status} IN ('open', 'pending')`)),
  ])
  return { ...now!, ...past! }
}

/** Everybody of the company, also who served nobody. `rating` is the mean of 1 to 3; `avgSupportTime` minutes. */
export async function attendants(db: Db, companyId: number, days: Days, zone: string) {
  const services = db
    .select({
      userId: ticketTrackings.userId,
      avgSupportTime: minutes(sql`${ticketTrackings.startedAt}`, served).as('avgSupportTime'),
    })
    .from(ticketTrackings)
    .where(and(eq(ticketTrackings.companyId, companyId), within(ticketTrackings.createdAt, days, zone)))
    .groupBy(ticketTrackings.userId)
    .as('services')
  const marks = db
    .select({
      userId: ratings.userId,
      rating: sql<number>`round(avg(${ratings.rate}), 2)::float8`.as('rating'),
    })
    .from(ratings)
    .where(and(eq(ratings.companyId, companyId), within(ratings.createdAt, days, zone)))
    .groupBy(ratings.userId)
    .as('marks')
  return db
    .select({
      id: users.id,
      name: users.name,
      rating: marks.rating,
      avgSupportTime: services.avgSupportTime,
      online: users.online,
    })
    .from(users)
    .leftJoin(services, eq(services.userId, users.id))
    .leftJoin(marks, eq(marks.userId, users.id))
    .where(eq(users.companyId, companyId))
    .orderBy(users.name, users.id)
}

/** For the operator: over all companies. */
export async function platformCounters(db: Db) {
  const [totalCompanies, totalWhatsappSessions] = await Promise.all([
    db.$count(companies),
    db.$count(whatsapps, eq(whatsapps.status, 'CONNECTED')),
  ])
  return { totalCompanies, totalWhatsappSessions }
}

/** How many services each colleague had. */
export async function servicesOf(db: Db, companyId: number, days: Days, zone: string): Promise<Map<number, number>> {
  const rows = await db
    .select({ userId: ticketTrackings.userId, n: sql<number>`count(*)::int` })
    .from(ticketTrackings)
    .where(and(eq(ticketTrackings.companyId, companyId), within(ticketTrackings.createdAt, days, zone)))
    .groupBy(ticketTrackings.userId)
  return new Map(rows.flatMap(({ userId, n }) => (userId === null ? [] : [[userId, n] as const])))
}

/** Services by who served them, most first; also who served nobody. */
export async function servicesByUser(db: Db, companyId: number, days: Days, zone: string) {
  const counted = db
    .select({ userId: ticketTrackings.userId, n: sql<number>`count(*)::int`.as('n') })
    .from(ticketTrackings)
    .where(and(eq(ticketTrackings.companyId, companyId), within(ticketTrackings.createdAt, days, zone)))
    .groupBy(ticketTrackings.userId)
    .as('counted')
  const quantidade = sql<number>`COALESCE(${counted.n}, 0)`
  return db
    .select({ nome: users.name, quantidade })
    .from(users)
    .leftJoin(counted, eq(counted.userId, users.id))
    .where(eq(users.companyId, companyId))
    .orderBy(sql`${quantidade} DESC`, users.name, users.id)
}

/** Services by the hour at which they began (0 to 23), when it is about one day; else by day. */
export async function servicesByTime(
  db: Db,
  companyId: number,
  days: Days,
  zone: string,
): Promise<{ data: ({ horario: number; total: number } | { data: string; total: number })[]; count: number }> {
  const where = and(eq(ticketTrackings.companyId, companyId), within(ticketTrackings.createdAt, days, zone))
  const local = sql`${ticketTrackings.createdAt} AT TIME ZONE ${zone}`
  const total = sql<number>`count(*)::int`
  const rows =
    days.from !== undefined && days.from === days.to
      ? await db
          .select({ horario: sql<number>`extract(hour FROM ${local})::int`, total })
          .from(ticketTrackings)
          .where(where)
          .groupBy(sql`1`)
          .orderBy(sql`1`)
      : await db
          .select({ data: sql<string>`(${local})::date::text`, total })
          .from(ticketTrackings)
          .where(where)
          .groupBy(sql`1`)
          .orderBy(sql`1`)
  return { data: rows, count: rows.reduce((sum, row) => sum + row.total, 0) }
}
