import { type Static, Type } from '@sinclair/typebox'
import { patterned } from '../inputs.ts'
import { currencies } from './costs.price.ts'

/** By what a report of costs is broken up. */
export const costGroups = [
  'month',
  'day',
  'connection',
  'category',
  'ticket',
  'agent',
  'queue',
  'flow',
  'campaign',
  'template',
] as const
export type CostGroup = (typeof costGroups)[number]

/** A row of millions is 1,000 of any currency for one message: dearer ones are typing errors. */
const MOST_MICROS = 1_000_000_000

const day = patterned({ maxLength: 10, pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' })

/** What people write of a price. One for the same place and day takes the other's place. */
export const newMessagePrice = Type.Object({
  market: patterned({ maxLength: 2, pattern: '^([A-Z]{2}|\\*)$', description: 'Two letters of a country, or `*`' }),
  category: patterned({ maxLength: 40, pattern: '^[a-z][a-z_-]{0,39}$' }),
  currency: Type.Union(currencies.map((currency) => Type.Literal(currency))),
  since: day,
  micros: Type.Integer({ minimum: 0, maximum: MOST_MICROS, description: 'Millionths of the currency' }),
  /** The operator's word for all companies. */
  forAll: Type.Optional(Type.Boolean()),
})
export type NewMessagePrice = Static<typeof newMessagePrice>

/** The form: the price as people write it. */
export const messagePriceForm = Type.Object({
  market: newMessagePrice.properties.market,
  category: newMessagePrice.properties.category,
  currency: newMessagePrice.properties.currency,
  since: day,
  price: patterned({ minLength: 1, maxLength: 10, pattern: '^[0-9]{1,3}([.,][0-9]{1,6})?$' }),
  forAll: Type.Boolean(),
})
export type MessagePriceForm = Static<typeof messagePriceForm>

/** Days of a report at most. */
export const MOST_COST_DAYS = 400
/** Rows of a report, the dearest first; the total is of all. */
export const MOST_COST_ROWS = 200
