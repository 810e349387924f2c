import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import type { MediaType, MessageAbout } from './messages.content.ts'

export interface Reaction {
  emoji: string
  /** `me`, or the digits of the person. */
  by: string
  /** When, ISO: of a contact’s over a wire where it lets one write to them for a time. */
  at?: string
}

export interface EarlierBody {
  body: string
  /** When it was replaced, ISO. */
  at: string
}

/** How far a message's file is; most messages have none. */
export const mediaStates = ['none', 'pending', 'ready', 'failed'] as const

/** Ack 0 is an error, 1 waits, 2 reached the server, 3 the phone, 4 was read, 5 played. Only ever raised. */
export const messages = pgTable(
  'messages',
  {
    /** UUIDv7, made by whoever wrote the row first: a browser, or the server for what arrives. */
    id: text().primaryKey(),
    ...companyOwned(),
    ticketId: integer()
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    whatsappId: integer(),
    /** WhatsApp's id, unique for one connection; ours follow from `id` (see `widOf`). */
    wid: text(),
    fromMe: boolean().notNull().default(false),
    /** The colleague who wrote it; null for the contact, the paired phone and automation. */
    authorId: integer(),
    /** In a group, who wrote it. */
    participantName: text(),
    participantNumber: text(),
    /** At most `BODY_LENGTH` of a text, see `messages.text.ts`; cards and places have bounds of their own. */
    body: text().notNull().default(''),
    /** `body` is only the beginning; `message_texts` holds all of it. */
    isCut: boolean().notNull().default(false),
    mediaType: text().$type<MediaType>().notNull().default('chat'),
    /** `none`; `pending` while it is fetched; `ready` with `mediaPath`; `failed`. */
    mediaState: text({ enum: mediaStates }).notNull().default('none'),
    /** Path in the media store; served as `/public/{mediaPath}` to whoever may see the ticket. */
    mediaPath: text(),
    mediaName: text(),
    mediaMime: text(),
    /** Bytes. */
    mediaSize: integer(),
    /** Of a sound, whole seconds; as its sender says, or as they were counted when it came. */
    mediaSeconds: integer(),
    /** Of a voice note, see `messages.waveform.ts`. */
    waveform: text(),
    /** A recorded voice note, as opposed to an audio file. */
    isVoice: boolean().notNull().default(false),
    read: boolean().notNull().default(false),
    ack: smallint().notNull().default(1),
    ackError: text(),
    isDeleted: boolean().notNull().default(false),
    isEdited: boolean().notNull().default(false),
    earlierBodies: jsonb().$type<EarlierBody[]>().notNull().default([]),
    reactions: jsonb().$type<Reaction[]>().notNull().default([]),
    /** The message answered to; resolved inside the company. A missing one is not an error. */
    quotedMsgId: text(),
    /** See `MessageAbout`; most messages are about nothing but themselves. */
    about: jsonb().$type<MessageAbout>(),
    /** Who sees the ticket, repeated by triggers so that a shape can filter by it; see `0002_tickets.sql`. */
    queueScope: integer(),
    userScope: integer(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('messages_wid').on(t.whatsappId, t.wid),
    index('messages_ticket').on(t.ticketId, t.createdAt.desc(), t.id.desc()),
    index('messages_recent').on(t.companyId, t.createdAt.desc()),
    index('messages_unread').on(t.ticketId).where(sql`NOT ${t.read} AND NOT ${t.fromMe}`),
    // Few: where a ticket's user is not of its queue.
    index('messages_user_scope').on(t.ticketId).where(sql`${t.userScope} IS NOT NULL`),
    index('messages_media').on(t.mediaPath).where(sql`${t.mediaPath} IS NOT NULL`),
  ],
)

export type Message = typeof messages.$inferSelect
export type NewMessage = typeof messages.$inferInsert

/** The whole text of a message that is longer than its row holds; fetched by whoever wants to read it, never synced. */
export const messageTexts = pgTable('message_texts', {
  messageId: text()
    .primaryKey()
    .references(() => messages.id, { onDelete: 'cascade' }),
  ...companyOwned(),
  text: text().notNull(),
})
