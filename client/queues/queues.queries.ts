import type { QueueInput } from '../../schema/queues/queues.inputs.ts'
import type { Queue as StoredQueue } from '../../schema/queues/queues.table.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export type Queue = Pick<StoredQueue, 'id' | 'mediaName' | keyof QueueInput>

export function useQueues(): ListSource<Queue> {
  const list = useFetched<Queue[]>('/queue')
  useCompanyEvent('queue', list.reload)
  return useWithOfflineCopy(
    list,
    `SELECT id, name, color, "orderQueue", schedules, '' AS "greetingMessage", '' AS "outOfHoursMessage", NULL AS "mediaName"
    FROM queues ORDER BY "orderQueue" NULLS LAST, name`,
    [],
    ['queues'],
  )
}

export const queues = {
  create: (input: QueueInput) => api.post<Queue>('/queue', input),
  update: (id: number, input: QueueInput) => api.put<Queue>(`/queue/${id}`, input),
  remove: (id: number) => api.delete(`/queue/${id}`),
  attach: (id: number, file: File) => {
    const form = new FormData()
    form.set('file', file)
    return api.post<Queue>(`/queue/${id}/media-upload`, form)
  },
  detach: (id: number) => api.delete<Queue>(`/queue/${id}/media-upload`),
}
