import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Search, SearchX } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useRows } from '../replica/live-rows.ts'
import { useOnline } from '../replica/use-online.ts'
import { useSettled } from '../base/use-settled.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { listed, useFetchedTickets } from '../tickets/tickets.fetched.ts'
import { useFoundMessages } from '../tickets/tickets.found-messages.ts'
import { TicketList } from './inbox.list.tsx'
import { ticketsPerPage } from '../../schema/tickets/tickets.list.ts'
import { pieceOf } from '../tickets/tickets.pieces.ts'
import { mergeTickets } from '../tickets/tickets.rows.ts'
import { isSearching, ticketSearch, type TicketSearch } from '../tickets/tickets.search.ts'
import { ServerNote } from './inbox.server-note.tsx'
import { grown, type ListProps } from './inbox.windowed.ts'

/** The replica's answers at once, the server's added when they come. */
export default function SearchList({ search: typed, ...props }: ListProps & { search: TicketSearch }) {
  const { t } = useLingui()
  const online = useOnline()
  const settledText = useSettled(typed.text, 500)
  // What is cleared disappears at once; what is typed waits for the pause.
  const text = (typed.text === '' ? '' : settledText).trim().toLowerCase()
  const search = { ...typed, text }
  const active = isSearching(search)
  const [limit, setLimit] = useState(ticketsPerPage)
  const found = useFoundMessages(text)
  const byMessage = useMemo(() => found.map(({ ticketId }) => ticketId), [found])
  // While a longer text is looked up, the answers to the shorter one stay.
  const {
    rows: local,
    previous,
    error,
  } = useRows(active ? ticketSearch(search, byMessage, limit) : null, {
    keepPrevious: true,
  })
  const fetched = useFetchedTickets(
    active && online
      ? { showAll: true, searchParam: text || undefined, tags: listed(search.tagIds), users: listed(search.userIds) }
      : null,
  )
  const { loadMore, found: foundElsewhere } = fetched
  const pieces = useMemo(() => {
    const byTicket = new Map(found.map((message) => [message.ticketId, message]))
    const elsewhere = new Map(foundElsewhere.map((message) => [message.ticketId, message]))
    return text === '' ? null : { text, pieceOf, byTicket, elsewhere }
  }, [found, foundElsewhere, text])
  const asked = JSON.stringify([text, search.tagIds, search.userIds])
  useEffect(() => {
    if (active && online) loadMore()
    // One first page for each question; further pages come with scrolling.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked, active, online])

  const tickets = useMemo(
    () => (active ? mergeTickets(local ?? [], fetched.tickets) : []),
    [active, local, fetched.tickets],
  )
  const waiting = active && (!local || previous || fetched.loading)

  return (
    <>
      <p role="status" className="sr-only">
        {active && !waiting ? plural(tickets.length, { one: '# encontrado', other: '# encontrados' }) : ''}
      </p>
      <TicketList
        {...props}
        tickets={tickets}
        error={error}
        showAgent
        label={t`Resultados da busca`}
        pieces={pieces}
        empty={
          !active ? (
            <EmptyState icon={Search} title={t`Buscar atendimentos`}>
              <Trans>Por nome, número, texto das mensagens ou etiquetas, também nos resolvidos.</Trans>
            </EmptyState>
          ) : waiting ? (
            <p className="flex items-center justify-center gap-2 py-14 text-sm text-muted-foreground">
              <Spinner />
              <Trans>Buscando…</Trans>
            </p>
          ) : (
            <EmptyState icon={SearchX} title={t`Nada encontrado`}>
              {online ? (
                <Trans>Tente outro nome, parte do número ou menos palavras.</Trans>
              ) : (
                <Trans>Sem rede, a busca vê só o que está neste navegador.</Trans>
              )}
            </EmptyState>
          )
        }
        footer={
          active && tickets.length > 0 ? (
            <ServerNote online={online} loading={fetched.loading} failed={fetched.failed} onRetry={loadMore} />
          ) : undefined
        }
        onEndReached={() => {
          if (!active) return
          if (local && !previous && local.length >= limit) setLimit(grown(limit))
          if (online && !fetched.failed) loadMore()
        }}
      />
    </>
  )
}
