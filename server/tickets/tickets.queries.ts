import { and, eq, getTableName, gte, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { companies } from '../../schema/companies/companies.table.ts'
import { hidesNumbers, numberPattern, TELLING } from '../../schema/contacts/contacts.masking.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { type Principal, type Rights, ticketSight } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import {
  boardOf,
  inOrder,
  type ListOrder,
  orderOf,
  type ListWish,
  seenBy,
  ticketsPerPage,
  wishedBy,
} from '../../schema/tickets/tickets.list.ts'
import { ticketMerges, tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { listCondition, newestFirst, pageOfIds } from './tickets.list.queries.ts'

/** A list is counted up to here, and is then said to hold that many. */
export const MOST_COUNTED = 10_000
/** So many of the newest messages and contacts tell how common a text is. */
const SAMPLED_MESSAGES = 750
const SAMPLED_CONTACTS = 250
/** Where more rows must be read than that, a page is first looked for among the newest tickets, by the indexes too. */
const NEWEST_FROM = 7_000
/** From here on it is shorter to look into those one by one, until the page is full. */
const WALKED_FROM = 14_000
/** What more rows hold is looked for there only: reading all that hold it would take seconds. */
const MOST_FOUND = 20_000
const NEWEST_TICKETS = 1_000
/** Fewer letters are looked for in names and numbers only. */
const IN_MESSAGES_FROM = 3

export interface TicketFilter extends ListWish {
  /** `YYYY-MM-DD` in the company's time zone. */
  createdOn?: string | undefined
  updatedOn?: string | undefined
}

/** The tickets of a person's company that they see, as a condition. */
export const visibleTo = (who: Principal): SQL => listCondition(who.companyId, seenBy(ticketSight(who)))

/** All of the filter but the text that is searched for. */
const conditions = (who: Principal, filter: TicketFilter): SQL =>
  and(
    listCondition(who.companyId, wishedBy(who, filter)),
    filter.createdOn ? onDay(tickets.createdAt, filter.createdOn, who.companyId) : undefined,
    filter.updatedOn ? onDay(tickets.updatedAt, filter.updatedOn, who.companyId) : undefined,
  )!

function onDay(column: typeof tickets.createdAt | typeof tickets.updatedAt, day: string, companyId: number): SQL {
  const zone = sql`(SELECT ${companies.timeZone} FROM ${companies} WHERE ${companies.id} = ${companyId})`
  return and(
    gte(column, sql`(${day}::date)::timestamp AT TIME ZONE ${zone}`),
    lt(column, sql`(${day}::date + 1)::timestamp AT TIME ZONE ${zone}`),
  )!
}

/** A text as a LIKE pattern that finds it anywhere. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Whether a name is one, where a role hides numbers: it may be the number, or hold it, and is not searched then. */
export const isReadable = (who: Rights, name: AnyPgColumn): SQL =>
  hidesNumbers(who)
    ? sql`(${name} !~ '^[+0-9 ().-]{7,}$' AND length(regexp_replace(${name}, '[^0-9]', '', 'g')) < ${TELLING})`
    : sql`true`

/** What names are sorted by: where a role hides numbers, a name that is one would be read out by its neighbours. */
export const sortedName = (who: Rights, name: AnyPgColumn): SQL =>
  hidesNumbers(who) ? sql`CASE WHEN ${isReadable(who, name)} THEN ${name} END` : sql`${name}`

/**
 * The ticket ids of a page, those of the tickets whose contact's name or number, or one of whose messages, holds the
 * text; one more than a page where there are more. Names and texts are compared without accents and case.
 *
 * There are two ways, and they find the same. What few hold, the indexes of migration 0001 find wherever it lies, or
 * among the newest tickets only. What many hold fills a page when one ticket after the other is looked into.
 */
async function searched(db: Db, who: Principal, where: SQL, search: string, offset: number) {
  const { companyId } = who
  const digits = search.replace(/\D/g, '')
  const byNumber = numberPattern(who, digits, anywhere)
  const isNumber = digits !== '' && digits.length >= search.replace(/[\s()+.-]/g, '').length
  const says = (text: SQL | typeof messages.body | typeof contacts.name) =>
    sql`plain(${text}) LIKE plain(${anywhere(search)})`
  const byName = sql`(${says(contacts.name)} AND ${isReadable(who, contacts.name)})`
  const isNamed = isNumber ? sql`(${byName} OR ${contacts.number} LIKE ${byNumber})` : byName
  const isText = sql`"mediaType" = 'chat' AND NOT "isDeleted"`
  const isInMessages = search.length >= IN_MESSAGES_FROM
  const folded = foldedAs(search)
  const pieces = isInMessages ? wordPiecesOf(folded) : []

  /** About how many rows hold the text, and how many the indexes hand out for it: by the company's newest. */
  const expected = async () => {
    const rowsOf = (table: typeof messages | typeof contacts, sampled: number) =>
      sql`(SELECT reltuples FROM pg_class WHERE oid = ${getTableName(table)}::regclass) / ${sampled}::float8 AS rows`
    const hasAll = (parts: string[]) => sql`text LIKE ALL (${`{${parts.map(anywhere).join()}}`}::text[]) AS read`
    const isFound = sql`text LIKE plain(${anywhere(search)}) ${isNumber ? sql`OR number LIKE ${byNumber}` : sql``}`
    const [row] = await db.execute<{ found: number; read: number }>(sql`
      SELECT coalesce(sum(rows) FILTER (WHERE ${isFound}), 0) AS found, coalesce(sum(rows) FILTER (WHERE read OR ${isFound}), 0) AS read
      FROM (
        (SELECT text, NULL AS number, ${hasAll(pieces)}, ${rowsOf(messages, SAMPLED_MESSAGES)} FROM (
          SELECT CASE WHEN "mediaType" = 'chat' THEN plain(body) END AS text FROM ${messages}
          WHERE ${messages.companyId} = ${companyId} ORDER BY "createdAt" DESC NULLS LAST LIMIT ${SAMPLED_MESSAGES}) said)
        UNION ALL
        (SELECT text, number, ${hasAll(trigramsOf(folded))}, ${rowsOf(contacts, SAMPLED_CONTACTS)} FROM (
          SELECT plain(name) AS text, number FROM ${contacts}
          WHERE ${contacts.companyId} = ${companyId} ORDER BY "activeOn" DESC LIMIT ${SAMPLED_CONTACTS}) named)) newest`)
    return row!
  }

  const newest = db
    .select({ id: tickets.id, contactId: tickets.contactId, updatedAt: tickets.updatedAt })
    .from(tickets)
    .where(where)
    .orderBy(...newestFirst)
    .limit(NEWEST_TICKETS)
    .as('newest')

  /** Looks into the newest tickets until the page is full. Values, not EXISTS: that may be turned into reading all first. */
  const walked = async () =>
    db
      .select({ id: newest.id })
      .from(newest)
      .where(
        or(
          sql`(SELECT ${isNamed} FROM ${contacts} WHERE ${contacts.id} = ${newest.contactId})`,
          isInMessages
            ? sql`(SELECT true FROM ${messages} WHERE ${messages.ticketId} = ${newest.id} AND ${isText} AND ${says(messages.body)} LIMIT 1)`
            : undefined,
        ),
      )
      .orderBy(sql`${newest.updatedAt} DESC NULLS LAST`, sql`${newest.id} DESC NULLS LAST`)
      .limit(ticketsPerPage + 1)
      .offset(offset)

  /**
   * Finds all there are, or all among these tickets, then takes the page of them: how it is best cut, Postgres sees by
   * how many they are. Among few tickets it reads only the messages that both they and the text's index entry name.
   */
  const indexed = async (among?: { id: number }[]) => {
    const list = among && `{${among.map(({ id }) => id).join()}}`
    const isAmong = (column: SQL) => (list ? sql`AND ${column} = ANY (${list}::int[])` : sql``)
    const query = queryOf(pieces)
    // Where the text is one piece, the rows that have it are those that hold it.
    const isSaid = pieces.length === 1 && pieces[0] === folded ? sql`` : sql`AND ${says(messages.body)}`
    const [found] = await db.execute<{ ids: string | null }>(sql`
      SELECT array_agg(id)::text AS ids FROM (
        SELECT t.id FROM ${tickets} t WHERE t."contactId" IN
          (SELECT ${contacts.id} FROM ${contacts} WHERE ${contacts.companyId} = ${companyId} AND ${isNamed}) ${isAmong(sql`t.id`)}
        UNION SELECT ${messages.ticketId} FROM ${messages} WHERE ${messages.companyId} = ${companyId} AND ${isText}
          AND word_pieces(${messages.body}) @@ ${query}::tsquery ${isSaid} ${isAmong(sql`${messages.ticketId}`)}) found`)
    if (!found?.ids) return []
    return db
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(where, sql`${tickets.id} = ANY (${found.ids}::int[])`))
      .orderBy(...newestFirst)
      .limit(ticketsPerPage + 1)
      .offset(offset)
  }

  const { found, read } = pieces.length > 0 ? await expected() : { found: Infinity, read: Infinity }
  let ids: { id: number }[] = []
  if (read > WALKED_FROM) ids = await walked()
  else if (read > NEWEST_FROM) ids = await indexed(await db.select({ id: newest.id }).from(newest))
  if (ids.length <= ticketsPerPage && found <= MOST_FOUND) ids = await indexed()
  return { ids, count: ids.length > 0 ? offset + ids.length : 0 }
}

/**
 * As `plain` of any Postgres writes it, for the letters that the indexes know. Not the `plain` of the schema: an older
 * Postgres leaves signs as they are of which that one makes letters, and pieces with those would be in no index.
 */
export const foldedAs = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u0362]/g, '')
    .toLowerCase()

/** As `word_pieces` of migration 0001 cuts them. */
const LONGEST_PIECE = 6

/**
 * What the index of messages finds a text by: whoever holds the text has all of these, or longer ones that begin with
 * them. None, where there are no three letters or digits in a row.
 */
export function wordPiecesOf(text: string): string[] {
  return (text.match(/[a-z0-9]{3,}/g) ?? []).flatMap((run) => {
    const last = Math.max(0, run.length - LONGEST_PIECE)
    const starts = Array.from({ length: Math.ceil(last / LONGEST_PIECE) }, (_, i) => i * LONGEST_PIECE)
    return [...starts, last].map((start) => run.slice(start, start + LONGEST_PIECE))
  })
}

/** The question to that index. */
export const queryOf = (pieces: readonly string[]): string =>
  pieces.map((piece) => (piece.length < LONGEST_PIECE ? `${piece}:*` : piece)).join(' & ')

/** What the index of names finds a text by. */
const trigramsOf = (text: string): string[] => [...text.matchAll(/(?=([a-z0-9]{3}))/g)].map(([, piece]) => piece!)

/** What a ticket is answered with. */
export const besideTicket = {
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
const ticketColumns = { ticket: tickets, ...besideTicket }
export const shownTag = { id: tags.id, name: tags.name, color: tags.color, kanban: tags.kanban }

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
          .select(shownTag)
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

async function listed(db: Db, where: SQL, offset: number, order: ListOrder | undefined) {
  const some = db
    .select({ one: sql<number>`1`.as('one') })
    .from(tickets)
    .where(where)
    .limit(MOST_COUNTED)
    .as('some')
  const page = pageOfIds(db, where, { limit: ticketsPerPage + 1, offset, order })
  const [ids, total] = await Promise.all([page, db.select({ count: sql<number>`count(*)::int` }).from(some)])
  return { ids, count: total[0]?.count ?? 0 }
}

/**
 * A page of tickets, newest change first or by what is due, and how many there are: up to `MOST_COUNTED`, and of what a search finds only
 * as many as end this page, and one where there are more.
 */
export async function listTickets(db: Db, who: Principal, filter: TicketFilter, pageNumber: number) {
  const where = conditions(who, filter)
  const offset = (pageNumber - 1) * ticketsPerPage
  // The page is cut before the joins: they would otherwise be made for every ticket that is skipped.
  const { ids, count } = filter.search
    ? await searched(db, who, where, filter.search, offset)
    : await listed(db, where, offset, orderOf(filter))
  const shown = ids.slice(0, ticketsPerPage).map(({ id }) => id)
  const rows =
    shown.length === 0
      ? []
      : await select(db)
          .where(and(eq(tickets.companyId, who.companyId), inArray(tickets.id, shown)))
          .then((found) => found.toSorted((a, b) => inOrder(orderOf(filter))(a.ticket, b.ticket)))
  const found = filter.search ? await foundIn(db, who.companyId, shown, filter.search) : undefined
  return {
    tickets: (await dressed(db, who.companyId, rows)).map((ticket) => ({
      ...ticket,
      ...(found && { found: found.get(ticket.id) ?? null }),
    })),
    count,
    hasMore: ids.length > ticketsPerPage,
  }
}

/** How far back a ticket is looked through for the piece that a list shows. */
export const MOST_LOOKED_THROUGH = 500

/** The newest message of each ticket that holds the text, among its last ones. */
async function foundIn(db: Db, companyId: number, ticketIds: readonly number[], search: string) {
  if (ticketIds.length === 0 || search.length < IN_MESSAGES_FROM) return new Map<number, FoundMessage>()
  const rows = await db.execute<{ ticketId: number; messageId: string; body: string; at: string }>(sql`
    SELECT m."ticketId", m.id AS "messageId", m.body, m."createdAt" AS at
    FROM unnest(${`{${ticketIds.join()}}`}::int[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT * FROM (
        SELECT * FROM ${messages} WHERE "ticketId" = wanted.id
        ORDER BY "createdAt" DESC, id DESC LIMIT ${MOST_LOOKED_THROUGH}) last
      WHERE last."companyId" = ${companyId} AND last."mediaType" = 'chat' AND NOT last."isDeleted"
        AND plain(last.body) LIKE plain(${anywhere(search)})
      ORDER BY last."createdAt" DESC, last.id DESC LIMIT 1) m`)
  return new Map<number, FoundMessage>(
    rows.map(({ ticketId, messageId, body, at }) => [ticketId, { messageId, body, at: new Date(at) }]),
  )
}

/** Where a search found its text in a ticket. */
interface FoundMessage {
  messageId: string
  body: string
  at: Date
}

/** So many cards as a board shows to other clients; ours reads its replica. */
const MOST_CARDS = 2_000

/** The tickets of the board: what waits and what is open, of these queues, newest change first. */
export async function boardTickets(db: Db, who: Principal, queueIds: number[] | undefined): Promise<TicketRow[]> {
  const rows = await select(db)
    .where(
      listCondition(who.companyId, [
        ...seenBy(ticketSight(who)),
        ...boardOf({ queueIds: queueIds?.length ? [...queueIds, 0] : [] }),
      ]),
    )
    .orderBy(...newestFirst)
    .limit(MOST_CARDS)
  return dressed(db, who.companyId, rows)
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

/** The merge by which a ticket went into another and that was not taken back, or undefined. */
export async function mergeOf(
  db: Db,
  companyId: number,
  fromId: number,
): Promise<{ id: string; intoId: number } | undefined> {
  const [merge] = await db
    .select({ id: ticketMerges.id, intoId: ticketMerges.intoId })
    .from(ticketMerges)
    .where(and(eq(ticketMerges.companyId, companyId), eq(ticketMerges.fromId, fromId)))
  return merge
}
