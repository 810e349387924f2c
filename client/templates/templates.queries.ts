import type { NewTemplate } from '../../schema/templates/templates.inputs.ts'
import { api } from '../session/api.ts'

export const templates = {
  create: (input: NewTemplate) => api.post<{ id: number; status: string }>('/templates', input),
  refresh: (whatsappId: number) => api.post<{ count: number }>('/templates/refresh', { whatsappId }),
  confirm: (id: number) => api.post(`/templates/${id}/confirm`),
  remove: (id: number) => api.delete(`/templates/${id}`),
}
