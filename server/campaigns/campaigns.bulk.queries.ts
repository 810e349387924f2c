import { and, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { type Allowance, LATELY, type Lately } from '../../schema/campaigns/campaigns.guard.ts'
import type { CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import { type BulkLine, bulkLines, bulkSends, campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { lidOf } from '../../schema/opt-outs/opt-outs.transition.ts'
import { DAY_MS } from '../../schema/durations.ts'
import type { Db, Tx } from '../db/database.ts'
import { hasWrittenSql } from '../whatsapps/whatsapps.new-chats.queries.ts'
import { optOutsAmong } from '../opt-outs/opt-outs.queries.ts'

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
  const out = await optOutsAmong(db, companyId, {
    keys: people.flatMap(({ number }) => (number ? [numberKey(number)] : [])),
    lids: people.flatMap(({ lid }) => lid ?? []),
  })
  return ({ number, lid }) =>
    (number !== null && out.keys.has(numberKey(number))) || (lid !== null && out.lids.has(lid))
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

/** Whose rows these are: by number or LID, and of a contact by what stands for it (`lidOf`). */
export function ofPerson(companyId: number, who: { id?: number; number: string | null; lid: string | null }) {
  const lid = who.id === undefined ? who.lid : lidOf({ ...who, id: who.id })
  return and(
    sql`${shippings.companyId} = ${companyId}`,
    or(
      who.number ? sql`${shippings.key} = ${numberKey(who.number)}` : undefined,
      lid ? sql`${shippings.lid} = ${lid}` : undefined,
    ) ?? sql`false`,
  )
}

/**
 * Whether a person of `shippings`, which goes by that name in the statement, wants no messages to many.
 * Named in full: inside the subquery a bare "key" would be the opt-out's.
 */
export function isOut(table: 's' | 'shippings') {
  const row = sql.identifier(table)
  return sql<boolean>`EXISTS (SELECT FROM opt_outs o WHERE o."companyId" = ${row}."companyId" AND o."revokedAt" IS NULL
    AND (o."key" = ${row}."key" OR o."lid" = ${row}."lid"))`
}

/** Whether writing to a person of `shippings` begins a chat: who said yes has written. */
export const isBegun = sql`(${shippings.isNewChat} AND ${shippings.confirmedAt} IS NULL)`

/** Whether a person of `shippings`, which goes by that name in the statement, has written to a connection. */
export function hasWritten(table: 's' | 'shippings', whatsappId: SQL) {
  const row = sql.identifier(table)
  return sql<boolean>`EXISTS (SELECT FROM contacts c WHERE c."companyId" = ${row}."companyId"
    AND (number_key(c."number") = ${row}."key" OR c."lid" = ${row}."lid") AND ${hasWrittenSql(sql`c."id"`, whatsappId)})`
}

/** Messages and questions alike: WhatsApp knows no difference. */
export async function latelyOf(tx: Tx, whatsappId: number, now: Date, since: Date): Promise<Lately> {
  const from = sql`${since.toISOString()}::timestamptz`
  const [row] = await tx.execute<Record<keyof Lately, number>>(sql`
    WITH lately AS (
      SELECT * FROM ((SELECT "sentAt" AS at, "state" = 'failed' AS failed, false AS nobody, "state" = 'sent' AND "ack" = 2 AS held,
            "optedOutAt" IS NOT NULL AS out FROM ${shippings}
          WHERE "whatsappId" = ${whatsappId} AND "sentAt" >= ${from} ORDER BY "sentAt" DESC LIMIT ${LATELY})
        UNION ALL
        (SELECT "confirmationRequestedAt", "state" = 'failed' AND "sentAt" IS NULL, false,
            "state" IN ('planned', 'skipped') AND "confirmedAt" IS NULL AND "ack" = 2,
            "optedOutAt" IS NOT NULL AND "sentAt" IS NULL FROM ${shippings}
          WHERE "whatsappId" = ${whatsappId} AND "confirmationRequestedAt" >= ${from} ORDER BY "confirmationRequestedAt" DESC LIMIT ${LATELY})
        UNION ALL
        (SELECT "checkedAt", false, true, false, false FROM ${shippings}
          WHERE "whatsappId" = ${whatsappId} AND "state" = 'skipped' AND "reason" = 'not_on_whatsapp' AND "checkedAt" >= ${from}
            AND "campaignId" IN (SELECT "id" FROM ${campaigns} WHERE "whatsappId" = ${whatsappId} AND "status" = 'EM_ANDAMENTO')
          ORDER BY "checkedAt" DESC LIMIT ${LATELY})) all_kinds ORDER BY at DESC LIMIT ${LATELY})
    SELECT count(*)::int AS "all",
      count(*) FILTER (WHERE failed)::int AS "failed",
      count(*) FILTER (WHERE nobody)::int AS "notOnWhatsapp",
      count(*) FILTER (WHERE held AND at < ${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz)::int AS "undelivered",
      count(*) FILTER (WHERE out)::int AS "optedOut"
    FROM lately`)
  return row!
}
