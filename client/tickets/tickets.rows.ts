import type { Ticket } from '../../schema/tickets/tickets.table.ts'
import { ownQueues, type Principal } from '../../schema/permissions.ts'
import { queuesText } from '../../schema/tickets/tickets.sight.ts'
import { msOf, storePath, type Rows } from '../replica/rows.ts'

/** A ticket as lists and the conversation show it; moments in milliseconds since 1970. */
export type TicketRow = Pick<
  Ticket,
  | 'id'
  | 'uuid'
  | 'status'
  | 'contactId'
  | 'whatsappId'
  | 'queueId'
  | 'userId'
  | 'lastMessage'
  | 'lastMessageDeleted'
  | 'lastMessageFromMe'
  | 'unreadMessages'
  | 'isGroup'
  | 'chatbot'
  | 'tagIds'
> & {
  updatedAt: number
  lastMessageAt: number
  createdAt: number
  contactName: string
  contactNumber: string | null
  /** Path in the media store. */
  contactPicture: string | null
}

export type ManagerTab = 'open' | 'pending' | 'closed'

/** What the lists are narrowed to. An empty list means no narrowing; a ticket has any one of each, and all of the tags. */
export interface ListNarrowing {
  /** 0 stands for "no queue". */
  queueIds: readonly number[]
  tagIds?: readonly number[]
  userIds?: readonly number[]
  whatsappIds?: readonly number[]
  unreadOnly?: boolean
  /** The last word is the contact's. */
  unansweredOnly?: boolean
}

export interface ListFilter extends ListNarrowing {
  tab: ManagerTab
  /** All of the company's tickets that the person may see, not only their own and their queues'. */
  showAll: boolean
}

/** How many tickets a page of a list has; the server's page has as many. */
export const ticketPage = 40

/** What a query of tickets asks for, read by {@link readTicket}. */
export const ticketColumns = `t.id, t.uuid, t.status, t."contactId", t."whatsappId", t."queueId", t."userId", t."lastMessage", t."lastMessageAt",
  t."lastMessageFromMe", t."lastMessageDeleted", t."unreadMessages", t."isGroup", t.chatbot, t."tagIds", t."updatedAt", t."createdAt",
  c.name AS "contactName", c.number AS "contactNumber", c."profilePicUrl" AS "contactPicture"`
export const fromTickets = 'FROM tickets t LEFT JOIN contacts c ON c.id = t."contactId"'
export const newestFirst = 'ORDER BY t."updatedAt" DESC, t.id DESC'

export const idOf = (row: { id: number }) => row.id

/** A row of the replica as the screen wants it. */
export function readTicket(raw: Record<string, unknown>): TicketRow {
  const given = raw as Partial<TicketRow>
  return {
    id: Number(raw['id']),
    uuid: String(raw['uuid']),
    status: given.status ?? 'pending',
    contactId: given.contactId ?? 0,
    whatsappId: given.whatsappId ?? null,
    queueId: given.queueId ?? null,
    userId: given.userId ?? null,
    lastMessage: given.lastMessage ?? '',
    lastMessageDeleted: given.lastMessageDeleted ?? false,
    lastMessageFromMe: given.lastMessageFromMe ?? false,
    unreadMessages: given.unreadMessages ?? 0,
    isGroup: given.isGroup ?? false,
    chatbot: given.chatbot ?? false,
    tagIds: given.tagIds ?? [],
    updatedAt: msOf(raw['updatedAt']),
    lastMessageAt: msOf(raw['lastMessageAt'] ?? raw['updatedAt']),
    createdAt: msOf(raw['createdAt'] ?? raw['updatedAt']),
    contactName: given.contactName ?? '',
    contactNumber: given.contactNumber ?? null,
    contactPicture: given.contactPicture ?? null,
  }
}

/** A ticket of the REST API, which carries its contact and tags as objects. */
export function readWireTicket(raw: Record<string, unknown>): TicketRow {
  const contact = (raw['contact'] ?? {}) as { name?: string; number?: string | null; profilePicUrl?: string | null }
  const tags = raw['tags'] as { id: number }[] | undefined
  return readTicket({
    ...raw,
    tagIds: raw['tagIds'] ?? tags?.map((tag) => tag.id) ?? [],
    contactName: contact.name ?? '',
    contactNumber: contact.number ?? null,
    contactPicture: storePath(contact.profilePicUrl),
  })
}

/** Collects parameters and answers their places. */
export function parameters() {
  const params: unknown[] = []
  return { params, put: (value: unknown) => `$${params.push(value)}` }
}

/** Tickets of these queues; null is no queue. */
function inQueues(queueIds: readonly (number | null)[], put: (value: unknown) => string): string {
  const parts = queuesText(queueIds, 't."queueId"', put)
  return parts.length > 0 ? `(${parts.join(' OR ')})` : 'FALSE'
}

/** The condition of a tab, over `tickets t`. Without show-all, open tickets are one's own, pending ones those of one's queues. */
function tabCondition(filter: ListFilter, who: Principal, put: (value: unknown) => string): string {
  const parts = [`t.status = '${filter.tab}'`]
  if (!filter.showAll) {
    if (filter.tab === 'open') parts.push(`t."userId" = ${put(who.userId)}`)
    if (filter.tab === 'pending') parts.push(inQueues(ownQueues(who), put))
  }
  return [...parts, ...narrowed(filter, put)].join(' AND ')
}

/** Whether the contact had the last word and somebody is to answer it. */
export const isUnanswered = (ticket: Pick<TicketRow, 'status' | 'lastMessageFromMe' | 'lastMessage'>): boolean =>
  ticket.status !== 'closed' && !ticket.lastMessageFromMe && ticket.lastMessage !== ''
/** The same of `tickets t`. */
const waitingForUs = `t.status <> 'closed' AND NOT t."lastMessageFromMe" AND t."lastMessage" <> ''`

/** The conditions of a narrowing, over `tickets t`. */
export function narrowed(filter: ListNarrowing, put: (value: unknown) => string): string[] {
  const parts: string[] = []
  if (filter.queueIds.length > 0)
    parts.push(
      inQueues(
        filter.queueIds.map((id) => id || null),
        put,
      ),
    )
  for (const id of filter.tagIds ?? []) parts.push(`${put(id)} = ANY(t."tagIds")`)
  if (filter.userIds?.length) parts.push(`t."userId" IN (${filter.userIds.map(put).join(', ')})`)
  if (filter.whatsappIds?.length) parts.push(`t."whatsappId" IN (${filter.whatsappIds.map(put).join(', ')})`)
  if (filter.unreadOnly) parts.push('t."unreadMessages" > 0')
  if (filter.unansweredOnly) parts.push(`(${waitingForUs})`)
  return parts
}

/** The same for a ticket that the server handed out. */
export function isWithin(ticket: TicketRow, filter: ListNarrowing): boolean {
  const among = (ids: readonly number[] | undefined, id: number | null) => !ids?.length || ids.includes(id ?? 0)
  return (
    among(filter.queueIds, ticket.queueId) &&
    among(filter.userIds, ticket.userId) &&
    among(filter.whatsappIds, ticket.whatsappId) &&
    (filter.tagIds ?? []).every((id) => ticket.tagIds.includes(id)) &&
    (!filter.unreadOnly || ticket.unreadMessages > 0) &&
    (!filter.unansweredOnly || isUnanswered(ticket))
  )
}

export function ticketList(filter: ListFilter, who: Principal, limit: number): Rows<TicketRow> {
  const { params, put } = parameters()
  const where = tabCondition(filter, who, put)
  const remember = `tickets ${JSON.stringify([where, params])}`
  return {
    query: {
      sql: `SELECT ${ticketColumns} ${fromTickets} WHERE ${where} ${newestFirst} LIMIT ${put(limit)}`,
      params,
      tables: ['tickets', 'contacts'],
      remember,
    },
    read: readTicket,
    keyOf: idOf,
  }
}

export interface TicketCounts {
  open: number
  pending: number
}

/** How many tickets the two tabs of "open" hold. */
export function ticketCounts(filter: Omit<ListFilter, 'tab'>, who: Principal): Rows<TicketCounts> {
  const { params, put } = parameters()
  const count = (tab: ManagerTab) => `count(*) FILTER (WHERE ${tabCondition({ ...filter, tab }, who, put)})::int`
  return {
    query: {
      sql: `SELECT ${count('open')} AS open, ${count('pending')} AS pending FROM tickets t WHERE t.status IN ('open', 'pending')`,
      params,
      tables: ['tickets'],
      remember: `counts ${JSON.stringify([filter, who.userId])}`,
    },
    read: (raw) => ({ open: Number(raw['open']), pending: Number(raw['pending']) }),
    keyOf: () => 0,
  }
}

const one = (column: 'uuid' | 'id', value: string | number): Rows<TicketRow> => ({
  query: {
    sql: `SELECT ${ticketColumns} ${fromTickets} WHERE t.${column} = $1`,
    params: [value],
    tables: [{ table: 'tickets', only: { column, value } }, 'contacts'],
    remember: `ticket ${value}`,
  },
  read: readTicket,
  keyOf: idOf,
})

export const ticketByUuid = (uuid: string) => one('uuid', uuid)

/** The other services of a contact, newest first. */
export const ticketsOfContact = (contactId: number): Rows<TicketRow> => ({
  query: {
    sql: `SELECT ${ticketColumns} ${fromTickets} WHERE t."contactId" = $1 ${newestFirst} LIMIT 50`,
    params: [contactId],
    tables: [{ table: 'tickets', only: { column: 'contactId', value: contactId } }],
  },
  read: readTicket,
  keyOf: idOf,
})

/**
 * Tickets of the replica and of the server as one list, newest first: what the replica says wins, since it knows what
 * waits to be sent.
 */
export function mergeTickets(local: readonly TicketRow[], fetched: readonly TicketRow[]): readonly TicketRow[] {
  if (fetched.length === 0) return local
  const known = new Set(local.map(idOf))
  const added = fetched.filter((ticket) => !known.has(ticket.id) && known.add(ticket.id))
  return [...local, ...added].sort((a, b) => b.updatedAt - a.updatedAt || b.id - a.id)
}

/** Whether clicking opens it: a pending ticket must be accepted first. */
export const opensOnClick = (ticket: Pick<TicketRow, 'status'>) => ticket.status !== 'pending'

export const isUuid = (text: string) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)

/** Tickets to be told of: with something unread, one's own or waiting in one's queues; without a queue only with the right to. */
export function notifiedTickets(who: Principal): Rows<TicketRow> {
  const { params, put } = parameters()
  const mine = `t."userId" = ${put(who.userId)}`
  const waiting = `(t."userId" IS NULL AND ${inQueues(ownQueues(who), put)})`
  return {
    query: {
      sql: `SELECT ${ticketColumns} ${fromTickets} WHERE t.status IN ('open', 'pending') AND t."unreadMessages" > 0 AND (${mine} OR ${waiting}) ${newestFirst} LIMIT 100`,
      params,
      tables: ['tickets', 'contacts'],
    },
    read: readTicket,
    keyOf: idOf,
  }
}
