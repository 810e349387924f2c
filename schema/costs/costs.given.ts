import type { PriceCategory } from './costs.class.ts'
import type { Currency, Price } from './costs.price.ts'

/**
 * The prices that the product comes with: Brazil's from 1 October 2026, by Meta's rate cards of that quarter. An operator
 * writes other ones for everybody, an admin for their company.
 */
const brazil: Record<Currency, Partial<Record<PriceCategory, number>>> = {
  BRL: { marketing: 321_700, utility: 35_000, authentication: 35_000, service: 35_000 },
  USD: { marketing: 62_500, utility: 6_800, authentication: 6_800, service: 6_800 },
}

export const givenPrices: readonly Price[] = Object.entries(brazil).flatMap(([currency, prices]) =>
  Object.entries(prices).map(([category, micros]) => ({
    ...{ market: 'BR', category, currency: currency as Currency, since: '2026-10-01', micros, of: 'given' as const },
  })),
)

/** Answers within the window that cost nothing: of each number and month, from this day on. */
export const FREE_TIER = { messages: 1_000, since: '2026-10-01' } as const

/** At how much of them admins are told, in percent. */
export const noticeLevels = [80, 100] as const

/** The highest level that so many messages have come to; undefined below all. */
export const levelOf = (used: number): (typeof noticeLevels)[number] | undefined =>
  noticeLevels.findLast((level) => used * 100 >= FREE_TIER.messages * level)
