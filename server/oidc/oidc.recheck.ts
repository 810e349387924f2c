import { proofAfter } from '../../schema/oidc/oidc.proofs.ts'
import type { AppDeps } from '../http/deps.ts'
import { disproveDomain, noteProof } from './oidc.changes.ts'
import { askForProof, proofText, type ResolveTxt } from './oidc.dns.ts'
import { provenProviders } from './oidc.queries.ts'

/** So many name servers are waited for at the same time. */
const AT_ONCE = 8

/**
 * Asks the DNS again for the proofs of all domains: one that changed hands is not its first company's for ever. What the
 * operator has said is not asked for.
 */
export async function recheckDomains({
  db,
  now,
  tokens,
  resolveTxt,
}: Pick<AppDeps, 'db' | 'now' | 'tokens'> & { resolveTxt: ResolveTxt }): Promise<void> {
  const asked = (await provenProviders(db)).flatMap(({ companyId, provenDomains, domainProofs }) =>
    provenDomains
      .map((domain) => ({ companyId, domain, before: domainProofs[domain] }))
      .filter(({ before }) => before?.by !== 'operator'),
  )
  for (let at = 0; at < asked.length; at += AT_ONCE)
    await Promise.all(
      asked.slice(at, at + AT_ONCE).map(async (one) => {
        const { companyId, domain, before } = one
        const found = await askForProof(resolveTxt, domain, proofText(tokens.hashOf, companyId, domain))
        const answer = found === 'missing' || found === 'other' ? 'gone' : found
        const after = proofAfter(before, answer, now())
        if (after) await noteProof(db, one, after)
        else if (after === null && before) await disproveDomain(db, { companyId, domain, before }, now())
      }),
    )
}
