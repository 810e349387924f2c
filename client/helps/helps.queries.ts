import type { HelpInput } from '../../schema/helps/helps.inputs.ts'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'
import type { Fetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface Help extends HelpInput {
  id: number
}

/** The operator's company is told at once; what all others see is asked for so often while they look. */
const OTHERS_EVERY_MS = 60_000

export function useHelps(): Fetched<Help[]> {
  const list = useFetched<Help[]>('/helps', undefined, { everyMs: OTHERS_EVERY_MS })
  useCompanyEvent('help', list.reload)
  return list
}

export const helps = {
  create: (input: HelpInput) => api.post<Help>('/helps', input),
  update: (id: number, input: HelpInput) => api.put<Help>(`/helps/${id}`, input),
  remove: (id: number) => api.delete(`/helps/${id}`),
}
