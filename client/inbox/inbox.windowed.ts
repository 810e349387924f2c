import { useState } from 'react'
import { useRows } from '../replica/live-rows.ts'
import { usePrincipal } from '../session/session.tsx'
import { type ListFilter, ticketsPerPage } from '../../schema/tickets/tickets.list.ts'
import { ticketList, type TicketRow } from '../tickets/tickets.rows.ts'

/** What a list is told by the screen that it stands in. */
export interface ListProps {
  onSpy: (ticket: TicketRow) => void
  onReopen: () => void
}

/** By half of what is there, at least a page: whoever scrolls through thousands has them read a dozen times, not a hundred. */
export const grown = (limit: number) => limit + Math.max(ticketsPerPage, Math.floor(limit / 2))

/** A list whose window grows when its end comes near. */
export function useWindowed(filter: ListFilter) {
  const who = usePrincipal()
  const key = JSON.stringify(filter)
  const [asked, setAsked] = useState({ key, limit: ticketsPerPage })
  const limit = asked.key === key ? asked.limit : ticketsPerPage
  const { rows, error } = useRows(ticketList(filter, who, limit))
  // While the larger window is read, the smaller one stays on the screen.
  const [shown, setShown] = useState<{ key: string; rows: readonly TicketRow[] } | null>(null)
  if (rows && (shown?.rows !== rows || shown.key !== key)) setShown({ key, rows })
  const tickets = rows ?? (shown?.key === key ? shown.rows : undefined)
  const complete = rows !== undefined && rows.length < limit
  const grow = () => {
    if (rows && rows.length >= limit) setAsked({ key, limit: grown(limit) })
  }
  return { tickets, error, complete, grow }
}
