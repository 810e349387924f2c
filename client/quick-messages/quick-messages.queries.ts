import { api } from '../app/api.ts'
import type { ListSource } from '../app/data-list.tsx'
import { useWithOfflineCopy } from '../app/offline-copy.ts'
import { usePages } from '../app/resource.ts'
import { useCompanyEvent } from '../app/use-event.ts'

export interface QuickMessage {
  id: number
  userId: number | null
  /** Without the `/` it is called by. */
  shortcode: string
  message: string
  /** Everybody in the company may use it. */
  geral: boolean
  /** False: kept, but not offered in conversations. */
  status: boolean
  mediaName: string | null
}

export type QuickMessageInput = Pick<QuickMessage, 'shortcode' | 'message' | 'geral' | 'status'>

export function useQuickMessages(search: string): ListSource<QuickMessage> {
  const list = usePages<QuickMessage>('/quick-messages', 'records', search)
  useCompanyEvent('quickmessage', list.reload)
  return useWithOfflineCopy(
    list,
    `SELECT id, "userId", shortcode, message, geral, status, "mediaName" FROM quick_messages
    WHERE strpos(lower(shortcode), $1) > 0 OR strpos(lower(message), $1) > 0 ORDER BY lower(shortcode), id`,
    [search],
    ['quick_messages'],
  )
}

export const quickMessages = {
  create: (input: QuickMessageInput) => api.post<QuickMessage>('/quick-messages', input),
  update: (id: number, input: Partial<QuickMessageInput>) => api.put<QuickMessage>(`/quick-messages/${id}`, input),
  remove: (id: number) => api.delete(`/quick-messages/${id}`),
  attach: (id: number, file: File) => {
    const form = new FormData()
    form.set('typeArch', 'quickMessage')
    form.set('file', file)
    return api.post<QuickMessage>(`/quick-messages/${id}/media-upload`, form)
  },
  detach: (id: number) => api.delete<QuickMessage>(`/quick-messages/${id}/media-upload`),
}
