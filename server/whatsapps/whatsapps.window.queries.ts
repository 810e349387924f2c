import { sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { closedWindow } from '../../schema/messages/messages.window.ts'
import { windowedProviders } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { Db, Tx } from '../db/database.ts'

/**
 * Which of these people may not be written to at `now`: told as `whatsappId/number`, with the refusal (`ERR_WINDOW_CLOSED`,
 * `closedAt`). Over a wire without a window everybody may.
 */
export async function closedWindows(
  db: Db | Tx,
  companyId: number,
  people: readonly { whatsappId: number; number: string /** Where they may have no number. */; contactId?: number }[],
  now: Date,
): Promise<ReadonlyMap<string, DomainError>> {
  if (people.length === 0) return new Map()
  const said = sql`SELECT m."createdAt" AS at, m."fromMe" AS ours, m."about"->>'is' = 'ad' AS ad
    FROM contacts c JOIN tickets t ON t."contactId" = c."id" AND t."whatsappId" = x."whatsappId"
    JOIN messages m ON m."ticketId" = t."id" AND m."whatsappId" = x."whatsappId"
    WHERE c."companyId" = ${companyId} AND (number_key(c."number") = number_key(x."number") OR c."id" = x."contactId")`
  const rows = await db.execute<{
    whatsappId: number
    number: string
    heardAt: string | null
    adAt: string | null
    adAnsweredAt: string | null
  }>(sql`
    SELECT x."whatsappId", x."number", heard.at AS "heardAt", heard.ad AS "adAt", answered.at AS "adAnsweredAt"
    FROM json_to_recordset(${JSON.stringify(people)}::text::json) AS x("whatsappId" int, "number" text, "contactId" int)
    JOIN whatsapps w ON w."id" = x."whatsappId" AND w."provider" = ANY(${sql.param([...windowedProviders])}::text[])
    CROSS JOIN LATERAL (SELECT max(s.at) AS at, max(s.at) FILTER (WHERE s.ad) AS ad FROM (${said}) s WHERE NOT s.ours) heard
    CROSS JOIN LATERAL (SELECT min(s.at) AS at FROM (${said}) s WHERE s.ours AND s.at >= heard.ad) answered`)
  const moment = (text: string | null) => (text === null ? null : new Date(text))
  return new Map(
    [...rows].flatMap(({ whatsappId, number, heardAt, adAt, adAnsweredAt }) => {
      const facts = { heardAt: moment(heardAt), adAt: moment(adAt), adAnsweredAt: moment(adAnsweredAt) }
      const closed = closedWindow(facts, now)
      if (!closed) return []
      const refusal = new DomainError('ERR_WINDOW_CLOSED', { closedAt: closed.closedAt?.toISOString() ?? null })
      return [[`${whatsappId}/${number}`, refusal] as const]
    }),
  )
}
