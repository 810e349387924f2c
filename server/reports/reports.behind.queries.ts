import { and, type SQL, sql } from 'drizzle-orm'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Counting, FigureKey } from '../../schema/reports/reports.figures.ts'
import type { Behind } from '../../schema/reports/reports.answers.ts'
import { figureOf } from '../../schema/reports/reports.figures.ts'
import { reportServices } from '../../schema/reports/reports.table.ts'
import { slaClocks } from '../../schema/sla-policies/sla-policies.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import {
  asksOfTickets,
  type Asked,
  clockFilter,
  clocksWithin,
  counted,
  countsHours,
  hoursWithin,
  isRow,
  measured,
  messagesWithin,
  moments,
  serviceFilter,
  servicesWithin,
  shippingsWithin,
  tagJoin,
  ticketJoin,
  voiceOf,
} from './reports.terms.ts'

export interface BehindPage {
  /** How many were counted: the figure itself, or, where it is a share, a mean or a percentile, of how many. */
  count: number
  records: Behind[]
  nextCursor: string | null
}

interface Place {
  /** What was counted, and which of it. */
  from: SQL
  where: SQL
  id: SQL
  /** Of whole numbers the order is theirs. */
  isText?: true
  at: SQL
  value: SQL
  /** Rows of one service are added up. */
  adds?: true
  count: SQL
  /** What is shown of those of the page, which are called `found`. */
  shown: SQL
}

const ofTicket = sql`${tickets.id} AS "ticketId", ${tickets.uuid} AS "uuid", ${tickets.status} AS "status",
  ${contacts.id} AS "contactId", ${contacts.name} AS "contactName"`
const ticketsOf = (ticketId: SQL) =>
  sql`JOIN ${tickets} ON ${tickets.id} = ${ticketId} JOIN ${contacts} ON ${contacts.id} = ${tickets.contactId}`
const ofService = sql`${ofTicket}, s."queueId", s."userId", s."whatsappId", s."openedAt", s."closedAt", s."rate", s."comment"
  FROM found JOIN ${reportServices} s ON s."trackingId" = found."id" ${ticketsOf(sql`s."ticketId"`)}`

function placeOf(asked: Asked, key: FigureKey, row: string | undefined): Place {
  const { counting } = figureOf(key)
  const only = counted(asked, counting)
  const inRow = row === undefined ? undefined : isRow(asked, counting, row)
  // Without a row a ticket with two tags is one.
  const tags = row === undefined ? sql`` : tagJoin(asked)
  const bounds = places[counting.of](asked, counting, tags)
  return { ...bounds, value: measured(key) ?? bounds.value, where: and(bounds.where, only, inRow)! }
}

const places: {
  [K in Counting['of']]: (asked: Asked, counting: Counting, tags: SQL) => Place
} = {
  services: (asked, counting, tags) => ({
    from: sql`${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`)} ${tags}`,
    where: and(servicesWithin(asked), serviceFilter(asked))!,
    id: sql`s."trackingId"`,
    at: counting.of === 'services' ? moments[counting.at] : sql`s."openedAt"`,
    value: sql`s."rate"::int`,
    count: sql`count(*)::int`,
    shown: ofService,
  }),
  messages: (asked, counting, tags) => {
    const voice = voiceOf(asked, counting.of === 'messages' ? counting.voice : 'sent')
    const place = { id: sql`s."trackingId"`, at: sql`s."openedAt"`, count: sql`sum(${voice})::int`, shown: ofService }
    if (!countsHours(asked))
      return { ...place, from: sql`${messagesWithin(asked)} ${tags}`, where: sql`TRUE`, value: voice }
    const { from, where, knowsServices } = hoursWithin(asked)
    const services = knowsServices ? sql`` : sql`JOIN ${reportServices} s ON s."trackingId" = h."trackingId"`
    return { ...place, from: sql`${from} ${services}`, where, value: place.count, adds: true }
  },
  clocks: (asked) => ({
    from: sql`${slaClocks} k ${ticketJoin(asked, sql`k."ticketId"`, true)}`,
    where: and(clocksWithin(asked), clockFilter(asked))!,
    id: sql`k."id"`,
    isText: true,
    at: sql`coalesce(k."endedAt", k."breachedAt")`,
    value: sql`round(k."tookMs" / 1000.0)::int`,
    count: sql`count(*)::int`,
    shown: sql`${ofTicket}, ${tickets.queueId} AS "queueId", ${tickets.userId} AS "userId",
      ${tickets.whatsappId} AS "whatsappId", k."startedAt" AS "openedAt", k."endedAt" AS "closedAt",
      NULL::int AS "rate", NULL::text AS "comment"
      FROM found JOIN ${slaClocks} k ON k."id" = found."id" ${ticketsOf(sql`k."ticketId"`)}`,
  }),
  shippings: (asked) => ({
    // Who sees their own tickets only, sees those people only who have one.
    from: sql`${campaigns} c JOIN ${shippings} p ON p."campaignId" = c."id"
      ${ticketJoin(asked, sql`p."ticketId"`, asksOfTickets(asked))}`,
    where: shippingsWithin(asked),
    id: sql`p."id"`,
    at: sql`coalesce(p."sentAt", p."createdAt")`,
    value: sql`NULL::int`,
    count: sql`count(*)::int`,
    shown: sql`${tickets.id} AS "ticketId", ${tickets.uuid} AS "uuid", ${tickets.status} AS "status",
      ${contacts.id} AS "contactId", coalesce(${contacts.name}, p."name") AS "contactName",
      ${tickets.queueId} AS "queueId", ${tickets.userId} AS "userId", p."whatsappId", NULL::timestamptz AS "openedAt",
      NULL::timestamptz AS "closedAt", NULL::int AS "rate", NULL::text AS "comment"
      FROM found JOIN ${shippings} p ON p."id" = found."id" LEFT JOIN ${tickets} ON ${tickets.id} = p."ticketId"
      LEFT JOIN ${contacts} ON ${contacts.id} = ${tickets.contactId}`,
  }),
}

/**
 * What a figure of a report counted, the newest first; of one row of its table, or of all.
 * @param page.cursor `nextCursor` of the page before
 */
export async function behindOf(
  db: Db,
  asked: Asked,
  { figure, row }: { figure: FigureKey; row?: string | undefined },
  page: { cursor?: { at: string; id: string } | undefined; limit: number },
): Promise<BehindPage> {
  const place = placeOf(asked, figure, row)
  const { from, where, id, isText, at, value, shown, adds } = place
  // Of a moment every millionth counts, or what has the same one would be told twice.
  const behind =
    page.cursor &&
    sql`(${at}, ${id}) < ('epoch'::timestamptz + ${page.cursor.at}::bigint * interval '1 microsecond',
      ${isText ? sql`${page.cursor.id}::text` : sql`${numbered(page.cursor.id)}::bigint`})`
  const [rows, [counts]] = await Promise.all([
    // What is shown is read for those of the page alone.
    db.execute<Record<string, string | number | null>>(sql`
      WITH found AS MATERIALIZED (
        SELECT ${id} AS "id", ${at} AS "at", ${value} AS "value" FROM ${from} WHERE ${and(where, behind)}
        ${adds ? sql`GROUP BY s."trackingId"` : sql``} ORDER BY 2 DESC, 1 DESC LIMIT ${page.limit + 1})
      SELECT found."id"::text AS "id", found."at", (extract(epoch FROM found."at") * 1000000)::bigint::text AS "exact",
        found."value", ${shown} ORDER BY found."at" DESC, found."id" DESC`),
    db.execute<{ n: number | null }>(sql`SELECT ${place.count} AS n FROM ${from} WHERE ${where}`),
  ])
  const records = [...rows].slice(0, page.limit)
  const last = records.at(-1)
  return {
    count: counts?.n ?? 0,
    records: records.map(({ contactId, contactName, exact: _exact, ...record }) => ({
      ...(record as unknown as Omit<Behind, 'contact'>),
      ...{ openedAt: iso(record['openedAt']), closedAt: iso(record['closedAt']), at: iso(record['at']) },
      contact: { id: contactId as number | null, name: String(contactName ?? '') },
    })),
    nextCursor: rows.length > page.limit && last ? `${last['exact']}.${last['id']}` : null,
  }
}

/** Of a cursor that is none of ours nothing comes behind. */
const numbered = (id: string): string => (/^[0-9]{1,18}$/.test(id) ? id : '0')

/** Moments come as the database writes them. */
const iso = (at: unknown): string | null =>
  at === null || at === undefined ? null : new Date(String(at)).toISOString()
