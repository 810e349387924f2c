import { isFree, isOfFreeTier } from './costs.class.ts'
import { FREE_TIER } from './costs.given.ts'
import { type Cost, costOf, type Counted, priceOn, type PriceSpan } from './costs.price.ts'

export interface MonthFacts {
  /** What was delivered from the month's first day until today, by number. */
  numbers: ReadonlyMap<number, readonly Counted[]>
  spans: readonly PriceSpan[]
  /** The company's day, `YYYY-MM-DD`. */
  today: string
}

/** A month as far as it came, and as it will end if each day that is left is as those before. */
export interface MonthForecast {
  soFar: Cost
  /** In micros: what the whole month will have cost. */
  micros: number
  /** Whole days that it was made of; with none there is no forecast beyond what is there. */
  days: number
}

/**
 * The month at its end: what was until yesterday's end says how a day is. Answers in the window are free as long as the
 * number has free ones left, and then cost what the others do.
 */
export function forecastMonth({ numbers, spans, today }: MonthFacts): MonthForecast {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number)
  const days = date - 1
  const left = new Date(Date.UTC(year, month, 0)).getUTCDate() - days
  const soFar = costOf([...numbers.values()].flat(), spans)
  if (days === 0) return { soFar, micros: soFar.micros, days }
  let micros = 0
  for (const counted of numbers.values()) {
    const past = counted.filter(({ day }) => day < today)
    micros += costOf(past, spans).micros
    const tier = past.filter(isOfFreeTier)
    const expected = (list: readonly Counted[]) => (list.reduce((sum, { n }) => sum + n, 0) / days) * left
    const used = tier.reduce((sum, { n }) => sum + n, 0)
    const answers = expected(tier)
    const charged = Math.max(0, answers - Math.max(0, FREE_TIER.messages - used))
    for (const one of tier) micros += ((charged * one.n) / used) * (price(one) ?? 0)
    for (const one of past)
      if (!isOfFreeTier(one) && one.type !== '' && !isFree(one.type))
        micros += ((one.n * left) / days) * (price(one) ?? 0)
  }
  // Today may have brought more than a day like the others.
  return { soFar, micros: Math.max(Math.round(micros), soFar.micros), days }

  /** Prices may change before the month ends; the one of today is taken. */
  function price({ market, category }: Counted): number | null {
    return priceOn(spans, { market, category, day: today })
  }
}
