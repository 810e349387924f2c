import { and, or, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { TicketSight } from '../../schema/permissions.ts'
import {
  type Counting,
  type FigureKey,
  figureOf,
  type ServiceMoment,
  type ServiceTest,
} from '../../schema/reports/reports.figures.ts'
import type { ReportFilter, ReportName } from '../../schema/reports/reports.inputs.ts'
import { reportHours, reportServices } from '../../schema/reports/reports.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { fieldCondition } from '../custom-fields/custom-fields.queries.ts'

/**
 * How Postgres counts what `reports.figures.ts` says: for the table and for the list behind a figure the same terms. Facts of
 * services are called `s`, messages of an hour `h`, promises `k`, people of campaigns `p`.
 */

/** What a report is asked for. */
export interface Asked {
  companyId: number
  report: ReportName
  /** ISO; from the first moment up to the second, which is no more part of it. */
  from: string
  to: string
  zone: string
  filter: ReportFilter
  sight: TicketSight
  /** Own fields that are of contacts; all others are of tickets. */
  contactFields: ReadonlySet<number>
}

export const falls = (at: SQL, { from, to }: Pick<Asked, 'from' | 'to'>): SQL =>
  sql`(${at} >= ${from}::timestamptz AND ${at} < ${to}::timestamptz)`

export const moments: Record<ServiceMoment, SQL> = {
  openedAt: sql`s."openedAt"`,
  answeredAt: sql`s."answeredAt"`,
  closedAt: sql`s."closedAt"`,
  askedAt: sql`s."askedAt"`,
  ratedAt: sql`s."ratedAt"`,
  botAt: sql`s."botAt"`,
}

/** Of which column each of these tests asks. */
export const columnOf: Record<ServiceTest['is'], string> = {
  ...{ reopened: 'isReopened', abandoned: 'outcome', bot: 'outcome', rated: 'rate', commented: 'comment' },
  botEnd: 'botEnd',
}

export function testOf(test: ServiceTest | undefined): SQL | undefined {
  switch (test?.is) {
    case 'reopened':
      return sql`s."isReopened"`
    case 'abandoned':
    case 'bot':
      return sql`s."outcome" = ${test.is}`
    case 'rated':
      return sql`s."rate" IN (${sql.join(
        [...test.rates].map((rate) => sql`${rate}::int`),
        sql`, `,
      )})`
    case 'commented':
      return sql`s."comment" IS NOT NULL`
    case 'botEnd':
      return sql`s."botEnd" = ${test.end}`
    default:
      return undefined
  }
}

/** One of these ids; 0 stands for none. */
function among(column: SQL, ids: readonly number[] | undefined): SQL | undefined {
  if (!ids?.length) return undefined
  const known = ids.filter((id) => id > 0)
  return or(
    known.length > 0 ? sql`${column} = ANY(${sql.param(known)}::int[])` : undefined,
    ids.includes(0) ? sql`${column} IS NULL` : undefined,
  )
}

const tagTest = (column: SQL, { filter: { tagIds = [] } }: Asked): SQL | undefined =>
  tagIds.length > 0 ? sql`${column} @> ${sql.param([...tagIds])}::int[]` : undefined

/** A ticket’s fields, and whether it is seen: asked of the ticket as it is now, called `tickets`. */
function ticketConditions({ filter, sight, contactFields }: Asked): SQL | undefined {
  return and(
    ...(filter.fields ?? []).map((test) =>
      fieldCondition(contactFields.has(test.id) ? contacts.fields : tickets.fields, test),
    ),
    sight === 'all'
      ? undefined
      : or(
          sql`${tickets.userId} = ${sight.userId}`,
          among(
            sql`${tickets.queueId}`,
            sight.queues.map((id) => id ?? 0),
          ),
        ),
  )
}

/** The ticket, and its contact, where something is asked of them; or where `always`, because more of them is asked or shown. */
export function ticketJoin(asked: Asked, ticketId: SQL, always = false): SQL {
  if (!always && !ticketConditions(asked)) return sql``
  const ofContacts = always || asked.filter.fields?.some(({ id }) => asked.contactFields.has(id))
  return sql`JOIN ${tickets} ON ${tickets.id} = ${ticketId}
    ${ofContacts ? sql`JOIN ${contacts} ON ${contacts.id} = ${tickets.contactId}` : sql``}`
}

/** The tags of a service, each by itself; one row without a tag where it has none. */
export const tagJoin = ({ report }: Asked): SQL =>
  report === 'tags' ? sql`LEFT JOIN LATERAL unnest(s."tagIds") AS tag(id) ON TRUE` : sql``

/** Services that may have a moment in the period: those that went on in it. Asked and rated is a moment after the end. */
export const servicesWithin = ({ companyId, from, to }: Asked): SQL =>
  sql`s."companyId" = ${companyId} AND s."openedAt" < ${to}::timestamptz + interval '1 hour'
    AND coalesce(s."closedAt", 'infinity'::timestamptz) >= ${from}::timestamptz - interval '1 day'`

export const serviceFilter = (asked: Asked): SQL | undefined =>
  and(
    among(sql`s."queueId"`, asked.filter.queueIds),
    among(sql`s."userId"`, asked.filter.userIds),
    among(sql`s."whatsappId"`, asked.filter.whatsappIds),
    tagTest(sql`s."tagIds"`, asked),
    ticketConditions(asked),
  )

/** Messages by the hour and by who wrote them. Of the agents' report it is who wrote that is chosen. */
export function hoursWithin(asked: Asked): { from: SQL; where: SQL; knowsServices: boolean } {
  const { filter, report } = asked
  const tagged = tagTest(sql`s."tagIds"`, asked)
  const conditions = ticketConditions(asked)
  const knowsServices = tagged !== undefined || conditions !== undefined
  return {
    knowsServices,
    from: sql`${reportHours} h ${
      knowsServices
        ? sql`JOIN ${reportServices} s ON s."trackingId" = h."trackingId" ${ticketJoin(asked, sql`s."ticketId"`)}`
        : sql``
    }`,
    where: and(
      sql`h."companyId" = ${asked.companyId} AND ${falls(sql`h."hourAt"`, asked)}`,
      among(sql`h."queueId"`, filter.queueIds),
      among(report === 'agents' ? sql`nullif(h."authorId", 0)` : sql`h."userId"`, filter.userIds),
      among(sql`h."whatsappId"`, filter.whatsappIds),
      tagged,
      conditions,
    )!,
  }
}

/** Whose messages are counted by who wrote them, or by when: hour by hour. Else a service's are counted together. */
export const countsHours = ({ report }: Asked): boolean => report === 'agents' || report === 'hours'

/**
 * The services that have messages in the period, in place of `s`, with how many by whom in it: of those that lie in it as a
 * whole their sums, of the others, which are few, what falls into it.
 */
export function messagesWithin(asked: Asked): SQL {
  const { from, to, companyId } = asked
  const columns = sql`s."trackingId", s."ticketId", s."queueId", s."userId", s."whatsappId", s."tagIds", s."openedAt"`
  const isWhole = sql`s."firstHourAt" >= ${from}::timestamptz AND s."lastHourAt" < ${to}::timestamptz`
  const services = sql`${reportServices} s ${ticketJoin(asked, sql`s."ticketId"`)}`
  const where = and(
    sql`s."companyId" = ${companyId} AND s."lastHourAt" >= ${from}::timestamptz AND s."firstHourAt" < ${to}::timestamptz`,
    serviceFilter(asked),
  )!
  return sql`(
    SELECT ${columns}, s."received", s."sent", s."automatic" FROM ${services} WHERE ${where} AND ${isWhole}
    UNION ALL
    SELECT ${columns}, h."received", h."sent", h."automatic" FROM ${services}
      CROSS JOIN LATERAL (
        SELECT sum(h."received")::int AS "received", sum(h."sent")::int AS "sent", sum(h."automatic")::int AS "automatic"
        FROM ${reportHours} h WHERE h."trackingId" = s."trackingId" AND ${falls(sql`h."hourAt"`, asked)}
      ) h
      WHERE ${where} AND NOT (${isWhole}) AND h."received" IS NOT NULL
  ) s`
}

/** Promises know no queue and no agent: the ticket's of now are asked. */
export const clockFilter = (asked: Asked): SQL | undefined =>
  and(
    among(sql`${tickets.queueId}`, asked.filter.queueIds),
    among(sql`${tickets.userId}`, asked.filter.userIds),
    among(sql`${tickets.whatsappId}`, asked.filter.whatsappIds),
    tagTest(sql`${tickets.tagIds}`, asked),
    ticketConditions(asked),
  )

/** Promises that ended in the period, or were broken in it and have not ended; that were kept or broken. */
export const clocksWithin = (asked: Asked): SQL =>
  sql`k."companyId" = ${asked.companyId} AND (${falls(sql`k."endedAt"`, asked)}
    OR k."endedAt" IS NULL AND ${falls(sql`k."breachedAt"`, asked)})
    AND (k."metAt" IS NOT NULL OR k."breachedAt" IS NOT NULL)`

/** People of campaigns that began in the period, over the chosen connections; tickets are asked of who has one. */
export const shippingsWithin = (asked: Asked): SQL =>
  and(
    sql`c."companyId" = ${asked.companyId} AND ${falls(sql`c."startedAt"`, asked)}`,
    among(sql`c."whatsappId"`, asked.filter.whatsappIds),
    tagTest(sql`${tickets.tagIds}`, asked),
    ticketConditions(asked),
  )!
/** Whether something of their tickets is asked. */
export const asksOfTickets = (asked: Asked): boolean =>
  (asked.filter.tagIds ?? []).length > 0 || ticketConditions(asked) !== undefined

/** The hour of the company's week, 0 at Monday's midnight. */
export const hourOfWeek = (at: SQL, zone: string): SQL =>
  sql`((extract(isodow FROM ${at} AT TIME ZONE ${zone}) - 1) * 24 + extract(hour FROM ${at} AT TIME ZONE ${zone}))::int`

/** What makes the rows of a report, a number where it can be one: texts are put in order slowly. Null: of none. */
export function rowOf(asked: Asked, counting: Counting): { term: SQL; isText: boolean } {
  const { report, zone } = asked
  const number = (term: SQL) => ({ term, isText: false })
  if (counting.of === 'clocks') return { term: sql`coalesce(k."policyId", 0)::text || ':' || k."metric"`, isText: true }
  if (counting.of === 'shippings') return number(sql`p."campaignId"`)
  const facts = counting.of === 'messages' && countsHours(asked) ? sql`h` : sql`s`
  switch (report) {
    case 'agents':
      return number(counting.of === 'messages' ? sql`nullif(h."authorId", 0)` : sql`s."userId"`)
    case 'csat':
      return number(sql`s."userId"`)
    case 'queues':
      return number(sql`${facts}."queueId"`)
    case 'connections':
      return number(sql`${facts}."whatsappId"`)
    case 'tags':
      return number(sql`tag.id`)
    case 'hours':
      return number(hourOfWeek(counting.of === 'services' ? moments[counting.at] : sql`h."hourAt"`, zone))
    default:
      return { term: sql`s."flowId"::text || ':' || coalesce(s."flowVersion", 0)::text`, isText: true }
  }
}

/** Which row, as it is said in an address: `0` is none, but of hours the first. */
export function isRow(asked: Asked, counting: Counting, key: string): SQL {
  const { term, isText } = rowOf(asked, counting)
  if (isText) return key === '0' ? sql`${term} IS NULL` : sql`${term} = ${key}`
  if (key === '0' && asked.report !== 'hours') return sql`${term} IS NULL`
  return /^[0-9]{1,9}$/.test(key) ? sql`${term} = ${Number(key)}::int` : sql`FALSE`
}

/** Which of our words count a voice. */
export const voiceOf = (asked: Asked, voice: 'received' | 'sent' | 'automatic'): SQL =>
  sql`${countsHours(asked) ? sql`h` : sql`s`}.${sql.identifier(voice)}`

/**
 * The rows that a figure counts, of those within: what a list behind it shows.
 * @param isIn whether a moment lies in the period
 */
export function counted(
  asked: Asked,
  counting: Counting,
  isIn: (at: ServiceMoment) => SQL = (at) => falls(moments[at], asked),
): SQL {
  switch (counting.of) {
    case 'services':
      return and(isIn(counting.at), testOf(counting.test ?? counting.share))!
    case 'messages':
      return sql`${voiceOf(asked, counting.voice)} > 0`
    case 'clocks':
      return counting.what === 'breached'
        ? sql`k."breachedAt" IS NOT NULL`
        : counting.what === 'met' || counting.what === 'share'
          ? sql`k."metAt" IS NOT NULL AND k."breachedAt" IS NULL`
          : sql`k."metAt" IS NOT NULL`
    case 'shippings':
      return shippingTests[counting.what]
  }
}

const shippingTests: Record<Extract<Counting, { of: 'shippings' }>['what'], SQL> = {
  planned: sql`TRUE`,
  sent: sql`p."sentAt" IS NOT NULL`,
  delivered: sql`p."deliveredAt" IS NOT NULL`,
  read: sql`p."readAt" IS NOT NULL`,
  replied: sql`p."repliedAt" IS NOT NULL`,
  failed: sql`p."state" = 'failed'`,
  skipped: sql`p."state" = 'skipped'`,
  optedOut: sql`p."optedOutAt" IS NOT NULL`,
}

/** What a percentile is of: whole seconds, by the figure. */
export function measured(key: FigureKey): SQL | undefined {
  const { counting } = figureOf(key)
  if (counting.of === 'services' && counting.measure) return sql`s.${sql.raw(`"${counting.measure.column}"`)}`
  if (counting.of !== 'clocks' || !counting.measure) return undefined
  return counting.what === 'took'
    ? sql`round(k."tookMs" / 1000.0)::int`
    : sql`round(extract(epoch FROM k."metAt" - k."startedAt"))::int`
}
