import type { ApiKeyInput } from '../../schema/api-keys/api-keys.inputs.ts'
import type { ApiKey as Stored } from '../../schema/api-keys/api-keys.table.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

/** A key as the list shows it. Times are ISO instants. */
export interface ApiKey
  extends Pick<Stored, 'id' | 'name' | 'prefix' | 'scopes' | 'ipAllow' | 'ratePerMinute' | 'lastIp'> {
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  createdAt: string
}

export function useApiKeys(): ListSource<ApiKey> {
  const list = useFetched<{ records: ApiKey[] }>('/api-keys')
  useCompanyEvent('apiKey', list.reload)
  return { ...list, data: list.data?.records }
}

export const apiKeys = {
  create: (input: ApiKeyInput) => api.post<ApiKey & { key: string }>('/api-keys', input),
  update: (id: number, input: ApiKeyInput) => api.put<ApiKey>(`/api-keys/${id}`, input),
  revoke: (id: number) => api.delete(`/api-keys/${id}`),
}
