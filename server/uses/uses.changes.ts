import { and, asc, eq, sql } from 'drizzle-orm'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { changeCampaign } from '../../schema/campaigns/campaigns.transition.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import { DomainError, type ErrorCode } from '../../schema/errors.ts'
import { campaignWithout, type UsedNoun } from '../../schema/uses/uses.ts'
import { webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { campaignFields, type LetGo } from './uses.queries.ts'

type InCampaign = keyof typeof campaignFields

const refusals = {
  contactList: 'ERR_CONTACT_LIST_IN_USE',
  tag: 'ERR_TAG_IN_USE',
  fileList: 'ERR_FILE_LIST_IN_USE',
} as const satisfies Partial<Record<UsedNoun, ErrorCode>>

/**
 * Takes what is about to be deleted off the campaigns, webhooks and macros that name it, in the deletion's transaction. What was to
 * be sent by itself at a time is not, until somebody has looked at it.
 *
 * @throws DomainError `ERR_CONTACT_LIST_IN_USE`, `ERR_TAG_IN_USE`, `ERR_FILE_LIST_IN_USE` where a campaign is at work with it
 */
export async function letGo(tx: Tx, companyId: number, noun: InCampaign, id: number, now: Date): Promise<LetGo> {
  const field = campaignFields[noun]
  const rows = await tx
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.companyId, companyId), eq(campaigns[field], id)))
    .orderBy(asc(campaigns.id))
    // One that begins at this moment has begun, or begins without.
    .for('update')
  const after = rows.map((row) => ({
    row,
    becomes: campaignWithout(noun, { status: row.status, isPlanned: row.plannedAt !== null }),
  }))
  if (noun !== 'queue' && after.some(({ becomes }) => becomes === 'campaignRefuses'))
    throw new DomainError(refusals[noun])
  const ids = rows.map((row) => row.id)
  const changes = after.flatMap(({ row, becomes }) => {
    const isNeeded = becomes === 'campaignUnscheduled'
    return changeCampaign(row, { type: 'lose', field, isNeeded }, now).decision.rows
  })
  await applyDecision(tx, companyId, { rows: changes, effects: [] })
  if (noun !== 'queue') return { campaignIds: ids, webhookIds: [] }
  const rest = sql`array_remove(${webhooks.queueIds}, ${id})`
  const hooks = await tx
    .update(webhooks)
    // One that was told of this queue alone is not told of all others now.
    .set({ queueIds: rest, active: sql`${webhooks.active} AND cardinality(${rest}) > 0`, updatedAt: now })
    .where(and(eq(webhooks.companyId, companyId), sql`${id} = ANY(${webhooks.queueIds})`))
    .returning({ id: webhooks.id })
  await tx
    .update(macros)
    // One that was for its people alone is nobody's until somebody shares it anew.
    .set({ queueIds: sql`array_remove(${macros.queueIds}, ${id})`, updatedAt: now })
    .where(and(eq(macros.companyId, companyId), sql`${id} = ANY(${macros.queueIds})`))
  return { campaignIds: ids, webhookIds: hooks.map((hook) => hook.id) }
}
