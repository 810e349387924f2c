import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { MessageCircle, Plus } from 'lucide-react'
import { useState } from 'react'
import { SearchInput } from '../kit/search-input.tsx'
import { useNow } from '../base/now.ts'
import { plainText } from '../kit/text-tree.ts'
import { listTime } from '../tickets/tickets.words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { CountBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { matches } from '../ui/filter.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import type { ChatRow } from './chats.rows.ts'

/** The user's chats, the latest first. */
export function ChatList({
  chats,
  selected,
  onNew,
  onOpen,
}: {
  /** Undefined until they are known. */
  chats: readonly ChatRow[] | undefined
  selected: string | null
  onNew: () => void
  /** One was chosen, perhaps the one that is open already. */
  onOpen: () => void
}) {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const found = chats?.filter(({ title }) => matches(title, search))
  return (
    <div className="flex h-full min-h-0 flex-col bg-card">
      <div className="flex items-center gap-2 px-3 pt-3 pb-2">
        <div className="min-w-0 flex-1 [&>div]:w-full">
          <SearchInput label={t`Buscar conversas`} value={search} onChange={setSearch} />
        </div>
        <Button onClick={onNew}>
          <Plus />
          <Trans>Nova</Trans>
        </Button>
      </div>
      <nav aria-label={t`Conversas`} className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-2">
        {!found ? (
          <div className="flex flex-col gap-3 px-4 py-2">
            {[0, 1, 2].map((index) => (
              <Skeleton key={index} className="h-11" />
            ))}
          </div>
        ) : found.length === 0 ? (
          search === '' ? (
            <EmptyState icon={MessageCircle} title={t`Nenhuma conversa ainda`}>
              <Trans>Crie uma para falar com os seus colegas.</Trans>
            </EmptyState>
          ) : (
            <EmptyState title={t`Nada encontrado`} />
          )
        ) : (
          <ul className="flex flex-col gap-px px-2">
            {found.map((chat) => (
              <li key={chat.id}>
                <ChatLink chat={chat} selected={chat.uuid === selected} onClick={onOpen} />
              </li>
            ))}
          </ul>
        )}
      </nav>
    </div>
  )
}

/** A chat as a line: in the list and in the top bar. */
export function ChatLink({ chat, selected, onClick }: { chat: ChatRow; selected: boolean; onClick: () => void }) {
  const { t, i18n } = useLingui()
  const now = useNow()
  const { title, unreads, updatedAt, lastMessage, uuid } = chat
  return (
    <Link
      to="/chats/$uuid"
      params={{ uuid }}
      onClick={onClick}
      data-chat
      aria-current={selected ? 'true' : undefined}
      className={cn(
        'focus-ring flex min-w-0 items-center gap-2.5 rounded-lg px-2.5 py-2.5 outline-offset-[-2px] transition-colors',
        selected ? 'bg-primary-soft' : 'hover:bg-accent/70',
      )}
    >
      <Avatar name={title} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span
            className={cn('min-w-0 flex-1 truncate text-[0.8125rem]', unreads > 0 ? 'font-semibold' : 'font-medium')}
          >
            {title}
          </span>
          <time
            dateTime={new Date(updatedAt).toISOString()}
            className="shrink-0 text-[0.6875rem] text-muted-foreground tabular-nums"
          >
            {listTime(updatedAt, now, i18n.locale)}
          </time>
        </span>
        <span className="mt-0.5 flex items-center gap-2">
          <span
            className={cn(
              'min-w-0 flex-1 truncate text-[0.8125rem]',
              unreads > 0 ? 'text-foreground' : 'text-muted-foreground',
            )}
          >
            {plainText(lastMessage) || <span className="italic">{t`Sem mensagens`}</span>}
          </span>
          <CountBadge count={unreads} label={plural(unreads, { one: '# não lida', other: '# não lidas' })} />
        </span>
      </span>
    </Link>
  )
}
