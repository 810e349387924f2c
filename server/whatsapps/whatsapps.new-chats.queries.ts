import { inArray, type SQL, sql } from 'drizzle-orm'
import { type NewChatHold, newChatHold } from '../../schema/whatsapps/whatsapps.new-chats.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** Which of these connections may begin no chats at `now`. */
export async function newChatHolds(
  db: Db | Tx,
  whatsappIds: readonly number[],
  now: Date,
): Promise<Map<number, NewChatHold>> {
  if (whatsappIds.length === 0) return new Map()
  const rows = await db
    .select({
      id: whatsapps.id,
      newChatsLockedUntil: whatsapps.newChatsLockedUntil,
      newChatsLockKind: whatsapps.newChatsLockKind,
      newChatsQuota: whatsapps.newChatsQuota,
      newChatsUsed: whatsapps.newChatsUsed,
      newChatsCapState: whatsapps.newChatsCapState,
      newChatsCycleEndsAt: whatsapps.newChatsCycleEndsAt,
    })
    .from(whatsapps)
    .where(inArray(whatsapps.id, [...new Set(whatsappIds)]))
  return new Map(
    rows.flatMap(({ id, ...facts }): [number, NewChatHold][] => {
      const hold = newChatHold(facts, now)
      return hold ? [[id, hold]] : []
    }),
  )
}

/** What keeps a connection from beginning chats at `now`. */
export const newChatHoldOf = async (db: Db | Tx, whatsappId: number, now: Date): Promise<NewChatHold | null> =>
  (await newChatHolds(db, [whatsappId], now)).get(whatsappId) ?? null

/** `newChatHold` in a statement, of a connection that it calls by this name. */
export const isHeldSql = (whatsapp: string, now: Date): SQL<boolean> => {
  const w = sql.identifier(whatsapp)
  const until = sql`GREATEST(${w}."newChatsLockedUntil",
    CASE WHEN ${w}."newChatsCapState" = 'CAPPED' THEN ${w}."newChatsCycleEndsAt" END)`
  return sql<boolean>`COALESCE(${until} > ${now.toISOString()}::timestamptz, false)`
}

/** Whether a contact has written to a connection, as their rows say; groups have nobody to be begun with. */
export const hasWrittenSql = (contactId: SQL, whatsappId: SQL): SQL<boolean> =>
  sql<boolean>`EXISTS (SELECT FROM tickets nct JOIN messages ncm ON ncm."ticketId" = nct."id" AND NOT ncm."fromMe"
    WHERE nct."contactId" = ${contactId} AND nct."whatsappId" = ${whatsappId})`

/** Whether a connection has a chat with this contact: they have written to it, or it is a group. */
export async function hasChat(
  db: Db | Tx,
  whatsappId: number,
  contact: { id: number; isGroup: boolean },
): Promise<boolean> {
  if (contact.isGroup) return true
  const [row] = await db.execute<{ has: boolean }>(
    sql`SELECT ${hasWrittenSql(sql`${contact.id}::int`, sql`${whatsappId}::int`)} AS has`,
  )
  return row!.has
}

/** With which of these numbers, as WhatsApp writes them, a connection has a chat: told as `whatsappId/number`. */
export async function chatsWith(
  db: Db | Tx,
  companyId: number,
  people: readonly { whatsappId: number; number: string }[],
): Promise<ReadonlySet<string>> {
  if (people.length === 0) return new Set()
  const rows = await db.execute<{ whatsappId: number; number: string }>(sql`
    SELECT DISTINCT x."whatsappId", x."number"
    FROM json_to_recordset(${JSON.stringify(people)}::text::json) AS x("whatsappId" int, "number" text)
    JOIN contacts c ON c."companyId" = ${companyId} AND number_key(c."number") = number_key(x."number")
    WHERE ${hasWrittenSql(sql`c."id"`, sql`x."whatsappId"`)}`)
  return new Set([...rows].map(({ whatsappId, number }) => `${whatsappId}/${number}`))
}
