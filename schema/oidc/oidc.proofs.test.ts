import { expect, test } from 'bun:test'
import { DAY_MS } from '../durations.ts'
import { PROOF_GRACE_MS, proofAfter, proofEndsAt } from './oidc.proofs.ts'

const now = new Date('2026-11-30T04:07:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const byDns = { by: 'dns' } as const
const missing = { by: 'dns', missingSince: now.toISOString() } as const

test('a domain whose record is gone stays the company’s for a week, and is theirs again as soon as it is back', () => {
  expect(proofAfter(byDns, 'gone', now)).toEqual(missing)
  expect(proofEndsAt(missing)).toEqual(later(PROOF_GRACE_MS))
  expect(proofAfter(missing, 'gone', later(PROOF_GRACE_MS - DAY_MS))).toBeUndefined()
  expect(proofAfter(missing, 'there', later(DAY_MS))).toEqual(byDns)
  expect(proofAfter(missing, 'gone', later(PROOF_GRACE_MS))).toBeNull()
})

test('a DNS that does not answer says nothing, however long', () => {
  expect(proofAfter(byDns, 'unreachable', now)).toBeUndefined()
  expect(proofAfter(missing, 'unreachable', later(3 * PROOF_GRACE_MS))).toBeUndefined()
})

test('the operator’s word needs no record, and what was proven before this was kept is only held to one that was seen', () => {
  for (const answer of ['there', 'gone'] as const) expect(proofAfter({ by: 'operator' }, answer, now)).toBeUndefined()
  expect(proofAfter(undefined, 'gone', now)).toBeUndefined()
  expect(proofAfter(undefined, 'there', now)).toEqual(byDns)
  expect(proofAfter(byDns, 'there', now)).toBeUndefined()
})
