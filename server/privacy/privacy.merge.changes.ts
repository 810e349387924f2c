import { eq, sql } from 'drizzle-orm'
import { privacyExports, privacyHolds, privacyRequests } from '../../schema/privacy/privacy.table.ts'
import type { Tx } from '../db/database.ts'

/**
 * Two contacts become one: what was asked about either is about the kept one, and whatever holds one of them holds both, for
 * the longer of the two. It stays so when they become two again, since nobody says any more of whom it was.
 */
export async function movePrivacy(tx: Tx, goneId: number, keptId: number): Promise<void> {
  await tx.update(privacyRequests).set({ contactId: keptId }).where(eq(privacyRequests.contactId, goneId))
  await tx.update(privacyExports).set({ contactId: keptId }).where(eq(privacyExports.contactId, goneId))
  const [hold] = await tx.delete(privacyHolds).where(eq(privacyHolds.contactId, goneId)).returning()
  if (!hold) return
  await tx
    .insert(privacyHolds)
    .values({ ...hold, contactId: keptId })
    .onConflictDoUpdate({
      target: privacyHolds.contactId,
      set: { until: hold.until, reason: hold.reason },
      setWhere: sql`${privacyHolds.until} < ${hold.until}`,
    })
}
