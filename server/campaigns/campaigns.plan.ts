import { and, asc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { draw } from '../../schema/campaigns/campaigns.message.ts'
import { type Campaign, campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { MOST_ITEMS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { nextPeople } from './campaigns.audience.ts'

export interface PlanDeps {
  db: Db
  now(): Date
  log: Logger
  /** A campaign began, or all its rows stand. */
  changed(campaign: { id: number; companyId: number; whatsappId: number | null }): void
}

/** What is due begins, also what fell due while nobody was there. */
export async function startDue({ db, now, changed }: PlanDeps): Promise<number> {
  const at = now()
  const begun = await db
    .update(campaigns)
    .set({ status: 'EM_ANDAMENTO', startedAt: at, updatedAt: at })
    .where(and(eq(campaigns.status, 'PROGRAMADA'), lte(campaigns.scheduledAt, at)))
    .returning({ id: campaigns.id, companyId: campaigns.companyId, whatsappId: campaigns.whatsappId })
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
  const rows = unique.slice(0, room).map((person) => ({
    ...{ key: person.key, name: person.name, number: person.number, lid: person.lid, email: person.email },
    itemId: person.itemId,
    state: person.skip ? 'skipped' : 'planned',
    reason: person.skip,
    messageIndex: draw(campaign, person.key).messageIndex,
    dueAt: person.skip ? null : now,
    checkedAt: person.checkedAt,
    isNewChat: person.isNewChat,
  }))
  const made = rows.length > 0 ? await insertRows(tx, campaign, rows) : 0
  const isFull = unique.length > room
  const isLast = next === null || isFull
  await tx
    .update(campaigns)
    .set({
      duplicates: sql`${campaigns.duplicates} + ${people.length - unique.length + rows.length - made}`,
      planCursor: isLast ? null : next,
      ...(isLast && { plannedAt: now }),
    })
    .where(eq(campaigns.id, id))
  if (!isLast) return true
  const open = await tx.$count(shippings, and(eq(shippings.campaignId, id), eq(shippings.state, 'planned')))
  if (open === 0)
    await tx
      .update(campaigns)
      .set({ status: 'FINALIZADA', completedAt: now, updatedAt: now })
      .where(eq(campaigns.id, id))
  deps.changed(campaign)
  return false
}

/** A campaign whose connection is gone, or that never had one, has nobody to send it. */
async function endHomeless({ db, now, changed }: PlanDeps): Promise<void> {
  const ended = await db
    .update(campaigns)
    .set({ status: 'FINALIZADA', completedAt: now(), updatedAt: now() })
    .where(and(eq(campaigns.status, 'EM_ANDAMENTO'), isNull(campaigns.whatsappId), isNotNull(campaigns.plannedAt)))
    .returning({ id: campaigns.id, companyId: campaigns.companyId, whatsappId: campaigns.whatsappId })
  for (const campaign of ended) {
    await db
      .update(shippings)
      .set({ state: 'cancelled', reason: 'no_connection', dueAt: null })
      .where(and(eq(shippings.campaignId, campaign.id), eq(shippings.state, 'planned')))
    changed(campaign)
  }
}

async function insertRows(tx: Tx, campaign: Campaign, rows: readonly object[]): Promise<number> {
  const made = await tx.execute(sql`INSERT INTO ${shippings}
    ("companyId", "campaignId", "whatsappId", "key", "name", "number", "lid", "email", "itemId", "state", "reason", "messageIndex", "dueAt", "checkedAt", "isNewChat")
    SELECT ${campaign.companyId}, ${campaign.id}, ${campaign.whatsappId}, x."key", x."name", x."number", x."lid", x."email", x."itemId", x."state", x."reason", x."messageIndex", x."dueAt", x."checkedAt", x."isNewChat"
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS x("key" text, "name" text, "number" text, "lid" text,
      "email" text, "itemId" int, "state" text, "reason" text, "messageIndex" smallint, "dueAt" timestamptz, "checkedAt" timestamptz, "isNewChat" boolean)
    ON CONFLICT ("campaignId", "key") DO NOTHING RETURNING "id"`)
  return made.length
}
