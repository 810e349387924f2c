import { useMemo, useState } from 'react'
import { useIsStale, useRows } from '../replica/live-rows.ts'
import { type ListOrder, type TicketCondition, ticketsPerPage } from '../../schema/tickets/tickets.list.ts'
import { type TicketRow, ticketsWhere } from '../tickets/tickets.rows.ts'

/** What a list is told by the screen that it stands in. */
export interface ListProps {
  onSpy: (ticket: TicketRow) => void
  onReopen: () => void
}

/** By half of what is there, at least a page: whoever scrolls through thousands has them read a dozen times, not a hundred. */
export const grown = (limit: number) => limit + Math.max(ticketsPerPage, Math.floor(limit / 2))

/** The same object while it says the same. */
export function useWhere(where: readonly TicketCondition[]): readonly TicketCondition[] {
  const key = JSON.stringify(where)
  return useMemo(() => JSON.parse(key) as readonly TicketCondition[], [key])
}

/** A list whose window grows when its end comes near. */
export function useWindowed(where: readonly TicketCondition[], order?: ListOrder) {
  const key = JSON.stringify([where, order])
  const [asked, setAsked] = useState({ key, limit: ticketsPerPage })
  const limit = asked.key === key ? asked.limit : ticketsPerPage
  const query = ticketsWhere(where, limit, order)
  const { rows, error } = useRows(query)
  const stale = useIsStale(query)
  // While the larger window is read, the smaller one stays on the screen.
  const [shown, setShown] = useState<{ key: string; rows: readonly TicketRow[] } | null>(null)
  if (rows && (shown?.rows !== rows || shown.key !== key)) setShown({ key, rows })
  const tickets = rows ?? (shown?.key === key ? shown.rows : undefined)
  const complete = rows !== undefined && rows.length < limit
  const grow = () => {
    if (rows && rows.length >= limit) setAsked({ key, limit: grown(limit) })
  }
  return { tickets, stale, error, complete, grow }
}
