import { and, eq } from 'drizzle-orm'
import { passkeys } from '../../schema/users/passkeys.table.ts'
import type { Tx } from '../db/database.ts'

/** For who has lost their devices. */
export async function forgetPasskeys(tx: Tx, companyId: number, userId: number): Promise<void> {
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), eq(passkeys.companyId, companyId)))
}
