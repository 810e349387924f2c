import { and, arrayContains, arrayOverlaps, asc, eq, ne, notInArray, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { ruleFor } from '../../schema/oidc/oidc.rules.ts'
import { DomainError } from '../../schema/errors.ts'
import { type OidcProvider, oidcProviders } from '../../schema/oidc/oidc.table.ts'
import { nameOf } from '../../schema/texts.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { type User, users } from '../../schema/users/users.table.ts'
import { violates } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import { demandOtherAdmin } from '../users/users.queries.ts'
import type { Vouched } from './oidc.protocol.ts'

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
const proven = (domain: string) => arrayContains(oidcProviders.provenDomains, [domain])

/** What is said of a domain, is said one after the other: it becomes nobody's twice. */
const lockDomain = (tx: Tx, domain: string) =>
  tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`oidc domain ${domain}`}, 0))`)

/**
 * From now on the company's provider may vouch for e-mails of this domain.
 * @returns false where the company does not name it
 * @throws DomainError `ERR_OIDC_DOMAIN_TAKEN` where another has proven it
 */
export async function proveDomain(db: Db, companyId: number, domain: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    await demandFree(tx, companyId, [domain])
    const changed = await tx
      .update(oidcProviders)
      .set({
        provenDomains: sql`array_append(array_remove(${oidcProviders.provenDomains}, ${domain}), ${domain})`,
        updatedAt: now,
      })
      .where(and(eq(oidcProviders.companyId, companyId), arrayContains(oidcProviders.domains, [domain])))
      .returning({ companyId: oidcProviders.companyId })
    return changed.length > 0
  })
}

/**
 * It may not any more. Where that was the last, people come in by their passwords again: nobody is locked out.
 * @returns false where it could not before
 */
export async function disproveDomain(db: Db, companyId: number, domain: string, now: Date): Promise<boolean> {
  const left = sql`array_remove(${oidcProviders.provenDomains}, ${domain})`
  const changed = await db
    .update(oidcProviders)
    .set({
      provenDomains: left,
      ssoOnly: sql`${oidcProviders.ssoOnly} AND cardinality(${left}) > 0`,
      breakGlassUserId: sql`CASE WHEN cardinality(${left}) > 0 THEN ${oidcProviders.breakGlassUserId} END`,
      updatedAt: now,
    })
    .where(and(eq(oidcProviders.companyId, companyId), proven(domain)))
    .returning({ companyId: oidcProviders.companyId })
  return changed.length > 0
}

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

/** Notes that an admin has come in by it, unless it was set up anew meanwhile. */
export async function noteTried(db: Db, { companyId, issuer, clientId, secret }: OidcProvider, now: Date) {
  const same = and(
    eq(oidcProviders.companyId, companyId),
    eq(oidcProviders.issuer, issuer),
    eq(oidcProviders.clientId, clientId),
    eq(oidcProviders.secret, secret),
  )
  await db.update(oidcProviders).set({ triedAt: now }).where(same)
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

type Placed = Pick<User, 'profile' | 'roleId'>

/** The role of somebody of these groups, which stays until the commit; undefined where the company says nothing of them. */
async function placeOf(tx: Tx, provider: OidcProvider, groups: readonly string[]): Promise<Placed | undefined> {
  const rule = ruleFor(provider.roleRules, groups)
  if (!rule) return undefined
  const { profile, roleId } = rule
  if (roleId === null) return { profile, roleId }
  const [role] = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.companyId, provider.companyId), eq(roles.id, roleId)))
    .for('share')
  return role && { profile: 'user', roleId }
}

/**
 * Gives a user the role of the first of their groups that has one. The last admin stays admin, and so does the one who
 * can do without the provider; operators are what they are.
 * @returns what became of it
 */
export async function followGroups(
  db: Db,
  provider: OidcProvider,
  userId: number,
  groups: readonly string[],
  now: Date,
): Promise<'same' | 'changed' | 'kept'> {
  const { companyId } = provider
  const of = and(eq(users.companyId, companyId), eq(users.id, userId))
  try {
    return await db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(of)
      const placed = await placeOf(tx, provider, groups)
      if (!user || user.super || !placed) return 'same'
      if (user.profile === placed.profile && user.roleId === placed.roleId) return 'same'
      if (user.profile === 'admin') {
        await demandOtherAdmin(tx, companyId, userId)
        await demandNoBreakGlass(tx, companyId, userId)
      }
      // An admin who gives them another role in this moment has the last word.
      const changed = await tx
        .update(users)
        .set({ ...placed, updatedAt: now })
        .where(and(of, eq(users.profile, user.profile), sql`${users.roleId} IS NOT DISTINCT FROM ${user.roleId}`))
        .returning({ id: users.id })
      return changed.length > 0 ? 'changed' : 'same'
    })
  } catch (error) {
    if (error instanceof DomainError && /^ERR_(LAST_ADMIN|BREAK_GLASS_KEPT)$/.test(error.code)) return 'kept'
    throw error
  }
}

/**
 * The user of this company who has the e-mail that was vouched for; a new one where the company wants that.
 * @throws DomainError `ERR_OIDC_EMAIL` where there is none, or the provider may not vouch for it; `ERR_PLAN_LIMIT`
 */
export async function userVouchedFor(
  db: Db,
  provider: OidcProvider,
  { email, name, groups }: Vouched,
  make: {
    /** Of a password that nobody knows: who wants one asks for a new one. */
    hash(): Promise<string>
    /** Refuses where the plan allows no more. */
    room(tx: Tx): Promise<void>
  },
): Promise<{ id: number; isNew: boolean }> {
  const { companyId, provenDomains, makesUsers, roleId } = provider
  if (!provenDomains.includes(domainOf(email))) throw new DomainError('ERR_OIDC_EMAIL')
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), sql`lower(${users.email}) = ${email}`))
  if (user) return { id: user.id, isNew: false }
  if (!makesUsers) throw new DomainError('ERR_OIDC_EMAIL')
  const passwordHash = await make.hash()
  try {
    return await db.transaction(async (tx) => {
      await make.room(tx)
      const values = {
        companyId,
        email,
        ...{ passwordHash, passwordIsKnown: false },
        ...((await placeOf(tx, provider, groups)) ?? { roleId }),
        name: nameOf(name, 50) || nameOf(email.split('@')[0], 50),
      }
      const [made] = await tx.insert(users).values(values).returning({ id: users.id })
      return { id: made!.id, isNew: true }
    })
  } catch (error) {
    // Somebody of another company has it: which one, and that there is one, is nobody's business.
    throw violates(error, 'users_email') ? new DomainError('ERR_OIDC_EMAIL') : error
  }
}
