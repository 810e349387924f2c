import { and, arrayContains, eq, gt, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { listOrder, type OfEachKind, type TicketCondition, type TicketList } from '../../schema/tickets/tickets.list.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { fieldCondition } from '../custom-fields/custom-fields.queries.ts'

const nobody = sql`false`

/** One as an equality: it is how most statements say it, and their texts stay the same. Null stands for none. */
function among(column: AnyPgColumn, values: readonly (number | string | null)[]): SQL {
  const known = values.filter((value) => value !== null)
  return (
    or(
      known.length === 1 ? eq(column, known[0]) : known.length > 1 ? inArray(column, known) : undefined,
      values.includes(null) ? isNull(column) : undefined,
    ) ?? nobody
  )
}

const conditions: OfEachKind<SQL> = {
  status: ({ any }) => among(tickets.status, any),
  queue: ({ any }) => among(tickets.queueId, any),
  user: ({ any }) => among(tickets.userId, any),
  connection: ({ any }) => among(tickets.whatsappId, any),
  contact: ({ id }) => eq(tickets.contactId, id),
  tagged: ({ all }) => (all.length > 0 ? arrayContains(tickets.tagIds, [...all]) : sql`true`),
  unread: () => gt(tickets.unreadMessages, 0),
  unanswered: () => and(ne(tickets.status, 'closed'), not(tickets.lastMessageFromMe), ne(tickets.lastMessage, ''))!,
  snoozed: ({ yes }) => (yes ? isNotNull(tickets.snoozedUntil) : isNull(tickets.snoozedUntil)),
  field: ({ test }) => fieldCondition(tickets.fields, test),
  either: ({ ways }) => or(...ways.map((way) => allOf(way))) ?? nobody,
}

const conditionOf = (one: TicketCondition): SQL => (conditions[one.is] as (of: TicketCondition) => SQL)(one)
const allOf = (where: readonly TicketCondition[]): SQL => and(...where.map(conditionOf)) ?? sql`true`

/** The conditions of a list for Postgres, over the company's tickets. */
export const listCondition = (companyId: number, where: readonly TicketCondition[]): SQL =>
  and(eq(tickets.companyId, companyId), ...where.map(conditionOf))!

/** The order of lists. As the indexes are sorted: without NULLS LAST Postgres would sort again, though no value is null. */
export const newestFirst: SQL[] = listOrder.map((name) => sql`${tickets[name]} DESC NULLS LAST`)

/**
 * A page of a list. By deadlines it has two parts, each of which an index hands out in its order: what is promised, and
 * behind it what is not.
 * @returns ids in the order of the list
 */
export async function pageOfIds(
  db: Db | Tx,
  where: SQL,
  { limit, offset, order }: Pick<TicketList, 'limit' | 'offset' | 'order'>,
): Promise<{ id: number }[]> {
  const part = (also: SQL | undefined, by: SQL[], most: number, from: number) =>
    db
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(where, also))
      .orderBy(...by)
      .limit(most)
      .offset(from)
  if (order === 'return') return part(undefined, [sql`${tickets.snoozedUntil}`, ...newestFirst], limit, offset)
  if (order !== 'due') return part(undefined, newestFirst, limit, offset)
  const isDue = isNotNull(tickets.nextDueAt)
  const due = await part(isDue, [sql`${tickets.nextDueAt}`, ...newestFirst], limit, offset)
  if (due.length === limit) return due
  const before = due.length > 0 || offset === 0 ? offset + due.length : await db.$count(tickets, and(where, isDue))
  const rest = part(isNull(tickets.nextDueAt), newestFirst, limit - due.length, Math.max(0, offset - before))
  return [...due, ...(await rest)]
}
