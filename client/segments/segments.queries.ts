import type { SegmentInput, SegmentRule } from '../../schema/segments/segments.inputs.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface Segment {
  id: number
  name: string
  match: SegmentInput['match']
  rules: SegmentRule[]
}

/** All of them: a company has a few dozen. */
export function useSegments(search: string): ListSource<Segment> {
  const { data, ...list } = useFetched<{ records: Segment[] }>('/segments')
  useCompanyEvent('campaign', (event) => {
    if ((event as { action?: string }).action === 'segments') list.reload()
  })
  const wanted = search.trim().toLowerCase()
  return { ...list, data: data?.records.filter(({ name }) => name.toLowerCase().includes(wanted)) }
}

/** How many people are in it now. */
export const useSegmentCount = (id: number) => useFetched<{ count: number | null }>(`/segments/${id}`).data?.count

/** What rules may name. */
export function useRuleChoices() {
  return {
    tags: useFetched<{ id: number; name: string }[]>('/tags/list').data ?? [],
    queues: useFetched<{ id: number; name: string }[]>('/queue').data ?? [],
    lists: useFetched<{ id: number; name: string }[]>('/contact-lists/list').data ?? [],
  }
}

export const segments = {
  create: (input: SegmentInput) => api.post<Segment>('/segments', input),
  update: (id: number, input: SegmentInput) => api.put<Segment>(`/segments/${id}`, input),
  remove: (id: number) => api.delete(`/segments/${id}`),
  count: (input: Pick<SegmentInput, 'match' | 'rules'>, signal: AbortSignal) =>
    api.post<{ count: number | null }>('/segments/count', input, { signal }),
}
