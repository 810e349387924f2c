import type { QueueOptionInput } from '../../schema/queues/queue-options.inputs.ts'
import type { QueueOption as Stored } from '../../schema/queues/queue-options.table.ts'
import { api } from '../session/api.ts'
import { ownFile } from '../session/own-file.ts'
import { useFetched } from '../session/fetched.ts'
import type { Fetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export type QueueOption = Pick<
  Stored,
  'id' | 'queueId' | 'parentId' | 'option' | 'mediaName' | 'mediaMime' | keyof QueueOptionInput
>

/** The whole option tree of a queue; a colleague's changes arrive by themselves. */
export function useQueueOptions(queueId: number): Fetched<QueueOption[]> {
  const tree = useFetched<QueueOption[]>('/queue-options', { queueId })
  useCompanyEvent('queue', tree.reload)
  return tree
}

export const queueOptions = {
  create: (input: QueueOptionInput & { queueId: number; parentId: number | null }) =>
    api.post<QueueOption>('/queue-options', input),
  update: (id: number, input: Partial<QueueOptionInput> & { option?: number }) =>
    api.put<QueueOption>(`/queue-options/${id}`, input),
  remove: (id: number) => api.delete(`/queue-options/${id}`),
  ...ownFile<QueueOption>('/queue-options'),
}
