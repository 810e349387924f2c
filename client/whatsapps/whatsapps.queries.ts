import type { CloudInput } from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import type { WhatsappInput } from '../../schema/whatsapps/whatsapps.inputs.ts'
import type { NewChatFacts } from '../../schema/whatsapps/whatsapps.new-chats.ts'
import { connectionKinds } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { ConnectionStatus, Whatsapp } from '../../schema/whatsapps/whatsapps.table.ts'
import { whatsappWire } from '../../schema/wire.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { useFetched } from '../session/fetched.ts'
import type { Fetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { connectionsCopy } from './whatsapps.rows.ts'

/** What WhatsApp says of a connection's new chats, as the server tells it; moments are ISO instants. */
export type NewChatsState = {
  [K in keyof NewChatFacts]?: NewChatFacts[K] extends Date | null ? string | null : NewChatFacts[K]
}

/** A connection as the list shows it. Times are ISO instants. */
export interface Connection
  extends Pick<Whatsapp, 'id' | 'name' | 'number' | 'status' | 'provider' | 'isDefault'>,
    NewChatsState {
  updatedAt: string
  lastError?: string | null
  lastMessageInAt?: string | null
  lastMessageOutAt?: string | null
  /** Unknown in this computer's copy. */
  outOfHoursMessage?: string
}

/** A connection with all that its dialog edits. */
export interface ConnectionDetails extends Omit<Connection, 'outOfHoursMessage'>, Omit<WhatsappInput, 'queueIds'> {
  qrcode: string
  queueIds?: number[]
  queues?: { id: number }[]
  token?: string
}

export function useConnections(): ListSource<Connection> {
  const list = useFetched<Connection[]>('/whatsapp', { session: 0 })
  useCompanyEvent('whatsapp', list.reload)
  useCompanyEvent('whatsappSession', list.reload)
  return useWithOfflineCopy(list, connectionsCopy)
}

/** How a connection is doing; times are ISO instants. */
export interface ConnectionHealth extends NewChatsState {
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
  /** Missing from older servers. */
  reusedIds?: number
  reusedIdAt?: string | null
  lastError: string | null
  queueDepth: number
  failed: number
  oldestWaitingAt: string | null
}

const newsEveryMs = 5_000

/** Follows events, and looks again every few seconds: what waits in the queue makes no event. */
export function useConnectionHealth(id: number): Fetched<ConnectionHealth> {
  const health = useFetched<ConnectionHealth>(`/whatsapp/${id}/health`, {}, { everyMs: newsEveryMs })
  useCompanyEvent('whatsapp', health.reload)
  useCompanyEvent('whatsappSession', health.reload)
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

type Told = ReturnType<typeof whatsappWire.write<ConnectionDetails>>
const { read, write } = whatsappWire

export const connections = {
  get: async (id: number): Promise<ConnectionDetails> => read(await api.get<Told>(`/whatsapp/${id}`)),
  create: async (input: WhatsappInput): Promise<ConnectionDetails> =>
    read(await api.post<Told>('/whatsapp', write(input))),
  /** One of the official API: its number and what opens it are its own for good. */
  createOfficial: async (input: WhatsappInput, official: CloudInput): Promise<ConnectionDetails> =>
    read(await api.post<Told>('/whatsapp', { ...write(input), provider: connectionKinds.api, official })),
  update: async (id: number, input: WhatsappInput): Promise<ConnectionDetails> =>
    read(await api.put<Told>(`/whatsapp/${id}`, write(input))),
  remove: (id: number) => api.delete(`/whatsapp/${id}`),
  rotateToken: async (id: number): Promise<ConnectionDetails> => read(await api.post<Told>(`/whatsapp/${id}/token`)),
  restartAll: () => api.post('/whatsapp-restart'),
  /** Resumes a session. */
  start: (id: number) => api.post(`/whatsappsession/${id}`),
  /** Forgets a session and begins a new one, which shows a QR. */
  newQr: (id: number) => api.put(`/whatsappsession/${id}`),
  disconnect: (id: number) => api.delete(`/whatsappsession/${id}`),
  pairingCode: (id: number, number: string) =>
    api.post<{ code: string }>(`/whatsappsession/${id}/pairing-code`, { number }),
}
