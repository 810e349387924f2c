import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'
import { anywhere, isReadable } from '../tickets/tickets.queries.ts'

export const SCHEDULES_PER_PAGE = 20
/** A calendar wants all of a month at once. */
export const SCHEDULES_PER_RANGE = 1_000

/** Own ones; all of the company's for those who see all tickets. */
const visible = (who: Principal) =>
  and(
    eq(schedules.companyId, who.companyId),
    can(who, 'tickets-manager:showall') ? undefined : eq(schedules.userId, who.userId),
  )

const select = (db: Db) =>
  db
    .select({
      schedule: schedules,
      contact: { id: contacts.id, name: contacts.name, number: contacts.number },
      user: { id: users.id, name: users.name },
    })
    .from(schedules)
    .innerJoin(contacts, eq(contacts.id, schedules.contactId))
    .leftJoin(users, eq(users.id, schedules.userId))

type Selected = Awaited<ReturnType<typeof select>>[number]
const dressed = ({ schedule, contact, user }: Selected) => ({ ...schedule, contact, user })
export type ScheduleRow = ReturnType<typeof dressed>

export async function listSchedules(
  db: Db,
  who: Principal,
  { search, pageNumber, from, to }: { search: string | undefined; pageNumber: number; from?: Date; to?: Date },
) {
  const where = and(
    visible(who),
    from && gte(schedules.sendAt, from),
    to && lt(schedules.sendAt, to),
    search
      ? sql`(plain(${schedules.body}) LIKE plain(${anywhere(search)}) OR (plain(${contacts.name}) LIKE plain(${anywhere(search)}) AND ${isReadable(who, contacts.name)}))`
      : undefined,
  )
  const perPage = from && to ? SCHEDULES_PER_RANGE : SCHEDULES_PER_PAGE
  const sent = sql`${schedules.status} = 'ENVIADA'`
  const [rows, [total]] = await Promise.all([
    select(db)
      .where(where)
      // What is still to be sent, the next one first; then what was sent, the latest first.
      .orderBy(
        sent,
        sql`CASE WHEN ${sent} THEN NULL ELSE ${schedules.sendAt} END`,
        sql`${schedules.sendAt} DESC`,
        asc(schedules.id),
      )
      .limit(perPage + 1)
      .offset((pageNumber - 1) * perPage),
    db
      .select({ count: sql<number>`count(*)::int` })
      .from(schedules)
      .innerJoin(contacts, eq(contacts.id, schedules.contactId))
      .where(where),
  ])
  return {
    schedules: rows.slice(0, perPage).map(dressed),
    count: total?.count ?? 0,
    hasMore: rows.length > perPage,
  }
}

/** A schedule whoever wrote it, for events. */
export async function scheduleOfCompany(db: Db, companyId: number, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await select(db).where(and(eq(schedules.companyId, companyId), eq(schedules.id, id)))
  return row && dressed(row)
}

export async function findSchedule(db: Db, who: Principal, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await select(db).where(and(visible(who), eq(schedules.id, id)))
  return row && dressed(row)
}
