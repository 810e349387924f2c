import { isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import type { TicketFilter } from '../../schema/filters/filters.table.ts'
import { or, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import type { ListNarrowing } from '../../schema/tickets/tickets.list.ts'

export interface SavedFilterRow {
  id: string
  name: string
  filter: ListNarrowing
}

const saved = someOf<'savedFilters'>()({ id: true, name: true, filter: or({}) })

/** The person's own, in the order in which they were saved. */
export const savedFilters: Rows<SavedFilterRow> = {
  query: {
    sql: `SELECT ${saved.text()} FROM saved_filters ORDER BY "createdAt", id`,
    tables: ['saved_filters'],
    // They stand above the rows of the last time: coming later, they would push these away under the finger.
    remember: 'saved_filters',
  },
  read: (raw) => {
    const { id, name, filter } = saved.read(raw)
    return { id, name, filter: normal(filter) }
  },
  keyOf: (row) => row.id,
}

export const noNarrowing: ListNarrowing = { queueIds: [] }

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

/** As the commands take it. */
export function storedFilter(filter: ListNarrowing): TicketFilter {
  const { queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly, fields } = normal(filter)
  const whole = fields?.filter(isWholeTest) ?? []
  return {
    ...(queueIds.length > 0 && { queueIds: [...queueIds] }),
    ...(tagIds && { tagIds: [...tagIds] }),
    ...(userIds && { userIds: [...userIds] }),
    ...(whatsappIds && { whatsappIds: [...whatsappIds] }),
    ...(unreadOnly && { unreadOnly }),
    ...(unansweredOnly && { unansweredOnly }),
    ...(whole.length > 0 && { fields: whole }),
  }
}
