import type { ScheduleEntry } from '../../schema/hours/hours.open.ts'
import { api } from '../app/api.ts'
import type { ListSource } from '../app/data-list.tsx'
import { useWithOfflineCopy } from '../app/offline-copy.ts'
import { useResource } from '../app/resource.ts'
import { useCompanyEvent } from '../app/use-event.ts'

export interface Queue {
  id: number
  name: string
  color: string
  orderQueue: number | null
  greetingMessage: string
  outOfHoursMessage: string
  schedules: ScheduleEntry[]
}

export type QueueInput = Omit<Queue, 'id'>

export function useQueues(): ListSource<Queue> {
  const list = useResource<Queue[]>('/queue')
  useCompanyEvent('queue', list.reload)
  return useWithOfflineCopy(
    list,
    `SELECT id, name, color, "orderQueue", schedules, '' AS "greetingMessage", '' AS "outOfHoursMessage"
    FROM queues ORDER BY "orderQueue" NULLS LAST, name`,
    [],
    ['queues'],
  )
}

export const queues = {
  create: (input: QueueInput) => api.post<Queue>('/queue', input),
  update: (id: number, input: QueueInput) => api.put<Queue>(`/queue/${id}`, input),
  remove: (id: number) => api.delete(`/queue/${id}`),
}
