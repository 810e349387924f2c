import { and, arrayContains, eq, sql } from 'drizzle-orm'
import type { DomainProof } from '../../schema/oidc/oidc.proofs.ts'
import { oidcProviders, oidcSubjects } from '../../schema/oidc/oidc.table.ts'
import { audit } from '../audit/audit.changes.ts'
import type { Db, Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import { demandFree, proven } from './oidc.queries.ts'

/** What is said of a domain, is said one after the other: it becomes nobody's twice. */
const lockDomain = (tx: Tx, domain: string) => lockName(tx, `oidc domain ${domain}`)

/**
 * From now on the company's provider may vouch for e-mails of this domain.
 * @returns false where the company does not name it
 * @throws DomainError `ERR_OIDC_DOMAIN_TAKEN` where another has proven it
 */
export async function proveDomain(
  db: Db,
  { companyId, domain, by }: { companyId: number; domain: string; by: DomainProof['by'] },
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    await demandFree(tx, companyId, [domain])
    const changed = await tx
      .update(oidcProviders)
      .set({
        provenDomains: sql`array_append(array_remove(${oidcProviders.provenDomains}, ${domain}), ${domain})`,
        domainProofs: withProof(domain, { by }),
        updatedAt: now,
      })
      .where(and(eq(oidcProviders.companyId, companyId), arrayContains(oidcProviders.domains, [domain])))
      .returning({ companyId: oidcProviders.companyId })
    return changed.length > 0
  })
}

const withProof = (domain: string, proof: DomainProof) =>
  sql`${oidcProviders.domainProofs} || ${JSON.stringify({ [domain]: proof })}::jsonb`
/** While the same is kept of its proof: somebody may have said otherwise since it was read. */
const stillProven = (domain: string, proof: DomainProof | undefined) =>
  sql`${oidcProviders.domainProofs} -> ${domain}::text IS NOT DISTINCT FROM ${proof ? JSON.stringify(proof) : null}::jsonb`

/** Notes what the DNS said of a domain that stays proven. @param before what was kept of it when it was asked */
export async function noteProof(
  db: Db,
  { companyId, domain, before }: { companyId: number; domain: string; before: DomainProof | undefined },
  after: DomainProof,
): Promise<void> {
  await db
    .update(oidcProviders)
    .set({ domainProofs: withProof(domain, after) })
    .where(and(eq(oidcProviders.companyId, companyId), proven(domain), stillProven(domain, before)))
}

/**
 * It may not any more. Where that was the last, people come in by their passwords again: nobody is locked out.
 * @param of `before`: only while this is kept of its proof
 * @returns false where it could not before
 */
export async function disproveDomain(
  db: Db,
  { companyId, domain, before }: { companyId: number; domain: string; before?: DomainProof },
  now: Date,
): Promise<boolean> {
  const left = sql`array_remove(${oidcProviders.provenDomains}, ${domain})`
  const changed = await db
    .update(oidcProviders)
    .set({
      provenDomains: left,
      domainProofs: sql`${oidcProviders.domainProofs} - ${domain}::text`,
      ssoOnly: sql`${oidcProviders.ssoOnly} AND cardinality(${left}) > 0`,
      breakGlassUserId: sql`CASE WHEN cardinality(${left}) > 0 THEN ${oidcProviders.breakGlassUserId} END`,
      updatedAt: now,
    })
    .where(
      and(eq(oidcProviders.companyId, companyId), proven(domain), before ? stillProven(domain, before) : undefined),
    )
    .returning({ companyId: oidcProviders.companyId })
  return changed.length > 0
}

/** The groups that had a role, which is going, have none. */
export async function forgetRole(tx: Tx, companyId: number, roleId: number): Promise<void> {
  await tx
    .update(oidcProviders)
    .set({
      roleRules: sql`jsonb_path_query_array(${oidcProviders.roleRules}, ${`$[*] ? (@.roleId != ${roleId})`}::jsonpath)`,
    })
    .where(
      and(
        eq(oidcProviders.companyId, companyId),
        sql`${oidcProviders.roleRules} @> ${JSON.stringify([{ roleId }])}::jsonb`,
      ),
    )
}

/** Whom the provider vouches for with a user's e-mail next, comes in as them, and is known by that from then on. */
export async function forgetSubjects(tx: Tx, companyId: number, userId: number): Promise<void> {
  const gone = await tx
    .delete(oidcSubjects)
    .where(and(eq(oidcSubjects.companyId, companyId), eq(oidcSubjects.userId, userId)))
    .returning({ userId: oidcSubjects.userId })
  if (gone.length > 0)
    await audit(tx, { companyId, action: 'update', entity: 'user', id: userId, facts: { providerLinked: false } })
}
