import { Trans, useLingui } from '@lingui/react/macro'
import {
  AlarmClock,
  AlarmClockOff,
  ArrowLeft,
  ArrowLeftRight,
  CalendarClock,
  CheckCheck,
  CornerUpLeft,
  EllipsisVertical,
  Hand,
  ListChecks,
  Merge,
  PanelRight,
  RotateCcw,
  Search,
  StickyNote,
  Tag as TagIcon,
  Trash2,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { can } from '../../schema/permissions.ts'
import { api } from '../session/api.ts'
import { isFocusLost } from '../base/focus-lost.ts'
import { whenUncovered } from '../base/when-uncovered.ts'
import { usePlanFeature } from '../session/plan.ts'
import { usePrincipal } from '../session/session.tsx'
import { useActions } from '../kit/actions.ts'
import { ContactAvatar } from '../kit/contact-avatar.tsx'
import { ownMacros } from '../macros/macros.rows.ts'
import { wantedMacro } from '../macros/macros.wanted.ts'
import { useDirectory } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { toastError } from '../session/failure.tsx'
import DueChip from '../tickets/tickets.due-chip.tsx'
import { actionsFor } from '../tickets/tickets.actions.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { TagChip } from '../tickets/tickets.item.tsx'
import { useNarrow } from '../base/use-narrow.ts'
import { useOnline } from '../replica/use-online.ts'
import { snoozing, useTicketActions } from '../tickets/tickets.use-actions.tsx'
import { ViewerAvatars, type Viewer } from '../tickets/tickets.viewers.tsx'
import { useContactName } from '../tickets/tickets.words.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { cn } from '../ui/cn.ts'
import { IconButton } from '../ui/icon-button.tsx'
import type { ConversationProps } from './messages.conversation.tsx'

/** The name and all buttons stand side by side from this width on, px; below it some are in the menu. */
const roomForButtons = 480

/** The head of an open ticket: who it is about, and what can be done with it. */
export function Header({
  ticket,
  drawerOpen,
  onToggleDrawer,
  onTransfer,
  onMerge,
  onCallSupervisor,
  onSchedule,
  onBack,
  onFind,
  viewers,
}: Pick<
  ConversationProps,
  'ticket' | 'onToggleDrawer' | 'onTransfer' | 'onMerge' | 'onCallSupervisor' | 'onSchedule' | 'onBack'
> & {
  drawerOpen: boolean
  onFind: () => void
  viewers: readonly Viewer[]
}) {
  const { t } = useLingui()
  const who = usePrincipal()
  const online = useOnline()
  const schedules = usePlanFeature('useSchedules')
  const { queues, users, connections, tags } = useDirectory()
  const nameOf = useContactName()
  const actions = useTicketActions()
  const [deleting, setDeleting] = useState<number | null>(null)
  const allowed = actionsFor(ticket, who)
  const { rows: macros = [] } = useRows(ownMacros)
  const name = nameOf(ticket)
  const queue = ticket.queueId === null ? undefined : queues.byId.get(ticket.queueId)
  const agent = ticket.userId === null ? undefined : users.byId.get(ticket.userId)
  const connection = ticket.whatsappId === null ? undefined : connections.byId.get(ticket.whatsappId)
  const { id } = ticket
  // What was pressed to open it is out of sight now; where one can write, the field takes the keyboard from here.
  const back = useRef<HTMLButtonElement>(null)
  const covers = onBack !== undefined
  const bar = useRef<HTMLElement>(null)
  const narrow = useNarrow(bar, roomForButtons)
  useEffect(
    () => (covers ? whenUncovered(() => isFocusLost() && back.current?.focus({ preventScroll: true })) : undefined),
    [covers, id],
  )
  // Who may be called calls nobody.
  const maySummon = ticket.status !== 'closed' && ticket.supervisorCalledAt === null && !can(who, 'tickets:supervise')
  const shownTags = ticket.tagIds.flatMap((tagId) => tags.byId.get(tagId) ?? [])
  const group = t`Este atendimento`
  useActions([
    {
      id: 'ticket.accept',
      label: t`Aceitar`,
      group,
      shortcut: 'a',
      when: allowed.has('accept'),
      run: () => void actions.accept(ticket),
    },
    {
      id: 'ticket.resolve',
      label: t`Resolver`,
      group,
      shortcut: 'e',
      when: ticket.status === 'open' && allowed.has('resolve'),
      run: () => void actions.resolve(ticket),
    },
    {
      id: 'ticket.return',
      label: t`Devolver à fila`,
      group,
      shortcut: 'd',
      when: allowed.has('return'),
      run: () => void actions.return(ticket),
    },
    {
      id: 'ticket.transfer',
      label: t`Transferir`,
      group,
      shortcut: 't',
      when: allowed.has('transfer') && ticket.status !== 'closed',
      run: () => onTransfer?.(),
    },
    {
      id: 'ticket.merge',
      label: t`Juntar a outro atendimento`,
      group,
      when: allowed.has('merge'),
      run: () => onMerge?.(),
    },
    {
      id: 'ticket.snooze',
      label: t`Adiar`,
      group,
      shortcut: 'h',
      when: allowed.has('snooze'),
      run: () => snoozing.set(ticket),
    },
    {
      id: 'ticket.wake',
      label: t`Voltar agora`,
      group,
      when: allowed.has('wake'),
      run: () => void actions.wake(ticket),
    },
    {
      id: 'ticket.supervisor',
      label: t`Chamar supervisor`,
      group,
      shortcut: 'v',
      when: maySummon,
      run: () => onCallSupervisor?.(),
    },
    {
      id: 'ticket.reopen',
      label: t`Reabrir`,
      group,
      shortcut: 'o',
      when: allowed.has('reopen'),
      run: () => void actions.reopen(ticket),
    },
    {
      id: 'ticket.schedule',
      label: t`Agendar mensagem`,
      group,
      shortcut: 's',
      when: schedules,
      run: () => onSchedule?.(),
    },
    { id: 'ticket.notes', label: t`Observações`, group, shortcut: 'm', run: () => onToggleDrawer?.('notes') },
    { id: 'ticket.tags', label: t`Etiquetas`, group, shortcut: 'l', run: () => onToggleDrawer?.('tags') },
    {
      id: 'ticket.contact',
      label: drawerOpen ? t`Ocultar os dados do contato` : t`Mostrar os dados do contato`,
      group,
      shortcut: 'i',
      run: () => onToggleDrawer?.(),
    },
  ])
  return (
    <header
      ref={bar}
      className="@container relative flex min-h-13 shrink-0 items-center gap-2 border-b bg-card px-3 max-sm:gap-1 max-sm:px-1"
    >
      <span
        aria-hidden="true"
        className="absolute inset-x-0 top-0 h-0.5"
        style={{ background: queue?.color ?? 'transparent' }}
      />
      {onBack && (
        <Button
          ref={back}
          data-back
          variant="ghost"
          size="icon"
          aria-label={t`Voltar à lista`}
          onClick={onBack}
          className="touch:max-sm:w-9 touch:max-sm:tap-area"
        >
          <ArrowLeft />
        </Button>
      )}
      <h2 className="flex min-w-0 flex-1">
        <button
          type="button"
          onClick={() => onToggleDrawer?.()}
          aria-expanded={drawerOpen}
          className="focus-ring flex min-w-0 flex-1 items-center gap-2.5 rounded-md py-1 pr-2 pl-1 text-left hover:bg-accent/60 max-sm:gap-2 max-sm:pr-1"
        >
          <ContactAvatar
            name={name}
            picture={ticket.contactPicture}
            isGroup={ticket.isGroup}
            size={covers ? 'sm' : 'md'}
          />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <span className="truncate text-sm font-semibold">
                <span className="sr-only">{t`Dados de`} </span>
                {name}
              </span>
              <span className="shrink-0 text-xs text-muted-foreground tabular-nums @max-md:hidden">#{id}</span>
              {/* Where it is narrow the name needs the room; the button beside it says as much. */}
              <span className="shrink-0 @max-md:hidden">
                <StatusBadge status={ticket.status} />
              </span>
              {ticket.nextDueAt !== null && (
                <span className="inline-flex shrink-0 text-xs">
                  <DueChip ticket={ticket} />
                </span>
              )}
              <span className="hidden min-w-0 gap-1 overflow-hidden @2xl:flex">
                {shownTags.slice(0, 3).map((tag) => (
                  <TagChip key={tag.id} tag={tag} />
                ))}
              </span>
            </span>
            <span className="block truncate text-xs text-muted-foreground">
              {queue?.name ?? t`Sem fila`}
              {connection && <span className="@max-md:hidden"> · {connection.name}</span>}
              {agent && agent.id !== who.userId && ` · ${t`com ${agent.name}`}`}
              {agent?.id === who.userId && <span className="@max-md:hidden"> · {t`com você`}</span>}
            </span>
          </span>
        </button>
      </h2>
      <ViewerAvatars viewers={viewers} />
      <div className="flex shrink-0 items-center gap-1">
        {!narrow && allowed.has('return') && (
          <IconButton label={t`Devolver à fila`} onClick={() => void actions.return(ticket)}>
            <CornerUpLeft />
          </IconButton>
        )}
        {!narrow && allowed.has('transfer') && ticket.status !== 'closed' && (
          <IconButton label={t`Transferir`} onClick={() => onTransfer?.()}>
            <ArrowLeftRight />
          </IconButton>
        )}
        {allowed.has('accept') && (
          <Button onClick={() => void actions.accept(ticket)} className="touch:max-sm:px-3">
            <CheckCheck className="max-sm:hidden" />
            <Trans>Aceitar</Trans>
          </Button>
        )}
        {ticket.status === 'open' && allowed.has('resolve') && (
          <Button
            onClick={() => void actions.resolve(ticket)}
            className="ml-1 touch:h-9 touch:tap-area max-sm:ml-0 touch:max-sm:px-2.5"
          >
            <CheckCheck className="max-sm:hidden" />
            <Trans>Resolver</Trans>
          </Button>
        )}
        {allowed.has('reopen') && (
          <Button variant="outline" onClick={() => void actions.reopen(ticket)} className="touch:max-sm:px-3">
            <RotateCcw className="max-sm:hidden" />
            <Trans>Reabrir</Trans>
          </Button>
        )}
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t`Mais ações`}
              className="touch:max-sm:w-9 touch:max-sm:tap-area"
            >
              <EllipsisVertical />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            <DropdownMenuItem onSelect={() => setTimeout(onFind)}>
              <Search />
              <Trans>Buscar na conversa</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => onToggleDrawer?.('notes')}>
              <StickyNote />
              <Trans>Observações</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => onToggleDrawer?.('tags')}>
              <TagIcon />
              <Trans>Etiquetas</Trans>
            </DropdownMenuItem>
            {schedules && (
              <DropdownMenuItem onSelect={() => onSchedule?.()}>
                <CalendarClock />
                <Trans>Agendar mensagem</Trans>
              </DropdownMenuItem>
            )}
            {allowed.has('snooze') && (
              <DropdownMenuItem onSelect={() => setTimeout(() => snoozing.set(ticket))}>
                <AlarmClock />
                {allowed.has('wake') ? <Trans>Adiar para outra hora</Trans> : <Trans>Adiar</Trans>}
              </DropdownMenuItem>
            )}
            {allowed.has('wake') && (
              <DropdownMenuItem onSelect={() => void actions.wake(ticket)}>
                <AlarmClockOff />
                <Trans>Voltar agora</Trans>
              </DropdownMenuItem>
            )}
            {narrow && allowed.has('return') && (
              <DropdownMenuItem onSelect={() => void actions.return(ticket)}>
                <CornerUpLeft />
                <Trans>Devolver à fila</Trans>
              </DropdownMenuItem>
            )}
            {narrow && allowed.has('transfer') && ticket.status !== 'closed' && (
              <DropdownMenuItem onSelect={() => onTransfer?.()}>
                <ArrowLeftRight />
                <Trans>Transferir</Trans>
              </DropdownMenuItem>
            )}
            {allowed.has('merge') && (
              <DropdownMenuItem onSelect={() => onMerge?.()}>
                <Merge />
                <Trans>Juntar a outro atendimento</Trans>
              </DropdownMenuItem>
            )}
            {macros.length > 0 && (
              <DropdownMenuItem onSelect={() => setTimeout(() => wantedMacro.set({ ticketId: id, macroId: null }))}>
                <ListChecks />
                <Trans>Executar uma macro</Trans>
              </DropdownMenuItem>
            )}
            {maySummon && (
              <DropdownMenuItem onSelect={() => onCallSupervisor?.()}>
                <Hand />
                <Trans>Chamar supervisor</Trans>
              </DropdownMenuItem>
            )}
            {ticket.status === 'pending' && allowed.has('resolve') && (
              <DropdownMenuItem onSelect={() => void actions.resolve(ticket)}>
                <CheckCheck />
                <Trans>Resolver sem aceitar</Trans>
              </DropdownMenuItem>
            )}
            {can(who, 'ticket-options:deleteTicket') && (
              <>
                <DropdownMenuSeparator />
                <DropdownMenuItem destructive disabled={!online} onSelect={() => setDeleting(id)}>
                  <Trash2 />
                  <Trans>Excluir atendimento</Trans>
                </DropdownMenuItem>
              </>
            )}
          </DropdownMenuContent>
        </DropdownMenu>
        <IconButton
          label={drawerOpen ? t`Ocultar os dados do contato` : t`Mostrar os dados do contato`}
          onClick={() => onToggleDrawer?.()}
          className={cn('max-sm:hidden', drawerOpen && 'bg-accent text-foreground')}
          aria-expanded={drawerOpen}
        >
          <PanelRight />
        </IconButton>
      </div>
      <ConfirmDialog
        open={deleting === id}
        onOpenChange={(open) => !open && setDeleting(null)}
        title={t`Excluir o atendimento ${id}?`}
        confirmLabel={t`Excluir`}
        destructive
        onConfirm={async () => {
          try {
            await api.delete(`/tickets/${id}`)
            actions.leave(ticket)
          } catch (error) {
            toastError(error)
            return false
          }
          return true
        }}
      >
        <Trans>
          As mensagens, arquivos e observações deste atendimento são apagados do sistema. Isso não pode ser desfeito.
        </Trans>
      </ConfirmDialog>
    </header>
  )
}

function StatusBadge({ status }: { status: TicketRow['status'] }) {
  if (status === 'pending')
    return (
      <Badge tone="warning">
        <Trans>aguardando</Trans>
      </Badge>
    )
  if (status === 'closed')
    return (
      <Badge tone="neutral">
        <Trans>resolvido</Trans>
      </Badge>
    )
  return null
}
