import { and, eq, or, sql } from 'drizzle-orm'
import { bulkSends, type Shipping, shippings } from '../../schema/campaigns/campaigns.table.ts'
import type { Tx } from '../db/database.ts'
import { ofPerson } from './campaigns.bulk.queries.ts'
import { lockShippings, moveShippings } from './campaigns.writes.ts'

/** Who opts out so long after a message does it because of it. */
const OPT_OUT_MS = 72 * 3_600_000

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

/** What has not left is not sent to them any more; what left lately, a message or a question, is why they go. */
export async function leaveCampaigns(
  tx: Tx,
  companyId: number,
  who: { number: string | null; lid: string | null },
  now: Date,
): Promise<{ id: number; companyId: number }[]> {
  const leftAt = sql`coalesce(${shippings.sentAt}, ${shippings.confirmationRequestedAt})`
  const since = new Date(now.getTime() - OPT_OUT_MS)
  const rows = await lockShippings(
    tx,
    and(
      ofPerson(companyId, who),
      or(eq(shippings.state, 'planned'), sql`${leftAt} > ${since.toISOString()}::timestamptz`),
    ),
  )
  const leftOf = ({ sentAt, confirmationRequestedAt }: Shipping) => (sentAt ?? confirmationRequestedAt)?.getTime() ?? 0
  const last = rows.reduce<Shipping | undefined>(
    (latest, row) => (leftOf(row) > Math.max(since.getTime(), latest ? leftOf(latest) : 0) ? row : latest),
    undefined,
  )
  const moved = await moveShippings(
    tx,
    companyId,
    [
      ...rows.map((row) => ({ row, event: { type: 'optOut' } as const })),
      ...(last ? [{ row: last, event: { type: 'blame' } as const }] : []),
    ],
    now,
  )
  return [...new Set(moved.map(({ campaignId }) => campaignId))].map((id) => ({ id, companyId }))
}
