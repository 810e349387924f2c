import { sql } from 'drizzle-orm'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import { shippings } from '../../schema/campaigns/campaigns.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { foldCharges } from '../../schema/costs/costs.class.ts'
import { messageCosts } from '../../schema/costs/costs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import type { InboundCharge } from '../../schema/messages/messages.inbound.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Tx } from '../db/database.ts'

/**
 * Writes into the ledger what states say of prices: each message once, however often and in whatever order they come, and
 * whichever of them are missing. Safe to be done again with the same ones.
 * @param charges all of one company
 */
export async function recordCharges(tx: Tx, companyId: number, charges: readonly InboundCharge[]): Promise<void> {
  const rows = [...Map.groupBy(charges, ({ whatsappId }) => whatsappId)]
    .flatMap(([whatsappId, own]) =>
      foldCharges(own).map(({ wamid, wid, deliveredAt, class: found, rank, market, template }) => ({
        ...{ whatsappId, wamid, wid, deliveredAt, market, template },
        ...{ category: found?.category ?? null, type: found?.type ?? null, rank: found ? rank : 0 },
      })),
    )
    // Two that write the same rows wait for one another in the same order.
    .sort((a, b) => a.whatsappId - b.whatsappId || (a.wamid < b.wamid ? -1 : 1))
  if (rows.length === 0) return
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::text::json) AS x("whatsappId" int, "wamid" text, "wid" text,
    "deliveredAt" timestamptz, "market" text, "template" text, "category" text, "type" text, "rank" int)`
  // What it was said for is looked up once, when a message is first heard of: who has the ticket later has said nothing.
  await tx.execute(sql`
    INSERT INTO ${messageCosts} AS c ("whatsappId", "wamid", "companyId", "category", "type", "classRank", "deliveredAt", "day",
      "market", "messageId", "ticketId", "userId", "queueId", "flowId", "campaignId", "template")
    SELECT x."whatsappId", x."wamid", o."id", x."category", x."type", x."rank", x."deliveredAt",
      (x."deliveredAt" AT TIME ZONE o."timeZone")::date, x."market", m."id", m."ticketId", m."authorId", t."queueId",
      CASE WHEN m."authorId" IS NULL AND k."wamid" IS NULL THEN (SELECT (d."by"->>'flowId')::int FROM ${automationDecisions} d
        WHERE d."replies" @> ARRAY[m."id"] AND d."by" ? 'flowId' LIMIT 1) END,
      coalesce(s."campaignId", q."campaignId"), x."template"
    FROM ${given}
    JOIN ${companies} o ON o."id" = ${companyId}
    LEFT JOIN ${messageCosts} k ON k."whatsappId" = x."whatsappId" AND k."wamid" = x."wamid"
    LEFT JOIN ${messages} m ON k."wamid" IS NULL AND m."whatsappId" = x."whatsappId" AND m."wid" = x."wid"
    LEFT JOIN ${tickets} t ON t."id" = m."ticketId"
    LEFT JOIN ${shippings} s ON k."wamid" IS NULL AND s."whatsappId" = x."whatsappId" AND s."wid" = x."wid"
    LEFT JOIN ${shippings} q ON k."wamid" IS NULL AND q."whatsappId" = x."whatsappId" AND q."confirmationWid" = x."wid"
    ON CONFLICT ("whatsappId", "wamid") DO UPDATE SET
      "category" = CASE WHEN excluded."classRank" > c."classRank" THEN excluded."category" ELSE c."category" END,
      "type" = CASE WHEN excluded."classRank" > c."classRank" THEN excluded."type" ELSE c."type" END,
      "classRank" = GREATEST(excluded."classRank", c."classRank"),
      "day" = CASE WHEN c."deliveredAt" IS NULL OR excluded."deliveredAt" < c."deliveredAt" THEN excluded."day" ELSE c."day" END,
      "deliveredAt" = LEAST(excluded."deliveredAt", c."deliveredAt"),
      "market" = CASE WHEN c."market" = '' THEN excluded."market" ELSE c."market" END
    WHERE excluded."classRank" > c."classRank" OR excluded."deliveredAt" < c."deliveredAt"
      OR (c."deliveredAt" IS NULL AND excluded."deliveredAt" IS NOT NULL)`)
}
