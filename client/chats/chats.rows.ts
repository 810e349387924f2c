import { columnsOf, ms, or, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const chat = columnsOf<'chats'>()({
  id: true,
  uuid: true,
  companyId: false,
  title: true,
  ownerId: true,
  memberIds: true,
  lastMessage: true,
  createdAt: false,
  updatedAt: ms,
})
/** A chat as the screens show it; moments in milliseconds since 1970. */
export type ChatRow = RowOf<typeof chat> & {
  /** Messages that this user has not read. */
  unreads: number
}

const message = columnsOf<'chatMessages'>()({
  id: String,
  companyId: false,
  chatId: Number,
  senderId: or(null),
  message: String,
  createdAt: ms,
})
const messageColumns = message.text()
export type ChatMessageRow = RowOf<typeof message>

const readChat = (raw: Record<string, unknown>): ChatRow => ({ ...chat.read(raw), unreads: raw['unreads'] as number })

/** The user's chats, the latest first. The replica holds nobody else's. */
export const ownChats: Rows<ChatRow> = {
  query: {
    sql: `SELECT ${chat.text('c')}, u.unreads
      FROM chats c JOIN chat_users u ON u."chatId" = c.id ORDER BY c."updatedAt" DESC, c.id DESC`,
    params: [],
    tables: ['chats', 'chat_users'],
    remember: 'chats',
  },
  read: readChat,
  keyOf: (row) => row.id,
}

/** A row of the replica, or a record of the REST API. */
export const readChatMessage = message.read

/** How many messages a chat opens with, and how many more each step up brings. */
export const chatPage = 50

/** The newest `limit` messages of a chat, newest first. */
export const newestChatMessages = (chatId: number, limit: number): Rows<ChatMessageRow> => ({
  query: {
    sql: `SELECT ${messageColumns} FROM chat_messages
      WHERE "chatId" = $1 ORDER BY "createdAt" DESC, id DESC LIMIT $2`,
    params: [chatId, limit],
    tables: [{ table: 'chat_messages', only: { column: 'chatId', value: chatId } }],
    remember: `chat ${chatId}`,
  },
  read: readChatMessage,
  keyOf: (row) => row.id,
})
