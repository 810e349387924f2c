import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { DAY_MS, MINUTE_MS } from '../../schema/durations.ts'
import type { Calendar } from '../../schema/hours/hours.spans.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { factsOf, REPORT_FACTS } from '../../schema/reports/reports.facts.ts'
import {
  type ReportHour,
  reportHours,
  type ReportService,
  reportServices,
  reportStale,
  reportStates,
} from '../../schema/reports/reports.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import { loadRules } from '../sla-policies/sla.facts.ts'
import { pastOf } from './reports.past.queries.ts'

/** Tickets whose facts are made in one transaction. */
const BATCH = 500
/** A rating changes no ticket; one that was given before may be committed later. */
const LATE_MS = 10 * MINUTE_MS
/** Who asks waits so long at most; what is left of a long past is made by the clock. */
const ASK_MS = 1_500
const CLOCK_MS = 20_000
/** Of whom nobody has asked for so long nothing is made by the clock. */
const ASKED_MS = 30 * DAY_MS

export interface Made {
  /** False while there are tickets whose facts are still to be made. */
  isWhole: boolean
  /** How much is made, of 1. */
  share: number
}

/**
 * Brings what reports count up to now, for who asks: what has changed since the last time. The first who asks begins it, and of
 * a long past is told how much is made.
 */
export async function bringUpToDate(db: Db, companyId: number, now: () => Date): Promise<Made> {
  const until = Date.now() + ASK_MS
  await db.transaction((tx) => noteChanged(tx, companyId, now(), true))
  return (await makeStale(db, companyId, until)) ? { isWhole: true, share: 1 } : made(db, companyId)
}

/** The same by the clock, for companies that were asked about lately. */
export async function makeReports(db: Db, now: () => Date): Promise<void> {
  const until = Date.now() + CLOCK_MS
  const rows = await db
    .select({ companyId: reportStates.companyId })
    .from(reportStates)
    .where(sql`${reportStates.askedAt} > ${new Date(now().getTime() - ASKED_MS).toISOString()}`)
    .orderBy(desc(reportStates.askedAt))
  for (const { companyId } of rows) {
    if (Date.now() > until) return
    await db.transaction((tx) => noteChanged(tx, companyId, now(), false))
    await makeStale(db, companyId, until)
  }
}

/** Makes all facts of a company anew, as if there were none. */
export async function makeAnew(db: Db, companyId: number, now: () => Date): Promise<void> {
  await db.delete(reportStates).where(eq(reportStates.companyId, companyId))
  await db.transaction((tx) => noteChanged(tx, companyId, now(), true))
  await makeStale(db, companyId, Number.POSITIVE_INFINITY)
}

/** Notes whose facts are to be made: of tickets that have changed since the last time, or of all. */
async function noteChanged(tx: Tx, companyId: number, now: Date, isAsked: boolean): Promise<void> {
  await lockName(tx, `reports/${companyId}`)
  const [[known], [place]] = await Promise.all([
    tx.select().from(reportStates).where(eq(reportStates.companyId, companyId)),
    tx.execute<{ timeZone: string; change: string; next: string; origin: string }>(sql`
      SELECT "timeZone", pg_snapshot_xmin(pg_current_snapshot())::text AS change,
        pg_snapshot_xmax(pg_current_snapshot())::text AS next,
        (SELECT system_identifier::text FROM pg_control_system()) AS origin
      FROM ${companies} WHERE "id" = ${companyId}`),
  ])
  if (!place) return
  const { timeZone, origin } = place
  const isKnown =
    known?.facts === REPORT_FACTS &&
    known.timeZone === timeZone &&
    known.origin === origin &&
    known.change <= BigInt(place.next)
  if (isKnown) {
    const late = new Date(known.countedAt.getTime() - LATE_MS).toISOString()
    await tx.execute(sql`INSERT INTO ${reportStale} ("companyId", "ticketId")
      SELECT ${companyId}, id FROM (
        SELECT t."id" FROM ${tickets} t WHERE t."companyId" = ${companyId} AND t."changeId" >= ${String(known.change)}::xid8
        UNION SELECT r."ticketId" FROM ${ratings} r WHERE r."companyId" = ${companyId} AND r."createdAt" >= ${late}
        UNION SELECT s."ticketId" FROM ${reportServices} s WHERE s."companyId" = ${companyId} AND s."botEnd" = 'running'
      ) changed ON CONFLICT DO NOTHING`)
  } else
    await tx.execute(sql`INSERT INTO ${reportStale} ("companyId", "ticketId")
      SELECT "companyId", "id" FROM ${tickets} WHERE "companyId" = ${companyId} ON CONFLICT DO NOTHING`)
  const values = {
    ...{ facts: REPORT_FACTS, timeZone, origin, change: BigInt(place.change), countedAt: now },
    askedAt: isAsked || !known ? now : known.askedAt,
  }
  await tx
    .insert(reportStates)
    .values({ companyId, ...values })
    .onConflictDoUpdate({ target: reportStates.companyId, set: values })
}

/**
 * Makes the facts of what is noted, the newest tickets first: what somebody asks about is mostly the last months.
 * @returns false where the time was over before all was made
 */
async function makeStale(db: Db, companyId: number, until: number): Promise<boolean> {
  let count: number
  do {
    count = await db.transaction(async (tx) => {
      await lockName(tx, `reports/${companyId}`)
      const ids = await tx
        .select({ id: reportStale.ticketId })
        .from(reportStale)
        .where(eq(reportStale.companyId, companyId))
        .orderBy(desc(reportStale.ticketId))
        .limit(BATCH)
      if (ids.length > 0)
        await makeFacts(
          tx,
          companyId,
          ids.map(({ id }) => id),
        )
      return ids.length
    })
    if (count === BATCH && Date.now() > until) return false
  } while (count === BATCH)
  return true
}

async function made(db: Db, companyId: number): Promise<Made> {
  const [left, all] = await Promise.all([
    db.$count(reportStale, eq(reportStale.companyId, companyId)),
    db.$count(tickets, eq(tickets.companyId, companyId)),
  ])
  return { isWhole: left === 0, share: all === 0 ? 1 : Math.max(0, 1 - left / all) }
}

/** By whose hours business time of a queue's tickets is counted: its own, else the company's. */
async function calendarOf(tx: Tx, companyId: number): Promise<(queueId: number | null) => Calendar> {
  const [{ calendarOf: calendar }, [company]] = await Promise.all([
    loadRules(tx, companyId),
    tx.select({ timeZone: companies.timeZone }).from(companies).where(eq(companies.id, companyId)),
  ])
  const { timeZone = 'UTC' } = company ?? {}
  return (queueId) => calendar({ calendar: 'queue' }, queueId) ?? { schedules: [], holidays: [], timeZone }
}

/** Writes the facts of these tickets in place of those that there are. */
async function makeFacts(tx: Tx, companyId: number, ids: readonly number[]): Promise<void> {
  const calendar = await calendarOf(tx, companyId)
  const all = (await pastOf(tx, companyId, ids)).map((past) => factsOf(past, calendar))
  const services = all.flatMap((facts) => facts.services)
  const hours = all.flatMap((facts) => facts.hours)
  const kept = services.map(({ trackingId }) => trackingId)
  if (kept.length > 0) await tx.delete(reportHours).where(inArray(reportHours.trackingId, kept))
  await putServices(tx, services)
  await putHours(tx, hours)
  await tx.delete(reportStale).where(and(eq(reportStale.companyId, companyId), inArray(reportStale.ticketId, [...ids])))
}

const serviceColumns = Object.keys(getTableColumns(reportServices))
const hourColumns = Object.keys(getTableColumns(reportHours))
const listed = (names: readonly string[]) => sql.raw(names.map((name) => `"${name}"`).join(', '))

/** Runs of flows are forgotten after a while: what was known of them then is known still. */
async function putServices(tx: Tx, rows: readonly ReportService[]): Promise<void> {
  if (rows.length === 0) return
  const ofBots = ['botAt', 'flowId', 'flowVersion', 'botEnd']
  const set = serviceColumns
    .filter((name) => name !== 'trackingId')
    .map((name) =>
      ofBots.includes(name)
        ? `"${name}" = coalesce(excluded."${name}", s."${name}")`
        : `"${name}" = excluded."${name}"`,
    )
  await tx.execute(sql`INSERT INTO ${reportServices} AS s (${listed(serviceColumns)})
    SELECT ${listed(serviceColumns)} FROM json_populate_recordset(null::"report_services", ${JSON.stringify(rows)}::text::json)
    ON CONFLICT ("trackingId") DO UPDATE SET ${sql.raw(set.join(', '))}`)
}

async function putHours(tx: Tx, rows: readonly ReportHour[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`INSERT INTO ${reportHours} (${listed(hourColumns)})
    SELECT ${listed(hourColumns)} FROM json_populate_recordset(null::"report_hours", ${JSON.stringify(rows)}::text::json)`)
}
