import { plain } from '../../schema/plain.ts'
import type { Ticket } from '../../schema/tickets/tickets.table.ts'
import { ownQueues, type Principal } from '../../schema/permissions.ts'
import { queuesText } from '../../schema/tickets/tickets.sight.ts'
import { msOf, storePath, type Rows } from '../app/rows.ts'

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

const columns = `t.id, t.uuid, t.status, t."contactId", t."whatsappId", t."queueId", t."userId", t."lastMessage", t."lastMessageAt",
  t."lastMessageFromMe", t."lastMessageDeleted", t."unreadMessages", t."isGroup", t.chatbot, t."tagIds", t."updatedAt", t."createdAt",
  c.name AS "contactName", c.number AS "contactNumber", c."profilePicUrl" AS "contactPicture"`
const from = 'FROM tickets t LEFT JOIN contacts c ON c.id = t."contactId"'
const newestFirst = 'ORDER BY t."updatedAt" DESC, t.id DESC'

const idOf = (row: { id: number }) => row.id

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
function parameters() {
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
function narrowed(filter: ListNarrowing, put: (value: unknown) => string): string[] {
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
      sql: `SELECT ${columns} ${from} WHERE ${where} ${newestFirst} LIMIT ${put(limit)}`,
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

/** Letters with marks, and signs of print, by the one that people type for them; capitals, too, which the database of the replica does not know. */
let written: Map<string, string> | null = null
const printed = [
  [0xc0, 0x24f],
  [0x2010, 0x2026],
] as const

function writtenFor(typed: string): string {
  if (!written) {
    written = new Map()
    for (const [first, last] of printed)
      for (let code = first; code <= last; code++) {
        const sign = String.fromCodePoint(code)
        const stands = plain(sign)
        if (stands.length === 1) written.set(stands, (written.get(stands) ?? '') + sign)
      }
  }
  return written.get(typed) ?? ''
}

/**
 * An SQL condition: `expression` says somewhere what `pattern`, a parameter, was made of by {@link wordPattern}, whatever
 * its case and marks. Taking the marks off each row before comparing would cost ten times as much.
 */
export const saysSql = (expression: string, pattern: string) => `${expression} ~* ${pattern}`
const literal = (sign: string) => (/[\p{L}\p{N}\s]/u.test(sign) ? sign : `\\${sign}`)
/** A regular expression of Postgres that finds `text` in any case, with or without marks. */
export const wordPattern = (text: string) =>
  [...text.toLowerCase().normalize('NFC')]
    .map((sign) => {
      const typed = plain(sign)
      const stands = [...typed].map((one) => (writtenFor(one) ? `[${literal(one)}${writtenFor(one)}]` : literal(one)))
      const isFound = typed === sign || writtenFor(typed).includes(sign)
      return isFound ? stands.join('') : `(?:${literal(sign)}|${stands.join('')})`
    })
    .join('')

export interface TicketSearch {
  /** Lower case, trimmed; may be empty when there are tags or users. */
  text: string
  tagIds: readonly number[]
  userIds: readonly number[]
}

export const isSearching = (search: TicketSearch) =>
  search.text !== '' || search.tagIds.length > 0 || search.userIds.length > 0

/** Tickets of which their contact's name or number, their own number or their last message say it, and those of `also`. */
function saying(said: string, also: readonly number[], put: (value: unknown) => string): string {
  const text = put(wordPattern(said))
  const digits = said.replace(/\D/g, '')
  const either = [saysSql('c.name', text), saysSql('t."lastMessage"', text)]
  if (digits.length >= 3) either.push(`c.number LIKE ${put(`%${digits}%`)}`)
  if (/^#?\d{1,9}$/.test(said)) either.push(`t.id = ${put(Number(digits))}`)
  if (also.length > 0) either.push(`t.id IN (${also.map(put).join(', ')})`)
  return `(${either.join(' OR ')})`
}

/**
 * Tickets of the replica by the contact's name or number, the ticket's number or last message; all of the tags, any of
 * the users. `also` are tickets found by what their messages say.
 */
export function ticketSearch(search: TicketSearch, also: readonly number[], limit: number): Rows<TicketRow> {
  const { params, put } = parameters()
  const parts: string[] = []
  if (search.text !== '') parts.push(saying(search.text, also, put))
  for (const id of search.tagIds) parts.push(`${put(id)} = ANY(t."tagIds")`)
  if (search.userIds.length > 0) parts.push(`t."userId" IN (${search.userIds.map(put).join(', ')})`)
  return {
    query: {
      sql: `SELECT ${columns} ${from} WHERE ${parts.join(' AND ') || 'FALSE'} ${newestFirst} LIMIT ${put(limit)}`,
      params,
      tables: ['tickets', 'contacts'],
    },
    read: readTicket,
    keyOf: idOf,
  }
}

/** No board shows more; what changed last is there. */
export const mostCards = 5_000

/**
 * What waits and what is open, of all that the person may see, for the board.
 * @param text lower case, trimmed; '' for all of it
 * @param also tickets found by what their messages say
 */
export function boardTickets(filter: ListNarrowing, text: string, also: readonly number[]): Rows<TicketRow> {
  const { params, put } = parameters()
  const parts = [`t.status IN ('open', 'pending')`, ...narrowed(filter, put)]
  if (text !== '') parts.push(saying(text, also, put))
  return {
    query: {
      sql: `SELECT ${columns} ${from} WHERE ${parts.join(' AND ')} ${newestFirst} LIMIT ${mostCards}`,
      params,
      tables: ['tickets', 'contacts'],
      ...(text === '' && { remember: `board ${JSON.stringify(filter)}` }),
    },
    read: readTicket,
    keyOf: idOf,
  }
}

const one = (column: 'uuid' | 'id', value: string | number): Rows<TicketRow> => ({
  query: {
    sql: `SELECT ${columns} ${from} WHERE t.${column} = $1`,
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
    sql: `SELECT ${columns} ${from} WHERE t."contactId" = $1 ${newestFirst} LIMIT 50`,
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
      sql: `SELECT ${columns} ${from} WHERE t.status IN ('open', 'pending') AND t."unreadMessages" > 0 AND (${mine} OR ${waiting}) ${newestFirst} LIMIT 100`,
      params,
      tables: ['tickets', 'contacts'],
    },
    read: readTicket,
    keyOf: idOf,
  }
}
