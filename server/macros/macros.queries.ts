import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import { type Macro, macros } from '../../schema/macros/macros.table.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const MACROS_PER_PAGE = 20

/** Those that a person may run: own ones, everybody's, and those of their queues. */
const usable = (who: Principal): SQL | undefined =>
  or(
    eq(macros.userId, who.userId),
    eq(macros.sharing, 'company'),
    who.queueIds.length > 0
      ? and(eq(macros.sharing, 'queues'), sql`${macros.queueIds} && ${sql.param([...who.queueIds])}::integer[]`)
      : undefined,
  )

/** What the screen shows: of those that are shared also other queues', for those who look after them. */
const shown = (who: Principal): SQL | undefined =>
  and(
    eq(macros.companyId, who.companyId),
    can(who, 'macros:write') ? or(usable(who), eq(macros.sharing, 'queues')) : usable(who),
  )

const byName = [asc(sql`plain(${macros.name})`), asc(macros.id)]

export async function listMacros(
  db: Db,
  who: Principal,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    shown(who),
    search
      ? sql`(plain(${macros.name}) LIKE plain(${anywhere(search)}) OR plain(${macros.shortcut}) LIKE plain(${anywhere(search)}))`
      : undefined,
  )
  const rows = await db
    .select()
    .from(macros)
    .where(where)
    .orderBy(...byName)
    .limit(MACROS_PER_PAGE + 1)
    .offset((pageNumber - 1) * MACROS_PER_PAGE)
  return { records: rows.slice(0, MACROS_PER_PAGE), hasMore: rows.length > MACROS_PER_PAGE }
}

/** All that somebody may run, by name. */
export const usableMacros = (db: Db, who: Principal): Promise<Macro[]> =>
  db
    .select()
    .from(macros)
    .where(and(eq(macros.companyId, who.companyId), usable(who)))
    .orderBy(...byName)

export async function findMacro(db: Db | Tx, who: Principal, id: number): Promise<Macro | undefined> {
  const [row] = await db
    .select()
    .from(macros)
    .where(and(shown(who), eq(macros.id, id)))
  return row
}
