import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'
import { users } from '../users/users.table.ts'

/** A conversation among colleagues. */
export const chats = pgTable(
  'chats',
  {
    id: serial().primaryKey(),
    /** The address of its screen: `/chats/{uuid}`. */
    uuid: uuid().notNull().unique().defaultRandom(),
    ...companyOwned(),
    title: text().notNull(),
    /** Changes and deletes it. When the owner is deleted, another member becomes it. */
    ownerId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Ascending. Written by triggers only, so that a shape can decide by it. */
    memberIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    lastMessage: text().notNull().default(''),
    ...timestamps(),
  },
  (t) => [index('chats_company').on(t.companyId, t.updatedAt)],
)

/** Who is in a chat, the owner among them, and how much of it they have not read. */
export const chatUsers = pgTable(
  'chat_users',
  {
    /** `{chatId}:{userId}`, so that a command can name the row without having seen it. */
    id: text().primaryKey(),
    ...companyOwned(),
    chatId: integer()
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Raised by a trigger with every message of somebody else. */
    unreads: integer().notNull().default(0),
    readAt: moment(),
  },
  (t) => [uniqueIndex('chat_users_member').on(t.chatId, t.userId), index('chat_users_user').on(t.userId)],
)

export const chatMessages = pgTable(
  'chat_messages',
  {
    /** Made by the browser. */
    id: text().primaryKey(),
    ...companyOwned(),
    chatId: integer()
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    /** Null when the sender is no longer a user. */
    senderId: integer().references(() => users.id, { onDelete: 'set null' }),
    message: text().notNull(),
    /** Those of the chat, repeated by triggers. Not synced. */
    memberIds: integer().array().notNull().default(sql`'{}'::integer[]`),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('chat_messages_chat').on(t.chatId, t.createdAt.desc(), t.id.desc()),
    index('chat_messages_company').on(t.companyId, t.createdAt),
  ],
)

export type Chat = typeof chats.$inferSelect
export type ChatUser = typeof chatUsers.$inferSelect
export type ChatMessage = Omit<typeof chatMessages.$inferSelect, 'memberIds'>

/** The membership of a user. */
export const chatUserId = (chatId: number, userId: number): string => `${chatId}:${userId}`
