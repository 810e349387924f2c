import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import { can, type Principal } from '../../schema/permissions.ts'
import { type QuickMessage, quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import type { Db } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const QUICK_MESSAGES_PER_PAGE = 20

/** Own ones and those for everybody. */
const usable = (who: Principal): SQL | undefined =>
  and(
    eq(quickMessages.companyId, who.companyId),
    or(eq(quickMessages.isGeneral, true), eq(quickMessages.userId, who.userId)),
  )

/** What the screen shows: also other people's, for those who look after them. */
const shown = (who: Principal): SQL | undefined =>
  can(who, 'quick-messages:any') ? eq(quickMessages.companyId, who.companyId) : usable(who)

const byShortcode = [asc(sql`lower(${quickMessages.shortcode})`), asc(quickMessages.id)]

export type QuickMessageRow = QuickMessage & { isMedia: boolean }
const dressed = (row: QuickMessage): QuickMessageRow => ({ ...row, isMedia: row.mediaPath !== null })

export async function listQuickMessages(
  db: Db,
  who: Principal,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    shown(who),
    search
      ? sql`(plain(${quickMessages.shortcode}) LIKE plain(${anywhere(search)}) OR plain(${quickMessages.message}) LIKE plain(${anywhere(search)}))`
      : undefined,
  )
  const [rows, count] = await Promise.all([
    db
      .select()
      .from(quickMessages)
      .where(where)
      .orderBy(...byShortcode)
      .limit(QUICK_MESSAGES_PER_PAGE + 1)
      .offset((pageNumber - 1) * QUICK_MESSAGES_PER_PAGE),
    db.$count(quickMessages, where),
  ])
  return {
    records: rows.slice(0, QUICK_MESSAGES_PER_PAGE).map(dressed),
    count,
    hasMore: rows.length > QUICK_MESSAGES_PER_PAGE,
  }
}

/** What is offered on `/` in a conversation. */
export async function usableQuickMessages(db: Db, who: Principal): Promise<QuickMessageRow[]> {
  const rows = await db
    .select()
    .from(quickMessages)
    .where(and(usable(who), eq(quickMessages.status, true)))
    .orderBy(...byShortcode)
  return rows.map(dressed)
}

export async function findQuickMessage(db: Db, who: Principal, id: number): Promise<QuickMessageRow | undefined> {
  const [row] = await db
    .select()
    .from(quickMessages)
    .where(and(shown(who), eq(quickMessages.id, id)))
  return row && dressed(row)
}
