import { and, arrayContains, arrayOverlaps, asc, eq, ne, notInArray, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { type OidcProvider, oidcProviders } from '../../schema/oidc/oidc.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** Where its secret lives. */
export const secretPlace = (companyId: number) => `oidc_providers ${companyId}`

export async function providerOf(db: Db, companyId: number): Promise<OidcProvider | undefined> {
  const [row] = await db.select().from(oidcProviders).where(eq(oidcProviders.companyId, companyId))
  return row
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/**
 * Whose provider somebody signs in by. Whether an e-mail has an account is told to nobody: its domain decides, which one
 * company at most has proven to be its own.
 */
export async function providerFor(db: Db, email: string): Promise<OidcProvider | undefined> {
  const [found] = await db
    .select()
    .from(oidcProviders)
    .where(proven(domainOf(email)))
    .limit(1)
  return found
}

/** Whoever's it is. */
export const proven = (domain: string) => arrayContains(oidcProviders.provenDomains, [domain])

/** @throws DomainError `ERR_OIDC_DOMAIN_TAKEN`, without a word of whose it is */
export async function demandFree(tx: Db | Tx, companyId: number, domains: readonly string[]): Promise<void> {
  const [other] = await tx
    .select({ provenDomains: oidcProviders.provenDomains })
    .from(oidcProviders)
    .where(and(ne(oidcProviders.companyId, companyId), arrayOverlaps(oidcProviders.provenDomains, [...domains])))
    .limit(1)
  const domain = other && domains.find((one) => other.provenDomains.includes(one))
  if (domain) throw new DomainError('ERR_OIDC_DOMAIN_TAKEN', { field: 'domains', domain })
}

/** Those who may vouch for somebody, and by what. */
export const provenProviders = (db: Db) =>
  db
    .select({
      companyId: oidcProviders.companyId,
      provenDomains: oidcProviders.provenDomains,
      domainProofs: oidcProviders.domainProofs,
    })
    .from(oidcProviders)
    .where(sql`cardinality(${oidcProviders.provenDomains}) > 0`)

const MOST_DOMAINS = 500

/** The domains that companies name, for the operator: those that wait for a proof first. */
export async function listDomains(db: Db) {
  const rows = await db.execute<{ id: number; name: string; domain: string; proven: boolean }>(sql`
    SELECT c."id", c."name", d.domain, d.domain = ANY (p."provenDomains") AS proven
    FROM ${oidcProviders} p JOIN ${companies} c ON c."id" = p."companyId"
    CROSS JOIN LATERAL unnest(p."domains") d(domain)
    ORDER BY 4, d.domain, c."id" LIMIT ${MOST_DOMAINS}`)
  return rows.map(({ id, name, domain, proven }) => ({ company: { id, name }, domain, proven }))
}

/** The admins of a company, by name. */
export const adminsOf = (db: Db, companyId: number) =>
  db
    .select({ id: users.id, name: users.name, email: users.email, hasPassword: users.passwordIsKnown })
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.profile, 'admin')))
    .orderBy(asc(users.name), asc(users.id))

/** How many of the company's people have an e-mail that its provider may not vouch for. */
export const countOutsiders = (db: Db, { companyId, provenDomains, breakGlassUserId }: OidcProvider): Promise<number> =>
  db.$count(
    users,
    and(
      eq(users.companyId, companyId),
      eq(users.super, false),
      ne(users.id, breakGlassUserId ?? 0),
      notInArray(sql`lower(split_part(${users.email}, '@', 2))`, provenDomains),
    ),
  )

/** Whether any company has a provider that may vouch for anybody: without one the login screen does not ask. */
export const anybodyUses = async (db: Db): Promise<boolean> =>
  (
    await db
      .select({ id: oidcProviders.companyId })
      .from(oidcProviders)
      .where(sql`cardinality(${oidcProviders.provenDomains}) > 0`)
      .limit(1)
  ).length > 0

/**
 * While the company lets its people in by its provider alone, the admin who can do without stays, and stays admin. To be
 * asked when their row is locked, as whoever names them locks it.
 * @throws DomainError `ERR_BREAK_GLASS_KEPT`
 */
export async function demandNoBreakGlass(tx: Tx, companyId: number, userId: number): Promise<void> {
  const only = and(eq(oidcProviders.companyId, companyId), eq(oidcProviders.ssoOnly, true))
  const count = await tx.$count(oidcProviders, and(only, eq(oidcProviders.breakGlassUserId, userId)))
  if (count > 0) throw new DomainError('ERR_BREAK_GLASS_KEPT')
}

/**
 * An admin of the company with a password, who stays one until the commit.
 * @throws DomainError `ERR_BREAK_GLASS`, `ERR_BREAK_GLASS_PASSWORD`
 */
export async function lockBreakGlass(tx: Tx, companyId: number, userId: number | null): Promise<void> {
  const [admin] = await tx
    .select({ hasPassword: users.passwordIsKnown })
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.id, userId ?? 0), eq(users.profile, 'admin')))
    .for('update')
  if (!admin) throw new DomainError('ERR_BREAK_GLASS', { field: 'breakGlassUserId' })
  if (!admin.hasPassword) throw new DomainError('ERR_BREAK_GLASS_PASSWORD', { field: 'breakGlassUserId' })
}
