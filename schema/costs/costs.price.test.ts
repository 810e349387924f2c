import { expect, test } from 'bun:test'
import { type Charge, classOf, classRanks, foldCharges } from './costs.class.ts'
import { forecastMonth } from './costs.forecast.ts'
import { givenPrices, levelOf } from './costs.given.ts'
import { campaignCost, centsOfMicros, costOf, microsOf, type Price, priceOn, spansOf } from './costs.price.ts'

const price = (more: Partial<Price>): Price => ({
  ...{ market: 'BR', category: 'service', currency: 'BRL', since: '2026-10-01', micros: 35_000, of: 'given' },
  ...more,
})

test('a class is what the service says; what it does not say is unknown, not free', () => {
  const told = { billable: true, pricing_model: 'PMP', category: 'marketing', type: 'regular' }
  expect(classOf(told)).toEqual({ category: 'marketing', type: 'regular' })
  expect(classOf({ category: 'SERVICE', type: 'free_entry_point' })).toEqual({
    ...{ category: 'service', type: 'free_entry_point' },
  })
  expect(classOf({ category: 'utility', billable: false })).toEqual({ category: 'utility', type: 'unbilled' })
  expect(classOf({ category: 'a_kind_to_come', billable: true })).toEqual({
    ...{ category: 'a_kind_to_come', type: 'regular' },
  })
  const strange = [null, 3, {}, { ...told, pricing_model: 'CBP' }, { ...told, type: 'new_type' }, { category: 'x y' }]
  for (const pricing of [...strange, { category: 'service' }]) expect(classOf(pricing)).toBeNull()
})

test('states of one message are one charge, in whatever order and however often they come', () => {
  const base = { wamid: 'w', wid: 'w', template: null, market: 'BR' } as const
  const told: Charge[] = [
    {
      ...base,
      deliveredAt: null,
      class: { category: 'service', type: 'free_customer_service' },
      rank: classRanks.sent,
    },
    { ...base, deliveredAt: new Date(5_000), class: null, rank: classRanks.none },
    { ...base, deliveredAt: new Date(9_000), class: { category: 'service', type: 'regular' }, rank: classRanks.read },
  ]
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0, 1],
    [2, 0, 2, 1, 1],
  ]
  for (const order of orders)
    expect(foldCharges(order.map((at) => told[at]!))).toEqual([
      { ...base, deliveredAt: new Date(5_000), class: { category: 'service', type: 'regular' }, rank: classRanks.read },
    ])
})

test('of a day the company’s price holds, else the operator’s, else the given one; of each the latest', () => {
  const spans = spansOf(
    [
      price({}),
      price({ since: '2027-01-01', micros: 36_000 }),
      price({ since: '2026-11-01', micros: 40_000, of: 'operator' }),
      price({ since: '2026-12-01', micros: 10_000, of: 'company' }),
      price({ market: '*', micros: 1 }),
      price({ currency: 'USD', micros: 2 }),
    ],
    'BRL',
  )
  const on = (day: string, market = 'BR') => priceOn(spans, { market, category: 'service', day })
  expect(['2026-09-30', '2026-10-01', '2026-11-01', '2026-12-01', '2027-02-01'].map((day) => on(day))).toEqual([
    ...[null, 35_000, 40_000, 10_000, 10_000],
  ])
  expect([on('2026-12-01', 'PT'), on('2026-12-01', '')]).toEqual([1, 1])
  expect(priceOn(spans, { market: 'BR', category: 'marketing', day: '2026-12-01' })).toBeNull()
})

test('Brazil’s prices of October 2026 are given, in both currencies', () => {
  const of = (currency: 'BRL' | 'USD', category: string) =>
    priceOn(spansOf(givenPrices, currency), { market: 'BR', category, day: '2026-10-01' })
  expect(['marketing', 'utility', 'authentication', 'service'].map((one) => [of('BRL', one), of('USD', one)])).toEqual([
    [321_700, 62_500],
    [35_000, 6_800],
    [35_000, 6_800],
    [35_000, 6_800],
  ])
})

test('nothing is rounded before the sum', () => {
  const spans = spansOf(givenPrices, 'BRL')
  const one = { market: 'BR', category: 'service', type: 'regular', day: '2026-11-01', n: 1 }
  const cost = costOf(
    Array.from({ length: 3 }, () => one),
    spans,
  )
  // Three times 3.5 cents: each rounded would be 12.
  expect([cost.micros, centsOfMicros(cost.micros)]).toEqual([105_000, 11])
})

test('a price is read as it is written, exactly', () => {
  expect(['0,3217', '0.035', '12', '0,000001'].map(microsOf)).toEqual([321_700, 35_000, 12_000_000, 1])
  for (const text of ['', '1,2,3', '-1', '1e3', '0,0000001']) expect(microsOf(text)).toBeUndefined()
})

test('a campaign costs what each market’s people cost; without a price they are named', () => {
  const spans = spansOf(givenPrices, 'BRL')
  const people = new Map([
    ['BR', 1_000],
    ['PT', 3],
  ])
  expect(campaignCost(people, { category: 'marketing', day: '2026-11-01', spans })).toEqual({
    ...{ micros: 321_700_000, unpriced: 3 },
  })
})

test('a month’s forecast goes on as its days were; free answers are used up first', () => {
  const spans = spansOf(givenPrices, 'BRL')
  const counted = (category: string, type: string, n: number, day = '2026-11-05') => ({
    ...{ market: 'BR', category, type, n, day },
  })
  const of = (list: ReturnType<typeof counted>[], today = '2026-11-11') =>
    forecastMonth({ numbers: new Map([[1, list]]), spans, today })
  expect(of([counted('marketing', 'regular', 100)]).micros).toBe(300 * 321_700)
  expect(of([counted('service', 'free_customer_service', 300)]).micros).toBe(0)
  // 1,000 free and 200 charged are there; 2,400 more are charged.
  const over = [counted('service', 'free_customer_service', 1_000), counted('service', 'regular', 200)]
  expect(of(over).micros).toBe(2_600 * 35_000)
  expect(of([counted('service', 'free_entry_point', 900)]).micros).toBe(0)
  expect(of([counted('marketing', 'regular', 9, '2026-11-01')], '2026-11-01')).toMatchObject({
    days: 0,
    micros: 9 * 321_700,
  })
  expect(of([]).micros).toBe(0)
})

test('admins are warned at 80 % and at the end of the free answers', () => {
  expect([0, 799, 800, 999, 1_000, 5_000].map(levelOf)).toEqual([undefined, undefined, 80, 80, 100, 100])
})
