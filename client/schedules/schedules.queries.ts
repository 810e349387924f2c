import { useEffect, useMemo, useRef } from 'react'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { useRows } from '../replica/live-rows.ts'
import { useFetched, usePages } from '../session/fetched.ts'
import { latestSchedule, readSchedule, type Schedule, schedulesSaying, schedulesWithin } from './schedules.rows.ts'

type Raw = Record<string, unknown> & { id: string }

/** Every schedule that the user may see: first what is to be sent, then what was; page by page. */
export function useScheduleList(search: string): ListSource<Schedule> {
  const list = usePages<Raw>('/schedules', 'schedules', search)
  useScheduleChanges(list.reload)
  return useWithOfflineCopy(useRead(list), schedulesSaying(search))
}

/** Those from one moment to before another, at most 1,000; then `hasMore`. */
export function useSchedulesBetween(from: Date, to: Date, search: string): ListSource<Schedule> {
  const range = { dateStart: from.toISOString(), dateEnd: to.toISOString() }
  const answer = useFetched<{ schedules: Raw[]; hasMore: boolean }>('/schedules', { ...range, searchParam: search })
  useScheduleChanges(answer.reload)
  const { data, ...rest } = answer
  const list = useRead({ ...rest, data: data?.schedules, hasMore: data?.hasMore ?? false })
  return useWithOfflineCopy(list, schedulesWithin(search, range.dateStart, range.dateEnd))
}

function useRead(source: ListSource<Raw>): ListSource<Schedule> {
  const data = useMemo(() => source.data?.map(readSchedule), [source.data])
  return { ...source, data }
}

/**
 * Asks again when the replica says that something is another way: what is scheduled here, by a colleague or in another
 * tab, and what was sent meanwhile.
 */
function useScheduleChanges(reload: () => void): void {
  const { rows } = useRows(latestSchedule)
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
