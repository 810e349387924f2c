import type { Static, TSchema } from '@sinclair/typebox'
import type { Effect } from './effects.ts'
import type { ErrorCode } from './errors.ts'
import type { Permission, Principal } from './permissions.ts'
import type { PlanFeature } from './plans/plans.features.ts'
import type { Chat, ChatMessage, ChatUser } from './chats/chats.table.ts'
import type { Contact } from './contacts/contacts.table.ts'
import type { Message } from './messages/messages.table.ts'
import type { TicketNote } from './notes/notes.table.ts'
import type { Queue } from './queues/queues.table.ts'
import type { Draft } from './drafts/drafts.table.ts'
import type { SavedFilter } from './filters/filters.table.ts'
import type { Schedule } from './schedules/schedules.table.ts'
import type { Tag } from './tags/tags.table.ts'
import type { Ticket, TicketEvent } from './tickets/tickets.table.ts'
import type { TrackingChange } from './tickets/tickets.transition.ts'
import type { User } from './users/users.table.ts'
import type { Whatsapp } from './whatsapps/whatsapps.table.ts'

/** The tables that commands read and write, by the row type each holds. All of them are in the browser's replica. */
export interface CommandRows {
  tickets: Ticket
  messages: Message
  ticketNotes: TicketNote
  ticketEvents: TicketEvent
  contacts: Contact
  queues: Queue
  tags: Tag
  users: Pick<User, 'id' | 'companyId' | 'name' | 'profile'> & { queueIds: number[] }
  whatsapps: Pick<Whatsapp, 'id' | 'companyId' | 'name' | 'status'>
  schedules: Schedule
  drafts: Draft
  savedFilters: SavedFilter
  chats: Chat
  chatUsers: ChatUser
  chatMessages: ChatMessage
}
export type CommandTable = keyof CommandRows

/**
 * How a command reads the facts it decides by: rows of the asker's company only, in Postgres (locked until the
 * commit) or in the browser's replica.
 */
export interface FactReader {
  /** The row, or undefined where the company has none. */
  get<T extends CommandTable>(table: T, id: string | number): Promise<CommandRows[T] | undefined>
  /** The row, or `ERR_NO_…_FOUND`. */
  need<T extends CommandTable>(table: T, id: string | number): Promise<CommandRows[T]>
  /** Ids of a ticket's messages from the contact that nobody has read. */
  unreadMessages(ticketId: number): Promise<string[]>
  /** Id of the message that stands last in the ticket's conversation. */
  lastMessage(ticketId: number): Promise<string | undefined>
}

/** One change to rows, by primary key. Plain enough to be applied to Postgres and to the replica alike. */
export type RowChange = {
  [T in CommandTable]:
    | { table: T; op: 'insert'; values: Partial<CommandRows[T]> & { id: string | number } }
    | { table: T; op: 'update'; ids: (string | number)[]; values: Partial<CommandRows[T]> }
    | { table: T; op: 'delete'; ids: (string | number)[] }
}[CommandTable]

export interface Decision {
  rows: RowChange[]
  /** The clock of the service, kept by the server only. */
  tracking?: { ticketId: number; change: TrackingChange }
  /** Whose the moved ticket was: who listens there is told that it left. */
  was?: Pick<Ticket, 'id' | 'status' | 'queueId' | 'userId'>
  /** What must be done after the commit; the server writes a job for each, the browser ignores them. */
  effects: Effect[]
  /** What the caller is told, besides the transaction. */
  result?: Record<string, unknown>
}

export interface CommandContext {
  who: Principal
  now: Date
  /** The idempotency key; rows that the command causes derive their ids from it. */
  commandId: string
}

export interface Command<I extends TSchema = TSchema, F = unknown> {
  name: string
  input: I
  needs: Permission | null
  /** What the company's plan must include; the server asks. */
  feature?: PlanFeature
  /** Reads what the decision needs; refuses with a `DomainError` what the asker may not see. */
  facts(input: Static<I>, read: FactReader, who: Principal): Promise<F>
  /** Pure. The browser shows its rows at once, and decides again over a changed replica until the server's answer is synced. */
  decide(input: Static<I>, facts: F, context: CommandContext): Decision
}

/** Declares a command with its types inferred. */
export function command<I extends TSchema, F>(definition: Command<I, F>): Command<I, F> {
  return definition
}

/** The code for "this company has no such row", by table. */
export const notFound: Record<CommandTable, ErrorCode> = {
  tickets: 'ERR_NO_TICKET_FOUND',
  messages: 'ERR_NO_MESSAGE_FOUND',
  ticketNotes: 'ERR_NO_NOTE_FOUND',
  ticketEvents: 'ERR_NOT_FOUND',
  contacts: 'ERR_NO_CONTACT_FOUND',
  queues: 'ERR_NO_QUEUE_FOUND',
  tags: 'ERR_NO_TAG_FOUND',
  users: 'ERR_NO_USER_FOUND',
  whatsapps: 'ERR_NO_WAPP_FOUND',
  schedules: 'ERR_NO_SCHEDULE_FOUND',
  drafts: 'ERR_NOT_FOUND',
  savedFilters: 'ERR_NOT_FOUND',
  chats: 'ERR_NO_CHAT_FOUND',
  chatUsers: 'ERR_NO_CHAT_FOUND',
  chatMessages: 'ERR_NO_MESSAGE_FOUND',
}
