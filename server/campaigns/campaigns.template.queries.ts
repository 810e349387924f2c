import type { PauseReason } from '../../schema/campaigns/campaigns.state.ts'
import type { Campaign } from '../../schema/campaigns/campaigns.table.ts'
import { templateStopOf } from '../../schema/campaigns/campaigns.template.ts'
import type { Template } from '../../schema/templates/templates.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { findTemplate } from '../templates/templates.queries.ts'
import { providerOf } from '../whatsapps/whatsapps.queries.ts'

/** The template that a campaign goes by; undefined for one that names none. */
export const templateFor = async (
  db: Db | Tx,
  { companyId, templateId }: Pick<Campaign, 'companyId' | 'templateId'>,
): Promise<Template | undefined> => (templateId === null ? undefined : findTemplate(db, companyId, templateId))

/** Why it would send nothing, as far as its template goes. */
export async function templateStop(db: Db | Tx, campaign: Campaign): Promise<PauseReason | null> {
  if (campaign.whatsappId === null) return null
  return templateStopOf(campaign, await providerOf(db, campaign.whatsappId), await templateFor(db, campaign))
}
