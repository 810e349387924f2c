import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { memo, useEffect, useRef, useState } from 'react'
import type { Ref } from 'react'
import type { Directory, TagRow } from '../replica/directory.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Badge } from '../ui/badge.tsx'
import { cn } from '../ui/cn.ts'
import { VirtualList, type VirtualListHandle } from '../ui/virtual-list.tsx'
import { cardHeight, KanbanCard } from './kanban.card.tsx'
import { type BoardLane, laneKey } from './kanban.lanes.ts'

export interface LaneProps {
  lane: BoardLane
  lanes: readonly BoardLane[]
  tickets: readonly TicketRow[]
  directory: Directory
  /** The card that Tab reaches. */
  tabId: number | null
  /** The card that the keyboard holds, if it is of this lane. */
  pickedId: number | null
  /** It would be dropped here. */
  over: boolean
  /** Nothing is known yet. */
  loading: boolean
  onFocus: (ticket: TicketRow) => void
  onMove: (ticket: TicketRow, laneId: number | null) => void
  ref?: Ref<VirtualListHandle>
}

/** A lane, which draws the cards in sight; while it lies beside the window, none. */
export const KanbanLane = memo(function KanbanLane({
  lane,
  lanes,
  tickets,
  directory,
  tabId,
  pickedId,
  over,
  loading,
  onFocus,
  onMove,
  ref,
}: LaneProps) {
  const { t, i18n } = useLingui()
  const [place, near] = useNear()
  const { length: count } = tickets
  const { name, limit } = lane
  const tagsOf = useOtherTags(lane, directory)
  const full = limit !== null && count > limit
  return (
    <section
      ref={place}
      data-lane={laneKey(lane.id)}
      data-over={over || undefined}
      aria-label={name}
      className="flex h-full w-72 shrink-0 snap-start flex-col overflow-hidden rounded-xl border bg-muted/50 transition-colors data-over:border-primary data-over:bg-primary-soft max-sm:w-[82vw]"
    >
      <span aria-hidden="true" className="h-1 shrink-0" style={{ background: lane.color }} />
      <header className="flex items-center gap-2 px-3 py-2.5">
        <h2 className="min-w-0 flex-1 truncate text-[0.8125rem] font-semibold">{name}</h2>
        {!loading && (
          <Badge tone={full ? 'warning' : 'neutral'} className="tabular-nums">
            <span aria-hidden="true">
              {limit === null ? i18n.number(count) : `${i18n.number(count)} / ${i18n.number(limit)}`}
            </span>
            <span className="sr-only">
              {plural(count, { one: '# atendimento', other: '# atendimentos' })}
              {limit !== null && `, ${full ? t`acima do limite de ${limit}` : t`limite de ${limit}`}`}
            </span>
          </Badge>
        )}
      </header>
      {loading ? (
        <div role="status" aria-busy="true" aria-label={t`Carregando`} className="flex flex-col gap-2 px-2">
          {[1, 0.7, 0.4].map((opacity) => (
            <div
              key={opacity}
              style={{ opacity, height: cardHeight - 8 }}
              className="animate-pulse rounded-lg bg-card"
            />
          ))}
        </div>
      ) : count === 0 ? (
        <p className="px-3 py-6 text-center text-xs text-muted-foreground">
          <Trans>Nenhum atendimento aqui</Trans>
        </p>
      ) : near ? (
        <VirtualList
          items={tickets}
          itemKey={(ticket) => ticket.id}
          itemHeight={cardHeight}
          label={t`Atendimentos em ${name}`}
          ref={ref ?? null}
          className={cn('min-h-0 flex-1 pt-0.5')}
        >
          {(ticket) => (
            <KanbanCard
              ticket={ticket}
              lane={lane}
              lanes={lanes}
              queue={ticket.queueId === null ? undefined : directory.queues.byId.get(ticket.queueId)}
              agent={ticket.userId === null ? undefined : directory.users.byId.get(ticket.userId)}
              tags={tagsOf(ticket)}
              tabbable={ticket.id === tabId}
              picked={ticket.id === pickedId}
              onFocus={onFocus}
              onMove={onMove}
            />
          )}
        </VirtualList>
      ) : null}
    </section>
  )
})

const noTags: readonly TagRow[] = []

/** A ticket's tags but the lane's own, the same list for the same ticket. */
function useOtherTags({ id: laneId }: BoardLane, { tags: { byId } }: Directory) {
  const cache = useRef({ laneId, byId, lists: new WeakMap<TicketRow, readonly TagRow[]>() })
  if (cache.current.byId !== byId || cache.current.laneId !== laneId)
    cache.current = { laneId, byId, lists: new WeakMap() }
  const { lists } = cache.current
  return (ticket: TicketRow): readonly TagRow[] => {
    if (ticket.tagIds.length === 0) return noTags
    let tags = lists.get(ticket)
    if (!tags) {
      tags = ticket.tagIds.flatMap((id) => (id === laneId ? [] : (byId.get(id) ?? [])))
      lists.set(ticket, tags)
    }
    return tags
  }
}

/** Whether the element is in the window or about to be; false until it was measured. */
function useNear(): [(element: Element | null) => void, boolean] {
  const [element, setElement] = useState<Element | null>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!element) return
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), {
      rootMargin: '0px 400px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, near]
}
