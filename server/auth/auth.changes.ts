import { and, eq, sql } from 'drizzle-orm'
import { passwordResets } from '../../schema/users/password-resets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Tx } from '../db/database.ts'
import { closeSessions } from './auth.writes.ts'

/** Sets a new password. Whoever knew the old one is out: sessions end, codes that were sent are worth nothing. */
export async function setPassword(
  tx: Tx,
  { id, companyId }: { id: number; companyId: number },
  passwordHash: string,
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({
      passwordHash,
      passwordIsInitial: false,
      passwordIsKnown: true,
      tokenVersion: sql`${users.tokenVersion} + 1`,
      online: false,
      updatedAt: now,
    })
    .where(and(eq(users.id, id), eq(users.companyId, companyId)))
  await closeSessions(tx, id, 'password', now)
  await forgetCodes(tx, id)
}

/** What was sent to a mailbox opens nothing any more. */
export async function forgetCodes(tx: Tx, userId: number): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
}
