import { and, asc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { hasLongText } from '../../schema/campaigns/campaigns.message.ts'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { changeCampaign } from '../../schema/campaigns/campaigns.transition.ts'
import { planShipping, sweepShippings } from '../../schema/campaigns/shippings.decide.ts'
import { MOST_ITEMS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { type Found, nextPeople } from './campaigns.audience.ts'
import { templateStop } from './campaigns.template.queries.ts'
import { campaignSettingsOf } from './campaigns.settings.queries.ts'
import { changeCampaigns, lockCampaigns } from './campaigns.writes.ts'

export interface PlanDeps {
  db: Db
  now(): Date
  log: Logger
  /** A campaign began, or all its rows stand. */
  changed(campaign: { id: number; companyId: number; whatsappId: number | null }): void
}

/** What is due begins, also what fell due while nobody was there; or it is paused, where a text would lose its end. */
export async function startDue({ db, now, changed }: PlanDeps): Promise<number> {
  const at = now()
  const due = and(eq(campaigns.status, 'PROGRAMADA'), lte(campaigns.scheduledAt, at))
  const begun = await db.transaction(async (tx) => {
    const found = await lockCampaigns(tx, due)
    for (const [companyId, own] of Map.groupBy(found, (campaign) => campaign.companyId)) {
      const { variables } = await campaignSettingsOf(tx, companyId)
      for (const campaign of own)
        await changeCampaigns(
          tx,
          [campaign],
          { type: 'due', isTooLong: hasLongText(campaign, variables), templateStop: await templateStop(tx, campaign) },
          at,
        )
    }
    return found
  })
  for (const campaign of begun) changed(campaign)
  return begun.length
}

/**
 * Writes a row for each person of the campaigns that have begun, a batch at a time; a process that dies goes on behind
 * its last batch. Called every second.
 */
export async function planCampaigns(deps: PlanDeps): Promise<void> {
  const waiting = await deps.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.status, 'EM_ANDAMENTO'), isNull(campaigns.plannedAt)))
    .orderBy(asc(campaigns.startedAt))
    .limit(20)
  await endHomeless(deps)
  for (const { id } of waiting)
    try {
      while (await deps.db.transaction((tx) => planBatch(deps, tx, id)));
    } catch (err) {
      deps.log.error({ err, campaign: id }, 'a campaign could not be planned; trying again')
    }
}

/** @returns whether there is more */
async function planBatch(deps: PlanDeps, tx: Tx, id: number): Promise<boolean> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update', { skipLocked: true })
  if (!campaign || campaign.status !== 'EM_ANDAMENTO' || campaign.plannedAt) return false
  const now = deps.now()
  const cursor = campaign.planCursor ?? { source: 0, after: 0 }
  const { people, next } = await nextPeople(tx, campaign, cursor, now)
  const unique = [...new Map(people.map((person) => [person.key, person])).values()]
  const there = next || people.length > 0 ? await tx.$count(shippings, eq(shippings.campaignId, id)) : 0
  const room = Math.max(0, MOST_ITEMS - there)
  const wanted = unique.slice(0, room)
  const fresh = await withoutKnown(tx, id, wanted)
  const duplicates = people.length - unique.length + wanted.length - fresh.length
  const isLast = next === null || unique.length > room
  const planned = changeCampaign(campaign, { type: 'plan', duplicates, cursor: isLast ? null : next }, now)
  const ids = await reserveShippingIds(tx, fresh.length)
  const rows = fresh.map((person, i) => planShipping(campaign, person, ids[i]!, now))
  await applyDecision(tx, campaign.companyId, { rows: [...planned.decision.rows, ...rows], effects: [] })
  if (!isLast) return true
  const open = await tx.$count(shippings, and(eq(shippings.campaignId, id), eq(shippings.state, 'planned')))
  if (open === 0) await changeCampaigns(tx, [planned.campaign], { type: 'finish' }, now)
  deps.changed(campaign)
  return false
}

/** Those of them who have no row yet. */
async function withoutKnown(tx: Tx, campaignId: number, people: readonly Found[]): Promise<Found[]> {
  if (people.length === 0) return []
  const keys = sql.param(people.map(({ key }) => key))
  const rows = await tx
    .select({ key: shippings.key })
    .from(shippings)
    .where(and(eq(shippings.campaignId, campaignId), sql`${shippings.key} = ANY(${keys}::text[])`))
  const known = new Set(rows.map(({ key }) => key))
  return people.filter(({ key }) => !known.has(key))
}

async function reserveShippingIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await tx.execute<{ id: string }>(
    sql`SELECT nextval('shippings_id_seq') AS id FROM generate_series(1, ${count})`,
  )
  return rows.map(({ id }) => Number(id))
}

/** A campaign whose connection is gone, or that never had one, has nobody to send it. */
async function endHomeless({ db, now, changed }: PlanDeps): Promise<void> {
  const at = now()
  const homeless = and(
    eq(campaigns.status, 'EM_ANDAMENTO'),
    isNull(campaigns.whatsappId),
    isNotNull(campaigns.plannedAt),
  )
  const ended = await db.transaction(async (tx) => {
    const found = await changeCampaigns(tx, await lockCampaigns(tx, homeless), { type: 'finish' }, at)
    for (const { id, companyId } of found) {
      const mine = { column: 'campaignId', in: [id] } as const
      await applyDecision(tx, companyId, sweepShippings(mine, { type: 'cancel', reason: 'no_connection' }, at))
    }
    return found
  })
  for (const campaign of ended) changed(campaign)
}
