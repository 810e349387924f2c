import { and, type SQL, sql } from 'drizzle-orm'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import {
  type Counting,
  type FigureKey,
  figureOf,
  figuresOf,
  type ServiceMoment,
} from '../../schema/reports/reports.figures.ts'
import type { ReportRow, Values } from '../../schema/reports/reports.answers.ts'
import { reportBounds } from '../../schema/reports/reports.inputs.ts'
import { reportServices } from '../../schema/reports/reports.table.ts'
import { slaClocks } from '../../schema/sla-policies/sla-policies.table.ts'
import type { Db } from '../db/database.ts'
import { namesOf } from './reports.names.queries.ts'
import {
  asksOfTickets,
  type Asked,
  clockFilter,
  clocksWithin,
  columnOf,
  counted,
  countsHours,
  falls,
  hourOfWeek,
  hoursWithin,
  measured,
  messagesWithin,
  moments,
  rowOf,
  serviceFilter,
  servicesWithin,
  shippingsWithin,
  tagJoin,
  testOf,
  ticketJoin,
  voiceOf,
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

/** Enough to put the times of four hundred days in order without the disk: by default Postgres takes 4 MB. */
const SORT_MEMORY = '32MB'

/** A line for each row. */
const rowLines = async (db: Db, row: SQL, terms: Map<string, SQL>, from: SQL): Promise<Line[]> => [
  ...(await db.execute<Line>(sql`SELECT ${row} AS "row", ${selected(terms)} ${from} GROUP BY 1`)),
]

/** One line for all. */
async function totalLine(db: Db, terms: Map<string, SQL>, from: SQL): Promise<Line> {
  if (terms.size === 0) return {}
  const [line] = await db.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL work_mem = ${sql.raw(`'${SORT_MEMORY}'`)}`)
    return tx.execute<Line>(sql`SELECT ${selected(terms)} ${from}`)
  })
  return line ?? {}
}

/** What is counted of all rows together, where each thing stands in one of them: only times, means and shares are asked for. */
function added(keys: readonly FigureKey[], rows: readonly Line[]): Line {
  const counts = keys.filter((key) => figureOf(key).unit === 'count')
  return Object.fromEntries(counts.map((key) => [key, rows.reduce((sum, row) => sum + Number(row[key] ?? 0), 0)]))
}

async function lines(
  db: Db,
  asked: Asked,
  keys: readonly FigureKey[],
  of: { row: SQL; from: SQL; within?: Within; ofAll?: SQL },
): Promise<{ rows: Line[]; total: Line }> {
  const { row, from, within, ofAll } = of
  const terms = termsOf(asked, keys, within)
  if (ofAll) {
    const [rows, total] = await Promise.all([rowLines(db, row, terms, from), totalLine(db, terms, ofAll)])
    return { rows, total }
  }
  const rest = termsOf(
    asked,
    keys.filter((key) => figureOf(key).unit !== 'count'),
    within,
  )
  const [rows, total] = await Promise.all([rowLines(db, row, terms, from), totalLine(db, rest, from)])
  return { rows, total: { ...total, ...added(keys, rows) } }
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

/** Whether a moment of a service lies in the period. */
type Within = (at: ServiceMoment) => SQL

/** What Postgres makes of the rows that a figure counts, by their names in the answer. */
function termsOf(asked: Asked, keys: readonly FigureKey[], isIn?: Within): Map<string, SQL> {
  const within: Within = isIn ?? ((at) => falls(moments[at], asked))
  const terms = new Map<string, SQL>()
  for (const key of keys) {
    const { counting } = figureOf(key)
    const only = counted(asked, counting, within)
    const measure = measured(key)
    if (measure)
      terms.set(
        pairName(key),
        sql`percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY ${measure}) FILTER (WHERE ${only})`,
      )
    else if (counting.of === 'services' && counting.mean)
      terms.set(key, sql`round(avg(s."rate") FILTER (WHERE ${only}), 2)::float8`)
    else if (counting.of === 'services' && counting.share)
      terms.set(key, shareOf(sql`${within(counting.at)} AND ${testOf(counting.share)}`, within(counting.at)))
    else if (counting.of === 'clocks' && counting.what === 'share') terms.set(key, shareOf(only, sql`TRUE`))
    else if (counting.of === 'messages') terms.set(key, sql`sum(${voiceOf(asked, counting.voice)})::int`)
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
  const conditions = and(servicesWithin(asked), serviceFilter(asked))
  const from = (more?: SQL) =>
    sql`FROM ${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`)} WHERE ${and(conditions, more)}`
  if (asked.report === 'hours') return byHour(db, asked, keys, from)
  const { term } = rowOf(asked, figureOf(keys[0]!).counting)
  const counts = keys.map((key) => figureOf(key).counting)
  const read = (row: SQL, tags: SQL) =>
    sql`FROM (SELECT ${row} AS "row", ${readOf(asked, counts)} FROM ${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`)} ${tags} WHERE ${conditions} OFFSET 0) s`
  const within: Within = (at) => sql`s.${sql.identifier(`in ${at}`)}`
  const own = { row: sql`s."row"`, from: read(term, tagJoin(asked)), within }
  // A ticket with two tags is one ticket: all of them are counted without their tags.
  const ofAll = asked.report === 'tags' ? { ofAll: read(sql`NULL::int`, sql``) } : {}
  return partOf(keys, await lines(db, asked, keys, { ...own, ...ofAll }))
}

/**
 * What figures ask of a service, and no more: what is put in order is to be short. Which moments lie in the period is asked
 * once of each service, and not once for each figure.
 */
function readOf(asked: Asked, counts: readonly Counting[]): SQL {
  const columns = new Set<string>()
  const used = new Set<ServiceMoment>()
  for (const counting of counts) {
    if (counting.of !== 'services') continue
    used.add(counting.at)
    for (const test of [counting.test, counting.share]) if (test) columns.add(columnOf[test.is])
    if (counting.measure) columns.add(counting.measure.column)
    if (counting.mean) columns.add('rate')
  }
  return sql.join(
    [
      ...[...columns].map((column) => sql`s.${sql.identifier(column)}`),
      ...[...used].map((at) => sql`${falls(moments[at], asked)} AS ${sql.identifier(`in ${at}`)}`),
    ],
    sql`, `,
  )
}

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
  const { term: row } = rowOf(asked, figureOf(keys[0]!).counting)
  if (countsHours(asked)) {
    const { from, where } = hoursWithin(asked)
    const counts = sql`FROM ${from} WHERE ${where}`
    if (asked.report === 'agents') return partOf(keys, await lines(db, asked, keys, { row, from: counts }))
    const sums = selected(termsOf(asked, keys))
    return hoursPart(db, asked, keys, sql`SELECT h."hourAt" AS at, ${sums} ${counts} GROUP BY 1`)
  }
  const from = sql`FROM ${messagesWithin(asked)} ${tagJoin(asked)}`
  const ofAll = asked.report === 'tags' ? { ofAll: sql`FROM ${messagesWithin(asked)}` } : {}
  return partOf(keys, await lines(db, asked, keys, { row, from, ...ofAll }))
}

async function clocksPart(db: Db, asked: Asked, all: readonly FigureKey[]): Promise<Part> {
  const keys = of(all, 'clocks')
  if (keys.length === 0) return nothing
  const from = sql`FROM ${slaClocks} k ${ticketJoin(asked, sql`k."ticketId"`, true)}
    WHERE ${and(clocksWithin(asked), clockFilter(asked))}`
  return partOf(keys, await lines(db, asked, keys, { row: rowOf(asked, figureOf(keys[0]!).counting).term, from }))
}

async function shippingsPart(db: Db, asked: Asked, all: readonly FigureKey[]): Promise<Part> {
  const keys = of(all, 'shippings')
  if (keys.length === 0) return nothing
  const from = sql`FROM ${campaigns} c JOIN ${shippings} p ON p."campaignId" = c."id"
    ${ticketJoin(asked, sql`p."ticketId"`, asksOfTickets(asked))} WHERE ${shippingsWithin(asked)}`
  return partOf(keys, await lines(db, asked, keys, { row: rowOf(asked, figureOf(keys[0]!).counting).term, from }))
}
