import { and, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { givenPrices } from '../../schema/costs/costs.given.ts'
import type { Counted, Currency, Price } from '../../schema/costs/costs.price.ts'
import { costDays, messagePrices } from '../../schema/costs/costs.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** All prices that hold for a company: what the product comes with, the operator's, and its own. */
export async function pricesOf(db: Db | Tx, companyId: number): Promise<(Price & { id: number | null })[]> {
  const rows = await db
    .select()
    .from(messagePrices)
    .where(inArray(messagePrices.companyId, [OPERATOR_COMPANY_ID, companyId]))
    .orderBy(messagePrices.market, messagePrices.category, messagePrices.currency, messagePrices.since)
  return [
    ...givenPrices.map((price) => ({ id: null, ...price })),
    ...rows.map(({ id, market, category, currency, since, micros, companyId: of }) => ({
      ...{ id, market, category, since, micros, currency: currency as Currency },
      of: of === OPERATOR_COMPANY_ID ? ('operator' as const) : ('company' as const),
    })),
  ]
}

/** What was delivered between two days, both included, by connection. */
export async function countedOf(
  db: Db | Tx,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<Map<number, Counted[]>> {
  const rows = await db
    .select({
      whatsappId: costDays.whatsappId,
      day: costDays.day,
      market: costDays.market,
      category: costDays.category,
      type: costDays.type,
      n: costDays.n,
    })
    .from(costDays)
    .where(
      and(eq(costDays.companyId, companyId), gte(costDays.day, from), lte(costDays.day, to), sql`${costDays.n} <> 0`),
    )
  return new Map(
    [...Map.groupBy(rows, ({ whatsappId }) => whatsappId)].map(([id, own]) => [
      id,
      own.map(({ day, market, category, type, n }) => ({ day, market, category, type, n })),
    ]),
  )
}
