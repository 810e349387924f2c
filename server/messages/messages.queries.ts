import { and, eq, gt, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { type Message, messageTexts, messages } from '../../schema/messages/messages.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere, foldedAs, queryOf, publicUrl, visibleTo, wordPiecesOf } from '../tickets/tickets.queries.ts'

export const MESSAGES_PER_PAGE = 20

/** What a message is answered with. */
export const besideMessage = {
  contact: { id: contacts.id, name: contacts.name, number: contacts.number, isGroup: contacts.isGroup },
}
const messageColumns = { message: messages, ...besideMessage }

const select = (db: Db) =>
  db.select(messageColumns).from(messages).innerJoin(contacts, eq(contacts.id, messages.contactId))
type Selected = Awaited<ReturnType<typeof select>>[number]

/**
 * A message as it goes out: with its contact and the address of its file, alone and in the list that older clients of the
 * family read. Internal columns stay behind.
 */
function plain({ message, contact }: Selected) {
  const { companyId: _company, queueScope: _queue, userScope: _user, mediaPath, ...rest } = message
  const mediaUrl = publicUrl(mediaPath)
  return { ...rest, mediaUrl, medias: mediaUrl === null ? [] : [mediaUrl], contact }
}

async function dressed(db: Db, companyId: number, rows: Selected[]) {
  const quotedIds = [...new Set(rows.flatMap(({ message }) => message.quotedMsgId ?? []))]
  const quoted =
    quotedIds.length === 0
      ? []
      : await select(db).where(and(eq(messages.companyId, companyId), inArray(messages.id, quotedIds)))
  const quotedOf = new Map(quoted.map((row) => [row.message.id, row]))
  return rows.map((row) => {
    const answered = row.message.quotedMsgId ? quotedOf.get(row.message.quotedMsgId) : undefined
    // Who may see this ticket may not thereby see another contact's.
    const same = answered && answered.message.contactId === row.message.contactId
    return { ...plain(row), quotedMsg: same ? plain(answered) : null }
  })
}
export type MessageRow = Awaited<ReturnType<typeof dressed>>[number]

export interface MessagePage {
  pageNumber: number
  /** Id of a message: only older ones. Stays right while new ones arrive, unlike page numbers. */
  before?: string | undefined
  /** Id of a message: the next newer ones. */
  after?: string | undefined
  /** Id of a message: it, and a page on either side. */
  around?: string | undefined
}

const newestFirst = [sql`${messages.createdAt} DESC NULLS LAST`, sql`${messages.id} DESC NULLS LAST`]
/** The index read backwards; without the nulls Postgres would sort all messages of the ticket. */
const oldestFirst = [sql`${messages.createdAt} ASC NULLS FIRST`, sql`${messages.id} ASC NULLS FIRST`]

/**
 * A page of a ticket's messages: the newest page first, oldest first inside it. `hasMore` is about what is older, or,
 * behind `after`, about what is newer; `hasNewer` is of `around`.
 */
export async function listMessages(
  db: Db,
  companyId: number,
  ticketId: number,
  { pageNumber, before, after, around }: MessagePage,
) {
  const ofTicket = and(eq(messages.companyId, companyId), eq(messages.ticketId, ticketId))!
  const edge = before ?? after ?? around
  if (edge !== undefined && (await db.$count(messages, and(ofTicket, eq(messages.id, edge)))) === 0)
    throw new DomainError('ERR_NO_MESSAGE_FOUND')
  const beside = (compare: typeof lt) => {
    const at = sql`(SELECT ${messages.createdAt} FROM ${messages} WHERE ${messages.id} = ${edge})`
    return or(compare(messages.createdAt, at), and(eq(messages.createdAt, at), compare(messages.id, edge!)))
  }
  const page = (where: SQL | undefined, order: SQL[], offset = 0) =>
    select(db)
      .where(and(ofTicket, where))
      .orderBy(...order)
      .limit(MESSAGES_PER_PAGE + 1)
      .offset(offset)
  const older = () =>
    after === undefined
      ? page(edge === undefined ? undefined : beside(lt), newestFirst, edge ? 0 : (pageNumber - 1) * MESSAGES_PER_PAGE)
      : []
  const newer = () => ((after ?? around) ? page(beside(gt), oldestFirst) : [])
  const itself = () => (around ? select(db).where(and(ofTicket, eq(messages.id, around))) : [])
  const [below, middle, above, count] = await Promise.all([older(), itself(), newer(), db.$count(messages, ofTicket)])
  const rows = [...below.slice(0, MESSAGES_PER_PAGE).reverse(), ...middle, ...above.slice(0, MESSAGES_PER_PAGE)]
  const [hasOlder, hasNewer] = [below, above].map((side) => side.length > MESSAGES_PER_PAGE) as [boolean, boolean]
  return {
    messages: await dressed(db, companyId, rows),
    count,
    hasMore: after === undefined ? hasOlder : hasNewer,
    ...(around !== undefined && { hasNewer }),
  }
}

/** So many places of a text in one ticket are told. */
const MOST_PLACES = 200

/** The messages of a ticket that hold a text, the newest first; case and accents do not matter. */
export function placesIn(db: Db, companyId: number, ticketId: number, search: string) {
  return db
    .select({ messageId: messages.id, body: messages.body, at: messages.createdAt })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.mediaType, 'chat'),
        eq(messages.isDeleted, false),
        sql`plain(${messages.body}) LIKE plain(${anywhere(search)})`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(MOST_PLACES)
}

/**
 * A page of the company's messages that hold a text, the newest first; case and accents do not matter.
 * @param before id of the last message of the page before
 * @throws DomainError `ERR_VALIDATION` where there are no three letters or digits in a row, by which the index finds it;
 * `ERR_NO_MESSAGE_FOUND`
 */
export async function searchMessages(
  db: Db,
  companyId: number,
  search: string,
  {
    ticketId,
    contactId,
    before,
    limit,
  }: { ticketId?: number; contactId?: number; before?: string | undefined; limit: number },
): Promise<{ records: Message[]; hasMore: boolean }> {
  const pieces = wordPiecesOf(foldedAs(search))
  if (pieces.length === 0)
    throw new DomainError('ERR_VALIDATION', {
      fields: [{ path: 'query/search', message: 'three letters or digits in a row' }],
    })
  const [edge] =
    before === undefined
      ? []
      : await db
          .select({ id: messages.id, createdAt: messages.createdAt })
          .from(messages)
          .where(and(eq(messages.companyId, companyId), eq(messages.id, before)))
  if (before !== undefined && !edge) throw new DomainError('ERR_NO_MESSAGE_FOUND')
  const found = await db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.companyId, companyId),
        eq(messages.mediaType, 'chat'),
        eq(messages.isDeleted, false),
        sql`word_pieces(${messages.body}) @@ ${queryOf(pieces)}::tsquery`,
        sql`plain(${messages.body}) LIKE plain(${anywhere(search)})`,
        ticketId === undefined ? undefined : eq(messages.ticketId, ticketId),
        contactId === undefined ? undefined : eq(messages.contactId, contactId),
        edge &&
          or(
            lt(messages.createdAt, edge.createdAt),
            and(eq(messages.createdAt, edge.createdAt), lt(messages.id, edge.id)),
          ),
      ),
    )
    .orderBy(...newestFirst)
    .limit(limit + 1)
  return { records: found.slice(0, limit), hasMore: found.length > limit }
}

/** A message of a ticket that the person may see. */
export async function findMessage(db: Db, who: Principal, id: string): Promise<MessageRow | undefined> {
  const rows = await db
    .select(messageColumns)
    .from(messages)
    .innerJoin(contacts, eq(contacts.id, messages.contactId))
    .innerJoin(tickets, eq(tickets.id, messages.ticketId))
    .where(and(eq(messages.id, id), eq(messages.companyId, who.companyId), visibleTo(who)))
  return (await dressed(db, who.companyId, rows))[0]
}

/** A message of the company, for events. */
export async function messageOfCompany(db: Db, companyId: number, id: string): Promise<MessageRow | undefined> {
  const rows = await select(db).where(and(eq(messages.companyId, companyId), eq(messages.id, id)))
  return (await dressed(db, companyId, rows))[0]
}

/** Which of these paths of the media store belong to a message. */
export async function usedMedia(db: Db, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const rows = await db
    .select({ path: messages.mediaPath })
    .from(messages)
    .where(inArray(messages.mediaPath, [...paths]))
  return new Set(rows.flatMap(({ path }) => path ?? []))
}

/** All of what a message says. */
export async function wholeText(db: Db | Tx, message: Pick<Message, 'id' | 'body' | 'isCut'>): Promise<string> {
  if (!message.isCut) return message.body
  const [kept] = await db
    .select({ text: messageTexts.text })
    .from(messageTexts)
    .where(eq(messageTexts.messageId, message.id))
  return kept?.text ?? message.body
}
