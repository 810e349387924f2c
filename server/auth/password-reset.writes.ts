import { and, eq, gt, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { mustUseProvider } from '../../schema/oidc/oidc.rules.ts'
import { oidcProviders } from '../../schema/oidc/oidc.table.ts'
import { passwordResets } from '../../schema/users/password-resets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { setPassword } from './auth.changes.ts'
import { demandStrong } from './password-policy.ts'
import { CODE_TRIES, MOST_CODES } from './password-reset.codes.ts'

/**
 * Keeps the code's hash beside earlier ones.
 * @returns false, and keeps nothing, while the user has as many good codes as there may be
 */
export async function keepCode(
  db: Db,
  code: { userId: number; companyId: number; codeHash: string; expiresAt: Date },
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockUser(tx, eq(users.id, code.userId)))) return false
    await tx
      .delete(passwordResets)
      .where(
        and(
          eq(passwordResets.userId, code.userId),
          or(lte(passwordResets.expiresAt, now), gte(passwordResets.tries, CODE_TRIES)),
        ),
      )
    if ((await tx.$count(passwordResets, eq(passwordResets.userId, code.userId))) >= MOST_CODES) return false
    await tx.insert(passwordResets).values(code)
    return true
  })
}

/** What is decided about a user's codes is decided one after the other. */
async function lockUser(tx: Tx, which: SQL) {
  const [user] = await tx
    .select({ id: users.id, companyId: users.companyId, super: users.super })
    .from(users)
    .where(which)
    .for('update')
  return user
}

/**
 * Takes the code for the new password: both or neither, and the code once. Every session of the user ends.
 * @throws DomainError `ERR_OIDC_ONLY` where the company lets them in by its provider alone
 * @returns the user, or undefined when nobody has the e-mail or the code is wrong, used, too old or tried too often
 */
export async function redeemCode(
  db: Db,
  given: { email: string; codeHash: string; password: string; passwordHash: string; now: Date },
): Promise<{ id: number; companyId: number } | undefined> {
  const { codeHash, now, passwordHash } = given
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, sql`lower(${users.email}) = ${given.email.toLowerCase()}`)
    if (!user) return undefined
    const good = and(
      eq(passwordResets.userId, user.id),
      gt(passwordResets.expiresAt, now),
      lt(passwordResets.tries, CODE_TRIES),
    )
    const [found] = await tx
      .select({ id: passwordResets.id })
      .from(passwordResets)
      .where(and(good, eq(passwordResets.codeHash, codeHash)))
      .limit(1)
    if (!found) {
      await tx
        .update(passwordResets)
        .set({ tries: sql`${passwordResets.tries} + 1` })
        .where(good)
      return undefined
    }
    // Only who has the code hears of what follows, and the code stays good.
    const [provider] = await tx.select().from(oidcProviders).where(eq(oidcProviders.companyId, user.companyId))
    if (mustUseProvider(provider ?? null, user)) throw new DomainError('ERR_OIDC_ONLY')
    await demandStrong(tx, user.companyId, given.password, [given.email])
    await setPassword(tx, user, passwordHash, now)
    return user
  })
}
