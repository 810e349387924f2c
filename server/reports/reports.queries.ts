import { and, type SQL, sql } from 'drizzle-orm'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { type FigureKey, figureOf, figuresOf } from '../../schema/reports/reports.figures.ts'
import type { ReportRow, Values } from '../../schema/reports/reports.answers.ts'
import { reportBounds } from '../../schema/reports/reports.inputs.ts'
import { reportHours, reportServices } from '../../schema/reports/reports.table.ts'
import { slaClocks } from '../../schema/sla-policies/sla-policies.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { namesOf } from './reports.names.queries.ts'
import {
  type Asked,
  clockFilter,
  clocksWithin,
  counted,
  falls,
  hourFilter,
  hourOfWeek,
  measured,
  moments,
  rowOf,
  serviceFilter,
  servicesWithin,
  shippingsWithin,
  tagJoin,
  testOf,
  ticketJoin,
} from './reports.terms.ts'

export interface Report {
  figures: FigureKey[]
  rows: ReportRow[]
  /** Of all together; of tags a ticket counts once, however many it has. */
  total: Values
  /** Only the first rows are told. */
  hasMore: boolean
}

/** Rows by their key, and all of them together. */
interface Part {
  rows: Map<string, Values>
  total: Values
}

/** The figures of a report. */
export async function reportOf(db: Db, asked: Asked): Promise<Report> {
  const keys = figuresOf(asked.report)
  const parts = await Promise.all([
    servicesPart(db, asked, keys),
    messagesPart(db, asked, keys),
    clocksPart(db, asked, keys),
    shippingsPart(db, asked, keys),
  ])
  const all = new Map<string, Values>()
  const zero: Values = Object.fromEntries(keys.map((key) => [key, figureOf(key).unit === 'count' ? 0 : null]))
  for (const { rows } of parts) for (const [key, values] of rows) all.set(key, { ...(all.get(key) ?? zero), ...values })
  const counts = keys.filter((key) => figureOf(key).unit === 'count')
  // A row of which nothing is counted says nothing.
  const rows = [...all].filter(([, values]) => counts.some((key) => (values[key] ?? 0) > 0))
  const names = await namesOf(
    db,
    asked,
    rows.map(([key]) => key),
  )
  const [first] = keys
  const sorted = rows
    .map(([key, values]): ReportRow => ({ key, name: names.get(key) ?? null, values }))
    .toSorted(
      (a, b) =>
        (asked.report === 'hours' ? Number(a.key) - Number(b.key) : 0) ||
        (b.values[first!] ?? 0) - (a.values[first!] ?? 0) ||
        (a.name ?? '').localeCompare(b.name ?? '') ||
        (a.key < b.key ? -1 : 1),
    )
  return {
    figures: keys,
    rows: sorted.slice(0, reportBounds.rows),
    total: Object.assign({}, zero, ...parts.map(({ total }) => total)) as Values,
    hasMore: sorted.length > reportBounds.rows,
  }
}

const nothing: Part = { rows: new Map(), total: {} }
type Line = Record<string, string | number | readonly number[] | null>

const selected = (terms: Map<string, SQL>): SQL =>
  sql.join(
    [...terms].map(([name, term]) => sql`${term} AS ${sql.identifier(name)}`),
    sql`, `,
  )

/** One statement with a line for each row, and one for all, which may be asked of something simpler. */
async function lines(
  db: Db,
  row: SQL,
  terms: Map<string, SQL>,
  from: SQL,
  ofAll: SQL = from,
): Promise<{ rows: Line[]; total: Line }> {
  const [rows, [total]] = await Promise.all([
    db.execute<Line>(sql`SELECT ${row} AS "row", ${selected(terms)} ${from} GROUP BY 1`),
    db.execute<Line>(sql`SELECT ${selected(terms)} ${ofAll}`),
  ])
  return { rows: [...rows], total: total ?? {} }
}

function partOf(keys: readonly FigureKey[], { rows, total }: { rows: Line[]; total: Line }): Part {
  const values = (line: Line): Values => Object.fromEntries(keys.map((key) => [key, valueOf(line, key)]))
  return { rows: new Map(rows.map((line) => [String(line['row'] ?? '0'), values(line)])), total: values(total) }
}

function valueOf(line: Line, key: FigureKey): number | null {
  const { counting, unit } = figureOf(key)
  if ('measure' in counting && counting.measure) {
    const pair = line[pairName(key)] as readonly number[] | null | undefined
    return pair?.[counting.measure.percentile === 50 ? 0 : 1] ?? null
  }
  const value = line[key]
  return value == null ? (unit === 'count' ? 0 : null) : Number(value)
}

/** Both percentiles of a column are read together. */
function pairName(key: FigureKey): string {
  const { counting } = figureOf(key)
  return counting.of === 'services' ? (counting.measure?.column ?? key) : counting.of === 'clocks' ? counting.what : key
}

/** What Postgres makes of the rows that a figure counts, by their names in the answer. */
function termsOf(asked: Asked, keys: readonly FigureKey[]): Map<string, SQL> {
  const terms = new Map<string, SQL>()
  for (const key of keys) {
    const { counting } = figureOf(key)
    const only = counted(asked, counting)
    const measure = measured(key)
    if (measure)
      terms.set(
        pairName(key),
        sql`percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY ${measure}) FILTER (WHERE ${only})`,
      )
    else if (counting.of === 'services' && counting.mean)
      terms.set(key, sql`round(avg(s."rate") FILTER (WHERE ${only}), 2)::float8`)
    else if (counting.of === 'services' && counting.share)
      terms.set(
        key,
        shareOf(
          sql`${falls(moments[counting.at], asked)} AND ${testOf(counting.share)}`,
          falls(moments[counting.at], asked),
        ),
      )
    else if (counting.of === 'clocks' && counting.what === 'share') terms.set(key, shareOf(only, sql`TRUE`))
    else if (counting.of === 'messages') terms.set(key, sql`sum(h.${sql.raw(`"${counting.voice}"`)})::int`)
    else terms.set(key, sql`(count(*) FILTER (WHERE ${only}))::int`)
  }
  return terms
}

/** Percent, to a tenth. */
const shareOf = (part: SQL, whole: SQL): SQL =>
  sql`round(100.0 * (count(*) FILTER (WHERE ${part})) / nullif(count(*) FILTER (WHERE ${whole}), 0), 1)::float8`

const of = (keys: readonly FigureKey[], kind: string) => keys.filter((key) => figureOf(key).counting.of === kind)

async function servicesPart(db: Db, asked: Asked, all: readonly FigureKey[]): Promise<Part> {
  const keys = of(all, 'services')
  if (keys.length === 0) return nothing
  const terms = termsOf(asked, keys)
  const conditions = and(servicesWithin(asked), serviceFilter(asked))
  const from = (more?: SQL) =>
    sql`FROM ${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`)} WHERE ${and(conditions, more)}`
  if (asked.report === 'hours') return byHour(db, asked, keys, from)
  const row = rowOf(asked, figureOf(keys[0]!).counting).term
  if (asked.report !== 'tags') return partOf(keys, await lines(db, row, terms, from()))
  // A ticket with two tags is one ticket: all of them are counted without their tags.
  const ofAll = sql`FROM ${reportServices} s ${ticketJoin(withoutTags(asked), sql`s."ticketId"`)} WHERE ${conditions}`
  const tagged = sql`FROM ${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`)} ${tagJoin(asked)} WHERE ${conditions}`
  return partOf(keys, await lines(db, row, terms, tagged, ofAll))
}

/** The same tickets, where nothing is asked of their tags but by a filter. */
const withoutTags = (asked: Asked): Asked => ({ ...asked, report: 'queues' })

/**
 * Each figure falls into the hour of its own moment. To ask a zone's clock of each row costs more than to count them: first
 * they are counted by quarters of an hour, at which clocks change.
 */
async function byHour(db: Db, asked: Asked, keys: readonly FigureKey[], from: (more?: SQL) => SQL): Promise<Part> {
  const parts = await Promise.all(
    keys.map((key) => {
      const { counting } = figureOf(key)
      const at = counting.of === 'services' ? moments[counting.at] : sql`s."openedAt"`
      return hoursPart(
        db,
        asked,
        [key],
        sql`SELECT date_bin('15 minutes', ${at}, 'epoch'::timestamptz) AS at, count(*)::int AS ${sql.identifier(key)}
          ${from(counted(asked, counting))} GROUP BY 1`,
      )
    }),
  )
  const rows = new Map<string, Values>()
  for (const part of parts) for (const [row, values] of part.rows) rows.set(row, { ...rows.get(row), ...values })
  return { rows, total: Object.assign({}, ...parts.map(({ total }) => total)) as Values }
}

/** Counts by moments, added up by the hours of the week. */
async function hoursPart(db: Db, asked: Asked, keys: readonly FigureKey[], counts: SQL): Promise<Part> {
  const sums = sql.join(
    keys.map((key) => sql`sum(${sql.identifier(key)})::int AS ${sql.identifier(key)}`),
    sql`, `,
  )
  const rows = await db.execute<Line>(
    sql`SELECT ${hourOfWeek(sql`at`, asked.zone)} AS "row", ${sums} FROM (${counts}) counted GROUP BY 1`,
  )
  const part = partOf(keys, { rows: [...rows], total: {} })
  const total = Object.fromEntries(
    keys.map((key) => [key, [...part.rows.values()].reduce((sum, values) => sum + (values[key] ?? 0), 0)]),
  )
  return { rows: part.rows, total }
}

async function messagesPart(db: Db, asked: Asked, all: readonly FigureKey[]): Promise<Part> {
  const keys = of(all, 'messages')
  if (keys.length === 0) return nothing
  const terms = termsOf(asked, keys)
  const where = sql`WHERE ${and(sql`h."companyId" = ${asked.companyId} AND ${falls(sql`h."hourAt"`, asked)}`, hourFilter(asked))}`
  const source = (of: Asked) => {
    const ticket = ticketJoin(of, sql`s."ticketId"`)
    return isEmpty(ticket)
      ? sql`FROM ${reportHours} h`
      : sql`FROM ${reportHours} h JOIN ${reportServices} s ON s."trackingId" = h."trackingId" ${ticket}`
  }
  if (asked.report === 'hours')
    return hoursPart(
      db,
      asked,
      keys,
      sql`SELECT h."hourAt" AS at, ${selected(terms)} ${source(asked)} ${where} GROUP BY 1`,
    )
  const row = rowOf(asked, figureOf(keys[0]!).counting).term
  if (asked.report !== 'tags') return partOf(keys, await lines(db, row, terms, sql`${source(asked)} ${where}`))
  // Of a service's hours its sums are enough.
  const sums = sql.join(
    keys.map((key) => {
      const { counting } = figureOf(key)
      const column = sql.identifier(counting.of === 'messages' ? counting.voice : key)
      return sql`sum(h.${column}) AS ${column}`
    }),
    sql`, `,
  )
  const tagged = sql`FROM (SELECT h."trackingId", ${sums} FROM ${reportHours} h ${
    isEmpty(ticketJoin(withoutTags(asked), sql`s."ticketId"`))
      ? sql``
      : sql`JOIN ${reportServices} s ON s."trackingId" = h."trackingId" ${ticketJoin(withoutTags(asked), sql`s."ticketId"`)}`
  } ${where} GROUP BY 1) h
    JOIN ${reportServices} s ON s."trackingId" = h."trackingId" JOIN ${tickets} ON ${tickets.id} = s."ticketId" ${tagJoin(asked)}`
  return partOf(keys, await lines(db, row, terms, tagged, sql`${source(withoutTags(asked))} ${where}`))
}

const isEmpty = (part: SQL): boolean => part.queryChunks.length === 1

async function clocksPart(db: Db, asked: Asked, all: readonly FigureKey[]): Promise<Part> {
  const keys = of(all, 'clocks')
  if (keys.length === 0) return nothing
  const from = sql`FROM ${slaClocks} k ${ticketJoin(asked, sql`k."ticketId"`, true)}
    WHERE ${and(clocksWithin(asked), clockFilter(asked))}`
  return partOf(keys, await lines(db, rowOf(asked, figureOf(keys[0]!).counting).term, termsOf(asked, keys), from))
}

async function shippingsPart(db: Db, asked: Asked, all: readonly FigureKey[]): Promise<Part> {
  const keys = of(all, 'shippings')
  if (keys.length === 0) return nothing
  const from = sql`FROM ${campaigns} c JOIN ${shippings} p ON p."campaignId" = c."id"
    ${ticketJoin(asked, sql`p."ticketId"`)} WHERE ${shippingsWithin(asked)}`
  return partOf(keys, await lines(db, rowOf(asked, figureOf(keys[0]!).counting).term, termsOf(asked, keys), from))
}
