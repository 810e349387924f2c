import { useMemo } from 'react'
import { useRows } from '../replica/live-rows.ts'
import { msOf, type Rows } from '../replica/rows.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'

/** A ticket whose last move was a transfer: who sent it on, and what they said of it. */
export interface Arrival {
  ticketId: number
  userId: number | null
  note: string
  at: number
}

/** Of so many tickets of a list it is asked; who scrolls further has forgotten who sent what. */
const asked = 200

const arrivalsOf = (ticketIds: readonly number[]): Rows<Arrival> => ({
  query: {
    sql: `SELECT e."ticketId", e."userId", e.data->>'note' AS note, e."createdAt" FROM unnest($1::int[]) AS k(id)
      CROSS JOIN LATERAL (SELECT * FROM ticket_events WHERE "ticketId" = k.id ORDER BY "createdAt" DESC LIMIT 1) e
      WHERE e.kind = 'transferred'`,
    params: [ticketIds],
    tables: ['ticket_events'],
  },
  read: (raw) => ({
    ticketId: Number(raw['ticketId']),
    userId: raw['userId'] === null ? null : Number(raw['userId']),
    note: String(raw['note'] ?? ''),
    at: msOf(raw['createdAt']),
  }),
  keyOf: (row) => row.ticketId,
})

/** Which of these tickets came by a transfer, until somebody takes or answers them. */
export function useArrivals(tickets: readonly TicketRow[] | undefined): ReadonlyMap<number, Arrival> {
  const active = (tickets ?? []).slice(0, asked).filter(({ status }) => status !== 'closed')
  // In one order, whatever the list's: it changes with every message.
  const key = active
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
    .join()
  const query = useMemo(() => (key === '' ? null : arrivalsOf(key.split(',').map(Number))), [key])
  const { rows } = useRows(query, { keepPrevious: true })
  return useMemo(() => new Map((rows ?? []).map((row) => [row.ticketId, row])), [rows])
}

/** Whether it is still news: an answer of ours came later, or nothing did. */
export const isNews = (ticket: Pick<TicketRow, 'lastMessageFromMe' | 'lastMessageAt'>, arrival: Arrival): boolean =>
  !(ticket.lastMessageFromMe && ticket.lastMessageAt > arrival.at)
