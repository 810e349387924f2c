import { DAY_MS } from '../durations.ts'
import { isFree } from './costs.class.ts'

/**
 * Money here is whole millionths of a currency (`micros`), for a message costs less than a cent. Nothing is rounded before
 * a sum is shown.
 */
export const currencies = ['BRL', 'USD'] as const
export type Currency = (typeof currencies)[number]

/** Every market that has no price of its own. */
export const ANY_MARKET = '*'

/** Whose word a price is, the later above the earlier. */
export const priceSources = ['given', 'operator', 'company'] as const
export type PriceSource = (typeof priceSources)[number]

export interface Price {
  /** Two letters of a country, or `ANY_MARKET`. */
  market: string
  category: string
  currency: Currency
  /** `YYYY-MM-DD`, the first day on which it holds. */
  since: string
  micros: number
  of: PriceSource
}

/** A price with its last day; `until` is null while it holds. */
export interface PriceSpan extends Pick<Price, 'market' | 'category' | 'since' | 'micros'> {
  until: string | null
}

/**
 * Which price holds when: for each market and category spans that do not overlap. On a day the highest source that has a
 * price by then is asked, and of its prices the latest.
 */
export function spansOf(prices: readonly Price[], currency: Currency): PriceSpan[] {
  const own = prices.filter((price) => price.currency === currency)
  const rank = (price: Price) => priceSources.indexOf(price.of)
  return [...Map.groupBy(own, ({ market, category }) => `${market}/${category}`).values()].flatMap((places) => {
    const days = [...new Set(places.map(({ since }) => since))].sort()
    const spans: PriceSpan[] = []
    for (const day of days) {
      const { market, category, micros } = places
        .filter(({ since }) => since <= day)
        .reduce((best, one) =>
          rank(one) > rank(best) || (rank(one) === rank(best) && one.since >= best.since) ? one : best,
        )
      const before = spans.at(-1)
      if (before?.micros === micros) continue
      if (before) before.until = dayBefore(day)
      spans.push({ market, category, since: day, until: null, micros })
    }
    return spans
  })
}

/** What one charged message of that class costs on a day, in micros; null where nobody has written a price. */
export function priceOn(
  spans: readonly PriceSpan[],
  { market, category, day }: { market: string; category: string; day: string },
): number | null {
  const at = (place: string) =>
    spans.find(
      (span) =>
        span.market === place &&
        span.category === category &&
        span.since <= day &&
        (span.until === null || day <= span.until),
    )
  return (at(market) ?? at(ANY_MARKET))?.micros ?? null
}

/** So many messages of one class on one day. Empty words: the class is unknown. */
export interface Counted {
  market: string
  category: string
  type: string
  day: string
  n: number
}

/** What messages cost, and how many of them have no price, each for another reason. */
export interface Cost {
  micros: number
  /** All that were delivered. */
  messages: number
  charged: number
  free: number
  /** The service has not said what they are charged as. Not free. */
  unknown: number
  /** Charged, and nobody has written a price for them. Not in `micros`. */
  unpriced: number
}

export const noCost: Cost = { micros: 0, messages: 0, charged: 0, free: 0, unknown: 0, unpriced: 0 }

export function costOf(counted: readonly Counted[], spans: readonly PriceSpan[]): Cost {
  const sum = { ...noCost }
  for (const { n, type, category, market, day } of counted) {
    sum.messages += n
    if (type === '' || category === '') sum.unknown += n
    else if (isFree(type)) sum.free += n
    else {
      const price = priceOn(spans, { market, category, day })
      if (price === null) sum.unpriced += n
      else {
        sum.charged += n
        sum.micros += n * price
      }
    }
  }
  return sum
}

/** The micros that a text such as `0,3217` says; undefined where it says none. */
export function microsOf(text: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,3})(?:[.,](\d{1,6}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? undefined : Number(whole) * 1_000_000 + Number(part.padEnd(6, '0'))
}

/** The whole cents of a sum, halves upwards. For the end only. */
export const centsOfMicros = (micros: number): number => Math.floor((micros + 5_000) / 10_000)

/**
 * What a campaign by template would cost.
 * @param people how many by market
 * @returns `unpriced`: people of markets without a price, who are not in `micros`
 */
export function campaignCost(
  people: ReadonlyMap<string, number>,
  { category, day, spans }: { category: string; day: string; spans: readonly PriceSpan[] },
): { micros: number; unpriced: number } {
  let [micros, unpriced] = [0, 0]
  for (const [market, n] of people) {
    const price = priceOn(spans, { market, category, day })
    if (price === null) unpriced += n
    else micros += n * price
  }
  return { micros, unpriced }
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
}
