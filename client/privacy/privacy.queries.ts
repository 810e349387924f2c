import type { ErasedCounts } from '../../schema/privacy/privacy.kinds.ts'
import type {
  ErasureState,
  ExportState,
  RequestKind,
  RequestLaw,
  RequestState,
} from '../../schema/privacy/privacy.table.ts'
import type { RetentionKind } from '../../schema/privacy/privacy.terms.ts'
import { api, requestBlob } from '../session/api.ts'
import { type Fetched, type Pages, useFetched, useRecords } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

/** ISO instants, days as `YYYY-MM-DD`, as JSON has them. */
export interface ExportRow {
  id: string
  contactId: number
  notes: boolean
  state: ExportState
  done: number
  total: number
  size: number | null
  error: string | null
  createdAt: string
  expiresAt: string | null
  url: string | null
}
export interface ErasureRow {
  id: string
  seq: number
  contactId: number
  userId: number | null
  reason: string
  state: ErasureState
  counts: ErasedCounts
  proof: string | null
  createdAt: string
  finishedAt: string | null
}
export interface RequestRow {
  id: number
  contactId: number | null
  contactName: string | null
  subject: string
  kind: RequestKind
  law: RequestLaw
  state: RequestState
  note: string
  receivedAt: string
  dueAt: string
}
export interface RequestForm {
  subject: string
  kind: RequestKind
  law: RequestLaw
  receivedAt: string
  note: string
}
export interface Hold {
  until: string | null
  reason: string | null
}

export function useExports(contactId: number): Fetched<{ records: ExportRow[] }> {
  const list = useFetched<{ records: ExportRow[] }>(`/contacts/${contactId}/exports`)
  useCompanyEvent('privacyExport', list.reload)
  return list
}

export const useHold = (contactId: number): Fetched<Hold> => useFetched<Hold>(`/contacts/${contactId}/hold`)

export function useErasures(): Pages<ErasureRow> {
  const list = useRecords<ErasureRow>('/privacy/erasures')
  useCompanyEvent('erasure', list.reload)
  return list
}

export function useRequests(): Pages<RequestRow> {
  const list = useRecords<RequestRow>('/privacy/requests')
  useCompanyEvent('privacyRequest', list.reload)
  return list
}

export const privacy = {
  export: (contactId: number, notes: boolean) => api.post(`/contacts/${contactId}/export`, { notes }),
  cancelExport: (id: string) => api.post(`/privacy/exports/${id}/cancel`),
  file: (url: string) => requestBlob(`${url}?download=1`),
  preview: (contactId: number) =>
    api.get<{ counts: ErasedCounts; hold: { until: string; reason: string } | null }>(
      `/contacts/${contactId}/erase-preview`,
    ),
  erase: (contactId: number, confirm: string, reason: string) =>
    api.post(`/contacts/${contactId}/erase`, { confirm, reason }),
  hold: (contactId: number, until: string | null, reason?: string) =>
    api.put(`/contacts/${contactId}/hold`, { until, ...(reason !== undefined && { reason }) }),
  addRequest: (form: RequestForm) => api.post('/privacy/requests', form),
  changeRequest: (id: number, form: Partial<RequestForm & { state: RequestState }>) =>
    api.put(`/privacy/requests/${id}`, form),
  /** How much terms of so many days would let go of today. */
  wouldGo: (terms: Partial<Record<RetentionKind, string>>) =>
    api.get<Record<RetentionKind, number>>('/privacy/retention', { query: terms }),
}
