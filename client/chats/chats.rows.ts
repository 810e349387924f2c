import type { Chat, ChatMessage } from '../../schema/chats/chats.table.ts'
import { msOf, type Rows } from '../replica/rows.ts'

/** A chat as the screens show it; moments in milliseconds since 1970. */
export type ChatRow = Pick<Chat, 'id' | 'uuid' | 'title' | 'ownerId' | 'memberIds' | 'lastMessage'> & {
  updatedAt: number
  /** Messages that this user has not read. */
  unreads: number
}

export type ChatMessageRow = Pick<ChatMessage, 'id' | 'chatId' | 'senderId' | 'message'> & { createdAt: number }

function readChat(raw: Record<string, unknown>): ChatRow {
  const { updatedAt, ...rest } = raw
  return { ...(rest as Omit<ChatRow, 'updatedAt'>), updatedAt: msOf(updatedAt) }
}

/** The user's chats, the latest first. The replica holds nobody else's. */
export const ownChats: Rows<ChatRow> = {
  query: {
    sql: `SELECT c.id, c.uuid, c.title, c."ownerId", c."memberIds", c."lastMessage", c."updatedAt", u.unreads
      FROM chats c JOIN chat_users u ON u."chatId" = c.id ORDER BY c."updatedAt" DESC, c.id DESC`,
    params: [],
    tables: ['chats', 'chat_users'],
    remember: 'chats',
  },
  read: readChat,
  keyOf: (row) => row.id,
}

/** A row of the replica, or a record of the REST API. */
export const readChatMessage = (raw: Record<string, unknown>): ChatMessageRow => ({
  id: String(raw['id']),
  chatId: Number(raw['chatId']),
  senderId: (raw['senderId'] as number | null) ?? null,
  message: String(raw['message']),
  createdAt: msOf(raw['createdAt']),
})

/** How many messages a chat opens with, and how many more each step up brings. */
export const chatPage = 50

/** The newest `limit` messages of a chat, newest first. */
export const newestChatMessages = (chatId: number, limit: number): Rows<ChatMessageRow> => ({
  query: {
    sql: `SELECT id, "chatId", "senderId", message, "createdAt" FROM chat_messages
      WHERE "chatId" = $1 ORDER BY "createdAt" DESC, id DESC LIMIT $2`,
    params: [chatId, limit],
    tables: [{ table: 'chat_messages', only: { column: 'chatId', value: chatId } }],
    remember: `chat ${chatId}`,
  },
  read: readChatMessage,
  keyOf: (row) => row.id,
})
