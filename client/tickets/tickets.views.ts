import { isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import type { TicketFilter } from '../../schema/filters/filters.table.ts'
import type { Sharing } from '../../schema/sharing.ts'
import type { Principal } from '../../schema/permissions.ts'
import { type ListNarrowing, type ViewFilter, viewOf } from '../../schema/tickets/tickets.list.ts'
import { or, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { listText, parameters } from './tickets.rows.ts'

/** A view of the ticket list, own or shared. */
export interface ViewRow {
  id: string
  name: string
  color: string | null
  filter: ViewFilter
  sharing: Sharing
  /** For whose people it is, where it is shared with queues. */
  queueIds: number[]
}

const saved = someOf<'savedFilters'>()({
  ...{ id: true, name: true, color: or(null), filter: or({}), sharing: or('own'), queueIds: or([]) },
})

/** Those that are shared, then the person's own, each in their order. */
export const ticketViews: Rows<ViewRow> = {
  query: {
    sql: `SELECT ${saved.text()} FROM saved_filters ORDER BY sharing = 'own', position, "createdAt", id`,
    tables: ['saved_filters'],
    // They stand above the rows of the last time: coming later, they would push these away under the finger.
    remember: 'saved_filters',
  },
  read: (raw) => {
    const { filter, ...view } = saved.read(raw)
    return { ...view, filter: normalView(filter) }
  },
  keyOf: (row) => row.id,
}

/** How many tickets each of these holds, in their order. */
export function viewCounts(views: readonly ViewRow[], who: Principal): Rows<{ counts: number[] }> {
  const { params, put } = parameters()
  const counts = views.map(({ filter }) => `count(*) FILTER (WHERE ${listText(viewOf(filter, who), put)})::int`)
  return {
    query: {
      sql: `SELECT ARRAY[${counts.join(', ')}]::int[] AS counts FROM tickets t WHERE t.status IN ('open', 'pending')`,
      params,
      tables: ['tickets'],
      remember: 'view_counts',
    },
    read: ({ counts }) => ({ counts: counts as number[] }),
    keyOf: () => 0,
  }
}

const sorted = (ids: readonly number[] | undefined) => [...(ids ?? [])].sort((a, b) => a - b)

/** The same narrowing always in the same form. */
export function normal(filter: Partial<ListNarrowing>): ListNarrowing {
  const [tagIds, userIds, whatsappIds] = [sorted(filter.tagIds), sorted(filter.userIds), sorted(filter.whatsappIds)]
  return {
    queueIds: sorted(filter.queueIds),
    ...(tagIds.length > 0 && { tagIds }),
    ...(userIds.length > 0 && { userIds }),
    ...(whatsappIds.length > 0 && { whatsappIds }),
    ...(filter.unreadOnly && { unreadOnly: true }),
    ...(filter.unansweredOnly && { unansweredOnly: true }),
    ...(filter.fields && filter.fields.length > 0 && { fields: filter.fields }),
  }
}

export const sameNarrowing = (a: ListNarrowing, b: ListNarrowing): boolean =>
  JSON.stringify(normal(a)) === JSON.stringify(normal(b))

/** How many choices narrow the list. */
export const narrowingCount = (filter: ListNarrowing): number =>
  filter.queueIds.length +
  (filter.tagIds?.length ?? 0) +
  (filter.userIds?.length ?? 0) +
  (filter.whatsappIds?.length ?? 0) +
  (filter.unreadOnly ? 1 : 0) +
  (filter.unansweredOnly ? 1 : 0) +
  (filter.fields?.filter(isWholeTest).length ?? 0)

/** The same view always in the same form. */
export const normalView = (filter: Partial<ViewFilter>): ViewFilter => ({
  ...normal(filter),
  // Both is what none says.
  ...(filter.statuses?.length === 1 && { statuses: filter.statuses }),
  ...(filter.mine && { mine: true }),
  ...(filter.order && { order: filter.order }),
})

/** As the commands take it. */
export function storedFilter(filter: ViewFilter): TicketFilter {
  const { queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly, fields, statuses, mine, order } =
    normalView(filter)
  const whole = fields?.filter(isWholeTest) ?? []
  return {
    ...(queueIds.length > 0 && { queueIds: [...queueIds] }),
    ...(tagIds && { tagIds: [...tagIds] }),
    ...(userIds && { userIds: [...userIds] }),
    ...(whatsappIds && { whatsappIds: [...whatsappIds] }),
    ...(unreadOnly && { unreadOnly }),
    ...(unansweredOnly && { unansweredOnly }),
    ...(whole.length > 0 && { fields: whole }),
    ...(statuses && { statuses: [...statuses] }),
    ...(mine && { mine }),
    ...(order && { order }),
  }
}
