import type { SlaPolicyInput } from '../../schema/sla-policies/sla-policies.inputs.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { api } from '../session/api.ts'
import { type Fetched, useFetched } from '../session/fetched.ts'
import { useCan } from '../session/session.tsx'
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
  /** Seconds of open hours. */
  p50: number | null
  p90: number | null
}

/** All of them, in their order: a company has a few. */
export function useSlaPolicies(): ListSource<SlaPolicyRow> {
  const { data, ...list } = useFetched<{ records: SlaPolicyRow[] }>('/sla-policies')
  useCompanyEvent('slaPolicy', list.reload)
  return { ...list, data: data?.records }
}

interface SlaReport {
  rows: {
    key: string
    name: string | null
    values: Record<'met' | 'breached' | 'tookP50' | 'tookP90', number | null>
  }[]
}

/**
 * What became of promises, for every screen that tells it: the report of promises. Nothing where one may not read it.
 * @param days `YYYY-MM-DD`, both included
 */
export function useKeptReport(days: {
  from: string
  to: string
}): Pick<Fetched<unknown>, 'error' | 'loading' | 'reload'> & { data: KeptRow[] | undefined } {
  const may = useCan('reports:read')
  const fetched = useFetched<SlaReport>(may ? '/reports/sla' : null, days)
  return { ...fetched, data: fetched.data?.rows.map(keptRow) }
}

function keptRow({ key, name, values }: SlaReport['rows'][number]): KeptRow {
  const [policyId = '0', metric = ''] = key.split(':')
  return {
    ...{ policyId: Number(policyId) || null, name, metric: metric as SlaMetric },
    ...{ met: values.met ?? 0, breached: values.breached ?? 0, p50: values.tookP50, p90: values.tookP90 },
  }
}

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
