import { and, arrayContains, eq, gt, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { tickets, type TicketStatus } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'

export const TICKETS_PER_PAGE = 40
/** A list is counted up to here, and is then said to hold that many; what a search finds is counted to the end. */
export const MOST_COUNTED = 10_000
/** So many of the newest messages tell how common a word is. */
const SAMPLED_MESSAGES = 500
/** About as many messages are read, when a word is held by that few; more make it a common one. */
const MOST_MESSAGES_READ = 20_000
/** A common word is looked for in so many of the newest messages only; reading all that hold it would take seconds. */
const NEWEST_MESSAGES = 2_000
/** The indexes know three letters and more. Fewer are looked for in names and numbers of so many newest tickets. */
const INDEXED_FROM = 3
const NEWEST_TICKETS = 1_000

export interface TicketFilter {
  status?: TicketStatus | undefined
  /** Colleagues' open tickets too, for those who may; anybody's in the closed tab and in a search. */
  showAll: boolean
  /** Undefined: all queues that the person works in. */
  queueIds?: number[] | undefined
  /** A ticket must have all of them. */
  tagIds?: number[] | undefined
  userIds?: number[] | undefined
  /** Found in the contact's name or number, or in a message. */
  search?: string | undefined
  /** `YYYY-MM-DD` in the company's time zone. */
  createdOn?: string | undefined
  updatedOn?: string | undefined
  withUnreadMessages: boolean
}

/** `canSeeTicket` of `schema/permissions.ts`, as a condition on tickets of the person's company. */
export function visibleTo(who: Principal): SQL {
  const own = eq(tickets.companyId, who.companyId)
  if (can(who, 'tickets-manager:showall')) return own
  return and(
    own,
    or(
      eq(tickets.userId, who.userId),
      who.queueIds.length > 0 ? inArray(tickets.queueId, [...who.queueIds]) : undefined,
      who.allTicket ? isNull(tickets.queueId) : undefined,
    ),
  )!
}

function conditions(who: Principal, filter: TicketFilter): SQL {
  const { status, search, queueIds } = filter
  // A search may be for a text or for tags alone; a list of tickets has a status.
  const searching = Boolean(search) || (status === undefined && Boolean(filter.tagIds?.length))
  const others = filter.showAll && (can(who, 'tickets-manager:showall') || status === 'closed' || searching)
  return and(
    visibleTo(who),
    status ? eq(tickets.status, status) : undefined,
    others || status === 'pending'
      ? undefined
      : status
        ? eq(tickets.userId, who.userId)
        : or(eq(tickets.userId, who.userId), eq(tickets.status, 'pending')),
    queueIds
      ? or(queueIds.length > 0 ? inArray(tickets.queueId, queueIds) : undefined, isNull(tickets.queueId))
      : undefined,
    filter.tagIds?.length ? arrayContains(tickets.tagIds, filter.tagIds) : undefined,
    filter.userIds?.length ? inArray(tickets.userId, filter.userIds) : undefined,
    filter.withUnreadMessages ? gt(tickets.unreadMessages, 0) : undefined,
    filter.createdOn ? onDay(tickets.createdAt, filter.createdOn, who.companyId) : undefined,
    filter.updatedOn ? onDay(tickets.updatedAt, filter.updatedOn, who.companyId) : undefined,
    search ? found(who, search) : undefined,
  )!
}

function onDay(column: typeof tickets.createdAt | typeof tickets.updatedAt, day: string, companyId: number): SQL {
  const zone = sql`(SELECT ${companies.timeZone} FROM ${companies} WHERE ${companies.id} = ${companyId})`
  return and(
    gte(column, sql`(${day}::date)::timestamp AT TIME ZONE ${zone}`),
    lt(column, sql`(${day}::date + 1)::timestamp AT TIME ZONE ${zone}`),
  )!
}

/** As the indexes are sorted: without NULLS LAST Postgres would sort again, though no value is null. */
const newestFirst = [sql`${tickets.updatedAt} DESC NULLS LAST`, sql`${tickets.id} DESC NULLS LAST`]

/** A text as a LIKE pattern that finds it anywhere. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Tickets whose contact's name or number, or one of whose messages, holds the text. Names and texts are compared
 * without accents and case, by the indexes of migration 0001.
 */
function found(who: Principal, search: string): SQL {
  const { companyId } = who
  const digits = search.replace(/\D/g, '')
  const isNumber = digits !== '' && digits.length >= search.replace(/[\s()+.-]/g, '').length
  const said = (text: SQL | typeof messages.body | typeof contacts.name) =>
    sql`plain(${text}) LIKE plain(${anywhere(search)})`
  const ofContact = sql`${contacts.companyId} = ${companyId}
    AND (${said(contacts.name)}${isNumber ? sql` OR ${contacts.number} LIKE ${anywhere(digits)}` : sql``})`
  if (search.length < INDEXED_FROM)
    return sql`${tickets.id} IN (
      SELECT newest.id FROM (
        SELECT ${tickets.id}, ${tickets.contactId} FROM ${tickets} WHERE ${visibleTo(who)}
        ORDER BY ${sql.join(newestFirst, sql`, `)} LIMIT ${NEWEST_TICKETS}
      ) newest JOIN ${contacts} ON ${contacts.id} = newest."contactId" WHERE ${ofContact})`
  const isText = (of: SQL) => sql`${of}"mediaType" = 'chat' AND NOT ${of}"isDeleted"`
  const newest = (count: number) => sql`
    SELECT m."ticketId" FROM (
      SELECT "ticketId", "mediaType", "isDeleted", body FROM ${messages} WHERE ${messages.companyId} = ${companyId}
      ORDER BY ${messages.createdAt} DESC NULLS LAST LIMIT ${count}
    ) m WHERE ${isText(sql`m.`)} AND ${said(sql`m.body`)}`
  return sql`${tickets.id} IN (
    WITH word AS MATERIALIZED (
      SELECT count(*) * (SELECT reltuples FROM pg_class WHERE oid = 'messages'::regclass)
        > ${SAMPLED_MESSAGES * MOST_MESSAGES_READ}::float8 AS "isCommon" FROM (${newest(SAMPLED_MESSAGES)}) sample
    )
    SELECT t.id FROM ${tickets} t WHERE t."contactId" IN (SELECT ${contacts.id} FROM ${contacts} WHERE ${ofContact})
    UNION (${newest(NEWEST_MESSAGES)} AND (SELECT "isCommon" FROM word))
    UNION SELECT "ticketId" FROM ${messages} WHERE NOT (SELECT "isCommon" FROM word)
      AND ${messages.companyId} = ${companyId} AND ${isText(sql``)} AND ${said(messages.body)})`
}

const ticketColumns = {
  ticket: tickets,
  contact: {
    id: contacts.id,
    name: contacts.name,
    number: contacts.number,
    email: contacts.email,
    isGroup: contacts.isGroup,
    profilePicUrl: contacts.profilePicUrl,
  },
  queue: { id: queues.id, name: queues.name, color: queues.color },
  user: { id: users.id, name: users.name },
  whatsapp: { id: whatsapps.id, name: whatsapps.name },
}

const select = (db: Db | Tx) =>
  db
    .select(ticketColumns)
    .from(tickets)
    .innerJoin(contacts, eq(contacts.id, tickets.contactId))
    .leftJoin(queues, eq(queues.id, tickets.queueId))
    .leftJoin(users, eq(users.id, tickets.userId))
    .leftJoin(whatsapps, eq(whatsapps.id, tickets.whatsappId))

type Selected = Awaited<ReturnType<typeof select>>[number]

/** Rows as they go out: with their contact, queue, user, connection and tags. */
async function dressed(db: Db | Tx, companyId: number, rows: Selected[]) {
  const ids = [...new Set(rows.flatMap(({ ticket }) => ticket.tagIds))]
  const known =
    ids.length === 0
      ? []
      : await db
          .select({ id: tags.id, name: tags.name, color: tags.color, kanban: tags.kanban })
          .from(tags)
          .where(and(eq(tags.companyId, companyId), inArray(tags.id, ids)))
  const tagOf = new Map(known.map((tag) => [tag.id, tag]))
  return rows.map(({ ticket, contact, queue, user, whatsapp }) => ({
    ...ticket,
    contact: {
      ...contact,
      profilePicUrl: publicUrl(contact.profilePicUrl),
      urlPicture: publicUrl(contact.profilePicUrl),
    },
    queue,
    user,
    whatsapp,
    tags: ticket.tagIds.flatMap((id) => tagOf.get(id) ?? []),
  }))
}
export type TicketRow = Awaited<ReturnType<typeof dressed>>[number]

/** The address of a file in the media store. */
export const publicUrl = (path: string | null): string | null => (path === null ? null : `/public/${path}`)

/** A page of tickets, newest change first, and how many there are, up to `MOST_COUNTED`. */
export async function listTickets(db: Db, who: Principal, filter: TicketFilter, pageNumber: number) {
  const where = conditions(who, filter)
  // A search has to find everything to show anything; then it also counts, and is not made twice.
  const matches = sql<number>`${filter.search ? sql`count(*) OVER ()` : sql`0`}::int`
  const counted = filter.search
    ? undefined
    : db.select({ count: sql<number>`count(*)::int` }).from(
        db
          .select({ one: sql<number>`1`.as('one') })
          .from(tickets)
          .where(where)
          .limit(MOST_COUNTED)
          .as('some'),
      )
  // The page is cut before the joins: they would otherwise be made for every ticket that is skipped.
  const page = db
    .select({ id: tickets.id, matches })
    .from(tickets)
    .where(where)
    .orderBy(...newestFirst)
    .limit(TICKETS_PER_PAGE + 1)
    .offset((pageNumber - 1) * TICKETS_PER_PAGE)
  const [ids, total] = await Promise.all([page, counted])
  const shown = ids.slice(0, TICKETS_PER_PAGE).map(({ id }) => id)
  const rows =
    shown.length === 0
      ? []
      : await select(db)
          .where(and(eq(tickets.companyId, who.companyId), inArray(tickets.id, shown)))
          .orderBy(...newestFirst)
  return {
    tickets: await dressed(db, who.companyId, rows),
    count: total?.[0]?.count ?? ids[0]?.matches ?? 0,
    hasMore: ids.length > TICKETS_PER_PAGE,
  }
}

/** The ticket by id or uuid, or undefined where the person may see none. */
export async function findTicket(
  db: Db | Tx,
  who: Principal,
  ref: { id: number } | { uuid: string },
): Promise<TicketRow | undefined> {
  const rows = await select(db).where(
    and(visibleTo(who), 'id' in ref ? eq(tickets.id, ref.id) : eq(tickets.uuid, ref.uuid)),
  )
  return (await dressed(db, who.companyId, rows))[0]
}

/** The ticket whoever may see it; for events and for answers about one that somebody else has. */
export async function ticketOfCompany(db: Db | Tx, companyId: number, id: number): Promise<TicketRow | undefined> {
  const rows = await select(db).where(and(eq(tickets.companyId, companyId), eq(tickets.id, id)))
  return (await dressed(db, companyId, rows))[0]
}

/** The ticket that keeps a contact busy on a connection. */
export async function activeTicketOf(
  db: Db | Tx,
  companyId: number,
  contactId: number,
  whatsappId: number,
): Promise<TicketRow | undefined> {
  const rows = await select(db).where(
    and(
      eq(tickets.companyId, companyId),
      eq(tickets.contactId, contactId),
      eq(tickets.whatsappId, whatsappId),
      ne(tickets.status, 'closed'),
    ),
  )
  return (await dressed(db, companyId, rows))[0]
}

/** Paths of all files of a ticket's messages. */
export async function mediaOfTickets(
  db: Db | Tx,
  companyId: number,
  where: { ticketId: number } | { contactId: number },
): Promise<string[]> {
  const rows = await db
    .select({ path: messages.mediaPath })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, companyId),
        'ticketId' in where ? eq(messages.ticketId, where.ticketId) : eq(messages.contactId, where.contactId),
        sql`${messages.mediaPath} IS NOT NULL`,
      ),
    )
  return rows.flatMap(({ path }) => path ?? [])
}
