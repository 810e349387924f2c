import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { pageQuery } from '../http/inputs.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

const PER_PAGE = 20

/** What the operator tells every company. */
export function announcementRoutes(deps: AppDeps) {
  const { db } = deps
  return new Elysia({ prefix: '/announcements' }).use(authed(deps)).get(
    '/',
    async ({ query }) => {
      const search = query.searchParam?.trim()
      const where = and(
        eq(announcements.status, true),
        search
          ? sql`(plain(${announcements.title}) LIKE plain(${anywhere(search)}) OR plain(${announcements.text}) LIKE plain(${anywhere(search)}))`
          : undefined,
      )
      const [rows, count] = await Promise.all([
        db
          .select()
          .from(announcements)
          .where(where)
          .orderBy(asc(announcements.priority), desc(announcements.createdAt), desc(announcements.id))
          .limit(PER_PAGE + 1)
          .offset(((query.pageNumber ?? 1) - 1) * PER_PAGE),
        db.$count(announcements, where),
      ])
      return { records: rows.slice(0, PER_PAGE), count, hasMore: rows.length > PER_PAGE }
    },
    {
      query: pageQuery,
      detail: { tags: ['announcements'], summary: 'Active announcements, the most urgent first, 20 a page' },
    },
  )
}
