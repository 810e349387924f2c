import { useEffect, useMemo, useRef } from 'react'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { useRows } from '../replica/live-rows.ts'
import { useFetched, usePages } from '../session/fetched.ts'
import { msOf } from '../replica/rows.ts'
import type { Rows } from '../replica/rows.ts'
import type { Schedule } from './schedules.rows.ts'

/** As the server answers it, or as the replica has it: moments in either's form. */
type Raw = Omit<Schedule, 'sendAt' | 'waitsUntil' | 'contact' | 'user'> & {
  sendAt: unknown
  waitsUntil?: unknown
  contact?: Schedule['contact']
  user?: Schedule['user']
  contactId: number
  /** Of the replica, which has the contact beside. */
  contactName?: string | null
}

function read(raw: Raw): Schedule {
  const { id, userId, body, status, error, mediaName, bulk, contact, contactId, contactName, user } = raw
  return {
    ...{ id, userId, body, status, error, mediaName, bulk },
    sendAt: msOf(raw.sendAt),
    waitsUntil: raw.waitsUntil ? msOf(raw.waitsUntil) : null,
    contact: contact ?? { id: contactId, name: contactName ?? '', number: null },
    user: user ?? null,
  }
}

const columns = `s.id, s."userId", s.body, s.status, s.error, s."mediaName", s.bulk, s."sendAt", s."waitsUntil", s."contactId", c.name AS "contactName"`
const found = `(strpos(lower(s.body), $1) > 0 OR strpos(lower(coalesce(c.name, '')), $1) > 0)`
const tables = ['schedules', 'contacts']

/** Every schedule that the user may see: first what is to be sent, then what was; page by page. */
export function useScheduleList(search: string): ListSource<Schedule> {
  const list = usePages<Raw>('/schedules', 'schedules', search)
  useScheduleChanges(list.reload)
  const source = useWithOfflineCopy<Raw>(
    list,
    `SELECT ${columns} FROM schedules s LEFT JOIN contacts c ON c.id = s."contactId" WHERE ${found}
    ORDER BY s.status = 'ENVIADA', CASE WHEN s.status = 'ENVIADA' THEN NULL ELSE s."sendAt" END, s."sendAt" DESC, s.id LIMIT 100`,
    [search],
    tables,
  )
  return useRead(source)
}

/** Those from one moment to before another, at most 1,000; then `hasMore`. */
export function useSchedulesBetween(from: Date, to: Date, search: string): ListSource<Schedule> {
  const range = { dateStart: from.toISOString(), dateEnd: to.toISOString() }
  const answer = useFetched<{ schedules: Raw[]; hasMore: boolean }>('/schedules', { ...range, searchParam: search })
  useScheduleChanges(answer.reload)
  const { data, ...rest } = answer
  const source = useWithOfflineCopy<Raw>(
    { ...rest, data: data?.schedules, hasMore: data?.hasMore ?? false },
    `SELECT ${columns} FROM schedules s LEFT JOIN contacts c ON c.id = s."contactId"
    WHERE ${found} AND s."sendAt" >= $2::timestamptz AND s."sendAt" < $3::timestamptz`,
    [search, range.dateStart, range.dateEnd],
    tables,
  )
  return useRead(source)
}

function useRead(source: ListSource<Raw>): ListSource<Schedule> {
  const data = useMemo(() => source.data?.map(read), [source.data])
  return { ...source, data }
}

const latest: Rows<{ n: unknown; at: unknown }> = {
  query: { sql: 'SELECT count(*) AS n, max("updatedAt") AS at FROM schedules', tables: ['schedules'] },
  keyOf: () => 0,
}

/**
 * Asks again when the replica says that something is another way: what is scheduled here, by a colleague or in another
 * tab, and what was sent meanwhile.
 */
function useScheduleChanges(reload: () => void): void {
  const { rows } = useRows(latest)
  const state = rows?.[0] && JSON.stringify(rows[0])
  const seen = useRef(state)
  useEffect(() => {
    if (state === undefined || state === seen.current) return
    const first = seen.current === undefined
    seen.current = state
    if (!first) reload()
  }, [state, reload])
}

export const removeSchedule = (id: string) => api.delete(`/schedules/${id}`)
