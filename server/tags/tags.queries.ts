import { and, asc, eq, sql } from 'drizzle-orm'
import { tags } from '../../schema/tags/tags.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const TAGS_PER_PAGE = 20

const columns = {
  id: tags.id,
  name: tags.name,
  color: tags.color,
  kanban: tags.kanban,
  laneOrder: tags.laneOrder,
  laneLimit: tags.laneLimit,
  userId: tags.userId,
  createdAt: tags.createdAt,
  updatedAt: tags.updatedAt,
}

export async function listTags(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    eq(tags.companyId, companyId),
    search ? sql`plain(${tags.name}) LIKE plain(${anywhere(search)})` : undefined,
  )
  const [rows, [total]] = await Promise.all([
    db
      .select({
        ...columns,
        // Named in full: inside the subquery a bare "id" would be the ticket's.
        ticketsCount: sql<number>`(SELECT count(*)::int FROM ${tickets} WHERE ${tickets.companyId} = ${companyId} AND ${tickets.tagIds} @> ARRAY["tags"."id"])`,
      })
      .from(tags)
      .where(where)
      .orderBy(asc(tags.name), asc(tags.id))
      .limit(TAGS_PER_PAGE + 1)
      .offset((pageNumber - 1) * TAGS_PER_PAGE),
    db.select({ count: sql<number>`count(*)::int` }).from(tags).where(where),
  ])
  return { tags: rows.slice(0, TAGS_PER_PAGE), count: total?.count ?? 0, hasMore: rows.length > TAGS_PER_PAGE }
}

export const allTags = (db: Db, companyId: number, search?: string) =>
  db
    .select(columns)
    .from(tags)
    .where(
      and(eq(tags.companyId, companyId), search ? sql`plain(${tags.name}) LIKE plain(${anywhere(search)})` : undefined),
    )
    .orderBy(asc(tags.name), asc(tags.id))

export async function findTag(db: Db, companyId: number, id: number) {
  const [tag] = await db
    .select(columns)
    .from(tags)
    .where(and(eq(tags.companyId, companyId), eq(tags.id, id)))
  return tag
}
