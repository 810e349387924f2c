import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { forecastMonth } from '../../schema/costs/costs.forecast.ts'
import { FREE_TIER, levelOf } from '../../schema/costs/costs.given.ts'
import { isOfFreeTier } from '../../schema/costs/costs.class.ts'
import { type CostGroup, MOST_COST_ROWS } from '../../schema/costs/costs.inputs.ts'
import { ANY_MARKET, type Cost, costOf, type Currency, spansOf } from '../../schema/costs/costs.price.ts'
import { costDays, messageCosts } from '../../schema/costs/costs.table.ts'
import { flows } from '../../schema/flows/flows.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { hasWindow } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'
import { readSetting } from '../settings/settings.queries.ts'
import { countedOf, pricesOf } from './costs.queries.ts'

/** Whole days of the company's calendar, both included, `YYYY-MM-DD`. */
export interface CostDays {
  from: string
  to: string
}

export interface CostRow extends Cost {
  /** The id of what it is about, or the word, day or month itself; null: of none. */
  key: string | null
  /** Null where it is gone, or the key says it. */
  name: string | null
}

const groups: Record<CostGroup, { from: SQL; key: SQL }> = {
  month: { from: sql`${costDays}`, key: sql`to_char("day", 'YYYY-MM')` },
  day: { from: sql`${costDays}`, key: sql`"day"::text` },
  connection: { from: sql`${costDays}`, key: sql`"whatsappId"::text` },
  category: { from: sql`${costDays}`, key: sql`nullif("category", '')` },
  ticket: { from: sql`${messageCosts}`, key: sql`"ticketId"::text` },
  agent: { from: sql`${messageCosts}`, key: sql`"userId"::text` },
  queue: { from: sql`${messageCosts}`, key: sql`"queueId"::text` },
  flow: { from: sql`${messageCosts}`, key: sql`"flowId"::text` },
  campaign: { from: sql`${messageCosts}`, key: sql`"campaignId"::text` },
  template: { from: sql`${messageCosts}`, key: sql`"template"` },
}

export const currencyOf = async (db: Db, companyId: number): Promise<Currency> =>
  (await readSetting(db, companyId, 'messageCurrency')) as Currency

/** What messages cost that were delivered on these days, the dearest first, and all of them together. */
export async function costReport(
  db: Db,
  companyId: number,
  { from, to, by }: CostDays & { by: CostGroup },
): Promise<{ currency: Currency; total: Cost; rows: CostRow[]; hasMore: boolean }> {
  const [currency, prices, counted] = await Promise.all([
    currencyOf(db, companyId),
    pricesOf(db, companyId),
    countedOf(db, companyId, { from, to }),
  ])
  const spans = spansOf(prices, currency)
  const { from: table, key } = groups[by]
  const n = by in messageGroups ? sql`count(*)` : sql`sum("n")`
  const price = (alias: SQL, market: SQL) => sql`LEFT JOIN p ${alias} ON ${alias}."category" = c."category"
    AND ${alias}."market" = ${market} AND ${alias}."since" <= c."day" AND (${alias}."until" IS NULL OR c."day" <= ${alias}."until")`
  const micros = sql`coalesce(own."micros", others."micros")`
  // As `costOf` counts, in the database: a ticket's messages are many, and nobody reads them all here.
  const rows = await db.execute<Record<string, string | null>>(sql`
    WITH p AS (SELECT * FROM json_to_recordset(${JSON.stringify(spans)}::text::json)
        AS p("market" text, "category" text, "since" date, "until" date, "micros" bigint)),
      c AS (SELECT ${key} AS key, "day", "market", coalesce("category", '') AS "category", coalesce("type", '') AS "type", ${n} AS n
        FROM ${table} WHERE "companyId" = ${companyId} AND "day" BETWEEN ${from}::date AND ${to}::date GROUP BY 1, 2, 3, 4, 5),
      priced AS (SELECT c.*, ${micros} AS micros, c."type" = '' OR c."category" = '' AS unknown,
          c."type" NOT IN ('', 'regular') AND c."category" <> '' AS free
        FROM c ${price(sql`own`, sql`c."market"`)} ${price(sql`others`, sql`${ANY_MARKET}`)})
    SELECT key, sum(n) AS messages, coalesce(sum(n) FILTER (WHERE unknown), 0) AS unknown,
      coalesce(sum(n) FILTER (WHERE free), 0) AS free,
      coalesce(sum(n) FILTER (WHERE NOT unknown AND NOT free AND micros IS NULL), 0) AS unpriced,
      coalesce(sum(n) FILTER (WHERE NOT unknown AND NOT free AND micros IS NOT NULL), 0) AS charged,
      coalesce(sum(n * micros) FILTER (WHERE NOT unknown AND NOT free), 0) AS micros
    FROM priced GROUP BY key HAVING sum(n) > 0
    ORDER BY ${by === 'month' || by === 'day' ? sql`key` : sql`micros DESC, messages DESC, key`} LIMIT ${MOST_COST_ROWS + 1}`)
  const shown = rows.slice(0, MOST_COST_ROWS)
  const names = await namesOf(
    db,
    companyId,
    by,
    shown.flatMap((row) => row['key'] ?? []),
  )
  return {
    currency,
    total: costOf([...counted.values()].flat(), spans),
    rows: shown.map((row) => ({
      key: row['key'] ?? null,
      name: names.get(row['key'] ?? '') ?? null,
      ...{ micros: Number(row['micros']), messages: Number(row['messages']), charged: Number(row['charged']) },
      ...{ free: Number(row['free']), unknown: Number(row['unknown']), unpriced: Number(row['unpriced']) },
    })),
    hasMore: rows.length > MOST_COST_ROWS,
  }
}

const messageGroups: Partial<Record<CostGroup, true>> = {
  ...{ ticket: true, agent: true, queue: true, flow: true, campaign: true, template: true },
}

async function namesOf(
  db: Db,
  companyId: number,
  by: CostGroup,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const tables = { connection: whatsapps, agent: users, queue: queues, flow: flows, campaign: campaigns } as const
  const ids = keys.map(Number)
  if (by === 'ticket') {
    const rows = await db
      .select({ id: tickets.id, name: contacts.name })
      .from(tickets)
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .where(and(eq(tickets.companyId, companyId), inArray(tickets.id, ids)))
    return new Map(rows.map(({ id, name }) => [String(id), name]))
  }
  const table = by in tables ? tables[by as keyof typeof tables] : undefined
  if (!table) return new Map()
  const rows = await db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(and(eq(table.companyId, companyId), inArray(table.id, ids)))
  return new Map(rows.map(({ id, name }) => [String(id), name]))
}

/** The month as far as it came and as it will end, and how many of its free answers each official number has used. */
export async function costMonth(db: Db, companyId: number, today: string) {
  const from = `${today.slice(0, 7)}-01`
  const [currency, prices, numbers, lines] = await Promise.all([
    currencyOf(db, companyId),
    pricesOf(db, companyId),
    countedOf(db, companyId, { from, to: today }),
    db
      .select({ id: whatsapps.id, name: whatsapps.name, provider: whatsapps.provider })
      .from(whatsapps)
      .where(eq(whatsapps.companyId, companyId))
      .orderBy(whatsapps.name),
  ])
  const { soFar, micros, days } = forecastMonth({ numbers, spans: spansOf(prices, currency), today })
  const shown = lines.filter(({ id, provider }) => hasWindow(provider) || numbers.has(id))
  return {
    ...{ month: today.slice(0, 7), currency, soFar, forecast: { micros, days } },
    freeTier: shown.map(({ id, name }) => {
      const used = (numbers.get(id) ?? []).filter(isOfFreeTier).reduce((sum, { n }) => sum + n, 0)
      return { whatsappId: id, name, used, of: FREE_TIER.messages, level: levelOf(used) ?? null }
    }),
  }
}
