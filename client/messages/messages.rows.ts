import type { Message } from '../../schema/messages/messages.table.ts'
import type { TicketEvent } from '../../schema/tickets/tickets.table.ts'
import type { Replica } from '../../sync/client/replica.types.ts'
import { msOf, storePath, type Rows } from '../replica/rows.ts'

/** A message as the conversation shows it; moments in milliseconds since 1970. */
export type MessageRow = Pick<
  Message,
  | 'id'
  | 'ticketId'
  | 'fromMe'
  | 'authorId'
  | 'participantName'
  | 'participantNumber'
  | 'body'
  | 'isCut'
  | 'mediaType'
  | 'mediaState'
  | 'mediaPath'
  | 'mediaName'
  | 'mediaMime'
  | 'mediaSize'
  | 'mediaSeconds'
  | 'waveform'
  | 'isVoice'
  | 'read'
  | 'ack'
  | 'ackError'
  | 'isDeleted'
  | 'isEdited'
  | 'earlierBodies'
  | 'reactions'
  | 'quotedMsgId'
  | 'about'
> & { createdAt: number }

export type EventRow = Pick<TicketEvent, 'id' | 'kind' | 'userId' | 'data'> & { createdAt: number }

const columns = [
  'id',
  'ticketId',
  'fromMe',
  'authorId',
  'participantName',
  'participantNumber',
  'body',
  'isCut',
  'mediaType',
  'mediaState',
  'mediaPath',
  'mediaName',
  'mediaMime',
  'mediaSize',
  'mediaSeconds',
  'waveform',
  'isVoice',
  'read',
  'ack',
  'ackError',
  'isDeleted',
  'isEdited',
  'earlierBodies',
  'reactions',
  'quotedMsgId',
  'about',
  'createdAt',
]
const selected = columns.map((name) => `"${name}"`).join(', ')

/** How many messages a conversation opens with, and how many more each step up brings. */
export const messagePage = 50

const idOf = (row: { id: string }) => row.id

/** A row of the replica, or a message of the REST API, as the screen wants it. */
export function readMessage(raw: Record<string, unknown>): MessageRow {
  const given = raw as Partial<MessageRow>
  const mediaPath = given.mediaPath ?? storePath(raw['mediaUrl'])
  return {
    id: String(raw['id']),
    ticketId: Number(raw['ticketId']),
    fromMe: given.fromMe ?? false,
    authorId: given.authorId ?? null,
    participantName: given.participantName ?? null,
    participantNumber: given.participantNumber ?? null,
    body: given.body ?? '',
    isCut: given.isCut ?? false,
    mediaType: given.mediaType ?? 'chat',
    mediaState: given.mediaState ?? (mediaPath ? 'ready' : 'none'),
    mediaPath,
    mediaName: given.mediaName ?? null,
    mediaMime: given.mediaMime ?? null,
    mediaSize: given.mediaSize ?? null,
    mediaSeconds: given.mediaSeconds ?? null,
    waveform: given.waveform ?? null,
    isVoice: given.isVoice ?? false,
    read: given.read ?? true,
    ack: given.ack ?? 0,
    ackError: given.ackError ?? null,
    isDeleted: given.isDeleted ?? false,
    isEdited: given.isEdited ?? false,
    earlierBodies: given.earlierBodies ?? [],
    reactions: given.reactions ?? [],
    quotedMsgId: given.quotedMsgId ?? null,
    about: given.about ?? null,
    createdAt: msOf(raw['createdAt']),
  }
}

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

/** What happened to a ticket, oldest first. */
export const ticketTimeline = (ticketId: number): Rows<EventRow> => ({
  query: {
    sql: `SELECT id, kind, "userId", data, "createdAt" FROM ticket_events WHERE "ticketId" = $1 ORDER BY "createdAt", id LIMIT 500`,
    params: [ticketId],
    tables: [{ table: 'ticket_events', only: { column: 'ticketId', value: ticketId } }],
    remember: `events ${ticketId}`,
  },
  read: (raw) => ({
    id: String(raw['id']),
    kind: raw['kind'] as EventRow['kind'],
    userId: (raw['userId'] as number | null) ?? null,
    data: (raw['data'] as EventRow['data'] | null) ?? {},
    createdAt: msOf(raw['createdAt']),
  }),
  keyOf: idOf,
})
