import type { QueueInput } from '../../schema/queues/queues.inputs.ts'
import type { Queue as StoredQueue } from '../../schema/queues/queues.table.ts'
import { api } from '../session/api.ts'
import { ownFile } from '../session/own-file.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { useFetched } from '../session/fetched.ts'
import { columnsOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export type Queue = Pick<StoredQueue, 'id' | 'mediaName' | keyof QueueInput>

const synced = columnsOf<'queues'>()({
  id: true,
  companyId: false,
  name: true,
  color: true,
  orderQueue: true,
  schedules: true,
  assignment: true,
  whenAway: true,
})
const copy: Rows<Queue> = {
  query: { sql: `SELECT ${synced.text()} FROM queues ORDER BY "orderQueue" NULLS LAST, name`, tables: ['queues'] },
  read: (raw) => ({
    ...synced.read(raw),
    ...{ greetingMessage: '', outOfHoursMessage: '', mediaName: null, promptId: null, integrationId: null },
    lastAgentFirst: false,
  }),
  keyOf: ({ id }) => id,
}

export function useQueues(): ListSource<Queue> {
  const list = useFetched<Queue[]>('/queue')
  useCompanyEvent('queue', list.reload)
  return useWithOfflineCopy(list, copy)
}

export const queues = {
  create: (input: QueueInput) => api.post<Queue>('/queue', input),
  update: (id: number, input: QueueInput) => api.put<Queue>(`/queue/${id}`, input),
  remove: (id: number) => api.delete(`/queue/${id}`),
  ...ownFile<Queue>('/queue'),
}
