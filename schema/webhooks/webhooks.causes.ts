import type { Campaign } from '../campaigns/campaigns.table.ts'
import type { DecidedTable } from '../command.ts'
import type { Message } from '../messages/messages.table.ts'
import type { OptOut } from '../opt-outs/opt-outs.table.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { WebhookEventType } from './webhooks.events.ts'

/** The rows that events come from, by their table. */
interface CausingRows {
  tickets: Ticket
  messages: Message
  campaigns: Campaign
  optOuts: OptOut
}
export type CausingTable = keyof CausingRows

/** An event that a new row is. */
interface Begun<T extends CausingTable> {
  table: T
  op: 'insert'
  columns: readonly (keyof CausingRows[T] & string)[]
  happened(row: CausingRows[T]): boolean
}
/** An event that a change of some columns may be. */
interface Changed<T extends CausingTable> {
  table: T
  op: 'update'
  /** Where none of them is set, it did not happen. */
  columns: readonly (keyof CausingRows[T] & string)[]
  happened(was: CausingRows[T], is: CausingRows[T]): boolean
}
type Cause = { [T in CausingTable]: Begun<T> | Changed<T> }[CausingTable]

const begun = <T extends CausingTable>(
  table: T,
  columns: Begun<T>['columns'] = [],
  happened: Begun<T>['happened'] = () => true,
): Begun<T> => ({ table, op: 'insert', columns, happened })
const changed = <T extends CausingTable>(
  table: T,
  columns: Changed<T>['columns'],
  happened: Changed<T>['happened'] = (was, is) => columns.some((column) => differ(was[column], is[column])),
): Changed<T> => ({ table, op: 'update', columns, happened })

/** The campaign has come into this state. */
const into = (status: Campaign['status']) =>
  changed('campaigns', ['status'], (was, is) => is.status === status && was.status !== status)

/** Its rows are written by statements, not by decisions: decision 32 says why. A trigger writes it down. */
const BY_TRIGGER = 'by a trigger'
/** A decision brings it along by itself; see `ratingHappenings`. */
const RATING = 'a rating'

/** When each event happens: what the row was, and what a decision has made of it. */
export const causes = {
  'message.received': begun('messages', ['fromMe'], (message) => !message.fromMe),
  'message.sent': begun('messages', ['fromMe'], (message) => message.fromMe),
  'message.ack': changed('messages', ['ack']),
  'message.edited': changed('messages', ['isEdited', 'body'], (was, is) => is.isEdited && is.body !== was.body),
  'message.deleted': changed('messages', ['isDeleted'], (was, is) => is.isDeleted && !was.isDeleted),
  'message.file': changed(
    'messages',
    ['mediaState'],
    (was, is) => was.mediaState === 'pending' && (is.mediaState === 'ready' || is.mediaState === 'failed'),
  ),
  'ticket.created': begun('tickets'),
  'ticket.assigned': changed('tickets', ['userId'], (was, is) => is.userId !== null && is.userId !== was.userId),
  'ticket.transferred': changed(
    'tickets',
    ['queueId', 'userId'],
    (was, is) => is.queueId !== was.queueId || (was.userId !== null && is.userId !== null && is.userId !== was.userId),
  ),
  'ticket.status_changed': changed('tickets', ['status']),
  'ticket.tagged': changed('tickets', ['tagIds']),
  'ticket.rated': RATING,
  'ticket.updated': changed('tickets', ['fields', 'snoozedUntil', 'supervisorCalledAt', 'mergedIntoId']),
  'ticket.sla_warning': BY_TRIGGER,
  'ticket.sla_breached': BY_TRIGGER,
  'contact.created': BY_TRIGGER,
  'contact.updated': BY_TRIGGER,
  'contact.merged': BY_TRIGGER,
  'contact.opted_out': begun('optOuts'),
  'contact.erased': BY_TRIGGER,
  'campaign.started': into('EM_ANDAMENTO'),
  'campaign.paused': into('PAUSADA'),
  'campaign.finished': into('FINALIZADA'),
  'connection.status_changed': BY_TRIGGER,
} as const satisfies Record<WebhookEventType, Cause | typeof BY_TRIGGER | typeof RATING>

/** What is written down of an event in the transaction in which it happens; its body is made after the commit. */
export interface Happening {
  type: WebhookEventType
  /** Id of the message, ticket, opt-out or campaign. */
  subject: string
  ticketId: number | null
  /** What of it is told as it was then. */
  data: Record<string, unknown>
}

/** What of a row is told as it was then. */
interface Told<T extends CausingTable> {
  columns: readonly (keyof CausingRows[T] & string)[]
  ticketOf?(row: CausingRows[T]): number
  begun?(is: CausingRows[T]): Record<string, unknown>
  changed?(was: CausingRows[T], is: CausingRows[T]): Record<string, unknown>
}
/** What of a ticket is told as it was and as it is. */
const ofTicket = [
  ...(['status', 'queueId', 'userId', 'tagIds', 'fields'] as const),
  ...(['snoozedUntil', 'supervisorCalledAt', 'mergedIntoId'] as const),
] as const
const moments: ReadonlySet<(typeof ofTicket)[number]> = new Set(['snoozedUntil', 'supervisorCalledAt'])

/** Postgres writes a moment with its zone; all else that programs read of us bears a Z. */
const said = (column: (typeof ofTicket)[number], value: unknown): unknown =>
  moments.has(column) && value !== null ? new Date(value as string).toISOString() : value

const told: { [T in CausingTable]: Told<T> } = {
  messages: {
    columns: ['id', 'ticketId', 'ack', 'ackError'],
    ticketOf: ({ ticketId }) => ticketId,
    begun: ({ ack }) => ({ ack }),
    changed: (_, { ack, ackError }) => ({ ack, ackError }),
  },
  tickets: {
    columns: ['id', ...ofTicket],
    ticketOf: ({ id }) => id,
    begun: ({ status }) => ({ status }),
    changed: (was, is) => ({
      ...{ status: is.status, queueId: is.queueId, userId: is.userId, tagIds: is.tagIds },
      changes: Object.fromEntries(
        ofTicket.flatMap((column) =>
          differ(was[column], is[column]) ? [[column, [was, is].map((row) => said(column, row[column]))]] : [],
        ),
      ),
    }),
  },
  campaigns: {
    columns: ['id', 'status', 'pauseReason'],
    changed: (_, { status, pauseReason }) => ({ status, reason: pauseReason }),
  },
  optOuts: { columns: ['id'] },
}

/** What a statement may cause, and which columns of its rows say whether it did. */
export interface Listening {
  table: CausingTable
  events: readonly WebhookEventType[]
  columns: readonly string[]
}

/**
 * What a write of these columns may be to webhooks.
 * @param columns that an update sets; of a new row all are new
 * @returns null where no event comes of it
 */
export function listeningTo(table: DecidedTable, op: string, columns: readonly string[]): Listening | null {
  if (!(table in told)) return null
  const own = (Object.entries(causes) as [WebhookEventType, Cause | string][]).flatMap(([type, cause]) =>
    typeof cause !== 'string' &&
    cause.table === table &&
    cause.op === op &&
    (op === 'insert' || cause.columns.some((column) => columns.includes(column)))
      ? [{ type, columns: cause.columns as readonly string[] }]
      : [],
  )
  if (own.length === 0) return null
  const causing = table as CausingTable
  return {
    table: causing,
    events: own.map(({ type }) => type),
    columns: [...new Set([...told[causing].columns, ...own.flatMap((cause) => cause.columns)])],
  }
}

/**
 * What has happened to a row, of what is listened to.
 * @param was null for a new one
 */
export function happenings<T extends CausingTable>(
  { table, events }: Listening & { table: T },
  was: CausingRows[T] | null,
  is: CausingRows[T],
): Happening[] {
  const { ticketOf, begun: first, changed: later } = told[table] as Told<T>
  return events.flatMap((type) => {
    const cause = causes[type] as unknown as Begun<T> | Changed<T>
    if (cause.op === 'insert' ? !cause.happened(is) : !was || !cause.happened(was, is)) return []
    const data = (was ? later?.(was, is) : first?.(is)) ?? {}
    return [{ type, subject: String(is.id), ticketId: ticketOf?.(is) ?? null, data }]
  })
}

/** How contacts rated what was done for them. */
export const ratingHappenings = (ratings: readonly { ticketId: number; rate: number }[]): Happening[] =>
  ratings.map(({ ticketId, rate }) => ({
    ...{ type: 'ticket.rated', subject: String(ticketId), ticketId },
    data: { changes: { rate } },
  }))

/** Of lists and objects, whether what stands in them does; Postgres keeps the keys of a document in one order. */
const differ = (a: unknown, b: unknown): boolean => a !== b && JSON.stringify(a) !== JSON.stringify(b)
