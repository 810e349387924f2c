import type { CostGroup, NewMessagePrice } from '../../schema/costs/costs.inputs.ts'
import type { Cost, Currency, PriceSource } from '../../schema/costs/costs.price.ts'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'

/** Sums are millionths of the currency. */
export interface CostRow extends Cost {
  key: string | null
  name: string | null
}

export interface CostReport {
  currency: Currency
  total: Cost
  rows: CostRow[]
  hasMore: boolean
}

export interface CostMonth {
  /** `YYYY-MM` */
  month: string
  currency: Currency
  soFar: Cost
  /** `days`: whole days that it was made of. */
  forecast: { micros: number; days: number }
  freeTier: { whatsappId: number; name: string; used: number; of: number; level: number | null }[]
}

export interface PriceRow {
  id: number | null
  market: string
  category: string
  currency: Currency
  since: string
  micros: number
  of: PriceSource
}

/** @param may false for who may not see it: nothing is fetched */
export const useCostMonth = (may = true) => useFetched<CostMonth>(may ? '/costs/month' : null)

export const useCostReport = (by: CostGroup, { from, to }: { from: string; to: string }) =>
  useFetched<CostReport>('/costs', { by, ...(from && { from }), ...(to && { to }) })

export const useMessagePrices = () => useFetched<{ prices: PriceRow[] }>('/message-prices')

export const messagePrices = {
  write: (price: NewMessagePrice) => api.post('/message-prices', price),
  remove: (id: number) => api.delete(`/message-prices/${id}`),
}
