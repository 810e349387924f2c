import { and, eq, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import type { providerAfter } from '../../schema/oidc/oidc.change.ts'
import { ruleFor } from '../../schema/oidc/oidc.rules.ts'
import { type OidcProvider, oidcProviders, oidcSubjects } from '../../schema/oidc/oidc.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { nameOf } from '../../schema/texts.ts'
import { type User, users } from '../../schema/users/users.table.ts'
import { audit } from '../audit/audit.changes.ts'
import { violates } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import { demandOtherAdmin } from '../users/users.queries.ts'
import type { Vouched } from './oidc.protocol.ts'
import { demandNoBreakGlass, domainOf } from './oidc.queries.ts'

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

/** The company's provider, until the commit. */
export async function lockProvider(tx: Tx, companyId: number): Promise<OidcProvider | undefined> {
  const [row] = await tx.select().from(oidcProviders).where(eq(oidcProviders.companyId, companyId)).for('update')
  return row
}

/** Keeps what `providerAfter` has made of it. */
export async function keepProvider(tx: Tx, companyId: number, values: ReturnType<typeof providerAfter>): Promise<void> {
  await tx
    .insert(oidcProviders)
    .values({ companyId, ...values })
    .onConflictDoUpdate({ target: oidcProviders.companyId, set: values })
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

/** What a user may be made of. */
interface Making {
  /** Of a password that nobody knows: who wants one asks for a new one. */
  hash(): Promise<string>
  /** Refuses where the plan allows no more. */
  room(tx: Tx): Promise<void>
}

/**
 * The user of this company whom its provider means: by its `sub`, and before they have ever come in, by their verified
 * e-mail. Who is given the e-mail of somebody who has left is somebody else to the provider, and is not let in as them.
 * @throws DomainError `ERR_OIDC_EMAIL` where there is none, or the provider may not vouch for it; `ERR_OIDC_SUBJECT`
 *   where that user is known to it as another; `ERR_PLAN_LIMIT`
 */
export async function userVouchedFor(
  db: Db,
  provider: OidcProvider,
  vouched: Vouched,
  make: Making,
): Promise<{ id: number; isNew: boolean; isLinked: boolean }> {
  const { companyId, provenDomains, makesUsers } = provider
  const { email } = vouched
  if (!provenDomains.includes(domainOf(email))) throw new DomainError('ERR_OIDC_EMAIL')
  const known = await knownAs(db, provider, vouched.subject)
  if (known !== undefined) return { id: known, isNew: false, isLinked: false }
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), sql`lower(${users.email}) = ${email}`))
  if (user)
    return { id: user.id, isNew: false, isLinked: await db.transaction((tx) => link(tx, provider, user.id, vouched)) }
  if (!makesUsers) throw new DomainError('ERR_OIDC_EMAIL')
  return { id: await makeUser(db, provider, vouched, make), isNew: true, isLinked: true }
}

const byClient = ({ companyId, issuer, clientId }: OidcProvider) =>
  and(eq(oidcSubjects.companyId, companyId), eq(oidcSubjects.issuer, issuer), eq(oidcSubjects.clientId, clientId))

async function knownAs(db: Db | Tx, provider: OidcProvider, subject: string): Promise<number | undefined> {
  const [row] = await db
    .select({ userId: oidcSubjects.userId })
    .from(oidcSubjects)
    .where(and(byClient(provider), eq(oidcSubjects.subject, subject)))
  return row?.userId
}

/**
 * From now on the provider knows the user by this, and by nothing else.
 * @returns whether that is new. @throws DomainError `ERR_OIDC_SUBJECT`
 */
async function link(tx: Tx, provider: OidcProvider, userId: number, { subject }: Vouched): Promise<boolean> {
  const { companyId, issuer, clientId } = provider
  const made = await tx
    .insert(oidcSubjects)
    .values({ userId, companyId, issuer, clientId, subject })
    .onConflictDoNothing()
    .returning({ userId: oidcSubjects.userId })
  if (made.length > 0) {
    await audit(tx, { companyId, action: 'update', entity: 'user', id: userId, facts: { providerLinked: true } })
    return true
  }
  if ((await knownAs(tx, provider, subject)) !== userId) throw new DomainError('ERR_OIDC_SUBJECT')
  return false
}

async function makeUser(db: Db, provider: OidcProvider, vouched: Vouched, make: Making): Promise<number> {
  const { companyId, roleId } = provider
  const { email, name, groups } = vouched
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
      await link(tx, provider, made!.id, vouched)
      return made!.id
    })
  } catch (error) {
    // Somebody of another company has it: which one, and that there is one, is nobody's business.
    throw violates(error, 'users_email') ? new DomainError('ERR_OIDC_EMAIL') : error
  }
}
