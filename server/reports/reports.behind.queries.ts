import { and, type SQL, sql } from 'drizzle-orm'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Counting, FigureKey } from '../../schema/reports/reports.figures.ts'
import type { Behind } from '../../schema/reports/reports.answers.ts'
import { figureOf } from '../../schema/reports/reports.figures.ts'
import { reportHours, reportServices } from '../../schema/reports/reports.table.ts'
import { slaClocks } from '../../schema/sla-policies/sla-policies.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import {
  type Asked,
  clockFilter,
  clocksWithin,
  counted,
  falls,
  hourFilter,
  isRow,
  measured,
  moments,
  serviceFilter,
  servicesWithin,
  shippingsWithin,
  tagJoin,
  ticketJoin,
} from './reports.terms.ts'

export interface BehindPage {
  /** How many were counted: the figure itself, or, where it is a share, a mean or a percentile, of how many. */
  count: number
  records: Behind[]
  nextCursor: string | null
}

interface Place {
  from: SQL
  /** The same rows, where nothing of their tickets is shown. */
  counts: SQL
  where: SQL
  id: SQL
  at: SQL
  value: SQL
  /** Rows of one service are added up. */
  adds?: true
  count: SQL
  shown: SQL
}

const ofTicket = sql`${tickets.id} AS "ticketId", ${tickets.uuid} AS "uuid", ${tickets.status} AS "status",
  ${contacts.id} AS "contactId", ${contacts.name} AS "contactName"`
const ofService = sql`${ofTicket}, s."queueId", s."userId", s."whatsappId", s."openedAt", s."closedAt", s."rate", s."comment"`

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
    from: sql`${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`, true)} ${tags}`,
    counts: sql`${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`)} ${tags}`,
    where: and(servicesWithin(asked), serviceFilter(asked))!,
    id: sql`s."trackingId"`,
    at: counting.of === 'services' ? moments[counting.at] : sql`s."openedAt"`,
    value: sql`s."rate"::int`,
    count: sql`count(*)::int`,
    shown: ofService,
  }),
  messages: (asked, counting, tags) => {
    const sum = sql`sum(h.${sql.raw(counting.of === 'messages' ? `"${counting.voice}"` : '"sent"')})::int`
    return {
      from: sql`${reportHours} h JOIN ${reportServices} s ON s."trackingId" = h."trackingId"
        ${ticketJoin(asked, sql`s."ticketId"`, true)} ${tags}`,
      counts: sql`${reportHours} h JOIN ${reportServices} s ON s."trackingId" = h."trackingId"
        ${ticketJoin(asked, sql`s."ticketId"`)} ${tags}`,
      where: and(sql`h."companyId" = ${asked.companyId} AND ${falls(sql`h."hourAt"`, asked)}`, hourFilter(asked))!,
      id: sql`s."trackingId"`,
      at: sql`s."openedAt"`,
      value: sum,
      adds: true,
      count: sum,
      shown: ofService,
    }
  },
  clocks: (asked) => ({
    from: sql`${slaClocks} k ${ticketJoin(asked, sql`k."ticketId"`, true)}`,
    counts: sql`${slaClocks} k ${ticketJoin(asked, sql`k."ticketId"`, true)}`,
    where: and(clocksWithin(asked), clockFilter(asked))!,
    id: sql`k."id"`,
    at: sql`coalesce(k."endedAt", k."breachedAt")`,
    value: sql`round(k."tookMs" / 1000.0)::int`,
    count: sql`count(*)::int`,
    shown: sql`${ofTicket}, ${tickets.queueId} AS "queueId", ${tickets.userId} AS "userId",
      ${tickets.whatsappId} AS "whatsappId", k."startedAt" AS "openedAt", k."endedAt" AS "closedAt",
      NULL::int AS "rate", NULL::text AS "comment"`,
  }),
  shippings: (asked) => ({
    from: peopleOf(asked),
    counts: peopleOf(asked),
    where: shippingsWithin(asked),
    id: sql`p."id"`,
    at: sql`coalesce(p."sentAt", p."createdAt")`,
    value: sql`NULL::int`,
    count: sql`count(*)::int`,
    shown: sql`${tickets.id} AS "ticketId", ${tickets.uuid} AS "uuid", ${tickets.status} AS "status",
      ${contacts.id} AS "contactId", coalesce(${contacts.name}, p."name") AS "contactName",
      ${tickets.queueId} AS "queueId", ${tickets.userId} AS "userId", p."whatsappId", NULL::timestamptz AS "openedAt",
      NULL::timestamptz AS "closedAt", NULL::int AS "rate", NULL::text AS "comment"`,
  }),
}

/** Who sees their own tickets only, sees those people only who have one. */
const peopleOf = (asked: Asked): SQL => sql`${campaigns} c JOIN ${shippings} p ON p."campaignId" = c."id"
  ${asked.sight === 'all' ? sql`LEFT` : sql``} JOIN ${tickets} ON ${tickets.id} = p."ticketId"
  LEFT JOIN ${contacts} ON ${contacts.id} = ${tickets.contactId}`

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
  const { from, where, id, at, value, shown, adds } = place
  // Of a moment every millionth counts, or what has the same one would be told twice.
  const exact = sql`(extract(epoch FROM ${at}) * 1000000)::bigint`
  const behind = page.cursor && sql`(${exact}, ${id}::text) < (${page.cursor.at}::bigint, ${page.cursor.id})`
  const [rows, [counts]] = await Promise.all([
    db.execute<Record<string, string | number | null>>(sql`
      SELECT ${id}::text AS "id", ${shown}, ${at} AS "at", ${exact}::text AS "exact", ${value} AS "value"
      FROM ${from} WHERE ${and(where, behind)}
      ${adds ? sql`GROUP BY s."trackingId", ${tickets.id}, ${contacts.id}` : sql``}
      ORDER BY ${exact} DESC, ${id}::text DESC LIMIT ${page.limit + 1}`),
    db.execute<{ n: number | null }>(sql`SELECT ${place.count} AS n FROM ${place.counts} WHERE ${where}`),
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

/** Moments come as the database writes them. */
const iso = (at: unknown): string | null =>
  at === null || at === undefined ? null : new Date(String(at)).toISOString()
