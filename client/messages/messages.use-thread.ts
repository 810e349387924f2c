import { startTransition, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { api } from '../session/api.ts'
import { useReplica } from '../replica/replica.tsx'
import { useOutbox } from '../replica/replica-hooks.ts'
import { usePrincipal } from '../session/session.tsx'
import { useStore } from '../base/store.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { afterPaint } from '../base/after-paint.ts'
import { rowsReady, useEachRows, useRows } from '../replica/live-rows.ts'
import { msOf } from '../replica/rows.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useOnline } from '../replica/use-online.ts'
import {
  messagePage,
  messagesBetween,
  newestMessages,
  readMessage,
  sinceOf,
  ticketTimeline,
  type EventRow,
  type MessageRow,
} from './messages.rows.ts'
import { justSent } from './messages.sending.ts'
import { mergeMessages, oldestKnown, type ThreadMessage } from './messages.thread.ts'
import { cutAt, dueCut, isFromStart, olderPieces, windowOf, type Cuts } from './messages.thread-pages.ts'

/** What is shown above a message that is jumped to. */
const aboveJump = 20
const noEvents: readonly EventRow[] = []

export interface Thread {
  /** Oldest first; undefined until the first rows are there. */
  messages: readonly ThreadMessage[] | undefined
  events: readonly EventRow[]
  error: Error | null
  /** Whether there may be more further up. */
  hasOlder: boolean
  older: 'idle' | 'loading' | 'failed' | 'offline'
  loadOlder: () => void
  /** Has the replica's messages read back to a moment (milliseconds since 1970), and some before it. */
  reach: (createdAt: number) => Promise<void>
  /** Has the server show a message that is older than all of these, and those around it. */
  reachFar: (id: string) => Promise<void>
  /** The message behind which some are missing, up to those that were there before; they are asked for as one comes near. */
  gapAfter: string | null
  newer: 'idle' | 'loading' | 'failed'
  loadNewer: () => void
  /** Lets go of what lies beyond the gap: who goes to the newest message has done with it. */
  leaveFar: () => void
}

/** What the server has around an old message, when nothing leads there yet. */
interface Far {
  rows: readonly MessageRow[]
  hasOlder: boolean
  newer: Thread['newer']
}

interface Page {
  messages: Record<string, unknown>[]
  hasMore: boolean
  /** Of a page around a message. */
  hasNewer?: boolean
}

/** Those of the first that are not in the second, and the second. */
const joined = (added: readonly MessageRow[], known: readonly MessageRow[]): MessageRow[] => {
  const ids = new Set(known.map(({ id }) => id))
  return [...added.filter(({ id }) => !ids.has(id)), ...known]
}

/**
 * The messages of a ticket: the newest of the replica, further ones as they are asked for, and beyond the replica those
 * of the server. What is read of the replica is cut into pieces, each a live query of its own: what lies further up
 * still changes, and is neither read nor compared again when something is read above it.
 *
 * @param remote the ticket is not in the replica (another queue's, or long closed): everything comes from the server
 */
export function useThread(ticket: TicketRow, remote: boolean): Thread {
  const who = usePrincipal()
  const online = useOnline()
  const ticketId = ticket.id
  const replica = useReplica()
  const [cuts, setCuts] = useState<Cuts>([])
  const queries = useMemo(
    () => [
      newestMessages(ticketId, cuts[0]),
      ...olderPieces(cuts).map(({ since, before }) => messagesBetween(ticketId, since, before)),
    ],
    [ticketId, cuts],
  )
  useEffect(() => {
    const { query } = newestMessages(ticketId)
    // What is seen is said by `useReading`, of a page that can be seen.
    if (!remote)
      void replica.first?.(query, async () => {
        const { messages: rows } = await api.get<Page>(`/messages/${ticketId}`, { query: { seen: false } })
        return [{ query, rows: rows.sort((a, b) => msOf(b['createdAt']) - msOf(a['createdAt'])) }]
      })
  }, [replica, ticketId, remote])
  const answers = useEachRows(queries)
  const { rows: newest, error = null } = answers[0] ?? {}
  const { rows: events = noEvents } = useRows(ticketTimeline(ticketId))
  const outbox = useOutbox()
  const sent = useStore(justSent)
  const [fetched, setFetched] = useState<{ rows: readonly MessageRow[]; hasMore: boolean; state: Thread['older'] }>({
    rows: [],
    hasMore: true,
    state: 'idle',
  })
  const [far, setFar] = useState<Far | null>(null)
  const shown = useRef<readonly MessageRow[] | undefined>(undefined)
  const window = useMemo(
    () =>
      windowOf(
        cuts,
        answers.map(({ rows }) => rows),
        shown.current,
      ),
    [cuts, answers],
  )
  useLayoutEffect(() => {
    shown.current = window
  }, [window])

  const due = dueCut(cuts, newest, window)
  useEffect(() => {
    // Not in the frame of the new bubble that made it due.
    if (due !== null) return afterPaint(() => setCuts((now) => cutAt(now, [due])))
  }, [due])

  const messages = useMemo(() => {
    if (!window) return undefined
    const older = far ? joined(far.rows, fetched.rows) : fetched.rows
    return mergeMessages({ rows: window, older, outbox, justSent: sent, ticketId, userId: who.userId })
  }, [window, far, fetched.rows, outbox, sent, ticketId, who.userId])

  const lowest = cuts.at(-1)
  const localEnd = lowest === undefined ? newest !== undefined && newest.length < messagePage : lowest === -Infinity
  const oldest = messages?.[0]?.row
  const atStart = !remote && isFromStart(ticket.createdAt, oldest, events)
  const hasOlder = messages !== undefined && (far ? far.hasOlder : !localEnd || (!atStart && fetched.hasMore))

  const farNow = useRef(far)
  const beforeGap = useRef({ fetched, window })
  useLayoutEffect(() => {
    farNow.current = far
    beforeGap.current = { fetched, window }
  })
  /** Whether rows of the server lead to those that were here before. */
  const meets = (rows: readonly MessageRow[]) => {
    const { fetched, window = [] } = beforeGap.current
    const known = new Set([...fetched.rows, ...window].map(({ id }) => id))
    return rows.some(({ id }) => known.has(id))
  }
  const reachFar = async (id: string): Promise<void> => {
    const {
      messages,
      hasMore,
      hasNewer = false,
    } = await api.get<Page>(`/messages/${ticketId}`, {
      query: { around: id },
    })
    const rows = messages.map(readMessage)
    if (hasNewer && !meets(rows)) return setFar({ rows, hasOlder: hasMore, newer: 'idle' })
    setFar(null)
    setFetched((f) => ({ rows: joined(rows, f.rows), hasMore, state: 'idle' }))
  }
  const loadNewer = () => {
    const last = farNow.current?.rows.at(-1)
    if (!last || farNow.current?.newer === 'loading') return
    const mark = (newer: Thread['newer']) => setFar((f) => f && { ...f, newer })
    mark('loading')
    api.get<Page>(`/messages/${ticketId}`, { query: { after: last.id } }).then(
      ({ messages, hasMore }) => {
        const { current } = farNow
        // Somebody went elsewhere meanwhile.
        if (current?.rows.at(-1)?.id !== last.id) return
        const added = messages.map(readMessage)
        const rows = joined(added, current.rows)
        if (hasMore && !meets(added)) return setFar({ ...current, rows: rows.toSorted(byTime), newer: 'idle' })
        setFar(null)
        setFetched((f) => ({ rows: joined(rows, f.rows), hasMore: current.hasOlder, state: 'idle' }))
      },
      () => mark('failed'),
    )
  }

  const busy = useRef(false)
  const fetchOlder = useCallback(
    (before: MessageRow | undefined) => {
      if (busy.current) return
      busy.current = true
      setFetched((f) => ({ ...f, state: 'loading' }))
      api
        .get<Page>(`/messages/${ticketId}`, {
          query: { before: before?.id },
        })
        .then(
          (answer) => {
            const added = answer.messages.map(readMessage)
            const isFar = before !== undefined && farNow.current?.rows.some(({ id }) => id === before.id)
            if (isFar) setFar((f) => f && { ...f, rows: joined(added, f.rows), hasOlder: answer.hasMore })
            setFetched((f) =>
              isFar ? { ...f, state: 'idle' } : { rows: joined(added, f.rows), hasMore: answer.hasMore, state: 'idle' },
            )
          },
          () => setFetched((f) => ({ ...f, state: 'failed' })),
        )
        .finally(() => {
          busy.current = false
        })
    },
    [ticketId],
  )

  /** Reads on from the oldest message that was read up to `count` messages before a moment. */
  const readOlder = async (beforeMoment: number, count: number): Promise<void> => {
    const before = lowest ?? window?.[0]?.createdAt
    if (before === undefined) return
    const since = await sinceOf(replica, ticketId, Math.min(before, beforeMoment), count)
    // With the rows at hand, React can draw them bit by bit, between the frames of who is scrolling.
    await Promise.all([
      rowsReady(replica, newestMessages(ticketId, cuts[0] ?? before)),
      rowsReady(replica, messagesBetween(ticketId, since, before)),
    ])
    startTransition(() => setCuts((now) => cutAt(now, [before, since])))
  }
  const reading = useRef(false)
  useEffect(() => {
    reading.current = false
  }, [cuts])

  const loadOlder = () => {
    if (!hasOlder) return
    if (localEnd || far) {
      if (online) fetchOlder(messages && oldestKnown(messages))
    } else if (newest && !reading.current) {
      reading.current = true
      setFetched((f) => (f.state === 'failed' ? { ...f, state: 'idle' } : f))
      readOlder(Infinity, messagePage).catch(() => {
        reading.current = false
        setFetched((f) => ({ ...f, state: 'failed' }))
      })
    }
  }

  // A conversation that is not in the replica begins on the server, and hears of news by event.
  const empty = messages !== undefined && messages.length === 0
  useEffect(() => {
    if (remote && empty && online) fetchOlder(undefined)
  }, [remote, empty, online, fetchOlder])
  useCompanyEvent('appMessage', (data) => {
    const raw = (data as { message?: Record<string, unknown> } | null)?.message
    if (!remote || Number(raw?.['ticketId']) !== ticketId || !raw) return
    const row = readMessage(raw)
    setFetched((f) => ({ ...f, rows: [...f.rows.filter((known) => known.id !== row.id), row] }))
  })

  return {
    messages,
    events,
    error,
    hasOlder,
    older: fetched.state === 'idle' && (localEnd || far) && hasOlder && !online ? 'offline' : fetched.state,
    loadOlder,
    reach: async (createdAt) => {
      if (lowest === undefined || createdAt < lowest) await readOlder(createdAt, aboveJump)
    },
    reachFar,
    gapAfter: far?.rows.at(-1)?.id ?? null,
    newer: far?.newer ?? 'idle',
    loadNewer,
    leaveFar: () => setFar(null),
  }
}

const byTime = (a: MessageRow, b: MessageRow) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
