import { findCampaign } from '../campaigns/campaigns.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import type { LetGo } from './uses.queries.ts'

/** Tells those who have the lists open of campaigns and webhooks that were changed by a deletion; after the commit. */
export async function emitLetGo(
  { db, events }: Pick<AppDeps, 'db' | 'events'>,
  companyId: number,
  { campaignIds, webhookIds }: LetGo,
): Promise<void> {
  for (const id of campaignIds) {
    const record = await findCampaign(db, companyId, id)
    if (record) events.emit({ companyId, name: 'campaign', action: 'update', payload: { record } })
  }
  for (const id of webhookIds) events.emit({ companyId, name: 'webhook', action: 'update', payload: { webhookId: id } })
}
