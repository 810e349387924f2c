import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import { type BulkLine, bulkLines, bulkSends, shippings } from '../../schema/campaigns/campaigns.table.ts'
import type { Allowance } from '../../schema/campaigns/campaigns.guard.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** Who opts out so long after a message does it because of it. */
const OPT_OUT_MS = 72 * 3_600_000

/**
 * What a connection has sent to many: campaigns, schedules and programs share its caps. A question counts as a message
 * does, and begins the chat; who answered it is no new chat any more.
 */
export async function usedToday(
  db: Db | Tx,
  whatsappId: number,
  { today, timeZone }: { today: string; timeZone: string },
): Promise<{ sent: number; fresh: number }> {
  const since = sql`(${today}::timestamp AT TIME ZONE ${timeZone})`
  const [row] = await db.execute<{ sent: number; fresh: number }>(sql`
    SELECT count(*)::int AS sent, count(*) FILTER (WHERE "isNewChat")::int AS fresh FROM (
      SELECT "isNewChat" AND "confirmationRequestedAt" IS NULL AS "isNewChat" FROM ${shippings} WHERE "whatsappId" = ${whatsappId} AND "sentAt" >= ${since}
      UNION ALL SELECT "isNewChat" FROM ${shippings} WHERE "whatsappId" = ${whatsappId} AND "confirmationRequestedAt" >= ${since}
      UNION ALL SELECT "isNewChat" FROM ${bulkSends} WHERE "whatsappId" = ${whatsappId} AND "sentAt" >= ${since}) all_kinds`)
  return row!
}

/** What a connection may send to many today; one that never did has no line yet. */
export const allowanceOf = (
  line: BulkLine | undefined,
  { dailyCap }: Pick<CampaignSettings, 'dailyCap'>,
  used: { sent: number; fresh: number },
): Allowance => ({
  dailyCap: line?.dailyCap ?? dailyCap,
  newChatCap: line?.newChatCap ?? null,
  warmupStep: line?.warmupStep ?? 0,
  warmupDay: line?.warmupDay ?? null,
  sentToday: used.sent,
  newToday: used.fresh,
})

/** Who of these people wants no messages to many: by number, in any spelling, or by LID. */
export async function optedOut(
  db: Db | Tx,
  companyId: number,
  people: readonly { number: string | null; lid: string | null }[],
): Promise<(who: { number: string | null; lid: string | null }) => boolean> {
  if (people.length === 0) return () => false
  const keys = sql.param(people.flatMap(({ number }) => (number ? [numberKey(number)] : [])))
  const lids = sql.param(people.flatMap(({ lid }) => lid ?? []))
  const rows = await db
    .select({ key: optOuts.key, lid: optOuts.lid })
    .from(optOuts)
    .where(
      and(
        eq(optOuts.companyId, companyId),
        isNull(optOuts.revokedAt),
        or(sql`${optOuts.key} = ANY(${keys}::text[])`, sql`${optOuts.lid} = ANY(${lids}::text[])`),
      ),
    )
  const outKeys = new Set(rows.map(({ key }) => key))
  const outLids = new Set(rows.flatMap(({ lid }) => lid ?? []))
  return ({ number, lid }) => (number !== null && outKeys.has(numberKey(number))) || (lid !== null && outLids.has(lid))
}

/** Which of these connections WhatsApp, or their phone, has stopped; with what it said. */
export async function stoppedLines(tx: Db | Tx, whatsappIds: readonly number[]): Promise<Map<number, string | null>> {
  if (whatsappIds.length === 0) return new Map()
  const rows = await tx
    .select({ id: bulkLines.whatsappId, reason: bulkLines.stopReason })
    .from(bulkLines)
    .where(and(inArray(bulkLines.whatsappId, [...new Set(whatsappIds)]), isNotNull(bulkLines.stoppedAt)))
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}

/** Counts messages to many that are no campaign's, in the transaction that writes them. */
export async function noteBulk(
  tx: Tx,
  companyId: number,
  sends: readonly { messageId: string; whatsappId: number; contactId: number }[],
  now: Date,
): Promise<void> {
  if (sends.length === 0) return
  await tx.execute(sql`INSERT INTO ${bulkSends} ("messageId", "companyId", "whatsappId", "isNewChat", "sentAt")
    SELECT x."messageId", ${companyId}, x."whatsappId",
      NOT EXISTS (SELECT FROM messages m WHERE m."contactId" = x."contactId" AND NOT m."fromMe"), ${now.toISOString()}::timestamptz
    FROM json_to_recordset(${JSON.stringify(sends)}::text::json) AS x("messageId" text, "whatsappId" int, "contactId" int)
    ON CONFLICT DO NOTHING`)
}

/** What no cap counts any more, and nobody answers to. */
export const sweepBulk = (db: Db, now: Date) =>
  db.execute(
    sql`DELETE FROM ${bulkSends} WHERE "sentAt" < ${new Date(now.getTime() - 30 * 24 * 3_600_000).toISOString()}::timestamptz`,
  )

/** Whose rows these are, by number or LID. */
export const ofPerson = (companyId: number, who: { number: string | null; lid: string | null }) =>
  and(
    sql`${shippings.companyId} = ${companyId}`,
    or(
      who.number ? sql`${shippings.key} = ${numberKey(who.number)}` : undefined,
      who.lid ? sql`${shippings.lid} = ${who.lid}` : undefined,
    ) ?? sql`false`,
  )

/** What has not left is not sent to them any more; what left lately, a message or a question, is why they go. */
export async function leaveCampaigns(
  tx: Tx | Db,
  companyId: number,
  who: { number: string | null; lid: string | null },
  now: Date,
): Promise<{ id: number; companyId: number }[]> {
  const person = ofPerson(companyId, who)
  const skipped = await tx
    .update(shippings)
    .set({ state: 'skipped', reason: 'opted_out', dueAt: null })
    .where(and(person, eq(shippings.state, 'planned')))
    .returning({ id: shippings.campaignId })
  const why = await tx
    .update(shippings)
    .set({ optedOutAt: now })
    .where(
      and(
        person,
        isNull(shippings.optedOutAt),
        sql`${shippings.id} = (SELECT "id" FROM ${shippings} WHERE ${person} AND coalesce("sentAt", "confirmationRequestedAt") > ${new Date(now.getTime() - OPT_OUT_MS).toISOString()}::timestamptz ORDER BY coalesce("sentAt", "confirmationRequestedAt") DESC LIMIT 1)`,
      ),
    )
    .returning({ id: shippings.campaignId })
  return [...new Set([...skipped, ...why].map(({ id }) => id))].map((id) => ({ id, companyId }))
}
