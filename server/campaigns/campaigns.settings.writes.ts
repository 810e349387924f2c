import { sql } from 'drizzle-orm'
import type { CampaignSettingKey, CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import { campaignSettings } from '../../schema/campaigns/campaigns.table.ts'
import type { Db } from '../db/database.ts'

export async function writeCampaignSettings(
  db: Db,
  companyId: number,
  values: Partial<CampaignSettings>,
  now: Date,
): Promise<void> {
  const rows = (Object.entries(values) as [CampaignSettingKey, unknown][]).map(([key, value]) => ({
    companyId,
    key,
    value,
    updatedAt: now,
  }))
  if (rows.length === 0) return
  await db
    .insert(campaignSettings)
    .values(rows)
    .onConflictDoUpdate({
      target: [campaignSettings.companyId, campaignSettings.key],
      set: { value: sql`excluded."value"`, updatedAt: now },
    })
}
