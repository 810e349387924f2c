import { ScreenPending } from '../kit/screen-pending.tsx'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { setMenuBadge } from '../base/menu-badges.ts'
import { usePlanFeature } from '../session/plan.ts'
import { useWaitingCount } from '../kit/waiting-count.ts'
import { CornerCount, TopBarPopover } from '../kit/top-bar-popover.tsx'
import { plainText } from '../kit/text-tree.ts'
import { ring } from '../notifications/notifications.bell.ts'
import { notify } from '../notifications/notifications.notice.ts'
import { useNews } from '../notifications/notifications.use-news.ts'
import { useIsFromLastTime, useRows } from '../replica/live-rows.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ChatLink } from './chats.list.tsx'
import { seenOf, newsSince } from './chats.news.ts'
import { ownChats } from './chats.rows.ts'

/** Of the latest. */
const chatsListed = 20

const listening = { screen: 'chats', seenOf, newsSince } as const

/** In the top bar: the latest chats, and how many have something unread. It also marks the menu and rings. */
export default function ChatsPopover() {
  return usePlanFeature('useInternalChat') ? <Chats /> : null
}

function Chats() {
  const { t } = useLingui()
  const { uuid = null } = useParams({ strict: false }) as { uuid?: string }
  const [open, setOpen] = useState(false)
  const { rows } = useRows(ownChats)
  const fromLastTime = useIsFromLastTime(ownChats)
  const count = rows?.filter(({ unreads }) => unreads > 0).length ?? 0
  useNews(listening, fromLastTime ? undefined : rows, (news) => {
    ring()
    for (const chat of news) notify(chat.title, plainText(chat.lastMessage), chat.uuid, `/chats/${chat.uuid}`)
  })
  useWaitingCount('chats', count)
  const unreadWords = t`Há mensagens não lidas`
  useEffect(() => {
    if (count === 0) return
    setMenuBadge('/chats', { mark: '•', label: unreadWords })
    return () => setMenuBadge('/chats', null)
  }, [count, unreadWords])

  const label =
    count > 0
      ? plural(count, {
          one: 'Chat interno: # conversa com mensagens não lidas',
          other: 'Chat interno: # conversas com mensagens não lidas',
        })
      : t`Chat interno`
  return (
    <TopBarPopover
      title={t`Chat interno`}
      label={label}
      icon={MessageCircle}
      mark={<CornerCount count={count} />}
      open={open}
      onOpenChange={setOpen}
      className="w-80 p-1"
    >
      {!rows ? (
        <div className="py-8">
          <ScreenPending />
        </div>
      ) : rows.length === 0 ? (
        <EmptyState icon={MessageCircle} title={t`Nenhuma conversa ainda`} className="py-8" />
      ) : (
        <ul className="max-h-[350px] overflow-y-auto overscroll-contain">
          {rows.slice(0, chatsListed).map((chat) => (
            <li key={chat.id}>
              <ChatLink chat={chat} selected={chat.uuid === uuid} onClick={() => setOpen(false)} />
            </li>
          ))}
        </ul>
      )}
    </TopBarPopover>
  )
}
