import { Trans, useLingui } from '@lingui/react/macro'
import {
  ArrowLeft,
  ArrowLeftRight,
  CalendarClock,
  CheckCheck,
  CornerUpLeft,
  EllipsisVertical,
  Eye,
  PanelRight,
  RotateCcw,
  StickyNote,
  Tag as TagIcon,
  Trash2,
  Upload,
} from 'lucide-react'
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { DragEvent, ReactNode, Ref } from 'react'
import { can } from '../../schema/permissions.ts'
import { api } from '../app/api.ts'
import { commandNames } from '../app/command-names.ts'
import { errorCodeText } from '../app/error-text.ts'
import { emitEvent, onConnect } from '../app/events.ts'
import { usePlanFeature } from '../app/plan.ts'
import { useReplica } from '../app/replica.tsx'
import { useOutbox } from '../app/replica-hooks.ts'
import { usePrincipal } from '../app/session.tsx'
import { useCompanyEvent } from '../app/use-event.ts'
import { useActions } from '../palette/actions.ts'
import { ContactAvatar } from '../tickets/contact-avatar.tsx'
import { useDirectory } from '../tickets/directory.ts'
import { perform, toastFailure } from '../tickets/perform.ts'
import { actionsFor, writingState } from '../tickets/ticket-actions.ts'
import { msOf } from '../tickets/rows.ts'
import type { TicketRow } from '../tickets/ticket-rows.ts'
import { TagChip } from '../tickets/ticket-item.tsx'
import { useOnline } from '../tickets/use-online.ts'
import { useTicketActions } from '../tickets/use-ticket-actions.tsx'
import { TypingWarning, useViewers, ViewerAvatars, type Viewer } from '../tickets/viewers.tsx'
import { useContactName } from '../tickets/words.ts'
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
import { IconButton } from '../ui/icon-button.tsx'
import { toast } from '../ui/toaster.tsx'
import type { BubbleActions } from './bubble.tsx'
import { captionOf } from './bubble-media.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { Lightbox } from './lightbox.tsx'
import { canEdit, MessageMenu, type MenuRequest } from './message-menu.tsx'
import type { MessageRow } from './message-rows.ts'
import { useReading, useUnreadLine } from './use-reading.ts'
import { ThreadView } from './thread-view.tsx'
import { useThread } from './use-thread.ts'

export interface ConversationProps {
  ticket: TicketRow
  /** The ticket is not in the replica; its messages come from the server. */
  remote: boolean
  /** Only looking: nothing is marked read, nothing can be written. */
  preview?: boolean
  drawerOpen?: boolean
  onToggleDrawer?: (section?: 'tags' | 'notes') => void
  onTransfer?: () => void
  onSchedule?: () => void
  onWriteTo?: (number: string) => void
  /** On narrow screens: back to the list. */
  onBack?: (() => void) | undefined
}

/**
 * A ticket's conversation: header, messages, and where one writes. It stays when another ticket is opened: of its parts
 * only the messages are built anew.
 */
export function Conversation({
  ticket,
  remote,
  preview = false,
  drawerOpen = false,
  onToggleDrawer,
  onTransfer,
  onSchedule,
  onWriteTo,
  onBack,
}: ConversationProps) {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const { users } = useDirectory()
  const nameOf = useContactName()
  const composer = useRef<ComposerHandle>(null)
  const messages = useRef<MessagesHandle>(null)
  const writable = !preview && writingState(ticket, who) === 'open'
  const ticketId = ticket.id
  const [written, setWritten] = useState<Written>({ ticketId })
  const { reply = null, editing = null } = written.ticketId === ticketId ? written : nothing
  const [deleting, setDeleting] = useState<MessageRow | null>(null)

  useJoined(ticketId)
  const viewers = useViewers(ticketId, !preview)

  useActions([
    {
      id: 'ticket.write',
      label: t`Escrever na conversa`,
      group: t`Este atendimento`,
      shortcut: 'r',
      when: writable,
      run: () => composer.current?.focus(),
    },
  ])

  const startReply = useCallback((row: MessageRow) => setWritten({ ticketId, reply: row }), [ticketId])
  const startEdit = useCallback((row: MessageRow) => setWritten({ ticketId, editing: row }), [ticketId])
  const done = useCallback(() => setWritten((now) => (now.reply || now.editing ? { ticketId } : now)), [ticketId])
  const editDone = useCallback(() => {
    done()
    requestAnimationFrame(() => composer.current?.focus())
  }, [done])
  const replyAuthor =
    reply === null
      ? null
      : reply.fromMe
        ? reply.authorId === who.userId
          ? t`Você`
          : (users.byId.get(reply.authorId ?? 0)?.name ?? null)
        : (reply.participantName ?? nameOf(ticket))

  const content = (
    <>
      <Messages
        key={ticketId}
        ref={messages}
        ticket={ticket}
        remote={remote}
        preview={preview}
        writable={writable}
        onReply={startReply}
        onEdit={startEdit}
        onDelete={setDeleting}
        onWriteTo={onWriteTo}
      />
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={(open) => !open && setDeleting(null)}
        title={t`Apagar a mensagem?`}
        confirmLabel={t`Apagar`}
        destructive
        onConfirm={async () => {
          if (deleting) await perform(replica, 'messages.delete', { messageId: deleting.id })
        }}
      >
        <Trans>Ela é apagada para todos. O texto continua visível para a equipe, marcado como apagado.</Trans>
      </ConfirmDialog>
    </>
  )
  if (preview) return <div className="flex min-h-0 flex-1 flex-col">{content}</div>

  return (
    <DropZone enabled={writable} onFiles={(files) => composer.current?.addFiles(files)}>
      <Header
        ticket={ticket}
        drawerOpen={drawerOpen}
        onToggleDrawer={onToggleDrawer}
        onTransfer={onTransfer}
        onSchedule={onSchedule}
        onBack={onBack}
        viewers={viewers}
      />
      {content}
      <RefusedCommands ticketId={ticketId} />
      <TypingWarning viewers={viewers} />
      <div
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' || !(event.target instanceof HTMLTextAreaElement) || event.target.value !== '')
            return
          event.preventDefault()
          messages.current?.editLast()
        }}
      >
        <Composer
          ref={composer}
          ticket={ticket}
          reply={reply}
          replyAuthor={replyAuthor}
          editing={editing}
          onReplyDone={done}
          onEditDone={editDone}
          actionForClosed={<OpenAction ticket={ticket} />}
        />
      </div>
    </DropZone>
  )
}

/** The message that is answered to or changed; of another ticket than the one that is open it says nothing. */
interface Written {
  ticketId: number
  reply?: MessageRow
  editing?: MessageRow
}
const nothing: Omit<Written, 'ticketId'> = {}

interface MessagesHandle {
  /** Up in an empty composer edits what was written last, as in other chats. */
  editLast: () => void
}

/** The messages of a ticket and what is done with one of them. Give it the ticket's id as key. */
function Messages({
  ticket,
  remote,
  preview,
  writable,
  onReply,
  onEdit,
  onDelete,
  onWriteTo,
  ref,
}: {
  ticket: TicketRow
  remote: boolean
  preview: boolean
  writable: boolean
  onReply: (row: MessageRow) => void
  onEdit: (row: MessageRow) => void
  onDelete: (row: MessageRow) => void
  onWriteTo: ((number: string) => void) | undefined
  ref: Ref<MessagesHandle>
}) {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const thread = useThread(ticket, remote)
  const unread = useUnreadLine(thread.messages)
  const [menu, setMenu] = useState<MenuRequest | null>(null)
  const [imageId, setImageId] = useState<string | null>(null)
  const [jump, setJump] = useState<{ id: string } | null>(null)
  const { messages, reach } = thread
  const ticketId = ticket.id

  useReading(ticket, preview ? undefined : messages)

  const latest = useRef({ messages, reach, onWriteTo })
  useEffect(() => {
    latest.current = { messages, reach, onWriteTo }
  })
  const jumpTo = useCallback(
    async (id: string) => {
      const known = latest.current.messages?.some(({ row }) => row.id === id)
      if (!known) {
        // Further up than what is drawn: the window is widened to it, if the replica has it in this ticket.
        const [quoted] = await replica.query<{ createdAt: unknown }>(
          'SELECT "createdAt" FROM messages WHERE id = $1 AND "ticketId" = $2',
          [id, ticketId],
        )
        if (!quoted) return void toast.info(t`A mensagem citada não está neste atendimento`)
        await latest.current.reach(msOf(quoted.createdAt))
      }
      setJump({ id })
    },
    [replica, ticketId, t],
  )
  const react = useCallback(
    (row: MessageRow, emoji: string) => void perform(replica, 'messages.react', { messageId: row.id, emoji }),
    [replica],
  )
  const retry = useCallback(
    (row: MessageRow, entryId: string | null) => {
      if (entryId !== null) replica.outbox.retry(entryId).catch(toastFailure)
      else void perform(replica, 'messages.retry', { messageId: row.id })
    },
    [replica],
  )
  const actions = useMemo<BubbleActions>(
    () => ({
      openMenu: (row, at, kind) => setMenu({ row, at, kind }),
      openImage: (row) => setImageId(row.id),
      jumpTo: (id) => jumpTo(id).catch(toastFailure),
      writeTo: (number) => latest.current.onWriteTo?.(number),
      react,
      retry,
      discard: (entryId) => void replica.outbox.discard(entryId).catch(toastFailure),
    }),
    [jumpTo, react, retry, replica],
  )
  useImperativeHandle(
    ref,
    () => ({
      editLast: () => {
        const last = latest.current.messages?.findLast(
          ({ row, delivery }) => row.authorId === who.userId && delivery === null && canEdit(row, Date.now()),
        )
        if (last) onEdit(last.row)
      },
    }),
    [who.userId, onEdit],
  )

  const images = useMemo(
    () =>
      imageId === null
        ? []
        : (messages ?? []).map(({ row }) => row).filter((row) => row.mediaType === 'image' && !row.isDeleted),
    [imageId, messages],
  )
  const menuQueued =
    menu !== null && (messages?.some(({ row, delivery }) => row.id === menu.row.id && delivery !== null) ?? false)

  return (
    <>
      <ThreadView
        ticket={ticket}
        thread={thread}
        unread={unread}
        writable={writable}
        actions={actions}
        jump={jump}
        typing={<TypingLine ticketId={ticketId} />}
      />
      {menu && (
        <MessageMenu
          request={menu}
          writable={writable}
          queued={menuQueued}
          onClose={() => setMenu((now) => (now === menu ? null : now))}
          onMore={() => setMenu({ ...menu, kind: menu.kind === 'menu' ? 'react' : 'all-emoji' })}
          onReply={onReply}
          onReact={react}
          onCopy={(row) => {
            navigator.clipboard?.writeText(captionOf(row)).then(
              () => toast.success(t`Texto copiado`),
              () => toast.error(t`O navegador não permitiu copiar`),
            )
          }}
          onEdit={onEdit}
          onDelete={onDelete}
          onRetry={(row) => retry(row, null)}
        />
      )}
      {imageId !== null && (
        <Lightbox images={images} id={imageId} onChange={setImageId} onClose={() => setImageId(null)} />
      )}
    </>
  )
}

/** The one step that makes writing possible. */
function OpenAction({ ticket }: { ticket: TicketRow }) {
  const who = usePrincipal()
  const actions = useTicketActions()
  const allowed = actionsFor(ticket, who)
  if (allowed.has('accept'))
    return (
      <Button onClick={() => void actions.accept(ticket)}>
        <CheckCheck />
        <Trans>Aceitar</Trans>
      </Button>
    )
  if (allowed.has('reopen'))
    return (
      <Button onClick={() => void actions.reopen(ticket)}>
        <RotateCcw />
        <Trans>Reabrir</Trans>
      </Button>
    )
  return null
}

function Header({
  ticket,
  drawerOpen,
  onToggleDrawer,
  onTransfer,
  onSchedule,
  onBack,
  viewers,
}: Pick<ConversationProps, 'ticket' | 'onToggleDrawer' | 'onTransfer' | 'onSchedule' | 'onBack'> & {
  drawerOpen: boolean
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
  const name = nameOf(ticket)
  const queue = ticket.queueId === null ? undefined : queues.byId.get(ticket.queueId)
  const agent = ticket.userId === null ? undefined : users.byId.get(ticket.userId)
  const connection = ticket.whatsappId === null ? undefined : connections.byId.get(ticket.whatsappId)
  const { id } = ticket
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
    <header className="@container relative flex min-h-13 shrink-0 items-center gap-2 border-b bg-card px-2 sm:px-3">
      <span
        aria-hidden="true"
        className="absolute inset-x-0 top-0 h-0.5"
        style={{ background: queue?.color ?? 'transparent' }}
      />
      {onBack && (
        <Button variant="ghost" size="icon" aria-label={t`Voltar à lista`} onClick={onBack}>
          <ArrowLeft />
        </Button>
      )}
      <button
        type="button"
        onClick={() => onToggleDrawer?.()}
        aria-expanded={drawerOpen}
        className="focus-ring flex min-w-0 flex-1 items-center gap-2.5 rounded-md py-1 pr-2 pl-1 text-left hover:bg-accent/60"
      >
        <ContactAvatar name={name} picture={ticket.contactPicture} isGroup={ticket.isGroup} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span className="truncate text-sm font-semibold">
              <span className="sr-only">{t`Dados de`} </span>
              {name}
            </span>
            <span className="shrink-0 text-xs text-muted-foreground tabular-nums @max-md:hidden">#{id}</span>
            <StatusBadge status={ticket.status} />
            <span className="hidden min-w-0 gap-1 overflow-hidden @2xl:flex">
              {shownTags.slice(0, 3).map((tag) => (
                <TagChip key={tag.id} tag={tag} />
              ))}
            </span>
          </span>
          <span className="block truncate text-xs text-muted-foreground">
            {[
              queue?.name ?? t`Sem fila`,
              connection?.name,
              agent ? (agent.id === who.userId ? t`com você` : t`com ${agent.name}`) : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
      </button>
      <ViewerAvatars viewers={viewers} />
      <div className="flex shrink-0 items-center gap-1">
        {allowed.has('return') && (
          <IconButton label={t`Devolver à fila`} onClick={() => void actions.return(ticket)} className="max-sm:hidden">
            <CornerUpLeft />
          </IconButton>
        )}
        {allowed.has('transfer') && ticket.status !== 'closed' && (
          <IconButton label={t`Transferir`} onClick={() => onTransfer?.()} className="max-sm:hidden">
            <ArrowLeftRight />
          </IconButton>
        )}
        {allowed.has('accept') && (
          <Button onClick={() => void actions.accept(ticket)}>
            <CheckCheck />
            <Trans>Aceitar</Trans>
          </Button>
        )}
        {ticket.status === 'open' && allowed.has('resolve') && (
          <Button onClick={() => void actions.resolve(ticket)} className="ml-1 touch:h-9 touch:tap-area max-sm:px-3">
            <CheckCheck />
            <span className="max-sm:sr-only">
              <Trans>Resolver</Trans>
            </span>
          </Button>
        )}
        {allowed.has('reopen') && (
          <Button variant="outline" onClick={() => void actions.reopen(ticket)}>
            <RotateCcw />
            <Trans>Reabrir</Trans>
          </Button>
        )}
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="icon" aria-label={t`Mais ações`}>
              <EllipsisVertical />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
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
            {allowed.has('return') && (
              <DropdownMenuItem className="sm:hidden" onSelect={() => void actions.return(ticket)}>
                <CornerUpLeft />
                <Trans>Devolver à fila</Trans>
              </DropdownMenuItem>
            )}
            {allowed.has('transfer') && ticket.status !== 'closed' && (
              <DropdownMenuItem className="sm:hidden" onSelect={() => onTransfer?.()}>
                <ArrowLeftRight />
                <Trans>Transferir</Trans>
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
          className="max-sm:hidden"
          aria-pressed={drawerOpen}
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
            toastFailure(error)
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

/** Files dragged onto the conversation are attached. */
function DropZone({
  enabled,
  onFiles,
  children,
}: {
  enabled: boolean
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}) {
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  const hasFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files')
  return (
    <div
      className="relative flex h-full min-h-0 flex-col"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return
        depth.current += 1
        setOver(true)
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1)
        if (depth.current === 0) setOver(false)
      }}
      onDrop={(event) => {
        depth.current = 0
        setOver(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-2 z-20 flex flex-col items-center justify-center gap-2 rounded-xl border-2 border-dashed border-primary bg-primary-soft/90 font-medium text-primary-soft-foreground">
          <Upload aria-hidden="true" className="size-6" />
          <Trans>Solte para anexar</Trans>
        </div>
      )}
    </div>
  )
}

/** What the server refused about this ticket, other than messages, which tell it in their own bubbles. */
function RefusedCommands({ ticketId }: { ticketId: number }) {
  const { i18n } = useLingui()
  const replica = useReplica()
  const refused = useOutbox(ticketId).filter((entry) => entry.state === 'failed' && entry.name !== 'messages.send')
  if (refused.length === 0) return null
  return (
    <ul role="alert" className="border-t bg-destructive-soft text-sm text-destructive-soft-foreground">
      {refused.map((entry) => (
        <li key={entry.id} className="flex items-center gap-2 px-4 py-1.5">
          <span className="min-w-0 flex-1">
            <span className="font-medium">{i18n._(commandNames[entry.name])}: </span>
            {entry.error ? errorCodeText(entry.error.code, entry.error.params) : null}
          </span>
          <Button variant="ghost" size="sm" onClick={() => void replica.outbox.retry(entry.id).catch(toastFailure)}>
            <Trans>Tentar de novo</Trans>
          </Button>
          <Button variant="ghost" size="sm" onClick={() => void replica.outbox.discard(entry.id).catch(toastFailure)}>
            <Trans>Descartar</Trans>
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Tells the server that this conversation is being looked at, so that its typing and news are sent here. */
function useJoined(ticketId: number): void {
  useEffect(() => {
    emitEvent('joinChatBox', ticketId)
    const stop = onConnect(() => emitEvent('joinChatBox', ticketId))
    return () => {
      stop()
      emitEvent('leaveChatBox', ticketId)
    }
  }, [ticketId])
}

/** WhatsApp repeats the contact's "typing" while it lasts; silence ends it. */
const typingForMs = 12_000

function TypingLine({ ticketId }: { ticketId: number }) {
  const [typing, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useCompanyEvent('typing', (data) => {
    const event = data as { action?: string; ticketId?: number; user?: object } | null
    // Colleagues are told of beside the field, where it matters.
    if (event?.ticketId !== ticketId || event.user) return
    clearTimeout(timer.current)
    const composing = event.action === 'composing'
    setTyping(composing)
    if (composing) timer.current = setTimeout(() => setTyping(false), typingForMs)
  })
  return (
    <div aria-live="polite" className="px-5">
      {typing && (
        <p className="inline-flex items-center gap-2 rounded-xl bg-bubble-in px-3 py-1.5 text-xs text-muted-foreground shadow-xs animate-in fade-in-0">
          <span aria-hidden="true" className="flex gap-0.5">
            {[0, 150, 300].map((delay) => (
              <span
                key={delay}
                className="size-1.5 animate-bounce rounded-full bg-muted-foreground/70"
                style={{ animationDelay: `${delay}ms` }}
              />
            ))}
          </span>
          <Trans>digitando</Trans>
        </p>
      )}
    </div>
  )
}

/** The head of a preview, which says that nothing is marked read. */
export function PreviewNote() {
  return (
    <p className="flex items-center gap-2 border-b bg-muted px-5 py-1.5 text-xs text-muted-foreground">
      <Eye aria-hidden="true" className="size-3.5" />
      <Trans>Só visualização: nada é marcado como lido.</Trans>
    </p>
  )
}
