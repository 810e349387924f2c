import type { SlaPolicyInput } from '../../schema/sla-policies/sla-policies.inputs.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface SlaPolicyRow extends SlaPolicyInput {
  id: number
}

/** Moments, ISO; null: no such promise, or never. */
export type DueAts = Record<SlaMetric, string | null>

/** What became of one promise of a policy in some days. */
export interface KeptRow {
  policyId: number | null
  name: string | null
  metric: SlaMetric
  met: number
  breached: number
  /** Milliseconds of open hours. */
  p50: number | null
  p90: number | null
}

/** All of them, in their order: a company has a few. */
export function useSlaPolicies(): ListSource<SlaPolicyRow> {
  const { data, ...list } = useFetched<{ records: SlaPolicyRow[] }>('/sla-policies')
  useCompanyEvent('slaPolicy', list.reload)
  return { ...list, data: data?.records }
}

/** What became of promises, for every screen that tells it. @param days `YYYY-MM-DD`, both included */
export const useKeptReport = (days: { from: string; to: string }) =>
  useFetched<{ records: KeptRow[] }>('/reports/sla', days)

export const slaPolicies = {
  create: (input: Partial<SlaPolicyInput>) => api.post<SlaPolicyRow>('/sla-policies', input),
  update: (id: number, input: Partial<SlaPolicyInput>) => api.put<SlaPolicyRow>(`/sla-policies/${id}`, input),
  remove: (id: number) => api.delete(`/sla-policies/${id}`),
  test: (id: number, startedAt: string, queueId: number | null) =>
    api.post<{ dueAts: DueAts }>(
      `/sla-policies/${id}/test`,
      { startedAt },
      queueId === null ? {} : { query: { queueId } },
    ),
}
