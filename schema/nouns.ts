import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { chatMessages, chats, chatUsers } from './chats/chats.table.ts'
import type { CommandTable, DecidedTable } from './command.ts'
import { contacts } from './contacts/contacts.table.ts'
import { drafts } from './drafts/drafts.table.ts'
import { customFields } from './custom-fields/custom-fields.table.ts'
import type { ErrorCode } from './errors.ts'
import { flowNodes, flows } from './flows/flows.table.ts'
import { savedFilters } from './filters/filters.table.ts'
import { macros } from './macros/macros.table.ts'
import { mentions } from './mentions/mentions.table.ts'
import { messages } from './messages/messages.table.ts'
import { ticketNotes } from './notes/notes.table.ts'
import { queues } from './queues/queues.table.ts'
import { schedules } from './schedules/schedules.table.ts'
import { tags } from './tags/tags.table.ts'
import { templates } from './templates/templates.table.ts'
import { ticketEvents, tickets } from './tickets/tickets.table.ts'
import { users } from './users/users.table.ts'
import { whatsapps } from './whatsapps/whatsapps.table.ts'

/** What whoever writes decisions must know of a table. */
export interface Written {
  table: PgTable & { id: PgColumn; companyId: PgColumn }
  /** A row that is there already, under its id or by what is unique of it, is not written again. */
  once?: boolean
}

/** What the rest of the product must know of a table that commands read or write. */
export interface Noun extends Written {
  /** The code for "this company has no such row". */
  notFound: ErrorCode
  /**
   * What a command locks when it reads such a row, so that what it decided by is what it changes. `with its ticket`: the
   * ticket first, as everywhere, because who moves a ticket changes what was said in it.
   */
  lock: 'nothing' | 'row' | 'with its ticket'
  /** Whether listeners on the server hear of its changes. */
  live: boolean
  /** The live event of its changes, without the company; null where the feature tells them itself, or nobody does. */
  event: 'ticket' | 'appMessage' | 'contact' | null
  /** The indexes of the replica that screens need; unlike the server's they need no company in front. */
  replicaIndexes?: Record<string, string>
}

const quiet = { live: false, event: null } as const

/** Every table that commands read or write. A new one is one entry here; without it nothing compiles. */
export const nouns = {
  tickets: {
    table: tickets,
    notFound: 'ERR_NO_TICKET_FOUND',
    lock: 'row',
    live: true,
    event: 'ticket',
    replicaIndexes: {
      tickets_list: '("status", "updatedAt" DESC, "id" DESC)',
      tickets_contact: '("contactId", "updatedAt" DESC)',
      tickets_return: '("snoozedUntil", "updatedAt" DESC, "id" DESC) WHERE "snoozedUntil" IS NOT NULL',
      // Where nothing is promised it holds nothing.
      tickets_due: '("status", "nextDueAt", "updatedAt" DESC, "id" DESC) WHERE "nextDueAt" IS NOT NULL',
    },
  },
  messages: {
    table: messages,
    notFound: 'ERR_NO_MESSAGE_FOUND',
    lock: 'with its ticket',
    live: true,
    event: 'appMessage',
    replicaIndexes: {
      messages_ticket: '("ticketId", "createdAt" DESC, "id" DESC)',
      messages_contact: '("contactId", "createdAt" DESC, "id" DESC)',
      messages_unread: '("ticketId") WHERE NOT "read" AND NOT "fromMe"',
    },
  },
  ticketNotes: {
    table: ticketNotes,
    notFound: 'ERR_NO_NOTE_FOUND',
    lock: 'nothing',
    live: true,
    event: null,
    replicaIndexes: { ticket_notes_ticket: '("ticketId", "createdAt")' },
  },
  mentions: {
    table: mentions,
    notFound: 'ERR_NOT_FOUND',
    lock: 'row',
    ...quiet,
    // Its id is of the note and the person.
    once: true,
    replicaIndexes: { mentions_created: '("createdAt" DESC)' },
  },
  ticketEvents: {
    table: ticketEvents,
    notFound: 'ERR_NOT_FOUND',
    lock: 'nothing',
    ...quiet,
    // A line of the timeline has the id of what caused it.
    once: true,
    replicaIndexes: { ticket_events_ticket: '("ticketId", "createdAt")' },
  },
  contacts: {
    table: contacts,
    notFound: 'ERR_NO_CONTACT_FOUND',
    lock: 'nothing',
    live: true,
    event: 'contact',
    replicaIndexes: { contacts_name: '("name", "id")' },
  },
  customFields: { table: customFields, notFound: 'ERR_NO_FIELD_FOUND', lock: 'nothing', ...quiet },
  queues: { table: queues, notFound: 'ERR_NO_QUEUE_FOUND', lock: 'nothing', ...quiet },
  tags: { table: tags, notFound: 'ERR_NO_TAG_FOUND', lock: 'nothing', ...quiet },
  templates: { table: templates, notFound: 'ERR_NO_TEMPLATE_FOUND', lock: 'nothing', ...quiet },
  users: { table: users, notFound: 'ERR_NO_USER_FOUND', lock: 'nothing', ...quiet },
  whatsapps: { table: whatsapps, notFound: 'ERR_NO_WAPP_FOUND', lock: 'nothing', ...quiet },
  schedules: { table: schedules, notFound: 'ERR_NO_SCHEDULE_FOUND', lock: 'row', live: true, event: null },
  drafts: { table: drafts, notFound: 'ERR_NOT_FOUND', lock: 'row', ...quiet },
  savedFilters: { table: savedFilters, notFound: 'ERR_NOT_FOUND', lock: 'row', ...quiet },
  macros: { table: macros, notFound: 'ERR_NO_MACRO_FOUND', lock: 'nothing', ...quiet },
  chats: { table: chats, notFound: 'ERR_NO_CHAT_FOUND', lock: 'row', ...quiet },
  chatUsers: { table: chatUsers, notFound: 'ERR_NO_CHAT_FOUND', lock: 'row', live: true, event: null },
  chatMessages: {
    table: chatMessages,
    notFound: 'ERR_NO_MESSAGE_FOUND',
    lock: 'nothing',
    live: true,
    event: null,
    replicaIndexes: { chat_messages_chat: '("chatId", "createdAt" DESC, "id" DESC)' },
  },
  /** Who edits a draft locks its flow, and nothing of its nodes besides. */
  flows: { table: flows, notFound: 'ERR_NO_FLOW_FOUND', lock: 'row', ...quiet },
  flowNodes: {
    table: flowNodes,
    notFound: 'ERR_NOT_FOUND',
    lock: 'nothing',
    ...quiet,
    replicaIndexes: { flow_nodes_flow: '("flowId")' },
  },
} as const satisfies Record<CommandTable, Noun>

/** The tables of whose changes somebody is told. */
export type LiveTable = { [T in CommandTable]: (typeof nouns)[T]['live'] extends true ? T : never }[CommandTable]

/** Whether somebody is told of the changes of a table. */
export const isLive = (table: DecidedTable): table is LiveTable => table in nouns && nouns[table as CommandTable].live

/** The code for "this company has no such row". */
export const notFound = (table: CommandTable): ErrorCode => nouns[table].notFound
