import type { HelpInput } from '../../schema/helps/helps.inputs.ts'
import { api } from '../app/api.ts'
import { useFetched } from '../app/fetched.ts'
import type { Fetched } from '../app/fetched.ts'
import { useCompanyEvent } from '../app/use-event.ts'

export interface Help extends HelpInput {
  id: number
}

export function useHelps(): Fetched<Help[]> {
  const list = useFetched<Help[]>('/helps')
  useCompanyEvent('help', list.reload)
  return list
}

export const helps = {
  create: (input: HelpInput) => api.post<Help>('/helps', input),
  update: (id: number, input: HelpInput) => api.put<Help>(`/helps/${id}`, input),
  remove: (id: number) => api.delete(`/helps/${id}`),
}
