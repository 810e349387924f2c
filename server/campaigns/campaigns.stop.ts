import { and, eq } from 'drizzle-orm'
import type { PauseReason } from '../../schema/campaigns/campaigns.state.ts'
import { bulkLines, campaigns } from '../../schema/campaigns/campaigns.table.ts'
import type { Db, Tx } from '../db/database.ts'

export interface PausedCampaign {
  id: number
  companyId: number
}

/**
 * All campaigns of a connection stand still until a person lets them go on: WhatsApp begins no new chats for it, or the
 * phone was unlinked. What agents write goes on.
 */
export async function stopLine(
  tx: Tx | Db,
  whatsappId: number,
  reason: PauseReason,
  now: Date,
): Promise<PausedCampaign[]> {
  await tx
    .update(bulkLines)
    .set({ stoppedAt: now, stopReason: reason, warmupStep: 0, warmupDay: null, ratesSince: now })
    .where(eq(bulkLines.whatsappId, whatsappId))
  return tx
    .update(campaigns)
    .set({ status: 'PAUSADA', pauseReason: reason, updatedAt: now })
    .where(and(eq(campaigns.whatsappId, whatsappId), eq(campaigns.status, 'EM_ANDAMENTO')))
    .returning({ id: campaigns.id, companyId: campaigns.companyId })
}
