import { useEffect, useRef } from 'react'
import { useReplica } from '../replica/replica.tsx'

/** How one kind of conversation is listened to. Module-level: the first one given is used. */
export interface Listening<Row, Key> {
  /** The folder of its screen, `/{screen}/{uuid}`: the one that is being looked at needs no bell. */
  screen: 'tickets' | 'chats'
  /** What there is to remember of each. */
  seenOf: (rows: readonly Row[]) => ReadonlyMap<Key, number>
  newsSince: <T extends Row>(seen: ReadonlyMap<Key, number>, rows: readonly T[], inSight: string | null) => T[]
}

/** Calls with the conversations in which others have written since the last call. */
export function useNews<Row, Key, T extends Row>(
  { screen, seenOf, newsSince }: Listening<Row, Key>,
  rows: readonly T[] | undefined,
  notify: (news: readonly T[]) => void,
): void {
  const { status } = useReplica()
  const seen = useRef<ReadonlyMap<Key, number> | null>(null)
  const latest = useRef(notify)
  useEffect(() => {
    latest.current = notify
  })
  useEffect(() => {
    if (!rows) return
    const before = seen.current
    // What was read leaves the list; what was heard of it stays, or an old message could ring again.
    seen.current = new Map([...(before ?? []), ...seenOf(rows)])
    // What was unread when the page opened, or is only now being fetched for the first time, is shown by the count.
    if (!before || status.get().state === 'loading') return
    const [, folder, uuid = null] = location.pathname.split('/')
    const inSight = document.visibilityState === 'visible' && folder === screen ? uuid : null
    const news = newsSince(before, rows, inSight)
    if (news.length > 0) latest.current(news)
  }, [rows, status, screen, seenOf, newsSince])
}
