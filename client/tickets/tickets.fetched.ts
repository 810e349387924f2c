import { useCallback, useEffect, useRef, useState } from 'react'
import { api, type RequestOptions } from '../session/api.ts'
import type { FoundMessage } from '../../sync/client/replica.types.ts'
import { readWireTicket, type TicketRow } from './tickets.rows.ts'

export interface FetchedTickets {
  tickets: readonly TicketRow[]
  /** Where a search found its text in them. */
  found: readonly FoundMessage[]
  loading: boolean
  failed: boolean
  /** Whether the server has more. */
  hasMore: boolean
  loadMore: () => void
}

type Answer = {
  tickets: (Record<string, unknown> & { found?: { messageId: string; body: string; at: string } | null })[]
  hasMore: boolean
}

const none: readonly TicketRow[] = []
const nothing: readonly FoundMessage[] = []

const foundOf = ({ id, found }: Answer['tickets'][number]): FoundMessage[] =>
  found ? [{ ...found, ticketId: Number(id), at: Date.parse(found.at) }] : []

/** Ids as such a query names them: none is no condition. */
export const listed = (ids: readonly number[]) => (ids.length > 0 ? ids : undefined)

/** Tickets of the server, page by page: what the replica does not reach. `null` asks nothing; a new query begins anew. */
export function useFetchedTickets(query: RequestOptions['query'] | null): FetchedTickets {
  const key = query ? JSON.stringify(query) : null
  const fresh = { key, tickets: none, found: nothing, page: 0, hasMore: true, loading: false, failed: false }
  const [stored, setStored] = useState(fresh)
  const state = stored.key === key ? stored : fresh
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [key])

  const loadMore = useCallback(() => {
    if (key === null || state.loading || !state.hasMore) return
    const controller = new AbortController()
    running.current = controller
    const page = state.page + 1
    setStored({ ...state, key, loading: true, failed: false })
    api
      .get<Answer>('/tickets', {
        query: { ...(JSON.parse(key) as object), pageNumber: page },
        signal: controller.signal,
      })
      .then(
        (answer) => {
          if (controller.signal.aborted) return
          setStored({
            key,
            page,
            tickets: [...state.tickets, ...answer.tickets.map(readWireTicket)],
            found: [...state.found, ...answer.tickets.flatMap(foundOf)],
            hasMore: answer.hasMore,
            loading: false,
            failed: false,
          })
        },
        () => {
          if (!controller.signal.aborted) setStored({ ...state, key, loading: false, failed: true })
        },
      )
  }, [key, state])

  const { tickets, found, loading, failed, hasMore } = state
  return { tickets, found, loading, failed, hasMore, loadMore }
}
