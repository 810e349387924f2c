import { and, arrayContains, eq, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { type OidcProvider, oidcProviders } from '../../schema/oidc/oidc.table.ts'
import { nameOf } from '../../schema/texts.ts'
import { users } from '../../schema/users/users.table.ts'
import { violates } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Vouched } from './oidc.protocol.ts'

/** Where its secret lives. */
export const secretPlace = (companyId: number) => `oidc_providers ${companyId}`

export async function providerOf(db: Db, companyId: number): Promise<OidcProvider | undefined> {
  const [row] = await db.select().from(oidcProviders).where(eq(oidcProviders.companyId, companyId))
  return row
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/**
 * Whose provider somebody signs in by. Whether an e-mail has an account is told to nobody: its domain decides, and only
 * where several companies name the same one, whose user it is.
 */
export async function providerFor(db: Db, email: string): Promise<OidcProvider | undefined> {
  const found = await db
    .select()
    .from(oidcProviders)
    .where(arrayContains(oidcProviders.domains, [domainOf(email)]))
    .limit(50)
  if (found.length < 2) return found[0]
  const [user] = await db
    .select({ companyId: users.companyId })
    .from(users)
    .where(sql`lower(${users.email}) = ${email.toLowerCase()}`)
  return found.find(({ companyId }) => companyId === user?.companyId)
}

export const anybodyUses = async (db: Db): Promise<boolean> =>
  (await db.select({ id: oidcProviders.companyId }).from(oidcProviders).limit(1)).length > 0

/**
 * The user of this company who has the e-mail that was vouched for; a new one where the company wants that.
 * @throws DomainError `ERR_OIDC_EMAIL` where there is none, or the provider may not vouch for it; `ERR_PLAN_LIMIT`
 */
export async function userVouchedFor(
  db: Db,
  { companyId, domains, makesUsers, roleId }: OidcProvider,
  { email, name }: Vouched,
  make: {
    /** Of a password that nobody knows: who wants one asks for a new one. */
    hash(): Promise<string>
    /** Refuses where the plan allows no more. */
    room(tx: Tx): Promise<void>
  },
): Promise<number> {
  if (!domains.includes(domainOf(email))) throw new DomainError('ERR_OIDC_EMAIL')
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), sql`lower(${users.email}) = ${email}`))
  if (user) return user.id
  if (!makesUsers) throw new DomainError('ERR_OIDC_EMAIL')
  const passwordHash = await make.hash()
  try {
    return await db.transaction(async (tx) => {
      await make.room(tx)
      const values = {
        companyId,
        email,
        passwordHash,
        roleId,
        name: nameOf(name, 50) || nameOf(email.split('@')[0], 50),
      }
      const [made] = await tx.insert(users).values(values).returning({ id: users.id })
      return made!.id
    })
  } catch (error) {
    // Somebody of another company has it: which one, and that there is one, is nobody's business.
    throw violates(error, 'users_email') ? new DomainError('ERR_OIDC_EMAIL') : error
  }
}
