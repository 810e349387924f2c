import { type FieldTest, fieldTestText, isWholeTest, meetsField } from '../custom-fields/custom-fields.conditions.ts'
import { can, ownQueues, type Principal, ticketSight, type TicketSight } from '../permissions.ts'
import { isSnoozed } from './tickets.snooze.ts'
import type { Ticket, TicketStatus } from './tickets.table.ts'

/**
 * Which tickets a list holds, in which order, and which page of them, as a value. It has three renderings, which
 * `tests/paths/ticket-lists.test.ts` holds together: `isListed` over rows in memory, `conditionText` for the replica and for
 * shapes, `listCondition` of `server/tickets/tickets.list.queries.ts` for Postgres.
 *
 * A text that is searched for is no part of it: the server finds it by indexes over all messages, a browser among what it
 * holds.
 */
export interface TicketList {
  /** A ticket meets all of them. It is of one company, which the server asks and a browser need not. */
  where: readonly TicketCondition[]
  limit: number
  /** So many are left out in front. */
  offset: number
  /** `newest` where it is not said. */
  order?: ListOrder | undefined
}

/**
 * `newest`: what changed last stands above. `due`: first what is promised, the nearest above; behind it all that is not, as
 * in `newest`. `return`: what lies aside, the next to come back above.
 */
export const listOrders = ['newest', 'due', 'return'] as const
export type ListOrder = (typeof listOrders)[number]

export type TicketCondition =
  | { is: 'status'; any: readonly TicketStatus[] }
  /** Null stands for none. */
  | { is: 'queue'; any: readonly (number | null)[] }
  | { is: 'user'; any: readonly (number | null)[] }
  | { is: 'connection'; any: readonly number[] }
  | { is: 'contact'; id: number }
  | { is: 'tagged'; all: readonly number[] }
  | { is: 'unread' }
  /** The contact had the last word, and somebody is to answer it. */
  | { is: 'unanswered' }
  /** It lies aside until a time or an answer, or does not. */
  | { is: 'snoozed'; yes: boolean }
  /** A field of the company's own. */
  | { is: 'field'; test: FieldTest }
  /** All conditions of one of the ways. */
  | { is: 'either'; ways: readonly (readonly TicketCondition[])[] }

export type ConditionKind = TicketCondition['is']
/** One answer for each kind of condition, in a language of conditions: a new kind does not compile until each has one. */
export type OfEachKind<Answer, Context extends unknown[] = []> = {
  [K in ConditionKind]: (condition: Extract<TicketCondition, { is: K }>, ...context: Context) => Answer
}

/** What lists ask of a ticket. */
export type ListedTicket = Pick<
  Ticket,
  | 'id'
  | 'status'
  | 'contactId'
  | 'whatsappId'
  | 'queueId'
  | 'userId'
  | 'lastMessage'
  | 'lastMessageFromMe'
  | 'unreadMessages'
  | 'tagIds'
  | 'fields'
> & {
  /** Milliseconds since 1970 where it is a number. */
  updatedAt: Date | number
  snoozedUntil: Date | number | null
  nextDueAt: Date | number | null
}

/** How many tickets a page has. */
export const ticketsPerPage = 40
/** With so many of a list one thing is done at once. */
export const mostBulk = 200

/** Lists are in the order of these columns, the greatest first: what changed last stands above. */
export const listOrder = ['updatedAt', 'id'] as const satisfies readonly (keyof ListedTicket)[]

// ── which lists there are ────────────────────────────────────────────────────────────────────

/** What a list is narrowed to. An empty one means no narrowing; a ticket has any one of each, and all of the tags. */
export interface ListNarrowing {
  /** 0 stands for "no queue". */
  queueIds: readonly number[]
  tagIds?: readonly number[] | undefined
  userIds?: readonly number[] | undefined
  whatsappIds?: readonly number[] | undefined
  unreadOnly?: boolean | undefined
  /** The last word is the contact's. */
  unansweredOnly?: boolean | undefined
  /** All of them are to be met. */
  fields?: readonly FieldTest[] | undefined
}

/** The lists of the inbox: one for each status, and one for what lies aside, which stands in none of the others. */
export type ListTab = TicketStatus | 'snoozed'

export interface ListFilter extends ListNarrowing {
  tab: ListTab
  /** All of the company's tickets that the person may see, not only their own and their queues'. */
  showAll: boolean
  order?: ListOrder | undefined
}

/** What lies aside stands in the order in which it comes back, where no other one is asked for. */
export const orderOf = ({ order, snoozed }: Pick<ListWish, 'order' | 'snoozed'>): ListOrder | undefined =>
  order ?? (snoozed ? 'return' : undefined)

/** The first page of what meets these. */
export const listOf = (
  where: readonly TicketCondition[],
  limit: number = ticketsPerPage,
  order?: ListOrder,
): TicketList => ({
  where,
  limit,
  offset: 0,
  order,
})

export function narrowedTo(by: ListNarrowing): TicketCondition[] {
  return [
    ...(by.queueIds.length > 0 ? [{ is: 'queue' as const, any: by.queueIds.map((id) => id || null) }] : []),
    ...(by.tagIds?.length ? [{ is: 'tagged' as const, all: by.tagIds }] : []),
    ...(by.userIds?.length ? [{ is: 'user' as const, any: by.userIds }] : []),
    ...(by.whatsappIds?.length ? [{ is: 'connection' as const, any: by.whatsappIds }] : []),
    ...(by.unreadOnly ? [{ is: 'unread' as const }] : []),
    ...(by.unansweredOnly ? [{ is: 'unanswered' as const }] : []),
    ...(by.fields ?? []).filter(isWholeTest).map((test) => ({ is: 'field' as const, test })),
  ]
}

/** What lies within a sight. */
export const seenBy = (sight: TicketSight): TicketCondition[] =>
  sight === 'all'
    ? []
    : [
        {
          is: 'either',
          ways: [[{ is: 'user', any: [sight.userId] }], [{ is: 'queue', any: sight.queues }]],
        },
      ]

/**
 * What a tab of the inbox holds of the tickets that the person sees. Without show-all, open ones are their own, pending
 * ones those of their queues.
 */
export function tabOf(filter: ListFilter, who: Principal): TicketCondition[] {
  const mine: TicketCondition = { is: 'user', any: [who.userId] }
  const inQueues: TicketCondition = { is: 'queue', any: ownQueues(who) }
  const own: Record<ListTab, TicketCondition[]> = {
    open: [mine],
    pending: [inQueues],
    closed: [],
    snoozed: [{ is: 'either', ways: [[mine], [{ is: 'user', any: [null] }, inQueues]] }],
  }
  const within: Record<ListTab, TicketCondition[]> = {
    open: [{ is: 'status', any: ['open'] }, atHand],
    pending: [{ is: 'status', any: ['pending'] }, atHand],
    closed: [{ is: 'status', any: ['closed'] }],
    snoozed: [aside],
  }
  return [...within[filter.tab], ...(filter.showAll ? [] : own[filter.tab]), ...narrowedTo(filter)]
}

/** Where a ticket of a view may stand: what is over is looked up, not worked through. */
export const viewStatuses = ['open', 'pending'] as const satisfies readonly TicketStatus[]
export type ViewStatus = (typeof viewStatuses)[number]

/** What somebody keeps under a name. */
export interface ViewFilter extends ListNarrowing {
  /** None or both: whatever waits and whatever is open. What lies aside is in neither. */
  statuses?: readonly ViewStatus[] | undefined
  /** Only what the tabs hold without show-all. */
  mine?: boolean | undefined
  /** What is due next stands first; without it, what changed last. It holds the same either way. */
  order?: 'due' | undefined
}

/** What a view holds for a person: of what its tabs would hold, with show-all for who may, unless it asks for their own. */
export function viewOf({ statuses = [], mine, ...by }: ViewFilter, who: Principal): TicketCondition[] {
  const any = statuses.length > 0 ? statuses : viewStatuses
  if (!mine && can(who, 'tickets-manager:showall')) return [{ is: 'status', any }, atHand, ...narrowedTo(by)]
  const own = any.map((tab) => tabOf({ tab, showAll: false, queueIds: [] }, who))
  return [{ is: 'either', ways: own }, ...narrowedTo(by)]
}

const active: TicketCondition = { is: 'status', any: ['open', 'pending'] }
const atHand: TicketCondition = { is: 'snoozed', yes: false }
const aside: TicketCondition = { is: 'snoozed', yes: true }

/** What stands on the board, of the tickets that the person sees: what waits and what is open, and does not lie aside. */
export const boardOf = (by: ListNarrowing): TicketCondition[] => [active, atHand, ...narrowedTo(by)]

/** What a person is told of, as `isNotifiedOf` says of one ticket. */
export const notifiedOf = (who: Pick<Principal, 'userId' | 'queueIds' | 'allTicket' | 'role'>): TicketCondition[] => [
  active,
  atHand,
  { is: 'unread' },
  {
    is: 'either',
    ways: [
      [{ is: 'user', any: [who.userId] }],
      [
        { is: 'user', any: [null] },
        { is: 'queue', any: ownQueues(who) },
      ],
    ],
  },
]

/** What a call for tickets asks for; all of it must be true of them. */
export interface ListWish {
  order?: ListOrder | undefined
  /** Undefined: any. */
  status?: TicketStatus | undefined
  /** Colleagues' open tickets too, for those who may; anybody's in the closed tab and in a search. */
  showAll: boolean
  /** Undefined: all queues that the person sees. What has no queue is there whichever they are. */
  queueIds?: readonly number[] | undefined
  /** A ticket must have all of them. */
  tagIds?: readonly number[] | undefined
  userIds?: readonly number[] | undefined
  /** All of them are to be met. */
  fields?: readonly FieldTest[] | undefined
  /** Found in the contact's name or number, or in a message. */
  search?: string | undefined
  withUnreadMessages: boolean
  /** Those that lie aside; without it those that do not. A search finds both, and so does a list of what is over. */
  snoozed?: boolean | undefined
}

/** What a call for tickets is answered with, but for the text that is searched for. */
export function wishedBy(who: Principal, wish: ListWish): TicketCondition[] {
  const { status, queueIds, tagIds = [], userIds = [] } = wish
  // A search may be for a text or for tags alone; a list of tickets has a status.
  const searching = Boolean(wish.search) || (status === undefined && tagIds.length > 0)
  const others = wish.showAll && (can(who, 'tickets-manager:showall') || status === 'closed' || searching)
  const own: TicketCondition = { is: 'user', any: [who.userId] }
  return [
    ...seenBy(ticketSight(who)),
    ...(status ? [{ is: 'status' as const, any: [status] }] : []),
    ...(wish.snoozed ? [aside] : searching || status === 'closed' ? [] : [atHand]),
    ...(others || status === 'pending'
      ? []
      : status
        ? [own]
        : [{ is: 'either' as const, ways: [[own], [{ is: 'status' as const, any: ['pending' as const] }]] }]),
    ...(queueIds ? [{ is: 'queue' as const, any: [...queueIds, null] }] : []),
    ...narrowedTo({ queueIds: [], tagIds, userIds, fields: wish.fields, unreadOnly: wish.withUnreadMessages }),
  ]
}

// ── over rows in memory ──────────────────────────────────────────────────────────────────────

/** Whether the contact had the last word and somebody is to answer it. */
export const isUnanswered = (ticket: Pick<ListedTicket, 'status' | 'lastMessageFromMe' | 'lastMessage'>): boolean =>
  ticket.status !== 'closed' && !ticket.lastMessageFromMe && ticket.lastMessage !== ''

const met: OfEachKind<boolean, [ListedTicket]> = {
  status: ({ any }, ticket) => any.includes(ticket.status),
  queue: ({ any }, ticket) => any.includes(ticket.queueId),
  user: ({ any }, ticket) => any.includes(ticket.userId),
  connection: ({ any }, ticket) => ticket.whatsappId !== null && any.includes(ticket.whatsappId),
  contact: ({ id }, ticket) => ticket.contactId === id,
  tagged: ({ all }, ticket) => all.every((id) => ticket.tagIds.includes(id)),
  unread: (_, ticket) => ticket.unreadMessages > 0,
  unanswered: (_, ticket) => isUnanswered(ticket),
  snoozed: ({ yes }, ticket) => isSnoozed(ticket) === yes,
  field: ({ test }, ticket) => meetsField(test, ticket.fields),
  either: ({ ways }, ticket) => ways.some((way) => isListed(way, ticket)),
}

/** Whether a ticket meets all conditions. */
export const isListed = (where: readonly TicketCondition[], ticket: ListedTicket): boolean =>
  where.every((condition) =>
    (met[condition.is] as (of: TicketCondition, ticket: ListedTicket) => boolean)(condition, ticket),
  )

type Placed = Pick<ListedTicket, (typeof listOrder)[number]>

/** The order of lists. */
export const inListOrder = (a: Placed, b: Placed): number => {
  for (const column of listOrder) {
    const difference = Number(b[column]) - Number(a[column])
    if (difference !== 0) return difference
  }
  return 0
}

/** The order of what is due: see {@link ListOrder}. */
export const inDueOrder = (a: Placed & Pick<ListedTicket, 'nextDueAt'>, b: typeof a): number => {
  if (a.nextDueAt === null || b.nextDueAt === null)
    return Number(a.nextDueAt === null) - Number(b.nextDueAt === null) || inListOrder(a, b)
  return Number(a.nextDueAt) - Number(b.nextDueAt) || inListOrder(a, b)
}

/** The order in which what lies aside comes back; what does not lie aside stands behind it. */
const inReturnOrder = (a: Placed & Pick<ListedTicket, 'snoozedUntil'>, b: typeof a): number =>
  Number(a.snoozedUntil ?? Infinity) - Number(b.snoozedUntil ?? Infinity) || inListOrder(a, b)

export const inOrder = (order: ListOrder | undefined) =>
  order === 'due' ? inDueOrder : order === 'return' ? inReturnOrder : inListOrder

/** The page of a list, out of all tickets that there are. */
export const pageOf = <T extends ListedTicket>({ where, limit, offset, order }: TicketList, all: readonly T[]): T[] =>
  all
    .filter((ticket) => isListed(where, ticket))
    .toSorted(inOrder(order))
    .slice(offset, offset + limit)

// ── as text ──────────────────────────────────────────────────────────────────────────────────

/** Where a text stands: how it names a column, and what takes a parameter and answers its place, such as `$2`. */
export interface ListText {
  column: (name: keyof ListedTicket) => string
  put: (value: number | string) => string
}

/** Null for none; the numbers in their order, so that equal conditions have equal texts. */
function amongText(column: string, ids: readonly (number | null)[], put: ListText['put']): string[] {
  const known = ids.filter((id) => id !== null).toSorted((a, b) => a - b)
  return [
    ...(known.length > 0 ? [`${column} IN (${known.map(put).join(', ')})`] : []),
    ...(ids.includes(null) ? [`${column} IS NULL`] : []),
  ]
}

const quoted = (statuses: readonly TicketStatus[]) => statuses.map((status) => `'${status}'`)

/** Texts, any of which is to be true. */
const ways: OfEachKind<string[], [ListText]> = {
  status: ({ any }, { column }) =>
    any.length === 0
      ? []
      : [`${column('status')} ${any.length === 1 ? `= ${quoted(any).join('')}` : `IN (${quoted(any).join(', ')})`}`],
  queue: ({ any }, { column, put }) => amongText(column('queueId'), any, put),
  user: ({ any }, { column, put }) =>
    any.length === 1 && any[0] != null
      ? [`${column('userId')} = ${put(any[0])}`]
      : amongText(column('userId'), any, put),
  connection: ({ any }, { column, put }) => amongText(column('whatsappId'), any, put),
  contact: ({ id }, { column, put }) => [`${column('contactId')} = ${put(id)}`],
  tagged: ({ all }, { column, put }) => [
    all.map((id) => `${put(id)} = ANY(${column('tagIds')})`).join(' AND ') || 'TRUE',
  ],
  unread: (_, { column }) => [`${column('unreadMessages')} > 0`],
  unanswered: (_, { column }) => [
    `${column('status')} <> 'closed' AND NOT ${column('lastMessageFromMe')} AND ${column('lastMessage')} <> ''`,
  ],
  snoozed: ({ yes }, { column }) => [`${column('snoozedUntil')} IS ${yes ? 'NOT ' : ''}NULL`],
  field: ({ test }, { column, put }) => fieldTestText(test, { column: column('fields'), put }),
  either: ({ ways: all }, text) =>
    all.flatMap((way) => (way.length === 1 ? waysOf(way[0]!, text) : [conditionText(way, text)])),
}

/** Texts, any of which is to be true for the condition to be met. */
export const waysOf = (condition: TicketCondition, text: ListText): string[] =>
  (ways[condition.is] as (of: TicketCondition, text: ListText) => string[])(condition, text)

/** All conditions as the text of one. */
export const conditionText = (where: readonly TicketCondition[], text: ListText): string =>
  where
    .map((condition) => {
      const any = waysOf(condition, text)
      return any.length === 1 ? any[0]! : any.length === 0 ? 'FALSE' : `(${any.join(' OR ')})`
    })
    .join(' AND ') || 'TRUE'

/** The order of lists as text. */
export const orderText = (column: ListText['column']): string =>
  `ORDER BY ${listOrder.map((name) => `${column(name)} DESC`).join(', ')}`

/** The order in which what lies aside comes back, as text. */
export const returnText = (column: ListText['column']): string =>
  `ORDER BY ${column('snoozedUntil')}, ${listOrder.map((name) => `${column(name)} DESC`).join(', ')}`

/**
 * The two parts of a list by deadlines, each of which an index hands out in its order: a condition, and the order.
 */
export const dueTexts = (column: ListText['column']): readonly (readonly [condition: string, order: string])[] => [
  [
    `${column('nextDueAt')} IS NOT NULL`,
    `ORDER BY ${column('nextDueAt')}, ${listOrder.map((name) => `${column(name)} DESC`).join(', ')}`,
  ],
  [`${column('nextDueAt')} IS NULL`, orderText(column)],
]
