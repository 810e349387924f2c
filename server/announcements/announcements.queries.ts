import { and, arrayContains, arrayOverlaps, asc, desc, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { shownOf } from '../../schema/announcements/announcements.audience.ts'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Db } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

const PER_PAGE = 20

/** `isShownTo` of the schema as a condition. */
function shownTo(who: Principal, now: Date): SQL {
  const { companyIds, planIds, profiles } = announcements
  const plan = sql`(SELECT ${companies.planId} FROM ${companies} WHERE ${companies.id} = ${who.companyId})`
  const nobody = (column: typeof companyIds | typeof planIds | typeof profiles) => sql`cardinality(${column}) = 0`
  return and(
    eq(announcements.status, true),
    or(isNull(announcements.startsAt), lte(announcements.startsAt, now)),
    or(isNull(announcements.endsAt), gt(announcements.endsAt, now)),
    or(nobody(companyIds), arrayContains(companyIds, [who.companyId])),
    or(nobody(planIds), sql`${plan} = ANY (${planIds})`),
    or(nobody(profiles), arrayOverlaps(profiles, [who.profile])),
  )!
}

/** @param reader whom they are told to; null for all there are */
export async function listAnnouncements(
  db: Db,
  {
    reader,
    search,
    pageNumber,
    now,
  }: { reader: Principal | null; search: string | undefined; pageNumber: number; now: Date },
) {
  const where = and(
    reader ? shownTo(reader, now) : undefined,
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
      .offset((pageNumber - 1) * PER_PAGE),
    db.$count(announcements, where),
  ])
  const records = rows.slice(0, PER_PAGE)
  return { records: reader ? records.map(shownOf) : records, count, hasMore: rows.length > PER_PAGE }
}

export async function findAnnouncement(db: Db, id: number) {
  const [row] = await db.select().from(announcements).where(eq(announcements.id, id))
  return row
}

/** The picture of something that a person is told; the operator sees all. */
export async function announcedPicture(db: Db, who: Principal, path: string, now: Date) {
  const [row] = await db
    .select({ name: announcements.mediaName, mimetype: announcements.mediaMime })
    .from(announcements)
    .where(and(eq(announcements.mediaPath, path), who.super ? undefined : shownTo(who, now)))
    .limit(1)
  return row
}
