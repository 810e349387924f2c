import type { CampaignStatus, ShippingState } from './campaigns.state.ts'

/** What the figures of a campaign can say. */

export interface Share {
  of: number
  n: number
  /** From 0 to 1; the true share lies between them 95 times of a hundred (Wilson). */
  low: number
  high: number
}

/** A share with the interval in which it lies in 95 of 100 cases (Wilson). Of nothing, all of 0 to 1. */
export function shareOf(n: number, of: number): Share {
  if (of === 0) return { of, n, low: 0, high: 1 }
  const z = 1.96
  const p = n / of
  const middle = (p + (z * z) / (2 * of)) / (1 + (z * z) / of)
  const half = (z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of))) / (1 + (z * z) / of)
  return { of, n, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** Whether the shares tell any two of these apart. */
export const areDifferent = (shares: readonly Share[]): boolean =>
  shares.some((a, i) => shares.slice(i + 1).some((b) => a.low > b.high || b.low > a.high))

/** Why a campaign ended before everybody was served, or with nobody to serve. */
export type EndReason = 'no_connection' | 'no_people'

/** Null where it ended as it should, or has not ended. */
export function endReason(status: CampaignStatus, counts: Readonly<Record<ShippingState, number>>): EndReason | null {
  if (status !== 'FINALIZADA') return null
  // A campaign that a person cancelled is CANCELADA, and one that goes on has taken its people back.
  if (counts.cancelled > 0) return 'no_connection'
  return Object.values(counts).every((n) => n === 0) ? 'no_people' : null
}
