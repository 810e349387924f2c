import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { toastError } from '../session/failure.tsx'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { useUsers } from '../replica/directory.ts'
import { useNow } from '../base/now.ts'
import { useOnline } from '../replica/use-online.ts'
import { useDayName } from '../tickets/tickets.words.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { NewestButton } from '../ui/newest-button.tsx'
import { OlderMessages } from '../ui/older-messages.tsx'
import { ChatBubble, type BubbleActions } from './chats.bubble.tsx'
import type { ChatEntry } from './chats.thread.ts'
import type { ChatThread } from './chats.use-thread.ts'

/** Older messages are loaded when the top is this near, px. */
const olderWithin = 600
/** What counts as being at the newest message, px. */
const bottomWithin = 60

/** What is said in a chat. Only what is near the window is drawn. For one chat in its life. */
export function ChatConversation({ thread, title }: { thread: ChatThread; title: string }) {
  const { t } = useLingui()
  const { userId } = usePrincipal()
  const { outbox } = useReplica()
  const online = useOnline()
  const users = useUsers()
  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  /** The reader is at the newest message, and stays there. */
  const sticks = useRef(true)
  const [atBottom, setAtBottom] = useState(true)
  const [newCount, setNewCount] = useState(0)
  const { entries, hasOlder, older, loadOlder } = thread
  const count = entries?.length ?? 0
  const newest = entries?.at(-1)
  const shift = useGrowsAtTop(entries)

  const nameOf = (id: number | null): string =>
    users.byId.get(id ?? 0)?.name ?? (users.list.length === 0 ? '' : t`Usuário excluído`)
  const actions = useMemo<BubbleActions>(
    () => ({
      retry: (entryId) => void outbox.retry(entryId).catch(toastError),
      discard: (entryId) => void outbox.discard(entryId).catch(toastError),
    }),
    [outbox],
  )

  const toNewest = useCallback(() => {
    sticks.current = true
    setAtBottom(true)
    setNewCount(0)
    list.current?.scrollToIndex(count - 1, { align: 'end' })
  }, [count])

  const look = () => {
    const handle = list.current
    if (!handle) return
    if (handle.scrollOffset < olderWithin && hasOlder && older === 'idle') loadOlder()
  }
  const onScroll = (offset: number) => {
    const handle = list.current
    if (!handle) return
    const bottom = offset + handle.viewportSize > handle.scrollSize - bottomWithin
    sticks.current = bottom
    setAtBottom(bottom)
    if (bottom) setNewCount(0)
    look()
  }

  // What we write ourselves is always shown; what comes while somebody reads further up is only counted.
  const shownNewest = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const before = shownNewest.current
    shownNewest.current = newest?.row.id
    if (!newest || before === newest.row.id) return
    if (sticks.current || newest.row.senderId === userId) toNewest()
    else if (before !== undefined) setNewCount((n) => n + 1)
  }, [newest, userId, toNewest])

  // A conversation shorter than the window cannot be scrolled: nothing else would ask for what is older.
  const latestLook = useRef(look)
  useEffect(() => {
    latestLook.current = look
  })
  useEffect(() => {
    if (older !== 'idle') return
    // After the list has been measured and has gone to its end.
    const timer = setTimeout(() => latestLook.current(), 200)
    return () => clearTimeout(timer)
  }, [count, older, hasOlder])

  if (thread.error && !entries)
    return (
      <ErrorState className="flex-1">{t`As mensagens guardadas neste navegador não puderam ser lidas.`}</ErrorState>
    )
  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-thread">
      <div
        ref={scroller}
        role="group"
        aria-label={t`Mensagens`}
        aria-busy={entries === undefined}
        tabIndex={0}
        className="focus-ring flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain pb-2 outline-offset-[-2px] [overflow-anchor:none]"
      >
        {/* A short conversation stands at the bottom, where one writes. */}
        <div className="grow" />
        {entries?.length === 0 && (!hasOlder || older === 'offline') && (
          <EmptyState title={t`Nenhuma mensagem ainda`} className="grow">
            <Trans>Escreva a primeira abaixo.</Trans>
          </EmptyState>
        )}
        {entries && (
          <Virtualizer
            ref={list}
            shift={shift}
            onScroll={onScroll}
            onResize={() => {
              // A keyboard that opens, or a bubble that is taller than it was thought to be.
              if (sticks.current) list.current?.scrollToIndex(count - 1, { align: 'end' })
            }}
          >
            {entries.map(({ row, delivery, day, first, last }) => (
              <div key={row.id} data-message={row.id}>
                {day !== null && <DayLine day={day} />}
                <ChatBubble
                  message={row.message}
                  createdAt={row.createdAt}
                  own={row.senderId === userId}
                  sender={nameOf(row.senderId)}
                  first={first}
                  last={last}
                  state={delivery?.state ?? 'sent'}
                  waitsForNetwork={delivery !== null && !online}
                  entryId={delivery?.entryId ?? null}
                  errorCode={delivery?.error?.code ?? null}
                  actions={actions}
                />
              </div>
            ))}
          </Virtualizer>
        )}
      </div>
      <OlderNote older={older} onRetry={loadOlder} hidden={atBottom && older !== 'failed'} />
      {!atBottom && <NewestButton newCount={newCount} onClick={toNewest} />}
      <Announcer newest={newest} sender={newest ? nameOf(newest.row.senderId) : ''} own={userId} title={title} />
    </div>
  )
}

/** Whether this list begins with other messages than the last one did and still has those: what is in sight must stay. */
function useGrowsAtTop(entries: readonly ChatEntry[] | undefined): boolean {
  const [seen, setSeen] = useState<{ entries: typeof entries; shift: boolean }>({ entries, shift: false })
  if (entries === seen.entries) return seen.shift
  const top = seen.entries?.[0]?.row.id
  const shift = top !== undefined && entries?.[0]?.row.id !== top && entries?.some(({ row }) => row.id === top) === true
  setSeen({ entries, shift })
  return shift
}

function DayLine({ day }: { day: number }) {
  const nameOf = useDayName()
  const now = useNow()
  return (
    <div className="flex justify-center py-2">
      <h3 className="rounded-full bg-card/90 px-2.5 py-0.5 text-[0.6875rem] font-medium text-muted-foreground shadow-xs first-letter:uppercase">
        {nameOf(day, now)}
      </h3>
    </div>
  )
}

/** Says over the oldest messages that more is coming, or why not. */
function OlderNote({ older, onRetry, hidden }: { older: ChatThread['older']; onRetry: () => void; hidden: boolean }) {
  if (older === 'idle' || hidden) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 flex justify-center">
      <p className="pointer-events-auto flex min-h-7 items-center gap-2 rounded-full bg-card px-3 text-xs text-muted-foreground shadow-xs">
        <OlderMessages state={older} onRetry={onRetry} />
      </p>
    </div>
  )
}

/** Reads a colleague's message out as it arrives; never what was there before. */
function Announcer({
  newest,
  sender,
  own,
  title,
}: {
  newest: ChatEntry | undefined
  sender: string
  own: number
  title: string
}) {
  const [openedAt] = useState(() => Date.now())
  const news = newest && newest.row.senderId !== own && newest.row.createdAt > openedAt - 5000
  return (
    <p aria-live="polite" className="sr-only">
      {news ? `${title}, ${sender}: ${newest.row.message}` : ''}
    </p>
  )
}
