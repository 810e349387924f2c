import { useEffect, useRef, useState } from 'react'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import type { ThreadMessage } from './messages.thread.ts'

/** As many as one command takes. */
const mostSeen = 1000
/** What arrives within this time is told together: each telling is work for the replica, the server and the phone. */
const pauseMs = 700
/** A message is painted before anybody hears that it was seen. */
const paintedMs = 100

/** Marks what is on the screen as read: only for the ticket's agent, and only while the page can be seen. */
export function useReading(ticket: TicketRow, messages: readonly ThreadMessage[] | undefined): void {
  const replica = useReplica()
  const who = usePrincipal()
  const visible = usePageVisible()
  const reported = useRef('')
  /** When the next telling may be, by `Date.now()`. */
  const next = useRef(0)
  /** When what waits is told; 0 when nothing waits. */
  const due = useRef(0)
  const mine = ticket.userId === who.userId && ticket.status === 'open'

  useEffect(() => {
    const seen =
      mine && visible ? (messages?.filter(({ row }) => !row.fromMe && !row.read).map(({ row }) => row.id) ?? []) : []
    const news = mine && visible && messages !== undefined && (seen.length > 0 || ticket.unreadMessages > 0)
    // The same news is told once, also when it takes the replica a while to show it as read.
    const key = `${ticket.id}:${ticket.unreadMessages}:${seen.join()}`
    if (!news || reported.current === key) {
      due.current = 0
      return
    }
    // Later messages do not put off what waits already.
    due.current ||= Math.max(next.current, Date.now() + paintedMs)
    const timer = setTimeout(() => {
      due.current = 0
      reported.current = key
      next.current = Date.now() + pauseMs
      replica.mutate('tickets.read', { ticketId: ticket.id, seen: seen.slice(-mostSeen) }).catch(() => {
        // A ticket that was taken away in this moment is no longer ours to read.
        reported.current = ''
      })
    }, due.current - Date.now())
    return () => clearTimeout(timer)
  }, [replica, mine, visible, messages, ticket.id, ticket.unreadMessages])
}

function usePageVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return visible
}

/** Where the line before the unread messages stands: found once, when the conversation opens. */
export function useUnreadLine(messages: readonly ThreadMessage[] | undefined): { from: string; count: number } | null {
  const [line, setLine] = useState<{ from: string; count: number } | null | undefined>(undefined)
  if (line === undefined && messages && messages.length > 0) {
    const unread = messages.filter(({ row }) => !row.fromMe && !row.read)
    setLine(unread[0] ? { from: unread[0].row.id, count: unread.length } : null)
  }
  return line ?? null
}
