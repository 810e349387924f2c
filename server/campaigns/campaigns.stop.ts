import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PauseReason } from '../../schema/campaigns/campaigns.state.ts'
import { bulkLines, bulkSends, campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import type { NumberFailure } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import type { Tx } from '../db/database.ts'
import { changeCampaigns, lockCampaigns } from './campaigns.writes.ts'

export interface PausedCampaign {
  id: number
  companyId: number
}

/**
 * All that is sent to many on a connection stands still until a person lets it go on: WhatsApp begins no new chats for it,
 * or the phone was unlinked. Programs and schedules are refused, and what they have written and has not left fails. What
 * agents write goes on.
 */
export async function stopLine(tx: Tx, whatsappId: number, reason: PauseReason, now: Date): Promise<PausedCampaign[]> {
  // Where only programs or schedules send, no campaign has begun its row.
  await tx.execute(sql`INSERT INTO ${bulkLines} ("whatsappId", "companyId")
    SELECT "whatsappId", "companyId" FROM ${bulkSends} WHERE "whatsappId" = ${whatsappId} LIMIT 1 ON CONFLICT DO NOTHING`)
  await tx
    .update(bulkLines)
    .set({ stoppedAt: now, stopReason: reason, warmupStep: 0, warmupDay: null, ratesSince: now })
    .where(eq(bulkLines.whatsappId, whatsappId))
  const running = and(eq(campaigns.whatsappId, whatsappId), eq(campaigns.status, 'EM_ANDAMENTO'))
  return changeCampaigns(tx, await lockCampaigns(tx, running), { type: 'stop', reason }, now)
}

const byFailure: Record<NumberFailure, PauseReason> = {
  ...{ spam: 'service_spam', account_limited: 'service_limited', country: 'service_limited' },
  ...{ setup: 'service_setup', withdrawn: 'service_withdrawn' },
}

/** The official API refuses for a reason that the next message would meet, too: of all of the number, or of one template. */
export async function stopRefused(
  tx: Tx,
  whatsappId: number,
  refused: { failure: NumberFailure } | { failure: 'template'; template: string },
  now: Date,
): Promise<PausedCampaign[]> {
  if (refused.failure !== 'template') return stopLine(tx, whatsappId, byFailure[refused.failure], now)
  const named = tx
    .select({ id: templates.id })
    .from(templates)
    .where(and(eq(templates.whatsappId, whatsappId), eq(templates.name, refused.template)))
  const running = and(
    ...[eq(campaigns.whatsappId, whatsappId), eq(campaigns.status, 'EM_ANDAMENTO')],
    inArray(campaigns.templateId, named),
  )
  return changeCampaigns(tx, await lockCampaigns(tx, running), { type: 'stop', reason: 'template_stopped' }, now)
}
