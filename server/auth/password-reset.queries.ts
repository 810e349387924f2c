import { and, eq, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { passwordResets } from '../../schema/users/password-resets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'

/** To whom a code is sent, and in which language. */
export async function findRecipient(db: Db, userId: number) {
  const [row] = await db
    .select({ name: users.name, email: users.email, companyId: users.companyId, language: companies.language })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(eq(users.id, userId))
  return row
}

/** Keeps the code's hash, in place of an earlier one. */
export async function keepCode(
  db: Db,
  code: { userId: number; companyId: number; codeHash: string; expiresAt: Date },
): Promise<void> {
  const { codeHash, expiresAt } = code
  await db
    .insert(passwordResets)
    .values(code)
    .onConflictDoUpdate({ target: passwordResets.userId, set: { codeHash, expiresAt, tries: 0 } })
}

/**
 * Takes the code for the new password: both or neither, and the code once. Every session of the user ends.
 * @param maxTries wrong codes after which even the right one is refused
 * @returns the user, or undefined when nobody has the e-mail or the code is wrong, used, replaced or too old
 */
export async function redeemCode(
  db: Db,
  given: { email: string; codeHash: string; passwordHash: string; now: Date; maxTries: number },
): Promise<{ id: number; companyId: number } | undefined> {
  const { now, passwordHash } = given
  return db.transaction(async (tx) => {
    // Locked, so that many guesses at once are counted one after the other.
    const [row] = await tx
      .select({ reset: passwordResets })
      .from(passwordResets)
      .innerJoin(users, eq(users.id, passwordResets.userId))
      .where(sql`lower(${users.email}) = ${given.email.toLowerCase()}`)
      .for('update', { of: passwordResets })
    if (!row || row.reset.expiresAt <= now || row.reset.tries >= given.maxTries) return undefined
    const { userId, companyId, codeHash } = row.reset
    if (codeHash !== given.codeHash) {
      await tx
        .update(passwordResets)
        .set({ tries: sql`${passwordResets.tries} + 1` })
        .where(eq(passwordResets.userId, userId))
      return undefined
    }
    await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
    await tx
      .update(users)
      .set({ passwordHash, refreshHash: null, tokenVersion: sql`${users.tokenVersion} + 1`, updatedAt: now })
      .where(and(eq(users.id, userId), eq(users.companyId, companyId)))
    return { id: userId, companyId }
  })
}
