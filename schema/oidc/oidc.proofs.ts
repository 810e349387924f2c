import { DAY_MS } from '../durations.ts'

/** By what a domain is proven. The operator's word holds without a record. */
export interface DomainProof {
  by: 'dns' | 'operator'
  /** ISO 8601: when its record was first not found any more, and not since. */
  missingSince?: string
}
/** By domain. Of those that were proven before this was kept nothing stands here. */
export type DomainProofs = Readonly<Record<string, DomainProof>>

/** So long a record may be missing: somebody moves the domain, or has cleared up too much. */
export const PROOF_GRACE_MS = 7 * DAY_MS

/** When the domain is the company's no more, unless its record comes back; null where nothing is missing. */
export const proofEndsAt = (proof: DomainProof | undefined): Date | null =>
  proof?.missingSince === undefined ? null : new Date(Date.parse(proof.missingSince) + PROOF_GRACE_MS)

/**
 * What becomes of a proven domain of which the DNS was asked again.
 * @param before undefined: nobody kept by what it was proven; it is never taken away before its record was seen
 * @returns what is kept from now on; undefined: the same as before; null: the domain is proven no more
 */
export function proofAfter(
  before: DomainProof | undefined,
  answer: 'there' | 'gone' | 'unreachable',
  now: Date,
): DomainProof | null | undefined {
  if (before?.by === 'operator' || answer === 'unreachable') return undefined
  if (answer === 'there') return before && before.missingSince === undefined ? undefined : { by: 'dns' }
  if (!before) return undefined
  const endsAt = proofEndsAt(before)
  if (endsAt === null) return { ...before, missingSince: now.toISOString() }
  return now >= endsAt ? null : undefined
}
