import type { Campaign } from '../../schema/campaigns/campaigns.table.ts'
import { type CampaignEvent, changeCampaign } from '../../schema/campaigns/campaigns.transition.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Permission, Principal } from '../../schema/permissions.ts'
import { applyDecision } from '../commands/apply.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { demand } from '../http/guard.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { findCampaign, lockCampaign, storedCampaign } from './campaigns.queries.ts'

/** What the routes of campaigns do with one of them. */
export function campaignCalls({ db, events, now }: AppDeps) {
  const allowed = async (who: Principal, permission: Permission = 'campaigns:write') => {
    demand(who, permission)
    await demandFeature(db, who.companyId, 'useCampaigns')
  }
  const need = async (who: Principal, id: number): Promise<Campaign> => {
    const campaign = await storedCampaign(db, who.companyId, id)
    if (!campaign) throw new DomainError('ERR_NO_CAMPAIGN_FOUND')
    return campaign
  }
  const shown = async (who: Principal, id: number, action?: 'create' | 'update') => {
    const record = await findCampaign(db, who.companyId, id)
    if (!record) throw new DomainError('ERR_NO_CAMPAIGN_FOUND')
    if (action) events.emit({ companyId: who.companyId, name: 'campaign', action, payload: { record } })
    return record
  }

  /** What a person does with a campaign. The file that nothing shows any more is let go. */
  const change = (who: Principal, id: number, event: CampaignEvent) =>
    db.transaction(async (tx) => {
      const campaign = await lockCampaign(tx, who.companyId, id)
      const { decision } = changeCampaign(campaign, event, now())
      await applyDecision(tx, who.companyId, decision)
      if (event.type === 'file' || event.type === 'remove') await releaseFiles(tx, who.companyId, [campaign.mediaPath])
    })
  return { allowed, need, shown, change }
}
