import { useCallback, useMemo, useRef, useState } from 'react'
import { api } from '../session/api.ts'
import { useOutbox } from '../replica/replica-hooks.ts'
import { usePrincipal } from '../session/session.tsx'
import { useRows } from '../replica/live-rows.ts'
import { useOnline } from '../replica/use-online.ts'
import { chatPage, newestChatMessages, readChatMessage, type ChatMessageRow } from './chats.rows.ts'
import { chatEntries, knownMessages, type ChatEntry } from './chats.thread.ts'

export interface ChatThread {
  /** Oldest first; undefined until the first rows are there. */
  entries: readonly ChatEntry[] | undefined
  error: Error | null
  /** Whether there may be more further up. */
  hasOlder: boolean
  older: 'idle' | 'loading' | 'failed' | 'offline'
  loadOlder: () => void
}

/**
 * The messages of a chat: the newest of the replica, further ones as they are asked for, and beyond the replica those
 * of the server. For one chat in its life: give its component the chat as key.
 */
export function useChatThread(chatId: number): ChatThread {
  const { userId } = usePrincipal()
  const online = useOnline()
  const outbox = useOutbox()
  const [limit, setLimit] = useState(chatPage)
  const { rows, error } = useRows(newestChatMessages(chatId, limit))
  const [known, setKnown] = useState<{ window: typeof rows; all: readonly ChatMessageRow[] }>({
    window: undefined,
    all: [],
  })
  const [server, setServer] = useState<{ hasMore: boolean; state: 'idle' | 'loading' | 'failed' }>({
    hasMore: true,
    state: 'idle',
  })
  // While a larger window is read, the smaller one stays.
  if (rows && rows !== known.window) setKnown({ window: rows, all: knownMessages(rows.toReversed(), known.all) })

  const entries = useMemo(
    () => known.window && chatEntries(known.all, outbox, chatId, userId),
    [known, outbox, chatId, userId],
  )
  const localEnd = rows !== undefined && rows.length < limit
  const hasOlder = rows !== undefined && (!localEnd || server.hasMore)
  const oldest = known.all[0]?.id

  const busy = useRef(false)
  const fetchOlder = useCallback(() => {
    if (busy.current) return
    busy.current = true
    setServer((s) => ({ ...s, state: 'loading' }))
    api
      .get<{ records: Record<string, unknown>[]; hasMore: boolean }>(`/chats/${chatId}/messages`, {
        query: { before: oldest },
      })
      .then(
        ({ records, hasMore }) => {
          setKnown(({ window, all }) => ({ window, all: knownMessages(all, records.map(readChatMessage)) }))
          setServer({ hasMore, state: 'idle' })
        },
        () => setServer((s) => ({ ...s, state: 'failed' })),
      )
      .finally(() => {
        busy.current = false
      })
  }, [chatId, oldest])

  return {
    entries,
    error,
    hasOlder,
    older: server.state === 'idle' && localEnd && hasOlder && !online ? 'offline' : server.state,
    loadOlder: () => {
      if (!hasOlder || !rows) return
      if (!localEnd) setLimit(limit + chatPage)
      else if (online) fetchOlder()
    },
  }
}
