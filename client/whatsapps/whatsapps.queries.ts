import { useEffect } from 'react'
import type { ConnectionStatus, Whatsapp } from '../../schema/whatsapps/whatsapps.table.ts'
import { api } from '../app/api.ts'
import type { ListSource } from '../app/data-list.tsx'
import { useWithOfflineCopy } from '../app/offline-copy.ts'
import { useResource } from '../app/resource.ts'
import type { Resource } from '../app/resource.ts'
import { useCompanyEvent } from '../app/use-event.ts'

type Settings = Pick<
  Whatsapp,
  | 'name'
  | 'isDefault'
  | 'greetingMessage'
  | 'complationMessage'
  | 'outOfHoursMessage'
  | 'ratingMessage'
  | 'expiresInactiveMessage'
  | 'expiresTicket'
  | 'timeUseBotQueues'
  | 'maxUseBotQueues'
  | 'timeToTransfer'
  | 'transferQueueId'
>

/** A connection as the list shows it. Times are ISO instants. */
export interface Connection {
  id: number
  name: string
  number: string
  status: ConnectionStatus
  isDefault: boolean
  updatedAt: string
  lastError?: string | null
  lastMessageInAt?: string | null
  lastMessageOutAt?: string | null
}

/** A connection with all that its dialog edits. */
export interface ConnectionDetails extends Connection, Settings {
  qrcode: string
  queueIds?: number[]
  queues?: { id: number }[]
  token?: string
}

export type ConnectionInput = Settings & { queueIds: number[] }

export function useConnections(): ListSource<Connection> {
  const list = useResource<Connection[]>('/whatsapp', { session: 0 })
  useCompanyEvent('whatsapp', list.reload)
  useCompanyEvent('whatsappSession', list.reload)
  return useWithOfflineCopy(
    list,
    'SELECT id, name, number, status, "isDefault", "lastError", "updatedAt" FROM whatsapps ORDER BY name',
    [],
    ['whatsapps'],
  )
}

/** How a connection is doing; times are ISO instants. */
export interface ConnectionHealth {
  id: number
  name: string
  status: ConnectionStatus
  /** Of the link; null where no server holds it. */
  state: string | null
  connectedAt: string | null
  lastMessageInAt: string | null
  lastMessageOutAt: string | null
  reconnections: number
  waitingAcks: number
  lastError: string | null
  queueDepth: number
  failed: number
  oldestWaitingAt: string | null
}

const newsEveryMs = 5_000

/** Follows events, and looks again every few seconds: what waits in the queue makes no event. */
export function useConnectionHealth(id: number): Resource<ConnectionHealth> {
  const health = useResource<ConnectionHealth>(`/whatsapp/${id}/health`)
  const { reload } = health
  useCompanyEvent('whatsapp', reload)
  useCompanyEvent('whatsappSession', reload)
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), newsEveryMs)
    return () => clearInterval(timer)
  }, [reload])
  return health
}

/** What `company-{id}-whatsappSession` says of one session. */
export interface SessionNews {
  id: number
  status: ConnectionStatus
  qrcode: string
  number?: string
  lastError?: string | null
}

/** The session in an event's data, or `null` when it is not one. */
export function sessionNews(data: unknown): SessionNews | null {
  const { session, whatsapp } = (data ?? {}) as { session?: Partial<SessionNews>; whatsapp?: Partial<SessionNews> }
  const news = session ?? whatsapp
  if (!news?.id || !news.status) return null
  return { ...news, id: news.id, status: news.status, qrcode: news.qrcode ?? '' }
}

export const connections = {
  get: (id: number) => api.get<ConnectionDetails>(`/whatsapp/${id}`),
  create: (input: ConnectionInput) => api.post<ConnectionDetails>('/whatsapp', input),
  update: (id: number, input: ConnectionInput) => api.put<ConnectionDetails>(`/whatsapp/${id}`, input),
  remove: (id: number) => api.delete(`/whatsapp/${id}`),
  restartAll: () => api.post('/whatsapp-restart'),
  /** Resumes a session. */
  start: (id: number) => api.post(`/whatsappsession/${id}`),
  /** Forgets a session and begins a new one, which shows a QR. */
  newQr: (id: number) => api.put(`/whatsappsession/${id}`),
  disconnect: (id: number) => api.delete(`/whatsappsession/${id}`),
  pairingCode: (id: number, number: string) =>
    api.post<{ code: string }>(`/whatsappsession/${id}/pairing-code`, { number }),
}
