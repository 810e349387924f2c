import { useEffect, useState } from 'react'
import { ticketSight } from '../../schema/permissions.ts'
import { type WindowFacts, windowEnd } from '../../schema/messages/messages.window.ts'
import { hasWindow } from '../../schema/whatsapps/whatsapps.providers.ts'
import { useNow } from '../base/now.ts'
import { useConnections } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { msOf, type Rows } from '../replica/rows.ts'
import { usePrincipal } from '../session/session.tsx'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { type TalkWindow, talkWindow } from './messages.window.ts'

interface Said {
  kind: 'received' | 'ad' | 'answered'
  ticketId: number
  /** Milliseconds since 1970. */
  at: number
}

/** What a window follows from, as far as this browser knows it: the newest of theirs, reactions too, their ad, and who answered that. */
const saidBetween = (contactId: number, whatsappId: number): Rows<Said> => ({
  query: {
    sql: `WITH said AS (SELECT "ticketId", "createdAt", "fromMe", "reactions", "about"->>'is' = 'ad' AS ad FROM messages
        WHERE "contactId" = $1 AND "whatsappId" = $2),
      received AS (SELECT 'received' AS kind, "ticketId", at FROM (
          SELECT "ticketId", "createdAt" AS at FROM said WHERE NOT "fromMe"
          UNION ALL SELECT "ticketId", (one->>'at')::timestamptz FROM said, jsonb_array_elements("reactions"::jsonb) one
          WHERE one->>'by' <> 'me' AND one->>'at' IS NOT NULL) opened
        ORDER BY at DESC LIMIT 1),
      ad AS (SELECT 'ad' AS kind, "ticketId", "createdAt" AS at FROM said WHERE NOT "fromMe" AND ad
        ORDER BY "createdAt" DESC LIMIT 1),
      answered AS (SELECT 'answered' AS kind, "ticketId", "createdAt" AS at FROM said
        WHERE "fromMe" AND "createdAt" >= (SELECT at FROM ad) ORDER BY "createdAt" LIMIT 1)
      SELECT * FROM received UNION ALL SELECT * FROM ad UNION ALL SELECT * FROM answered`,
    params: [contactId, whatsappId],
    tables: [{ table: 'messages', only: { column: 'contactId', value: contactId } }],
  },
  read: (raw) => ({ kind: raw['kind'] as Said['kind'], ticketId: Number(raw['ticketId']), at: msOf(raw['at']) }),
  keyOf: ({ kind }) => kind,
})

/** Until when one may write in a conversation; null where its connection sets no end, or none is known. */
export function useWindow(ticket: TicketRow): TalkWindow | null {
  const { byId } = useConnections()
  const who = usePrincipal()
  const { whatsappId, contactId } = ticket
  const isBound = whatsappId !== null && !ticket.isGroup && hasWindow(byId.get(whatsappId)?.provider)
  const { rows } = useRows(isBound ? saidBetween(contactId, whatsappId) : null)
  const now = useNow()
  /** When an end was waited for to the moment: the common clock comes by every half minute only. */
  const [passed, setPassed] = useState(0)
  const found = rows && windowOf(rows, ticket.id, ticketSight(who) === 'all', Math.max(now, passed))
  const end = found?.is === 'open' ? found.until.getTime() : null
  useEffect(() => {
    if (end === null) return
    const timer = setTimeout(() => setPassed(Date.now()), Math.max(0, end - Date.now()))
    return () => clearTimeout(timer)
  }, [end])
  return found ?? null
}

/**
 * Until when a contact may be written to over a connection that sets an end; `at: null`: they have not written. Null where no
 * end is set, or what is known here may not be all of it.
 */
export function useWindowEnd(
  contactId: number | undefined,
  whatsappId: number | undefined,
): { at: Date | null } | null {
  const { byId } = useConnections()
  const seesAll = ticketSight(usePrincipal()) === 'all'
  const isBound = seesAll && whatsappId !== undefined && hasWindow(byId.get(whatsappId)?.provider)
  const { rows } = useRows(isBound && contactId !== undefined ? saidBetween(contactId, whatsappId) : null)
  return rows ? { at: windowEnd(factsIn(rows)) } : null
}

function factsIn(rows: readonly Said[]): WindowFacts {
  const moment = (kind: Said['kind']) => {
    const said = rows.find((row) => row.kind === kind)
    return said ? new Date(said.at) : null
  }
  return { receivedAt: moment('received'), adAt: moment('ad'), adAnsweredAt: moment('answered') }
}

function windowOf(rows: readonly Said[], ticketId: number, seesAll: boolean, now: number): TalkWindow | null {
  const received = rows.find(({ kind }) => kind === 'received')
  // What they write goes into the one active ticket: nothing newer than in this one can be hidden in another.
  const isWhole = seesAll || received?.ticketId === ticketId
  return talkWindow(factsIn(rows), isWhole, now)
}
