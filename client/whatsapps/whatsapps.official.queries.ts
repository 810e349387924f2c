import type {
  ChangedCloud,
  CloudInput,
  CloudShown,
  CloudState,
  TriedCloud,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { api } from '../session/api.ts'
import { type Fetched, useFetched } from '../session/fetched.ts'

export type { ChangedCloud, CloudInput, CloudState }

/** How a number of the official API is reached, as the server tells it: moments are ISO instants. */
export type Official = Omit<CloudShown, 'ignored'> & { ignored: { reason: string; count: number; lastAt: string }[] }

const pathOf = (id: number) => `/whatsapp/${id}/official`

/** @param id null fetches nothing */
export const useOfficial = (id: number | null): Fetched<Official> =>
  useFetched<Official>(id === null ? null : pathOf(id))

/** What the service says is asked of it each time, and takes a moment. */
export const official = {
  check: (values: TriedCloud) => api.post<CloudState>('/whatsapp-official/check', values),
  /** Of a connection; what is left out of the values is as the server keeps it. */
  checkOf: (id: number, values: ChangedCloud = {}) => api.post<CloudState>(`${pathOf(id)}/check`, values),
  change: (id: number, values: ChangedCloud) => api.put<Official>(pathOf(id), values),
  /** Has the account tell the server of its messages. */
  subscribe: (id: number) => api.post<CloudState>(`${pathOf(id)}/subscribe`),
  /** @param pin six digits, of the number's two-step verification */
  register: (id: number, pin: string) => api.post<CloudState>(`${pathOf(id)}/register`, { pin }),
}
