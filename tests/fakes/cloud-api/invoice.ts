/** What the service charges: each delivered message once, by the class that it tells with the states. */

export interface InvoiceLine {
  wamid: string
  category: string
  type: 'regular' | 'free_customer_service' | 'free_entry_point'
  /** When it was delivered, ms since 1970. */
  at: number
}

/** Ten-thousandths of a real, of October 2026 in Brazil. */
const reais: Record<string, number> = { marketing: 3_217, utility: 350, authentication: 350, service: 350 }

export class FakeInvoice {
  readonly lines = new Map<string, InvoiceLine>()
  /** Free answers that are left, by number and month. */
  private readonly left = new Map<string, number>()
  free = 1_000

  /** What it would be charged as now. */
  private typeOf(number: string, category: string, at: number): InvoiceLine['type'] {
    const left = this.left.get(monthOf(number, at)) ?? this.free
    return category === 'service' && left > 0 ? 'free_customer_service' : 'regular'
  }

  /** Before it is delivered nobody knows whether a free one will be left. */
  expected(number: string, category: string, at: number) {
    return pricingOf(category, this.typeOf(number, category, at))
  }

  /** It was delivered: charged once, whatever is told how often. */
  delivered(number: string, wamid: string, category: string, at: number) {
    const known = this.lines.get(wamid)
    if (known) return pricingOf(known.category, known.type)
    const type = this.typeOf(number, category, at)
    const key = monthOf(number, at)
    if (type === 'free_customer_service') this.left.set(key, (this.left.get(key) ?? this.free) - 1)
    this.lines.set(wamid, { wamid, category, type, at })
    return pricingOf(category, type)
  }

  /** The sum in cents, and what it is made of. */
  total(): { cents: number; messages: number; free: number } {
    let [tenThousandths, free] = [0, 0]
    for (const { type, category } of this.lines.values())
      if (type === 'regular') tenThousandths += reais[category] ?? 0
      else free++
    return { cents: Math.floor((tenThousandths + 50) / 100), messages: this.lines.size, free }
  }
}

/** Brazil has no summer time: its clock is three hours behind all year. */
const monthOf = (number: string, at: number) => `${number}/${new Date(at - 3 * 3_600_000).toISOString().slice(0, 7)}`

const pricingOf = (category: string, type: InvoiceLine['type']) => ({
  ...{ billable: type === 'regular', pricing_model: 'PMP', category, type },
})
