import { eq } from 'drizzle-orm'
import { hasLongText } from '../../schema/campaigns/campaigns.message.ts'
import type { CampaignMove } from '../../schema/campaigns/campaigns.state.ts'
import { bulkLines } from '../../schema/campaigns/campaigns.table.ts'
import { changeCampaign } from '../../schema/campaigns/campaigns.transition.ts'
import { type SweepingEvent, sweepShippings } from '../../schema/campaigns/shippings.decide.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import { lockCampaign } from './campaigns.queries.ts'
import { templateStop } from './campaigns.template.queries.ts'
import { campaignSettingsOf } from './campaigns.settings.queries.ts'

/** What a move makes of the campaign's people. What was cancelled goes on only where the campaign was. */
const ofPeople: Partial<Record<CampaignMove, SweepingEvent['type']>> = {
  cancel: 'cancel',
  restart: 'restart',
  retry: 'retry',
}

/** After these it sends. */
const goingOn: ReadonlySet<CampaignMove> = new Set(['start', 'restart', 'resume', 'retry'])

/**
 * Makes a move that the stored row allows. Who may is asked before.
 * @throws DomainError `ERR_NO_CAMPAIGN_FOUND`, `ERR_CAMPAIGN_STATE` (`status`), `ERR_CAMPAIGN_TEXT_LONG` where it would
 * begin, or go on
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
    const { variables } = await campaignSettingsOf(tx, companyId)
    const stop = goingOn.has(wish) ? await templateStop(tx, campaign) : null
    const isTooLong = hasLongText(campaign, variables)
    const after = changeCampaign(campaign, { type: wish, isTooLong, templateStop: stop }, at)
    const type = wish === 'retry' && campaign.status === 'CANCELADA' ? 'restart' : ofPeople[wish]
    const people = type ? sweepShippings({ column: 'campaignId', in: [id] }, { type }, at).rows : []
    const goesOn = after.campaign.status === 'EM_ANDAMENTO' && campaign.whatsappId !== null
    await applyDecision(tx, companyId, { rows: [...people, ...after.decision.rows], effects: [] }, () =>
      goesOn
        ? [
            tx
              .update(bulkLines)
              .set({ stoppedAt: null, stopReason: null, ratesSince: at })
              .where(eq(bulkLines.whatsappId, campaign.whatsappId!)),
          ]
        : [],
    )
  })
}
