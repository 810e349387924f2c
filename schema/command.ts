import type { Static, TSchema } from '@sinclair/typebox'
import type { Effect } from './effects.ts'
import type { ErrorCode } from './errors.ts'
import type { Permission, Principal } from './permissions.ts'
import type { PlanFeature } from './plans/plans.features.ts'
import type { Campaign, Shipping } from './campaigns/campaigns.table.ts'
import type { ByTable } from './decided.ts'
import type { Chat, ChatMessage, ChatUser } from './chats/chats.table.ts'
import type { Company } from './companies/companies.table.ts'
import type { Contact } from './contacts/contacts.table.ts'
import type { CustomField } from './custom-fields/custom-fields.table.ts'
import type { FlowRunTouch } from './flows/flow-runs.transition.ts'
import type { Flow, FlowNodeRow, FlowRunRow } from './flows/flows.table.ts'
import type { Mention } from './mentions/mentions.table.ts'
import type { Macro } from './macros/macros.table.ts'
import type { Message } from './messages/messages.table.ts'
import type { TicketNote } from './notes/notes.table.ts'
import type { Queue } from './queues/queues.table.ts'
import type { Draft } from './drafts/drafts.table.ts'
import type { SavedFilter } from './filters/filters.table.ts'
import type { Charge, Invoice } from './invoices/invoices.table.ts'
import type { OptOut } from './opt-outs/opt-outs.table.ts'
import type { RuleCause } from './rules/rules.events.ts'
import type { Spoken } from './sla-policies/sla.clock.ts'
import type { Schedule } from './schedules/schedules.table.ts'
import type { SchedulePatch, ScheduleTouch } from './schedules/schedules.transition.ts'
import type { Tag } from './tags/tags.table.ts'
import type { GivenComment } from './ratings/ratings.decide.ts'
import type { NewRating } from './ratings/ratings.table.ts'
import type { Template } from './templates/templates.table.ts'
import type { Ticket, TicketEvent } from './tickets/tickets.table.ts'
import type { TagChange } from './tickets/tickets.tagged.ts'
import type { TicketJoin } from './tickets/tickets.merge.ts'
import type { TicketPatch, TicketPlaceKey, TicketTouch, TrackingStep } from './tickets/tickets.transition.ts'
import type { User } from './users/users.table.ts'
import type { Whatsapp } from './whatsapps/whatsapps.table.ts'

/** The tables that commands read and write, by the row type each holds; see `nouns.ts`. All are in the browser's replica. */
export interface CommandRows {
  tickets: Ticket
  messages: Message
  ticketNotes: TicketNote
  mentions: Mention
  ticketEvents: TicketEvent
  contacts: Contact
  customFields: CustomField
  queues: Queue
  tags: Tag
  templates: Template
  users: Pick<User, 'id' | 'companyId' | 'name' | 'profile' | 'awayAt' | 'awayUntil'> & { queueIds: number[] }
  whatsapps: Pick<Whatsapp, 'id' | 'companyId' | 'name' | 'status' | 'provider'>
  schedules: Schedule
  drafts: Draft
  savedFilters: SavedFilter
  macros: Macro
  chats: Chat
  chatUsers: ChatUser
  chatMessages: ChatMessage
  flows: Flow
  flowNodes: FlowNodeRow
}
export type CommandTable = keyof CommandRows

/** The tables that only the server decides about, by the row type each holds; see `nouns.ts`. No browser holds them. */
export interface ServerRows {
  invoices: Invoice
  charges: Charge
  campaigns: Campaign
  shippings: Shipping
  optOuts: OptOut
  flowRuns: FlowRunRow
}
export type ServerTable = keyof ServerRows

/** Every table that decisions write. */
export interface DecidedRows extends CommandRows, ServerRows {}
export type DecidedTable = keyof DecidedRows

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
  /** The company's fields that are in use, contacts' and tickets', in their order. */
  customFields(): Promise<CustomField[]>
  /** What the company is called, and its clock and language. */
  company(): Promise<Pick<Company, 'name' | 'timeZone' | 'language'>>
  /**
   * Says what will be asked for, so that it is read in one go: rows by their ids, and the unread messages of tickets. What
   * is locked is locked in the order of ids.
   */
  ahead(wanted: Ahead): Promise<void>
  /** By which wire a connection speaks; undefined where it is not known here. */
  provider(whatsappId: number): Promise<string | undefined>
}

/** Rows of tables by their ids, and tickets by theirs, whose unread messages are wanted. */
export type Ahead = { [T in CommandTable]?: readonly (string | number)[] } & { unreadOf?: readonly number[] }

/** What an update may set. What has a life is changed only by the table of its transitions. */
type ValuesOf<T extends DecidedTable> = T extends 'tickets'
  ? TicketPatch | TicketTouch
  : T extends 'schedules'
    ? SchedulePatch | ScheduleTouch
    : T extends ServerTable
      ? ByTable<DecidedRows[T]>
      : Partial<DecidedRows[T]>

type ChangeOf<Table extends DecidedTable> = {
  [T in Table]:
    | { table: T; op: 'insert'; values: Partial<DecidedRows[T]> & { id: string | number } }
    | { table: T; op: 'update'; ids: (string | number)[]; values: ValuesOf<T> }
    | { table: T; op: 'delete'; ids: (string | number)[] }
}[Table]

/** One change to rows, by primary key. Plain enough to be applied to Postgres and to the replica alike. */
export type RowChange = ChangeOf<CommandTable>

/** The same, of a table that only the server knows. */
export type ServerChange = ChangeOf<ServerTable>

/** What is to be written and done, as a value. Everything that changes tickets and messages is one. */
export interface Decision {
  /** In the order in which it was decided. The one in which they are written is made in `schema/writing-order.ts`. */
  rows: RowChange[]
  /** Texts of messages that are longer than a row holds, or null where they no longer are; kept by the server only. */
  texts?: { messageId: string; text: string | null }[]
  /** The clocks of services, kept by the server only. */
  tracking?: TrackingStep[]
  /** How contacts found a service, kept by the server only. */
  ratings?: NewRating[]
  /** Why contacts rated as they did. */
  comments?: GivenComment[]
  /** What was said in one ticket comes to stand in another, or goes back; done by the server only. */
  joins?: TicketJoin[]
  /** What contacts and people said, for the clocks of promises; what is said by itself is not among it. Kept by the server only. */
  spoken?: Spoken[]
  /** Whose tags change, and how, for the rules of companies. */
  tagged?: TagChange[]
  /** It follows from a company's rule: what rules make of it in turn is bounded. */
  byRule?: RuleCause
  /** Where the moved tickets were: who listens there is told that they left. */
  moved?: Pick<Ticket, 'id' | 'status' | 'queueId' | 'userId'>[]
  /** Tickets that a person has taken in hand, or that are over: whatever answered in them by itself ends. */
  takenOver?: number[]
  /** What must be done after the commit; the server writes a job for each, the browser ignores them. */
  effects: Effect[]
  /** The same, `HELD_MS` later, unless it is taken back until then. `key` is the id of the command, or follows from it. */
  held?: readonly { key: string; effect: Effect }[]
  /** Takes back what another decision holds, by its keys; refused with `ERR_UNDO_LATE` where it is being done already. */
  takesBack?: readonly string[]
  /** What the caller is told, besides the transaction. */
  result?: Record<string, unknown>
}

/**
 * A change of all rows of which one column has one of these values, or, where it is a list, holds one: nobody has to
 * read them before. Only what the server alone decides may be so sweeping, and nobody is told of each of the rows.
 */
export type SweepingChange = {
  [T in DecidedTable]: {
    table: T
    op: 'update'
    where: Among<keyof DecidedRows[T] & string>
    /** Of those, only the rows of which all of this holds. */
    and?: readonly Condition<keyof DecidedRows[T] & string>[]
    values: SweptValues<T>
  }
}[DecidedTable]

/** What may be swept: of what has a life, what the table of its transitions says of one such row. */
type SweptValues<T extends DecidedTable> = T extends 'schedules'
  ? ScheduleTouch
  : T extends 'flowRuns'
    ? FlowRunTouch
    : T extends ServerTable
      ? ByTable<DecidedRows[T]>
      :
          | {
              [K in Exclude<keyof DecidedRows[T], T extends 'tickets' ? TicketPlaceKey : never>]?:
                | DecidedRows[T][K]
                | Without
            }
          | (T extends 'tickets' ? TicketPatch : never)

interface Among<Column> {
  column: Column
  in: readonly (string | number | boolean)[]
}
/** What holds of one column of a row. */
export type Condition<Column = string> =
  | Among<Column>
  | { column: Column; is: 'set' | 'empty' }
  | { column: Column; isNot: string | number }

/** Of a list, all but this member. */
export interface Without {
  without: number
}

/** What only the server decides. */
export interface ServerDecision extends Omit<Decision, 'rows'> {
  rows: (RowChange | ServerChange | SweepingChange)[]
  /** Until when the company may work from now on. */
  subscription?: Pick<Company, 'dueDate' | 'dueDay' | 'updatedAt'>
  /** Jobs of the operator's company: they are done also when the company is gone. */
  operatorEffects?: Effect[]
}

/** The decision that changes nothing. */
export const nothing: Decision = { rows: [], effects: [] }

/** One decision out of several that are made at the same time, in this order. */
export function together(...decisions: readonly Decision[]): Decision
export function together(...decisions: readonly ServerDecision[]): ServerDecision
export function together(...decisions: readonly ServerDecision[]): ServerDecision {
  const all = <T>(of: (decision: ServerDecision) => readonly T[] | undefined) => decisions.flatMap((d) => of(d) ?? [])
  const subscription = decisions.findLast((d) => d.subscription)?.subscription
  return {
    rows: all((d) => d.rows),
    texts: all((d) => d.texts),
    tracking: all((d) => d.tracking),
    ratings: all((d) => d.ratings),
    comments: all((d) => d.comments),
    joins: all((d) => d.joins),
    spoken: all((d) => d.spoken),
    tagged: all((d) => d.tagged),
    moved: all((d) => d.moved),
    takenOver: all((d) => d.takenOver),
    effects: all((d) => d.effects),
    held: all((d) => d.held),
    takesBack: all((d) => d.takesBack),
    operatorEffects: all((d) => d.operatorEffects),
    ...(subscription ? { subscription } : {}),
  }
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
  /**
   * What of an accepted command was refused all the same, by the result that the server told. It stays in the outbox of
   * its user as a command of its own, with the reason.
   */
  refusedPart?(
    input: Static<I>,
    result: Record<string, unknown>,
  ): { input: Static<I>; error: { code: ErrorCode; params: Record<string, unknown> } } | null
}

/** Declares a command with its types inferred. */
export function command<I extends TSchema, F>(definition: Command<I, F>): Command<I, F> {
  return definition
}
