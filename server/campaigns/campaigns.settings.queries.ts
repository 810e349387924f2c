import { eq, sql } from 'drizzle-orm'
import {
  type CampaignSettings,
  campaignSettingKeys,
  standardCampaignSettings,
} from '../../schema/campaigns/campaigns.settings.ts'
import { bulkSends, campaignSettings, campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import type { Db, Tx } from '../db/database.ts'

export async function campaignSettingsOf(db: Db | Tx, companyId: number): Promise<CampaignSettings> {
  const rows = await db.select().from(campaignSettings).where(eq(campaignSettings.companyId, companyId))
  const known = new Set<string>(campaignSettingKeys)
  return {
    ...standardCampaignSettings,
    ...Object.fromEntries(rows.filter(({ key }) => known.has(key)).map(({ key, value }) => [key, value])),
  }
}

/** What an inbound message is held against, without a look into the database. */
export interface BulkFacts {
  of(companyId: number): Promise<{ settings: CampaignSettings; isActive: boolean }>
  forget(companyId: number): void
  /** Something was sent to many: who was not listened to is from now on. */
  began(companyId: number): void
}

/** Kept for a few seconds. @param ttlMs how long */
export function createBulkFacts(db: Db, ttlMs = 5_000): BulkFacts {
  const known = new Map<number, { until: number; facts: ReturnType<BulkFacts['of']> }>()
  const load = async (companyId: number) => {
    const [settings, [row]] = await Promise.all([
      campaignSettingsOf(db, companyId),
      db.execute<{ active: boolean }>(sql`SELECT
        EXISTS (SELECT FROM ${campaigns} WHERE ${campaigns.companyId} = ${companyId} AND ${campaigns.startedAt} IS NOT NULL)
        OR EXISTS (SELECT FROM ${optOuts} WHERE ${optOuts.companyId} = ${companyId})
        OR EXISTS (SELECT FROM ${bulkSends} WHERE ${bulkSends.companyId} = ${companyId}) AS active`),
    ])
    return { settings, isActive: row?.active ?? false }
  }
  return {
    of(companyId) {
      const hit = known.get(companyId)
      if (hit && hit.until > Date.now()) return hit.facts
      const facts = load(companyId)
      known.set(companyId, { until: Date.now() + ttlMs, facts })
      facts.catch(() => known.delete(companyId))
      return facts
    },
    forget: (companyId) => void known.delete(companyId),
    began(companyId) {
      const hit = known.get(companyId)
      hit?.facts.then(
        ({ isActive }) => {
          if (!isActive && known.get(companyId) === hit) known.delete(companyId)
        },
        () => undefined,
      )
    },
  }
}
