import { and, eq, sql } from 'drizzle-orm'
import { type CampaignMove, moved } from '../../schema/campaigns/campaigns.state.ts'
import { bulkLines, campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Db } from '../db/database.ts'
import { lockCampaign } from './campaigns.queries.ts'

/**
 * Makes a move that the stored row allows. Who may is asked before.
 * @throws DomainError `ERR_NO_CAMPAIGN_FOUND`, `ERR_CAMPAIGN_STATE` (`status`)
 */
export async function moveCampaign(
  { db, now }: { db: Db; now(): Date },
  companyId: number,
  id: number,
  wish: CampaignMove,
): Promise<void> {
  const at = now()
  await db.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, companyId, id)
    const status = moved(campaign.status, wish)
    if (status === null) throw new DomainError('ERR_CAMPAIGN_STATE', { status: campaign.status })
    const mine = eq(shippings.campaignId, id)
    const goesOn = status === 'EM_ANDAMENTO'
    if (wish === 'cancel')
      await tx
        .update(shippings)
        .set({ state: 'cancelled', dueAt: null })
        .where(and(mine, eq(shippings.state, 'planned')))
    // What was asked and not answered waits for its answer again.
    if (wish === 'restart' || (wish === 'retry' && campaign.status === 'CANCELADA'))
      await tx
        .update(shippings)
        .set({
          state: 'planned',
          reason: null,
          dueAt: sql`CASE WHEN ${shippings.confirmationRequestedAt} IS NOT NULL AND ${shippings.confirmedAt} IS NULL THEN NULL ELSE ${at.toISOString()}::timestamptz END`,
        })
        .where(and(mine, eq(shippings.state, 'cancelled')))
    if (wish === 'restart' || wish === 'retry')
      await tx
        .update(shippings)
        .set({ state: 'planned', reason: null, dueAt: at, sentAt: null, ack: 0 })
        // What got no word from WhatsApp may have arrived: nobody gets a message twice.
        .where(and(mine, eq(shippings.state, 'failed'), sql`${shippings.reason} IS DISTINCT FROM 'no_server_ack'`))
    if (goesOn && campaign.whatsappId !== null)
      await tx
        .update(bulkLines)
        .set({ stoppedAt: null, stopReason: null, ratesSince: at })
        .where(eq(bulkLines.whatsappId, campaign.whatsappId))
    await tx
      .update(campaigns)
      .set({
        status,
        pauseReason: wish === 'pause' ? 'hand' : null,
        ...(goesOn && { startedAt: campaign.startedAt ?? at, completedAt: null }),
        updatedAt: at,
      })
      .where(eq(campaigns.id, id))
  })
}
