import { and, asc, eq } from 'drizzle-orm'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { removeSchedules } from '../../schema/schedules/schedules.transition.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'

/** What is scheduled for a contact who is being deleted goes with them. */
export async function removeSchedulesOf(tx: Tx, companyId: number, contactId: number): Promise<void> {
  const gone = await tx
    .select({ id: schedules.id, mediaPath: schedules.mediaPath })
    .from(schedules)
    .where(and(eq(schedules.companyId, companyId), eq(schedules.contactId, contactId)))
    .orderBy(asc(schedules.id))
    .for('update')
  await applyDecision(tx, companyId, removeSchedules(gone))
}
