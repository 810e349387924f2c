import { Trans, useLingui } from '@lingui/react/macro'
import { Archive } from 'lucide-react'
import { useMemo } from 'react'
import { isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import { usePrincipal } from '../session/session.tsx'
import { useOnline } from '../replica/use-online.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { listed, useFetchedTickets } from '../tickets/tickets.fetched.ts'
import { TicketList } from './inbox.list.tsx'
import { isListed, type ListFilter, narrowedTo, tabOf } from '../../schema/tickets/tickets.list.ts'
import { mergeTickets } from '../tickets/tickets.rows.ts'
import { ServerNote } from './inbox.server-note.tsx'
import { type ListProps, useWindowed } from './inbox.windowed.ts'

/** Closed tickets: those of the replica, then what the server has beyond it. */
export default function ClosedList({ filter, ...props }: ListProps & { filter: ListFilter }) {
  const { t } = useLingui()
  const online = useOnline()
  const { tickets: local, stale, error, complete, grow } = useWindowed(tabOf(filter, usePrincipal()))
  const { queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly, fields } = filter
  const tests = fields?.filter(isWholeTest) ?? []
  const realQueues = queueIds.filter((id) => id !== 0)
  const fetched = useFetchedTickets({
    status: 'closed',
    showAll: true,
    queueIds: listed(realQueues),
    tags: listed(tagIds ?? []),
    users: listed(userIds ?? []),
    fields: tests.length > 0 ? JSON.stringify(tests) : undefined,
  })
  const further = useMemo(
    // The server knows some of it only, and goes by its own rights.
    () => {
      const where = narrowedTo({ queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly, fields })
      return fetched.tickets.filter((ticket) => isListed(where, ticket))
    },
    [fetched.tickets, queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly, fields],
  )
  const tickets = useMemo(() => local && mergeTickets(local, further), [local, further])
  return (
    <TicketList
      {...props}
      tickets={tickets}
      stale={stale}
      error={error}
      showAgent
      label={t`Resolvidos`}
      empty={
        <EmptyState icon={Archive} title={t`Nada resolvido ainda`}>
          <Trans>Atendimentos resolvidos ficam aqui e podem ser reabertos.</Trans>
        </EmptyState>
      }
      footer={
        <ServerNote online={online} loading={fetched.loading} failed={fetched.failed} onRetry={fetched.loadMore} />
      }
      onEndReached={() => {
        if (!complete) grow()
        else if (online && !fetched.failed) fetched.loadMore()
      }}
    />
  )
}
