import { asc, type SQL } from 'drizzle-orm'
import { type Campaign, campaigns, type Shipping, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { type CampaignEvent, changeCampaign } from '../../schema/campaigns/campaigns.transition.ts'
import { decideShippings } from '../../schema/campaigns/shippings.decide.ts'
import type { ShippingEvent } from '../../schema/campaigns/shippings.transition.ts'
import type { ServerDecision } from '../../schema/command.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'

/** People of campaigns, locked until the commit: what a decision saw is what it changes. Always in the same order. */
export const lockShippings = (tx: Tx, where: SQL | undefined): Promise<Shipping[]> =>
  tx.select().from(shippings).where(where).orderBy(asc(shippings.id)).for('update')

/** Campaigns, locked until the commit. */
export const lockCampaigns = (tx: Tx, where: SQL | undefined): Promise<Campaign[]> =>
  tx.select().from(campaigns).where(where).orderBy(asc(campaigns.id)).for('no key update')

/**
 * Decides what happened to rows that are locked, and writes it.
 * @returns those of which something changed, as they are now
 */
export async function moveShippings(
  tx: Tx,
  companyId: number,
  all: readonly { row: Shipping; event: ShippingEvent }[],
  now: Date,
): Promise<Shipping[]> {
  const { decision, moved } = decideShippings(all, now)
  if (moved.length > 0) await applyDecision(tx, companyId, decision)
  return moved
}

/** The same for campaigns, of any companies; none of them may refuse. */
export async function changeCampaigns(
  tx: Tx,
  all: readonly Campaign[],
  event: CampaignEvent,
  now: Date,
): Promise<Campaign[]> {
  for (const [companyId, own] of Map.groupBy(all, (campaign) => campaign.companyId)) {
    const rows: ServerDecision['rows'] = own.flatMap((campaign) => changeCampaign(campaign, event, now).decision.rows)
    await applyDecision(tx, companyId, { rows, effects: [] })
  }
  return [...all]
}
