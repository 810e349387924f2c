import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { useUsers } from '../replica/directory.ts'
import { useOnline } from '../replica/use-online.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import { ChatComposer } from './chats.composer.tsx'
import { ChatConversation } from './chats.conversation.tsx'
import type { ChatRow } from './chats.rows.ts'
import { useChatThread } from './chats.use-thread.ts'

/** Messages that come in a burst are read together. */
const readPauseMs = 300

/** An open chat. Give it the chat as key. */
export function ChatPane({
  chat,
  onBack,
  onEdit,
  onRemove,
}: {
  chat: ChatRow
  /** Where the list lies under it. */
  onBack: (() => void) | undefined
  onEdit: () => void
  onRemove: () => void
}) {
  const { t } = useLingui()
  const { userId } = usePrincipal()
  const online = useOnline()
  const users = useUsers()
  const thread = useChatThread(chat.id)
  useReading(chat)

  const names = chat.memberIds
    .filter((id) => id !== userId)
    .flatMap((id) => users.byId.get(id)?.name ?? [])
    .join(', ')
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex h-13 shrink-0 items-center gap-2.5 border-b bg-card px-2 sm:px-3">
        {onBack && (
          <Button variant="ghost" size="icon" aria-label={t`Voltar à lista`} onClick={onBack}>
            <ArrowLeft />
          </Button>
        )}
        <Avatar name={chat.title} className="max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-sm font-semibold">{chat.title}</h2>
          <p className="truncate text-xs text-muted-foreground" title={names}>
            <Plural value={chat.memberIds.length} one="# participante" other="# participantes" />
            {names && <> · {names}</>}
          </p>
        </div>
        {chat.ownerId === userId && (
          <DropdownMenu>
            <DropdownMenuTrigger asChild>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t`Ações de ${chat.title}`}
                className="text-muted-foreground"
              >
                <EllipsisVertical />
              </Button>
            </DropdownMenuTrigger>
            <DropdownMenuContent align="end">
              <DropdownMenuItem onSelect={onEdit}>
                <Pencil />
                <Trans>Editar</Trans>
              </DropdownMenuItem>
              <DropdownMenuItem destructive disabled={!online} onSelect={onRemove}>
                <Trash2 />
                <Trans>Excluir</Trans>
              </DropdownMenuItem>
            </DropdownMenuContent>
          </DropdownMenu>
        )}
      </header>
      <ChatConversation thread={thread} title={chat.title} />
      <ChatComposer chatId={chat.id} />
    </div>
  )
}

/** Marks what is unread as read while somebody looks at the chat. */
function useReading({ id, unreads }: ChatRow): void {
  const replica = useReplica()
  useEffect(() => {
    if (unreads === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      // Whatever goes wrong, the next message tries again; a reader has nothing to do about it.
      timer = setTimeout(
        () => void replica.mutate('chats.read', { chatId: id, seen: unreads }).catch(() => undefined),
        readPauseMs,
      )
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [replica, id, unreads])
}
