import { and, eq } from 'drizzle-orm'
import { twoFactors } from '../../schema/users/two-factor.table.ts'
import { audit } from '../audit/audit.changes.ts'
import type { Tx } from '../db/database.ts'

/** Without it again. It is in the audit log, like each change of it. */
export async function forgetFactor(tx: Tx, companyId: number, userId: number): Promise<void> {
  const gone = await tx
    .delete(twoFactors)
    .where(and(eq(twoFactors.userId, userId), eq(twoFactors.companyId, companyId)))
    .returning({ enabledAt: twoFactors.enabledAt })
  if (!gone[0]?.enabledAt) return
  await audit(tx, { companyId, action: 'update', entity: 'user', id: userId, facts: { twoFactor: false } })
}
