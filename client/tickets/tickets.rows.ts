import type { Principal } from '../../schema/permissions.ts'
import {
  conditionText,
  dueTexts,
  inListOrder,
  type ListFilter,
  type ListTab,
  listOf,
  mostBulk,
  type ListText,
  notifiedOf,
  orderText,
  tabOf,
  type TicketCondition,
  type TicketList,
  type ListOrder,
  orderOf,
  returnText,
} from '../../schema/tickets/tickets.list.ts'
import { columnsOf, ms, msOrNull, or, type RowOf } from '../replica/columns.ts'
import { msOf, storePath, type Rows } from '../replica/rows.ts'

const ticket = columnsOf<'tickets'>()({
  id: Number,
  uuid: String,
  companyId: false,
  status: or('pending'),
  contactId: or(0),
  whatsappId: or(null),
  queueId: or(null),
  userId: or(null),
  lastMessage: or(''),
  lastMessageDeleted: or(false),
  lastMessageAt: (at, raw) => msOf(at ?? raw['updatedAt']),
  lastMessageFromMe: or(false),
  unreadMessages: or(0),
  isGroup: or(false),
  chatbot: or(false),
  useIntegration: false,
  promptId: false,
  integrationId: false,
  tagIds: or([]),
  snoozedUntil: msOrNull,
  snoozeKeep: or(false),
  snoozeNote: or(null),
  snoozedBy: or(null),
  nextDueAt: msOrNull,
  nextDueMetric: or(null),
  nextRiskAt: msOrNull,
  supervisorCalledAt: msOrNull,
  supervisorCalledBy: or(null),
  fields: or({}),
  mergedIntoId: or(null),
  createdAt: (at, raw) => msOf(at ?? raw['updatedAt']),
  updatedAt: ms,
})

/** A ticket as lists and the conversation show it; moments in milliseconds since 1970. */
export type TicketRow = RowOf<typeof ticket> & {
  contactName: string
  contactNumber: string | null
  /** Path in the media store. */
  contactPicture: string | null
}

/** What a query of tickets asks for, read by {@link readTicket}. */
export const ticketColumns = `${ticket.text('t')},
  c.name AS "contactName", c.number AS "contactNumber", c."profilePicUrl" AS "contactPicture"`
export const fromTickets = 'FROM tickets t LEFT JOIN contacts c ON c.id = t."contactId"'
/** Of `tickets t`. */
const column: ListText['column'] = (name) => `t."${name}"`
export const newestFirst = orderText(column)
const byReturn = returnText(column)

export const idOf = (row: { id: number }) => row.id

/** A row of the replica as the screen wants it. */
export function readTicket(raw: Record<string, unknown>): TicketRow {
  const { contactName, contactNumber, contactPicture } = raw as Partial<TicketRow>
  return Object.assign(ticket.read(raw), {
    contactName: contactName ?? '',
    contactNumber: contactNumber ?? null,
    contactPicture: contactPicture ?? null,
  })
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

/** The conditions of a list, over `tickets t`. */
export const listText = (where: readonly TicketCondition[], put: (value: unknown) => string): string =>
  conditionText(where, { column, put })

/**
 * A list of the replica's tickets.
 * @param also one more condition, over `tickets t` and `contacts c`
 * @param remember a name under which the first rows are kept for the next start
 */
export function listedTickets(
  { where, limit, offset, order }: TicketList,
  also?: (put: (value: unknown) => string) => string,
  remember?: string,
): Rows<TicketRow> {
  const { params, put } = parameters()
  const all = [...(where.length > 0 || !also ? [listText(where, put)] : []), ...(also ? [also(put)] : [])].join(' AND ')
  const page = `LIMIT ${put(limit)}${offset > 0 ? ` OFFSET ${put(offset)}` : ''}`
  return {
    query: {
      sql:
        order === 'due'
          ? `${byDue(all, put(limit + offset))} ${page}`
          : `SELECT ${ticketColumns} ${fromTickets} WHERE ${all} ${order === 'return' ? byReturn : newestFirst} ${page}`,
      params,
      tables: ['tickets', 'contacts'],
      ...(remember !== undefined && { remember }),
    },
    read: readTicket,
    keyOf: idOf,
  }
}

/** What is promised and what is not, one after the other: of the second nothing is read where the first fills the page. */
const byDue = (all: string, most: string) =>
  dueTexts(column)
    .map(([part, order]) => `(SELECT ${ticketColumns} ${fromTickets} WHERE ${all} AND ${part} ${order} LIMIT ${most})`)
    .join(' UNION ALL ')

/** The first of all tickets that meet these, in the replica. */
export const ticketsWhere = (where: readonly TicketCondition[], limit: number, order?: ListOrder): Rows<TicketRow> =>
  listedTickets(listOf(where, limit, order), undefined, `tickets ${order ?? ''}${JSON.stringify(where)}`)

/** A tab of the inbox, in the replica. */
export const ticketList = (filter: ListFilter, who: Principal, limit: number): Rows<TicketRow> =>
  ticketsWhere(tabOf(filter, who), limit, orderOf({ order: filter.order, snoozed: filter.tab === 'snoozed' }))

/** Some tickets of a list, as they are now. */
export const chosenTickets = (where: readonly TicketCondition[], ids: readonly number[]): Rows<TicketRow> =>
  listedTickets(listOf(where, mostBulk), (put) => `t.id = ANY(${put(ids)}::int[])`)

export interface TicketCounts {
  open: number
  pending: number
  /** What lies aside. */
  snoozed: number
  /** Whether something is promised in any of what is not over. */
  promised: boolean
}

/** How many tickets the tabs of "open" hold. */
export function ticketCounts(filter: Omit<ListFilter, 'tab'>, who: Principal): Rows<TicketCounts> {
  const { params, put } = parameters()
  const count = (tab: ListTab) => `count(*) FILTER (WHERE ${listText(tabOf({ ...filter, tab }, who), put)})::int`
  return {
    query: {
      sql: `SELECT ${count('open')} AS open, ${count('pending')} AS pending, ${count('snoozed')} AS snoozed, bool_or(t."nextDueAt" IS NOT NULL) AS promised FROM tickets t WHERE t.status IN ('open', 'pending')`,
      params,
      tables: ['tickets'],
      remember: `counts ${JSON.stringify([filter, who.userId])}`,
    },
    read: (raw) => ({
      open: Number(raw['open']),
      pending: Number(raw['pending']),
      snoozed: Number(raw['snoozed'] ?? 0),
      promised: raw['promised'] === true,
    }),
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
export const ticketById = (id: number) => one('id', id)

/** The other services of a contact, newest first. */
export function ticketsOfContact(contactId: number): Rows<TicketRow> {
  const { query, ...rows } = listedTickets(listOf([{ is: 'contact', id: contactId }], 50))
  return {
    ...rows,
    query: { ...query, tables: [{ table: 'tickets', only: { column: 'contactId', value: contactId } }] },
  }
}

/**
 * Tickets of the replica and of the server as one list, newest first: what the replica says wins, since it knows what
 * waits to be sent.
 */
export function mergeTickets(local: readonly TicketRow[], fetched: readonly TicketRow[]): readonly TicketRow[] {
  if (fetched.length === 0) return local
  const known = new Set(local.map(idOf))
  const added = fetched.filter((ticket) => !known.has(ticket.id) && known.add(ticket.id))
  return [...local, ...added].sort(inListOrder)
}

/** Whether clicking opens it: a pending ticket must be accepted first. */
export const opensOnClick = (ticket: Pick<TicketRow, 'status'>) => ticket.status !== 'pending'

export const isUuid = (text: string) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)

/** Tickets to which a supervisor is called, by somebody else. */
export const calledTickets = ({ userId }: Pick<Principal, 'userId'>): Rows<TicketRow> =>
  listedTickets(
    listOf([], 50),
    (put) =>
      `t."supervisorCalledAt" IS NOT NULL AND t.status <> 'closed' AND t."supervisorCalledBy" IS DISTINCT FROM ${put(userId)}`,
  )

/** Tickets to be told of: with something unread, one's own or waiting in one's queues; without a queue only with the right to. */
export const notifiedTickets = (who: Principal): Rows<TicketRow> => listedTickets(listOf(notifiedOf(who), 100))
