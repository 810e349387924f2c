import { campaignCost, type Currency, spansOf } from '../../schema/costs/costs.price.ts'
import type { Db } from '../db/database.ts'
import { pricesOf } from './costs.queries.ts'
import { currencyOf } from './costs.report.queries.ts'

export interface CampaignCost {
  currency: Currency
  category: string
  /** If all are delivered. */
  micros: number
  /** People of countries without a price, who are not in `micros`. */
  unpriced: number
}

/**
 * What a template to these people would cost on a day.
 * @param people how many by market, see `marketOf`
 * @param category of the template
 * @param day `YYYY-MM-DD` by the company's clock
 */
export async function campaignCostOf(
  db: Db,
  companyId: number,
  people: ReadonlyMap<string, number>,
  { category, day }: { category: string; day: string },
): Promise<CampaignCost> {
  const [currency, prices] = await Promise.all([currencyOf(db, companyId), pricesOf(db, companyId)])
  return { currency, category, ...campaignCost(people, { category, day, spans: spansOf(prices, currency) }) }
}
