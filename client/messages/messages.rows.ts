import type { Message } from '../../schema/messages/messages.table.ts'
import type { Replica } from '../../sync/client/replica.types.ts'
import { columnsOf, ms, or, type RowOf } from '../replica/columns.ts'
import { msOf, storePath, type Rows } from '../replica/rows.ts'

const pathOf = (path: unknown, raw: Record<string, unknown>) => (path as string | null) ?? storePath(raw['mediaUrl'])

const message = columnsOf<'messages'>()({
  id: String,
  companyId: false,
  ticketId: Number,
  contactId: false,
  whatsappId: false,
  wid: false,
  fromMe: or(false),
  authorId: or(null),
  participantName: or(null),
  participantNumber: or(null),
  body: or(''),
  isCut: or(false),
  mediaType: or('chat'),
  mediaState: (state, raw) =>
    (state as Message['mediaState'] | null) ?? (pathOf(raw['mediaPath'], raw) ? 'ready' : 'none'),
  mediaPath: pathOf,
  mediaName: or(null),
  mediaMime: or(null),
  mediaSize: or(null),
  mediaSeconds: or(null),
  waveform: or(null),
  isVoice: or(false),
  read: or(true),
  ack: or(0),
  ackError: or(null),
  isDeleted: or(false),
  isEdited: or(false),
  earlierBodies: or([]),
  reactions: or([]),
  quotedMsgId: or(null),
  about: or(null),
  queueScope: false,
  userScope: false,
  createdAt: ms,
  updatedAt: false,
})
const selected = message.text()

/** A message as the conversation shows it; moments in milliseconds since 1970. */
export type MessageRow = RowOf<typeof message>
/** For a query of messages that the statement calls `m`, read by {@link readMessage}. */
export const messageColumns = message.text('m')

const event = columnsOf<'ticketEvents'>()({
  id: String,
  companyId: false,
  ticketId: false,
  kind: true,
  userId: or(null),
  data: or({}),
  queueScope: false,
  userScope: false,
  createdAt: ms,
})
const eventColumns = event.text()
export type EventRow = RowOf<typeof event>
/** An event of the REST API, as the screen wants it. */
export const readEvent = event.read

/** How many messages a conversation opens with, and how many more each step up brings. */
export const messagePage = 50

const idOf = (row: { id: string }) => row.id

/** A row of the replica, or a message of the REST API, as the screen wants it. */
export const readMessage = message.read

/** As a parameter; Postgres, too, knows a moment before all others and one after them. */
const moment = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString() : ms < 0 ? '-infinity' : 'infinity'

/**
 * The newest `messagePage` messages of a ticket, newest first; with `since` (milliseconds since 1970), instead all from
 * then on. One statement for both, so that the rows kept for the next start fit either.
 */
export const newestMessages = (ticketId: number, since?: number): Rows<MessageRow> => ({
  query: {
    sql: `SELECT ${selected} FROM messages WHERE "ticketId" = $1 AND "createdAt" >= $2 ORDER BY "createdAt" DESC, id DESC LIMIT $3`,
    params: [ticketId, moment(since ?? -Infinity), since === undefined ? messagePage : null],
    tables: [{ table: 'messages', only: { column: 'ticketId', value: ticketId } }],
    first: true,
    remember: `messages ${ticketId}`,
  },
  read: readMessage,
  keyOf: idOf,
})

/**
 * The messages of a ticket from `since` until just before `before` (milliseconds since 1970), newest first. Whole
 * milliseconds, because the screen knows no finer ones: messages of the same one are never parted.
 */
export const messagesBetween = (ticketId: number, since: number, before: number): Rows<MessageRow> => ({
  query: {
    sql: `SELECT ${selected} FROM messages WHERE "ticketId" = $1 AND "createdAt" >= $2 AND "createdAt" < $3 ORDER BY "createdAt" DESC, id DESC`,
    params: [ticketId, moment(since), moment(before)],
    tables: [{ table: 'messages', only: { column: 'ticketId', value: ticketId } }],
  },
  read: readMessage,
  keyOf: idOf,
})

/** Messages by id: those quoted from further up, or from an earlier ticket of the contact. */
export const messagesById = (ids: readonly string[]): Rows<MessageRow> => ({
  query: {
    sql: `SELECT ${selected} FROM messages WHERE id IN (${ids.map((_, i) => `$${i + 1}`).join(', ')})`,
    params: [...ids],
    tables: ids.map((value) => ({ table: 'messages', only: { column: 'id', value } })),
  },
  read: readMessage,
  keyOf: idOf,
})

/**
 * Since when (milliseconds since 1970) the last `count` messages before a moment are; `-Infinity` when the replica has
 * fewer than that.
 */
export async function sinceOf(replica: Replica, ticketId: number, before: number, count: number): Promise<number> {
  const [found] = await replica.query<{ since: unknown }>(
    `SELECT "createdAt" AS since FROM messages WHERE "ticketId" = $1 AND "createdAt" < $2 ORDER BY "createdAt" DESC, id DESC OFFSET $3 LIMIT 1`,
    [ticketId, moment(before), count - 1],
  )
  return found ? msOf(found.since) : -Infinity
}

/** When a message of a ticket was written (milliseconds since 1970); null where the replica does not hold it. */
export async function writtenAt(replica: Replica, ticketId: number, id: string): Promise<number | null> {
  const [found] = await replica.query<{ createdAt: unknown }>(
    'SELECT "createdAt" FROM messages WHERE id = $1 AND "ticketId" = $2',
    [id, ticketId],
  )
  return found ? msOf(found.createdAt) : null
}

/** What happened in all tickets of a contact that are held here, newest first. */
export const contactTimeline = (contactId: number): Rows<EventRow & { ticketId: number }> => ({
  query: {
    sql: `SELECT ${event.text('e')}, e."ticketId" FROM ticket_events e JOIN tickets t ON t.id = e."ticketId"
      WHERE t."contactId" = $1 ORDER BY e."createdAt" DESC, e.id DESC LIMIT 200`,
    params: [contactId],
    tables: ['ticket_events', 'tickets'],
  },
  read: (raw) => Object.assign(event.read(raw), { ticketId: Number(raw['ticketId']) }),
  keyOf: idOf,
})

/** What happened to a ticket, oldest first. */
export const ticketTimeline = (ticketId: number): Rows<EventRow> => ({
  query: {
    sql: `SELECT ${eventColumns} FROM ticket_events WHERE "ticketId" = $1 ORDER BY "createdAt", id LIMIT 500`,
    params: [ticketId],
    tables: [{ table: 'ticket_events', only: { column: 'ticketId', value: ticketId } }],
    remember: `events ${ticketId}`,
  },
  read: event.read,
  keyOf: idOf,
})
