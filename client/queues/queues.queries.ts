import type { QueueInput } from '../../schema/queues/queues.inputs.ts'
import type { Queue as StoredQueue } from '../../schema/queues/queues.table.ts'
import { api } from '../app/api.ts'
import type { ListSource } from '../app/data-list.tsx'
import { useWithOfflineCopy } from '../app/offline-copy.ts'
import { useFetched } from '../app/fetched.ts'
import { useCompanyEvent } from '../app/use-event.ts'

export type Queue = Pick<StoredQueue, 'id' | keyof QueueInput>

export function useQueues(): ListSource<Queue> {
  const list = useFetched<Queue[]>('/queue')
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
