import { and, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { type Message, messageTexts, messages } from '../../schema/messages/messages.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { publicUrl, visibleTo } from '../tickets/tickets.queries.ts'

export const MESSAGES_PER_PAGE = 20

const messageColumns = {
  message: messages,
  contact: { id: contacts.id, name: contacts.name, number: contacts.number, isGroup: contacts.isGroup },
}

const select = (db: Db) =>
  db.select(messageColumns).from(messages).innerJoin(contacts, eq(contacts.id, messages.contactId))
type Selected = Awaited<ReturnType<typeof select>>[number]

/** A message as it goes out: with its contact and the address of its file. Internal columns stay behind. */
function plain({ message, contact }: Selected) {
  const { companyId: _company, queueScope: _queue, userScope: _user, mediaPath, ...rest } = message
  return { ...rest, mediaUrl: publicUrl(mediaPath), contact }
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
}

/** A page of a ticket's messages: the newest page first, oldest first inside it. */
export async function listMessages(db: Db, companyId: number, ticketId: number, { pageNumber, before }: MessagePage) {
  const ofTicket = and(eq(messages.companyId, companyId), eq(messages.ticketId, ticketId))!
  let older: SQL | undefined
  if (before !== undefined) {
    const [edge] = await db
      .select({ createdAt: messages.createdAt, id: messages.id })
      .from(messages)
      .where(and(ofTicket, eq(messages.id, before)))
    if (!edge) throw new DomainError('ERR_NO_MESSAGE_FOUND')
    older = or(
      lt(messages.createdAt, sql`(SELECT ${messages.createdAt} FROM ${messages} WHERE ${messages.id} = ${before})`),
      and(
        eq(messages.createdAt, sql`(SELECT ${messages.createdAt} FROM ${messages} WHERE ${messages.id} = ${before})`),
        lt(messages.id, before),
      ),
    )
  }
  const [rows, [total]] = await Promise.all([
    select(db)
      .where(and(ofTicket, older))
      // As the index is sorted.
      .orderBy(sql`${messages.createdAt} DESC NULLS LAST`, sql`${messages.id} DESC NULLS LAST`)
      .limit(MESSAGES_PER_PAGE + 1)
      .offset(before === undefined ? (pageNumber - 1) * MESSAGES_PER_PAGE : 0),
    db.select({ count: sql<number>`count(*)::int` }).from(messages).where(ofTicket),
  ])
  const page = await dressed(db, companyId, rows.slice(0, MESSAGES_PER_PAGE).reverse())
  return { messages: page, count: total?.count ?? 0, hasMore: rows.length > MESSAGES_PER_PAGE }
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
