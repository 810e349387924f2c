import { type SQL, sql } from 'drizzle-orm'
import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { MINUTE_MS } from '../../schema/durations.ts'
import type { RuleCondition } from '../../schema/rules/rules.inputs.ts'
import type { RuleTrigger } from '../../schema/rules/rules.triggers.ts'
import type { TicketStatus } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { byPeople } from './rules.idle.queries.ts'

/** A ticket as conditions are asked about it. */
export interface DryTicket extends Record<string, unknown> {
  id: number
  contactId: number
  status: TicketStatus
  queueId: number | null
  userId: number | null
  whatsappId: number | null
  tagIds: number[]
  fields: FieldPatch
}

/** Something that happened to one, as far as it is written down. */
export interface DryEvent extends Record<string, unknown> {
  ticketId: number
  /** Milliseconds. */
  at: number
  text?: string | null
  rate?: number
  status?: TicketStatus
  /** Tags that were put on. */
  added?: number[]
}

interface Range {
  from: Date
  to: Date
}

const ids = (list: readonly number[]) => sql`ANY(${sql.param([...list])}::int[])`
const within = (column: SQL, { from, to }: Range) =>
  sql`${column} >= ${from.toISOString()}::timestamptz AND ${column} < ${to.toISOString()}::timestamptz`
const ms = (column: SQL) => sql`(extract(epoch FROM ${column}) * 1000)::float8`

/** Tickets in which anything happened, in the order of their ids; more than `limit` are not looked at. */
export async function touchedTickets(
  db: Db,
  companyId: number,
  range: Range,
  { trigger, minutes }: Pick<Sought, 'trigger' | 'minutes'>,
  limit: number,
): Promise<number[]> {
  if (trigger === 'tagged') return taggedTickets(db, companyId, range, limit)
  // A silence began before it was long enough.
  const since = new Date(range.from.getTime() - (trigger === 'idle' ? (minutes ?? 0) * MINUTE_MS : 0))
  const rows = await db.execute<{ ids: number[] | null }>(sql`
    SELECT array_agg(t."id" ORDER BY t."id" DESC) AS "ids" FROM (
      SELECT "id" FROM "tickets" WHERE "companyId" = ${companyId} AND "updatedAt" >= ${since.toISOString()}::timestamptz
        AND NOT "isGroup" AND "mergedIntoId" IS NULL
      ORDER BY "updatedAt" DESC, "id" DESC LIMIT ${limit}) t`)
  return rows[0]?.ids ?? []
}

/** A ticket that is tagged is moved by it to no other place of a list: the record of it says which were. */
async function taggedTickets(db: Db, companyId: number, range: Range, limit: number): Promise<number[]> {
  const rows = await db.execute<{ ids: number[] | null }>(sql`
    SELECT array_agg(g."ticketId" ORDER BY g."ticketId" DESC) AS "ids" FROM (
      SELECT DISTINCT "ticketId" FROM "ticket_taggings"
      WHERE "companyId" = ${companyId} AND ${within(sql`"createdAt"`, range)} LIMIT ${limit}) g
    JOIN "tickets" t ON t."id" = g."ticketId" WHERE NOT t."isGroup" AND t."mergedIntoId" IS NULL`)
  return rows[0]?.ids ?? []
}

/** Since when it is written down when a company's tags change; null: nothing is. */
export async function taggingsSince(db: Db, companyId: number): Promise<Date | null> {
  const [row] = await db.execute<{ at: number | null }>(
    sql`SELECT ${ms(sql`min("createdAt")`)} AS "at" FROM "ticket_taggings" WHERE "companyId" = ${companyId}`,
  )
  return row?.at ? new Date(row.at) : null
}

export const ticketsWith = (db: Db, list: readonly number[]): Promise<DryTicket[]> =>
  db.execute<DryTicket>(sql`
    SELECT "id", "contactId", "status", "queueId", "userId", "whatsappId", "tagIds", "fields"
    FROM "tickets" WHERE "id" = ${ids(list)}`) as unknown as Promise<DryTicket[]>

export async function contactFields(db: Db, list: readonly number[]): Promise<Map<number, FieldPatch>> {
  const rows = await db.execute<{ id: number; fields: FieldPatch }>(
    sql`SELECT "id", "fields" FROM "contacts" WHERE "id" = ${ids(list)}`,
  )
  return new Map(rows.map(({ id, fields }) => [id, fields]))
}

/** How they are called. */
export const namesOf = (db: Db, list: readonly number[]) =>
  db.execute<{
    id: number
    uuid: string
    queueId: number | null
    userId: number | null
    name: string
    number: string
  }>(sql`
    SELECT t."id", t."uuid", t."queueId", t."userId", c."name", c."number"
    FROM "tickets" t JOIN "contacts" c ON c."id" = t."contactId" WHERE t."id" = ${ids(list)}`)

/** What lines of the timeline tell of a status, a queue or an agent that changed. */
const linesOf: Partial<Record<RuleTrigger, readonly string[]>> = {
  status: ['accepted', 'returned', 'resolved', 'reopened', 'expired', 'reopened_by_contact', 'assigned', 'left_behind'],
  queue: ['transferred', 'queued', 'chosen'],
  user: ['accepted', 'returned', 'reopened', 'reopened_by_contact', 'assigned', 'left_behind', 'transferred'],
}

/** A part of the words that a message must hold, for the database to look first; null where it may hold anything. */
function wordsIn(match: 'all' | 'any', conditions: readonly RuleCondition[]): SQL | null {
  const asked = conditions.flatMap((one) => (one.kind === 'words' && !one.not ? [one.words] : []))
  if (asked.length === 0 || (match === 'any' && asked.length < conditions.length)) return null
  const holds = asked.map(
    (words) =>
      sql`(${sql.join(
        words.map((word) => sql`position(plain(${word.trim()}) IN plain(m."body")) > 0`),
        sql` OR `,
      )})`,
  )
  return sql`(${sql.join(holds, match === 'all' ? sql` AND ` : sql` OR `)})`
}

/** Of a rule: what is looked for. */
export interface Sought {
  trigger: RuleTrigger
  minutes: number | null
  byPeople: boolean
  match: 'all' | 'any'
  conditions: readonly RuleCondition[]
  /** Each event is asked about by itself; otherwise the first of a ticket stands for all. */
  each: boolean
}

/** What happened to these tickets, the earliest first. */
export async function eventsIn(db: Db, list: readonly number[], range: Range, sought: Sought): Promise<DryEvent[]> {
  return (await db.execute<DryEvent>(statementOf(list, range, sought))) as unknown as DryEvent[]
}

function statementOf(list: readonly number[], range: Range, sought: Sought): SQL {
  const { trigger } = sought
  const asksWords = sought.conditions.some(({ kind }) => kind === 'words')
  const body = asksWords ? sql`m."body"` : sql`NULL::text`
  switch (trigger) {
    case 'created':
      // Who began it stands in its timeline; where nobody of the company did, the contact's word comes first.
      return sql`
        SELECT t."id" AS "ticketId", ${ms(sql`t."createdAt"`)} AS "at", first."body" AS "text" FROM "tickets" t
        LEFT JOIN LATERAL (SELECT e."userId" FROM "ticket_events" e WHERE e."ticketId" = t."id" AND e."kind" = 'created' LIMIT 1) line ON true
        LEFT JOIN LATERAL (SELECT m."fromMe", ${body} AS "body" FROM "messages" m WHERE m."ticketId" = t."id"
          ORDER BY m."createdAt", m."id" LIMIT 1) first ON true
        WHERE t."id" = ${ids(list)} AND ${within(sql`t."createdAt"`, range)}
          AND (first."fromMe" IS FALSE ${sought.byPeople ? sql`OR coalesce(line."userId", 0) <> 0` : sql`AND coalesce(line."userId", 0) = 0`})`
    case 'messageIn':
    case 'messageOut': {
      const words = wordsIn(sought.match, sought.conditions)
      return sql`
        SELECT ${sought.each ? sql`` : sql`DISTINCT ON (m."ticketId")`} m."ticketId", ${ms(sql`m."createdAt"`)} AS "at", ${body} AS "text"
        FROM "messages" m WHERE m."ticketId" = ${ids(list)} AND ${within(sql`m."createdAt"`, range)}
          AND ${trigger === 'messageIn' ? sql`NOT m."fromMe"` : sql`m."fromMe" AND ${byPeople}`}
          ${words ? sql`AND ${words}` : sql``}
        ORDER BY m."ticketId", m."createdAt"`
    }
    case 'status':
    case 'queue':
    case 'user':
      return sql`
        SELECT ${sought.each ? sql`` : sql`DISTINCT ON (e."ticketId")`} e."ticketId", ${ms(sql`e."createdAt"`)} AS "at",
          CASE WHEN e."kind" IN ('resolved', 'expired') THEN 'closed'
            WHEN e."kind" IN ('accepted', 'reopened', 'assigned') THEN 'open'
            WHEN e."kind" IN ('returned', 'reopened_by_contact', 'left_behind') THEN 'pending' END AS "status"
        FROM "ticket_events" e WHERE e."ticketId" = ${ids(list)} AND ${within(sql`e."createdAt"`, range)}
          AND e."kind" = ANY(${sql.param([...linesOf[trigger]!])}::text[])
        ORDER BY e."ticketId", e."createdAt"`
    case 'campaignReply': {
      const words = wordsIn(sought.match, sought.conditions)
      return sql`
        SELECT ${sought.each ? sql`` : sql`DISTINCT ON (e."ticketId")`} e."ticketId", ${ms(sql`e."createdAt"`)} AS "at", ${body} AS "text"
        FROM "ticket_events" e LEFT JOIN "messages" m ON m."id" = e."data"->>'messageId' AND m."ticketId" = e."ticketId"
        WHERE e."ticketId" = ${ids(list)} AND ${within(sql`e."createdAt"`, range)} AND e."kind" = 'campaign_replied'
          ${words ? sql`AND ${words}` : sql``}
        ORDER BY e."ticketId", e."createdAt"`
    }
    case 'slaWarning':
    case 'slaBreach': {
      const at = trigger === 'slaWarning' ? sql`k."warnedAt"` : sql`k."breachedAt"`
      return sql`SELECT k."ticketId", ${ms(at)} AS "at" FROM "sla_clocks" k
        WHERE k."ticketId" = ${ids(list)} AND ${within(at, range)} ORDER BY k."ticketId", ${at}`
    }
    case 'idle': {
      const long = sql`${sought.minutes ?? 1} * interval '1 minute'`
      return sql`
        SELECT s."ticketId", ${ms(sql`s."at" + ${long}`)} AS "at" FROM (
          SELECT "ticketId", "at", "isEnd", lead("at") OVER (PARTITION BY "ticketId" ORDER BY "at") AS "next" FROM (
            SELECT m."ticketId", m."createdAt" AS "at", false AS "isEnd" FROM "messages" m
              WHERE m."ticketId" = ${ids(list)} AND m."createdAt" >= ${range.from.toISOString()}::timestamptz - ${long} AND ${byPeople}
            UNION ALL
            SELECT e."ticketId", e."createdAt", true FROM "ticket_events" e
              WHERE e."ticketId" = ${ids(list)} AND e."createdAt" >= ${range.from.toISOString()}::timestamptz - ${long}
                AND e."kind" IN ('resolved', 'expired', 'merged_into')) said) s
        WHERE NOT s."isEnd" AND ${within(sql`s."at" + ${long}`, range)} AND (s."next" IS NULL OR s."next" > s."at" + ${long})
        ORDER BY s."ticketId", s."at"`
    }
    case 'rated':
      return sql`SELECT r."ticketId", ${ms(sql`r."createdAt"`)} AS "at", r."rate" FROM "ratings" r
        WHERE r."ticketId" = ${ids(list)} AND ${within(sql`r."createdAt"`, range)} ORDER BY r."ticketId", r."createdAt"`
    case 'tagged':
      return sql`SELECT g."ticketId", ${ms(sql`g."createdAt"`)} AS "at", g."added" FROM "ticket_taggings" g
        WHERE g."ticketId" = ${ids(list)} AND ${within(sql`g."createdAt"`, range)} ORDER BY g."ticketId", g."createdAt"`
  }
}
