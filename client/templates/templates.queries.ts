import type { ChangedTemplate, NewTemplate } from '../../schema/templates/templates.inputs.ts'
import { api } from '../session/api.ts'
import { filled } from '../session/own-file.ts'

export const templates = {
  create: (input: NewTemplate) => api.post<{ id: number; status: string }>('/templates', input),
  change: (id: number, input: ChangedTemplate) => api.put<{ id: number; status: string }>(`/templates/${id}`, input),
  /** @returns the service's handle of the example */
  sample: async (whatsappId: number, file: File): Promise<string> =>
    (await api.post<{ handle: string }>(`/templates/sample?whatsappId=${whatsappId}`, filled({ file }))).handle,
  refresh: (whatsappId: number) => api.post<{ count: number }>('/templates/refresh', { whatsappId }),
  confirm: (id: number) => api.post(`/templates/${id}/confirm`),
  remove: (id: number) => api.delete(`/templates/${id}`),
}
