import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { chatMessages, chats, chatUsers } from '../../schema/chats/chats.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const CHATS_PER_PAGE = 20
export const CHAT_MESSAGES_PER_PAGE = 20

const columns = {
  id: chats.id,
  uuid: chats.uuid,
  title: chats.title,
  ownerId: chats.ownerId,
  lastMessage: chats.lastMessage,
  createdAt: chats.createdAt,
  updatedAt: chats.updatedAt,
}
type Selected = Pick<typeof chats.$inferSelect, keyof typeof columns>

/** Chats with their members, by name. */
async function dressed(db: Db | Tx, companyId: number, rows: Selected[]) {
  const members =
    rows.length === 0
      ? []
      : await db
          .select({
            chatId: chatUsers.chatId,
            userId: chatUsers.userId,
            unreads: chatUsers.unreads,
            user: { id: users.id, name: users.name },
          })
          .from(chatUsers)
          .innerJoin(users, eq(users.id, chatUsers.userId))
          .where(
            and(
              eq(chatUsers.companyId, companyId),
              inArray(
                chatUsers.chatId,
                rows.map(({ id }) => id),
              ),
            ),
          )
          .orderBy(asc(users.name), asc(users.id))
  return rows.map((chat) => ({
    ...chat,
    users: members
      .filter(({ chatId }) => chatId === chat.id)
      .map(({ userId, unreads, user }) => ({ userId, unreads, user })),
  }))
}
export type ChatRow = Awaited<ReturnType<typeof dressed>>[number]

/** The chats that the person is in, the latest first. */
export async function listChats(
  db: Db,
  who: Principal,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    eq(chats.companyId, who.companyId),
    sql`EXISTS (SELECT FROM ${chatUsers} WHERE ${chatUsers.id} = ${chats.id} || ${`:${who.userId}`})`,
    search ? sql`plain(${chats.title}) LIKE plain(${anywhere(search)})` : undefined,
  )
  const [rows, count] = await Promise.all([
    db
      .select(columns)
      .from(chats)
      .where(where)
      .orderBy(sql`${chats.updatedAt} DESC`, sql`${chats.id} DESC`)
      .limit(CHATS_PER_PAGE + 1)
      .offset((pageNumber - 1) * CHATS_PER_PAGE),
    db.$count(chats, where),
  ])
  return {
    records: await dressed(db, who.companyId, rows.slice(0, CHATS_PER_PAGE)),
    count,
    hasMore: rows.length > CHATS_PER_PAGE,
  }
}

export async function findChat(db: Db | Tx, companyId: number, id: number): Promise<ChatRow | undefined> {
  const rows = await db
    .select(columns)
    .from(chats)
    .where(and(eq(chats.companyId, companyId), eq(chats.id, id)))
  return (await dressed(db, companyId, rows))[0]
}

/**
 * A chat that the person is in.
 * @throws DomainError `ERR_NO_CHAT_FOUND` where the company has none, `ERR_FORBIDDEN` to a colleague who is not in it
 */
export async function demandChat(db: Db | Tx, who: Principal, id: number): Promise<ChatRow> {
  const chat = await findChat(db, who.companyId, id)
  if (!chat) throw new DomainError('ERR_NO_CHAT_FOUND')
  if (!chat.users.some(({ userId }) => userId === who.userId)) throw new DomainError('ERR_FORBIDDEN')
  return chat
}

/**
 * The same, locked until the commit, for its owner. Whoever writes into a chat holds the same lock first.
 * @throws DomainError as `demandChat`, and `ERR_NO_PERMISSION` to a member who is not the owner
 */
export async function demandOwnChat(tx: Tx, who: Principal, id: number): Promise<ChatRow> {
  await tx
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.companyId, who.companyId), eq(chats.id, id)))
    .for('update')
  const chat = await demandChat(tx, who, id)
  if (chat.ownerId !== who.userId) throw new DomainError('ERR_NO_PERMISSION')
  return chat
}

const messageColumns = {
  id: chatMessages.id,
  chatId: chatMessages.chatId,
  senderId: chatMessages.senderId,
  message: chatMessages.message,
  createdAt: chatMessages.createdAt,
  sender: { id: users.id, name: users.name },
}
const selectMessages = (db: Db) =>
  db.select(messageColumns).from(chatMessages).leftJoin(users, eq(users.id, chatMessages.senderId))
export type ChatMessageRow = Awaited<ReturnType<typeof selectMessages>>[number]

/**
 * A page of a chat's messages: the newest page first, oldest first inside it.
 * @param before id of a message: only older ones. Stays right while new ones arrive, unlike page numbers.
 */
export async function listChatMessages(
  db: Db,
  chatId: number,
  { pageNumber, before }: { pageNumber: number; before?: string | undefined },
) {
  const ofChat = eq(chatMessages.chatId, chatId)
  let older: SQL | undefined
  if (before !== undefined) {
    const [edge] = await db
      .select({ id: chatMessages.id })
      .from(chatMessages)
      .where(and(ofChat, eq(chatMessages.id, before)))
    if (!edge) throw new DomainError('ERR_NO_MESSAGE_FOUND')
    older = sql`(${chatMessages.createdAt}, ${chatMessages.id}) < (SELECT "createdAt", "id" FROM ${chatMessages} WHERE "id" = ${before})`
  }
  const rows = await selectMessages(db)
    .where(and(ofChat, older))
    // As the index is sorted.
    .orderBy(sql`${chatMessages.createdAt} DESC NULLS LAST`, sql`${chatMessages.id} DESC NULLS LAST`)
    .limit(CHAT_MESSAGES_PER_PAGE + 1)
    .offset(before === undefined ? (pageNumber - 1) * CHAT_MESSAGES_PER_PAGE : 0)
  return {
    records: rows.slice(0, CHAT_MESSAGES_PER_PAGE).reverse(),
    hasMore: rows.length > CHAT_MESSAGES_PER_PAGE,
  }
}

export async function findChatMessage(db: Db, companyId: number, id: string): Promise<ChatMessageRow | undefined> {
  const [row] = await selectMessages(db).where(and(eq(chatMessages.companyId, companyId), eq(chatMessages.id, id)))
  return row
}
