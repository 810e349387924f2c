/**
 * What a message is charged as, by the `pricing` that WhatsApp's official API tells with its states. Source: Meta's pages on
 * pricing and on statuses, December 2025 and later notes.
 */

/** As the service names them. `unbilled`: it only said that it charges nothing. */
export const priceTypes = ['regular', 'free_customer_service', 'free_entry_point', 'unbilled'] as const
export type PriceType = (typeof priceTypes)[number]

/** Kinds of message that have prices of their own. Others may come, and have none until somebody writes one. */
export const priceCategories = [
  'marketing',
  'utility',
  'authentication',
  'authentication-international',
  'service',
  'marketing_lite',
  'referral_conversion',
] as const
export type PriceCategory = (typeof priceCategories)[number]

export interface PriceClass {
  category: string
  type: PriceType
}

/** Which state a class came with: what comes with a delivery stands above what came before it, whichever is heard first. */
export const classRanks = { none: 0, sent: 1, played: 2, read: 3, delivered: 4 } as const
export type ClassRank = (typeof classRanks)[keyof typeof classRanks]

/** What one state of a message says of its price. */
export interface Charge {
  /** The service's id of the message. */
  wamid: string
  /** By which `messages` and `shippings` have it; the service's own where another program wrote it. */
  wid: string
  /** When it was delivered, or known to be; null for what only left. */
  deliveredAt: Date | null
  class: PriceClass | null
  rank: ClassRank
  /** See `message_costs.market`. */
  market: string
  /** The name of its template. */
  template: string | null
}

/**
 * The class that a state tells; null where it tells none, or one that is charged in another way than by message: that is
 * unknown, not free.
 * @param pricing as it came
 */
export function classOf(pricing: unknown): PriceClass | null {
  if (typeof pricing !== 'object' || pricing === null) return null
  const { pricing_model: model, category, type, billable } = pricing as Record<string, unknown>
  if (model !== undefined && model !== 'PMP') return null
  const name = typeof category === 'string' ? category.toLowerCase() : ''
  if (!/^[a-z][a-z_-]{0,39}$/.test(name)) return null
  const known = priceTypes.find((one) => one === type)
  if (known !== undefined) return { category: name, type: known }
  if (type !== undefined || typeof billable !== 'boolean') return null
  return { category: name, type: billable ? 'regular' : 'unbilled' }
}

export const isFree = (type: string): boolean => type !== 'regular'

/** What counts towards the free messages of a number and month; those after an ad do not. */
export const freeTierClass = { category: 'service', types: ['regular', 'free_customer_service'] } satisfies {
  category: PriceCategory
  types: PriceType[]
}

export const isOfFreeTier = ({ category, type }: Pick<PriceClass, 'category'> & { type: string }): boolean =>
  category === freeTierClass.category && freeTierClass.types.some((one) => one === type)

/**
 * What several states say of one message, as one: the earliest delivery, and the class of the state that stands highest.
 * The same in whatever order and however often they come.
 */
export function foldCharges(charges: readonly Charge[]): Charge[] {
  const kept = new Map<string, Charge>()
  for (const charge of charges) {
    const before = kept.get(charge.wamid)
    if (!before) {
      kept.set(charge.wamid, charge)
      continue
    }
    const first = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b))
    const higher = charge.class && charge.rank > (before.class ? before.rank : classRanks.none) ? charge : before
    kept.set(charge.wamid, {
      ...higher,
      deliveredAt: first(before.deliveredAt, charge.deliveredAt),
      market: before.market || charge.market,
      template: before.template ?? charge.template,
    })
  }
  return [...kept.values()]
}
