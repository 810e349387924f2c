import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { type Principal, ticketSight } from '../../schema/permissions.ts'
import { type ListTab, seenBy, tabOf, ticketsPerPage } from '../../schema/tickets/tickets.list.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type ShapeDefinition, shapes } from '../../sync/shapes.ts'
import type { Db } from '../db/database.ts'
import { listCondition, newestFirst } from './tickets.list.queries.ts'

/** The small tables beside the lists, in the order in which a browser asks its own for them. */
const beside = {
  queues: sql`"orderQueue" NULLS LAST, "name"`,
  users: sql`"name"`,
  tags: sql`"name"`,
  whatsapps: sql`"name"`,
  customFields: sql`"position", "id"`,
  savedFilters: sql`"sharing" = 'own', "position", "createdAt", "id"`,
} as const satisfies Partial<Record<keyof typeof shapes, SQL>>
type Beside = keyof typeof beside

/** So many rows of each; whoever has more waits for their rows. */
const MOST_BESIDE = 1_000
/** Of neither table do they ask. */
const unbounded = { since: new Date(0) }

const columnsText = (names: readonly string[]) => sql.raw(names.map((name) => `"${name}"`).join(', '))

/** The rows of a shape, as its subscriber would get them. */
function rowsOfShape(db: Db, who: Principal, name: Beside): Promise<Record<string, unknown>[]> {
  const { table, columns, filter }: ShapeDefinition = shapes[name]
  const { where, params } = filter(who, unbounded)
  // Its text and its parameters in turn: `$1` stands for the first.
  const parts = where
    .split(/(\$\d+)/)
    .map((part) => (part.startsWith('$') ? sql`${params[Number(part.slice(1)) - 1]}` : sql.raw(part)))
  return db.execute(
    sql`SELECT ${columnsText(columns)} FROM ${table} WHERE ${sql.join(parts)} ORDER BY ${beside[name]} LIMIT ${MOST_BESIDE}`,
  ) as unknown as Promise<Record<string, unknown>[]>
}

/**
 * What a browser that holds nothing yet draws first: the lists of what is open and of what waits, how many there are, and
 * what they refer to. Rows as the replica has them; a few hundred kilobytes at most.
 */
export async function firstRows(db: Db, who: Principal, showAll: boolean) {
  const seen = seenBy(ticketSight(who))
  const inTab = (tab: ListTab) => tabOf({ tab, showAll, queueIds: [] }, who)
  const page = (tab: ListTab) =>
    db
      .select({
        ...getTableColumns(tickets),
        ...{ contactName: contacts.name, contactNumber: contacts.number, contactPicture: contacts.profilePicUrl },
      })
      .from(tickets)
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .where(listCondition(who.companyId, [...seen, ...inTab(tab)]))
      .orderBy(...newestFirst)
      .limit(ticketsPerPage)
  const count = (tab: ListTab) =>
    sql<number>`count(*) FILTER (WHERE ${listCondition(who.companyId, inTab(tab))})`.mapWith(Number)
  const [open, pending, [counts], ...tables] = await Promise.all([
    page('open'),
    page('pending'),
    db
      .select({
        ...{ open: count('open'), pending: count('pending'), snoozed: count('snoozed') },
        promised: sql<boolean>`coalesce(bool_or(${tickets.nextDueAt} IS NOT NULL), false)`,
      })
      .from(tickets)
      .where(and(listCondition(who.companyId, seen), sql`${tickets.status} IN ('open', 'pending')`)),
    ...(Object.keys(beside) as Beside[]).map((name) => rowsOfShape(db, who, name)),
  ])
  const rows = Object.fromEntries((Object.keys(beside) as Beside[]).map((name, i) => [name, tables[i]!])) as Record<
    Beside,
    Record<string, unknown>[]
  >
  return { ...rows, open, pending, counts: counts! }
}
