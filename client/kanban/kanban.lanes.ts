import { useMemo, useRef } from 'react'
import { useLingui } from '@lingui/react/macro'
import { laneOf, lanesOf } from '../../schema/tags/tags.lane.ts'
import type { TagRow } from '../replica/directory.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'

export interface BoardLane {
  /** Of its tag; null for the first lane, of what was put nowhere. */
  id: number | null
  name: string
  color: string
  /** So many cards are meant to be in it. */
  limit: number | null
}

/** How a lane is named in the page; see `attachDrag`. */
export const laneKey = (id: number | null): string => String(id ?? 0)
export const laneIdOf = (key: string): number | null => Number(key) || null

/** The lanes from left to right, the same while the tags are. */
export function useLanes(tags: readonly TagRow[]): readonly BoardLane[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      {
        id: null,
        name: t({ message: 'Em aberto', context: 'coluna do quadro' }),
        color: 'var(--muted-foreground)',
        limit: null,
      },
      ...lanesOf(tags).map(({ id, name, color, laneLimit }) => ({ id, name, color, limit: laneLimit })),
    ],
    [tags, t],
  )
}

const none: readonly TicketRow[] = []

/** The tickets of each lane. A lane in which nothing has changed keeps its list, and is not drawn again. */
export function useCards(
  tickets: readonly TicketRow[] | undefined,
  lanes: readonly BoardLane[],
): ReadonlyMap<number | null, readonly TicketRow[]> {
  const before = useRef<ReadonlyMap<number | null, readonly TicketRow[]>>(new Map())
  return useMemo(() => {
    const cards = cardsByLane(tickets ?? none, lanes)
    for (const [id, list] of cards) {
      const last = before.current.get(id)
      if (last?.length === list.length && last.every((ticket, i) => ticket === list[i])) cards.set(id, last)
    }
    before.current = cards
    return cards
  }, [tickets, lanes])
}

export function cardsByLane(tickets: readonly TicketRow[], lanes: readonly BoardLane[]) {
  const tagged = lanes.flatMap(({ id }) => (id === null ? [] : [{ id }]))
  const cards = new Map<number | null, readonly TicketRow[]>(lanes.map(({ id }) => [id, []]))
  for (const ticket of tickets) (cards.get(laneOf(ticket.tagIds, tagged)) as TicketRow[]).push(ticket)
  return cards
}
