import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  AlarmClock,
  AlarmClockOff,
  ArrowRightLeft,
  Bot,
  Check,
  CheckCheck,
  CornerUpLeft,
  Eye,
  Hand,
  RotateCcw,
} from 'lucide-react'
import { memo, useId } from 'react'
import type { ReactNode } from 'react'
import { CountBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { ContactAvatar } from '../kit/contact-avatar.tsx'
import type { ConnectionRow, QueueRow, TagRow, UserRow } from '../replica/directory.ts'
import { Marked } from './tickets.marked.tsx'
import type { Piece } from './tickets.pieces.ts'
import { lastInteraction } from './tickets.last-interaction.ts'
import { afterwards } from '../base/late.tsx'
import { useNow } from '../base/now.ts'
import type { TicketAction } from './tickets.actions.ts'
import { isUnanswered } from '../../schema/tickets/tickets.list.ts'
import { opensOnClick, type TicketRow } from './tickets.rows.ts'
import { useSwipe } from './tickets.swipe.ts'
import { listTime, useContactName, useLastLine } from './tickets.words.ts'

/** What a search found of a ticket: in its contact's name, in what was said, and when that was. */
export interface Found {
  name: Piece | null
  said: Piece | null
  /** Milliseconds since 1970; null where it is the last message. */
  at: number | null
}

// Few tickets have one: the first screen does not wait for them.
const DueChip = afterwards(() => import('./tickets.due-chip.tsx'))
const SnoozeLine = afterwards(() => import('./tickets.snooze-line.tsx'))

export interface TicketItemProps {
  ticket: TicketRow
  queue: QueueRow | undefined
  connection: ConnectionRow | undefined
  agent: UserRow | undefined
  tags: readonly TagRow[]
  /** What the person has begun to write in it; '' where nothing. */
  draft: string
  allowed: ReadonlySet<TicketAction>
  selected: boolean
  /** Whether it is one of those that something is to be done with; null while nobody chooses any. */
  chosen: boolean | null
  /** The one item of the list that Tab reaches. */
  tabbable: boolean
  /** Whose ticket it is matters where not all of them are one's own. */
  showAgent: boolean
  /** So does where it was written to, where the company has more than one connection. */
  showConnection: boolean
  /** Who transferred it here, while that is news, and what they said of it; '' where nobody did. */
  sentBy: string
  /** Null outside of a search. */
  found: Found | null
  sentNote: string
  canSpy: boolean
  onOpen: (ticket: TicketRow) => void
  onFocus: (ticket: TicketRow) => void
  onHover: (ticket: TicketRow) => void
  onAction: (action: 'accept' | 'return' | 'resolve' | 'reopen' | 'snooze' | 'wake' | 'spy', ticket: TicketRow) => void
}

/** One ticket of a list: who, where from, what was said last, what waits, and what can be done about it. */
export const TicketItem = memo(function TicketItem({
  ticket,
  queue,
  connection,
  agent,
  tags,
  draft,
  allowed,
  selected,
  chosen,
  tabbable,
  showAgent,
  showConnection,
  sentBy,
  sentNote,
  found,
  canSpy,
  onOpen,
  onFocus,
  onHover,
  onAction,
}: TicketItemProps) {
  const { t, i18n } = useLingui()
  const nameOf = useContactName()
  const lastLine = useLastLine()
  const nameId = useId()
  const now = useNow()
  const name = nameOf(ticket)
  const openable = opensOnClick(ticket)
  const statuses = { pending: t`aguardando`, open: t`aberto`, closed: t`resolvido` }
  const unread = ticket.unreadMessages
  // Of a search, when it was said.
  const shownAt = found?.at ?? ticket.updatedAt
  const said = found?.said
  // While tickets are chosen a row has no buttons of its own: what is done is done with all of them.
  const isFree = chosen === null
  const swipe = useSwipe({
    ...(isFree && allowed.has('accept') ? { right: () => onAction('accept', ticket) } : {}),
    ...(isFree && ticket.status === 'open' && allowed.has('resolve')
      ? { left: () => onAction('resolve', ticket) }
      : {}),
  })
  // Room for the buttons that lie over the last line.
  const underButtons = allowed.has('accept') && [
    'mt-1.5 min-h-5.5 touch:min-h-8',
    canSpy ? 'pr-28 touch:pr-34' : 'pr-20 touch:pr-24',
  ]
  return (
    <div
      data-ticket={ticket.id}
      {...swipe.handlers}
      onPointerEnter={() => openable && onHover(ticket)}
      className={cn(
        'group/item relative mx-2 flex rounded-lg transition-colors',
        swipe.handlers && 'touch-pan-y',
        chosen
          ? 'bg-primary-soft'
          : selected
            ? isFree
              ? 'bg-primary-soft'
              : 'bg-accent'
            : 'hover:bg-accent/70 has-[>button:focus-visible]:bg-accent/70',
      )}
    >
      <span
        aria-hidden="true"
        className="absolute inset-y-2.5 left-0 w-[3px] rounded-full"
        style={{ background: queue?.color ?? 'var(--border)' }}
      />
      <button
        type="button"
        data-item={ticket.id}
        tabIndex={tabbable ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        aria-pressed={chosen ?? undefined}
        aria-disabled={(isFree && !openable) || undefined}
        aria-keyshortcuts={allowed.has('accept') ? 'a' : undefined}
        onClick={() => onOpen(ticket)}
        onFocus={() => onFocus(ticket)}
        className={cn(
          'focus-ring flex min-w-0 flex-1 items-start gap-2.5 rounded-lg py-2.5 pr-3 pl-3 text-left outline-offset-[-2px]',
          openable || !isFree ? 'cursor-pointer' : 'cursor-default!',
        )}
      >
        {isFree ? (
          <ContactAvatar name={name} picture={ticket.contactPicture} isGroup={ticket.isGroup} />
        ) : (
          <span className="relative flex shrink-0">
            <ContactAvatar name={name} picture={ticket.contactPicture} isGroup={ticket.isGroup} />
            <span
              aria-hidden="true"
              className={cn(
                'absolute -right-1 -bottom-1 flex size-5 items-center justify-center rounded-full border-2',
                chosen ? 'border-primary bg-primary text-primary-foreground' : 'border-control bg-card',
              )}
            >
              {chosen && <Check className="size-3" strokeWidth={3.5} />}
            </span>
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span
              id={nameId}
              className={cn('min-w-0 flex-1 truncate text-[0.8125rem]', unread > 0 ? 'font-semibold' : 'font-medium')}
            >
              {found?.name ? <Marked piece={found.name} /> : name}
            </span>
            <time
              // What the list is ordered by.
              dateTime={new Date(shownAt).toISOString()}
              className="shrink-0 text-[0.6875rem] text-muted-foreground tabular-nums"
            >
              {listTime(shownAt, now, i18n.locale)}
            </time>
          </span>
          <span className="mt-0.5 flex items-center gap-2">
            <span
              dir="auto"
              className={cn(
                'min-w-0 flex-1 truncate text-left text-[0.8125rem]',
                unread > 0 ? 'text-foreground' : 'text-muted-foreground',
              )}
            >
              {draft !== '' && !said && (
                <>
                  <span className="text-warning-soft-foreground">
                    <Trans>Rascunho:</Trans>
                  </span>{' '}
                </>
              )}
              {draft === '' && !said && ticket.lastMessageFromMe && (
                <>
                  <CornerUpLeft
                    aria-hidden="true"
                    className="mr-1 inline size-3 -translate-y-px text-muted-foreground"
                  />
                  <span className="sr-only">{t`Nós:`} </span>
                </>
              )}
              {said ? (
                <Marked piece={said} />
              ) : (
                draft || lastLine(ticket) || <span className="italic">{t`Sem mensagens`}</span>
              )}
            </span>
            {unread > 0 ? (
              <CountBadge count={unread} label={plural(unread, { one: '# não lida', other: '# não lidas' })} />
            ) : (
              ticket.status === 'open' &&
              isUnanswered(ticket) && (
                <span
                  role="img"
                  aria-label={t`Espera resposta`}
                  title={t`Espera resposta`}
                  className="mr-0.5 size-2.5 shrink-0 rounded-full border-2 border-primary"
                />
              )
            )}
          </span>
          {(ticket.snoozedUntil !== null || ticket.snoozeNote !== null) && (
            <SnoozeLine ticket={ticket} room={<span className="mt-0.5 block h-[1.125rem]" />} />
          )}
          {sentBy !== '' && (
            <span className="mt-0.5 flex min-w-0 items-center gap-1 text-[0.75rem] text-primary-soft-foreground">
              <ArrowRightLeft aria-hidden="true" className="size-3 shrink-0" />
              <span className="truncate" dir="auto">
                {sentNote === '' ? (
                  <Trans>De {sentBy}</Trans>
                ) : (
                  <Trans>
                    De {sentBy}: {sentNote}
                  </Trans>
                )}
              </span>
            </span>
          )}
          <span
            className={cn(
              'mt-1 flex min-w-0 items-center gap-x-2 overflow-hidden text-[0.6875rem] whitespace-nowrap text-muted-foreground',
              tags.length === 0 && underButtons,
            )}
          >
            <span
              className={cn(
                'shrink-0 truncate font-medium',
                ticket.supervisorCalledAt === null ? 'max-w-[45%]' : 'max-w-[30%]',
              )}
              style={queue ? { color: legible(queue.color) } : undefined}
            >
              {queue?.name ?? t`Sem fila`}
            </span>
            {connection && !found && (showConnection || connection.status !== 'CONNECTED') && (
              <Meta
                after={
                  connection.status !== 'CONNECTED' && (
                    <>
                      <span aria-hidden="true" className="ml-1 size-1.5 shrink-0 rounded-full bg-warning" />
                      <span className="sr-only"> {t`(desconectada)`}</span>
                    </>
                  )
                }
              >
                {connection.name}
              </Meta>
            )}
            {found && <Meta>{statuses[ticket.status]}</Meta>}
            {showAgent && agent && <Meta>{agent.name}</Meta>}
            {ticket.supervisorCalledAt !== null && (
              <span className="flex min-w-3 items-center gap-1 font-medium text-destructive-soft-foreground">
                <Hand aria-hidden="true" className="size-3 shrink-0" />
                <span className="truncate">
                  <Trans>Supervisor chamado</Trans>
                </span>
              </span>
            )}
            {ticket.chatbot && (
              <span className="inline-flex shrink-0 items-center gap-1">
                <Bot aria-hidden="true" className="size-3" />
                <span className="sr-only">{t`Com o robô`}</span>
              </span>
            )}
            <span className="flex-1" />
            {ticket.nextDueAt !== null ? (
              <DueChip ticket={ticket} />
            ) : (
              ticket.status !== 'closed' && <InteractionLabel at={ticket.lastMessageAt} now={now} />
            )}
          </span>
          {tags.length > 0 && (
            <span className={cn('mt-1.5 flex min-w-0 items-center gap-1 overflow-hidden', underButtons)}>
              {tags.slice(0, 3).map((tag) => (
                <TagChip key={tag.id} tag={tag} />
              ))}
              {tags.length > 3 && <span className="text-[0.6875rem] text-muted-foreground">+{tags.length - 3}</span>}
            </span>
          )}
        </span>
      </button>
      <span
        className={cn(
          // As low as it goes: the count of what is unread stays readable above it.
          'absolute right-2 bottom-0.5 flex items-center gap-0.5 rounded-md border bg-card p-px opacity-0 shadow-xs',
          // A finger has the swipe: where it does not see them, no buttons lie in wait for it. Who tabs to one sees it.
          'pointer-events-none group-hover/item:pointer-events-auto group-hover/item:opacity-100 has-focus-visible:pointer-events-auto has-focus-visible:opacity-100 pointer-fine:group-has-focus-visible/item:pointer-events-auto pointer-fine:group-has-focus-visible/item:opacity-100',
          !isFree && 'hidden',
          allowed.has('accept') &&
            'pointer-events-auto bottom-1.5 border-transparent bg-transparent p-0 opacity-100 shadow-none',
        )}
      >
        {canSpy && (
          <Quick of={nameId} label={t`Espiar a conversa`} tabbable={tabbable} onClick={() => onAction('spy', ticket)}>
            <Eye />
          </Quick>
        )}
        {allowed.has('wake') ? (
          <Quick of={nameId} label={t`Voltar agora`} tabbable={tabbable} onClick={() => onAction('wake', ticket)}>
            <AlarmClockOff />
          </Quick>
        ) : (
          ticket.status === 'open' &&
          allowed.has('snooze') && (
            <Quick of={nameId} label={t`Adiar`} tabbable={tabbable} onClick={() => onAction('snooze', ticket)}>
              <AlarmClock />
            </Quick>
          )
        )}
        {ticket.status === 'open' && allowed.has('return') && (
          <Quick of={nameId} label={t`Devolver à fila`} tabbable={tabbable} onClick={() => onAction('return', ticket)}>
            <CornerUpLeft />
          </Quick>
        )}
        {ticket.status === 'open' && allowed.has('resolve') && (
          <Quick of={nameId} label={t`Resolver`} tabbable={tabbable} onClick={() => onAction('resolve', ticket)}>
            <Check />
          </Quick>
        )}
        {ticket.status === 'closed' && allowed.has('reopen') && (
          <Quick of={nameId} label={t`Reabrir`} tabbable={tabbable} onClick={() => onAction('reopen', ticket)}>
            <RotateCcw />
          </Quick>
        )}
        {allowed.has('accept') && (
          <Button
            size="sm"
            tabIndex={tabbable ? 0 : -1}
            aria-describedby={nameId}
            onClick={() => onAction('accept', ticket)}
            className="h-6.5 px-2 touch:h-9"
          >
            <CheckCheck className="size-3.5" />
            <Trans>Aceitar</Trans>
          </Button>
        )}
      </span>
      {swipe.side && (
        // Stands outside and comes in with the row.
        <span
          aria-hidden="true"
          className={cn(
            'absolute inset-y-0 flex w-60 items-center gap-2 rounded-lg px-5 text-sm font-medium [&_svg]:size-5',
            swipe.side === 'right'
              ? 'right-full justify-end bg-primary text-primary-foreground'
              : 'left-full bg-success text-background',
          )}
        >
          <CheckCheck />
          {swipe.side === 'right' ? <Trans>Aceitar</Trans> : <Trans>Resolver</Trans>}
        </span>
      )}
    </div>
  )
})

function Meta({ children, after }: { children: ReactNode /** Is never cut off. */; after?: ReactNode }) {
  return (
    // Names give way before what was called out, and what is last in the line stays whole.
    <span
      className={cn(
        "flex shrink-9 items-center before:mr-2 before:text-border before:content-['|'/'']",
        after ? 'min-w-6' : 'min-w-0 overflow-hidden',
      )}
    >
      <span className="truncate">{children}</span>
      {after}
    </span>
  )
}

function Quick({
  of,
  label,
  tabbable,
  onClick,
  children,
}: {
  /** The element with the contact's name: every row has a button of this name. */
  of: string
  label: string
  tabbable: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Tooltip content={label}>
      <Button
        variant="ghost"
        size="icon-sm"
        tabIndex={tabbable ? 0 : -1}
        aria-label={label}
        aria-describedby={of}
        onClick={onClick}
        className="size-6 text-muted-foreground hover:text-foreground touch:size-9"
      >
        {children}
      </Button>
    </Tooltip>
  )
}

/** Text in a colour that somebody has chosen: its hue, as light or as dark as is read in the theme. */
const legible = (color: string) => `oklch(from ${color} clamp(var(--legible-from), l, var(--legible-to)) c h)`

/** A tag as a chip in its own colour, legible in both themes whatever the colour. */
export function TagChip({ tag, className }: { tag: TagRow; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex h-4.5 max-w-28 min-w-0 items-center rounded-sm px-1.5 text-[0.6875rem] font-medium',
        className,
      )}
      style={{
        background: `color-mix(in oklab, ${tag.color} 16%, transparent)`,
        color: legible(tag.color),
      }}
    >
      <span className="truncate">{tag.name}</span>
    </span>
  )
}

const tones = {
  green: 'text-success-soft-foreground',
  orange: 'text-warning-soft-foreground',
  red: 'text-destructive-soft-foreground',
}

/** How long nobody has written. */
export function InteractionLabel({ at, now }: { at: number; now: number }) {
  const label = lastInteraction(at, now)
  if (!label) return null
  const { count } = label
  return (
    <span className={cn('shrink-0 font-medium tabular-nums', tones[label.tone])}>
      <span className="sr-only">
        <Trans>Última interação há</Trans>{' '}
      </span>
      {label.unit === 'minutes' && <Plural value={count} one="# min" other="# min" />}
      {label.unit === 'hours' && <Plural value={count} one="# h" other="# h" />}
      {label.unit === 'days' && <Plural value={count} one="# dia" other="# dias" />}
    </span>
  )
}
