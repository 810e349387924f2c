import type {
  ChangedCloud,
  CloudHistory,
  CloudInput,
  CloudShown,
  CloudState,
  TriedCloud,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { api } from '../session/api.ts'
import { type Fetched, useFetched } from '../session/fetched.ts'

export type { ChangedCloud, CloudInput, CloudState }

/** How a number of the official API is reached, as the server tells it: moments are ISO instants. */
export type Official = Omit<CloudShown, 'ignored' | 'history'> & {
  ignored: { reason: string; count: number; lastAt: string }[]
  history: OfficialPast | null
}
export type OfficialPast = Omit<CloudHistory, 'askedAt'> & { askedAt: string | null }

const pathOf = (id: number) => `/whatsapp/${id}/official`

/** @param id null fetches nothing */
export const useOfficial = (id: number | null, everyMs: number | false = false): Fetched<Official> =>
  useFetched<Official>(id === null ? null : pathOf(id), undefined, { everyMs })

/** What the service says is asked of it each time, and takes a moment. */
export const official = {
  check: (values: TriedCloud) => api.post<CloudState>('/whatsapp-official/check', values),
  /** Of a connection; what is left out of the values is as the server keeps it. */
  checkOf: (id: number, values: ChangedCloud = {}) => api.post<CloudState>(`${pathOf(id)}/check`, values),
  change: (id: number, values: ChangedCloud) => api.put<Official>(pathOf(id), values),
  /** Has the account tell the app of its messages. @param here this server, whatever the app's address is */
  subscribe: (id: number, here = false) => api.post<CloudState>(`${pathOf(id)}/subscribe`, { here }),
  /** Has the phone's conversations and contacts told. */
  askPast: (id: number) => api.post<Official>(`${pathOf(id)}/history`),
  /** @param pin six digits, of the number's two-step verification */
  register: (id: number, pin: string) => api.post<CloudState>(`${pathOf(id)}/register`, { pin }),
}
