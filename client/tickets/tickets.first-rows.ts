import { can, type Principal } from '../../schema/permissions.ts'
import { ticketsPerPage } from '../../schema/tickets/tickets.list.ts'
import type { FirstAnswer, LiveQuery } from '../../sync/client/replica.types.ts'
import { local } from '../base/local.ts'
import { everyField, fieldsInUse } from '../custom-fields/custom-fields.rows.ts'
import { directoryRows } from '../replica/directory.ts'
import type { Rows } from '../replica/rows.ts'
import { api } from '../session/api.ts'
import { noNarrowing } from './tickets.no-narrowing.ts'
import { ticketCounts, ticketList } from './tickets.rows.ts'
import { ticketViews } from './tickets.views.ts'

type Raw = Record<string, unknown>
type First = Record<
  'open' | 'pending' | 'queues' | 'users' | 'tags' | 'whatsapps' | 'customFields' | 'savedFilters',
  Raw[]
> & { counts: Raw }

export const showAllKey = 'balcao.tickets.show-all'
/** Whether the lists begin with everybody's tickets: as the device has it, else for admins. */
export const beginsWithAll = (who: Principal): boolean => {
  const kept = local.get(showAllKey)
  return can(who, 'tickets-manager:showall') && (kept === null ? who.profile === 'admin' : kept === 'on')
}

/** The list that the inbox begins with. */
export const firstList = (who: Principal): LiveQuery =>
  ticketList({ tab: 'open', showAll: beginsWithAll(who), ...noNarrowing }, who, ticketsPerPage).query

/** What the inbox asks for first, answered by the server in one call. @throws ApiError */
export async function firstAnswers(who: Principal): Promise<FirstAnswer[]> {
  const showAll = beginsWithAll(who)
  const { open, pending, counts, ...tables } = await api.get<First>('/sync/first', { query: { showAll } })
  const answer = <Row extends object>({ query }: Rows<Row>, rows: readonly unknown[]): FirstAnswer => ({ query, rows })
  const list = (tab: 'open' | 'pending', rows: readonly unknown[]) =>
    answer(ticketList({ tab, showAll, ...noNarrowing }, who, ticketsPerPage), rows)
  return [
    list('open', open),
    list('pending', pending),
    answer(ticketCounts({ showAll, ...noNarrowing }, who), [counts]),
    ...(['queues', 'users', 'tags', 'whatsapps'] as const).map((name) =>
      answer(directoryRows[name] as Rows<object>, tables[name]),
    ),
    answer(everyField, tables.customFields),
    answer(
      fieldsInUse,
      tables.customFields.filter(({ archivedAt }) => archivedAt === null),
    ),
    answer(ticketViews, tables.savedFilters),
  ]
}
