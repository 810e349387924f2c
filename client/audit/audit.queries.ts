import type { AuditAction, AuditEntity } from '../../schema/audit/audit.nouns.ts'
import type { AuditEntry as Stored } from '../../schema/audit/audit.table.ts'
import { api, requestBlob } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useRecords } from '../session/fetched.ts'

/** An entry as the server tells it; its time is an ISO instant. */
export interface AuditEntry extends Omit<Stored, 'at'> {
  at: string
  /** What the things it names are called now, by `queue:3`; what is gone is not there. */
  names: Record<string, string>
}

export interface AuditFilter {
  entity?: AuditEntity
  action?: AuditAction
  userId?: number
  from?: string
  to?: string
}

export function useAudit(filter: AuditFilter): ListSource<AuditEntry & { id: number }> {
  const list = useRecords<AuditEntry>('/audit', { ...filter })
  return { ...list, data: list.data?.map((entry) => ({ ...entry, id: entry.seq })) }
}

export const audit = {
  export: (filter: AuditFilter, language: string) => requestBlob('/audit/export', { query: { ...filter, language } }),
  verify: () => api.get<{ intact: boolean; count: number; hash: string; brokenAt: number | null }>('/audit/verify'),
}
