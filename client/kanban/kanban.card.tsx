import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, CornerUpLeft } from 'lucide-react'
import { memo } from 'react'
import type { QueueRow, TagRow, UserRow } from '../replica/directory.ts'
import { useNow } from '../base/now.ts'
import { phoneText } from '../kit/phone-text.ts'
import { InteractionLabel, TagChip } from '../tickets/tickets.item.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { listTime, useContactName, useLastLine } from '../tickets/tickets.words.ts'
import { CountBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import type { BoardLane } from './kanban.lanes.ts'

/** All cards are of one height, px with the gap: a lane knows how long it is before it has drawn them. */
export const cardHeight = 148

export interface CardProps {
  ticket: TicketRow
  lane: BoardLane
  lanes: readonly BoardLane[]
  queue: QueueRow | undefined
  agent: UserRow | undefined
  /** Beside the lane's. */
  tags: readonly TagRow[]
  /** The one card of its lane that Tab reaches. */
  tabbable: boolean
  /** Picked up with the keyboard. */
  picked: boolean
  onFocus: (ticket: TicketRow) => void
  onMove: (ticket: TicketRow, laneId: number | null) => void
}

/** A ticket on the board. It is dragged by its body, moved by keys while it has the focus, or by its menu. */
export const KanbanCard = memo(function KanbanCard({
  ticket,
  lane,
  lanes,
  queue,
  agent,
  tags,
  tabbable,
  picked,
  onFocus,
  onMove,
}: CardProps) {
  const { t, i18n } = useLingui()
  const nameOf = useContactName()
  const lastLine = useLastLine()
  const now = useNow()
  const name = nameOf(ticket)
  const { id, unreadMessages: unread } = ticket
  const number = phoneText(ticket.contactNumber)
  return (
    <div className="px-2 pb-2" style={{ height: cardHeight }}>
      <div
        data-card={id}
        role="group"
        tabIndex={tabbable ? 0 : -1}
        aria-roledescription={t`cartão`}
        aria-label={t`Atendimento ${id}, ${name}`}
        aria-describedby="kanban-keys"
        onFocus={(event) => event.target === event.currentTarget && onFocus(ticket)}
        className={cn(
          'focus-ring relative flex h-full cursor-grab flex-col gap-1 overflow-hidden rounded-lg border bg-card py-2 pr-2 pl-3.5 shadow-xs select-none [-webkit-touch-callout:none] data-dragged:opacity-40',
          picked && 'border-primary ring-2 ring-primary',
        )}
      >
        <span
          aria-hidden="true"
          className="absolute inset-y-2 left-1.5 w-[3px] rounded-full"
          style={{ background: queue?.color ?? 'var(--border)' }}
        />
        <span className="flex items-baseline gap-2">
          <span
            className={cn('min-w-0 flex-1 truncate text-[0.8125rem]', unread > 0 ? 'font-semibold' : 'font-medium')}
          >
            {name}
          </span>
          <time
            dateTime={new Date(ticket.lastMessageAt).toISOString()}
            className="shrink-0 text-[0.6875rem] text-muted-foreground tabular-nums"
          >
            {listTime(ticket.lastMessageAt, now, i18n.locale)}
          </time>
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-[0.6875rem] whitespace-nowrap text-muted-foreground">
          <span className="tabular-nums">#{id}</span>
          {number && !ticket.isGroup && number !== name && <span className="truncate tabular-nums">{number}</span>}
          <span className="flex-1" />
          <InteractionLabel at={ticket.lastMessageAt} now={now} />
        </span>
        <span className="flex items-start gap-2">
          <span className="line-clamp-2 min-w-0 flex-1 text-xs break-words text-muted-foreground">
            {ticket.lastMessageFromMe && (
              <>
                <CornerUpLeft aria-hidden="true" className="mr-1 inline size-3 -translate-y-px" />
                <span className="sr-only">{t`Nós:`} </span>
              </>
            )}
            {lastLine(ticket) || <span className="italic">{t`Sem mensagens`}</span>}
          </span>
          <CountBadge count={unread} label={plural(unread, { one: '# não lida', other: '# não lidas' })} />
        </span>
        <span className="mt-auto flex min-w-0 items-center gap-1 overflow-hidden">
          {tags.slice(0, 2).map((tag) => (
            <TagChip key={tag.id} tag={tag} />
          ))}
          {tags.length > 2 && <span className="text-[0.6875rem] text-muted-foreground">+{tags.length - 2}</span>}
          <span className="min-w-0 flex-1 truncate text-right text-[0.6875rem] text-muted-foreground">
            {agent?.name ?? (ticket.status === 'pending' ? t`Aguardando` : '')}
          </span>
        </span>
        {/* Larger for a finger, in the same room: the card has one height everywhere. */}
        <span className="-mb-0.5 -ml-1 flex items-center justify-between touch:-mt-1 touch:-mb-1.5">
          <Link
            to="/tickets/$uuid"
            params={{ uuid: ticket.uuid }}
            tabIndex={tabbable ? 0 : -1}
            aria-label={t`Ver conversa com ${name}`}
            draggable={false}
            className="focus-ring inline-flex h-6 items-center rounded-md px-1 text-xs font-medium text-primary-soft-foreground hover:underline touch:h-8"
          >
            <Trans>Ver conversa</Trans>
          </Link>
          {/* In words what the stripe says in colour. */}
          <span className="min-w-0 flex-1 truncate px-1 text-right text-[0.6875rem] text-muted-foreground">
            {queue?.name ?? t`Sem fila`}
          </span>
          <DropdownMenu>
            <DropdownMenuTrigger asChild>
              <Button
                variant="ghost"
                size="icon-sm"
                tabIndex={tabbable ? 0 : -1}
                aria-label={t`Mover ${name}`}
                className="size-6 text-muted-foreground hover:text-foreground touch:size-8"
              >
                <ArrowLeftRight className="size-3.5" />
              </Button>
            </DropdownMenuTrigger>
            <DropdownMenuContent align="end">
              {lanes
                .filter((other) => other.id !== lane.id)
                .map((other) => (
                  <DropdownMenuItem key={other.id} onSelect={() => onMove(ticket, other.id)}>
                    <span aria-hidden="true" className="size-2.5 rounded-full" style={{ background: other.color }} />
                    <span className="truncate">{other.name}</span>
                  </DropdownMenuItem>
                ))}
            </DropdownMenuContent>
          </DropdownMenu>
        </span>
      </div>
    </div>
  )
})
