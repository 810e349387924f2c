import type { MacroInput } from '../../schema/macros/macros.inputs.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { api } from '../session/api.ts'
import { usePages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { type MacroRow, macrosSaying } from './macros.rows.ts'

export function useMacros(search: string): ListSource<MacroRow> {
  const list = usePages<MacroRow>('/macros', 'records', search)
  useCompanyEvent('macro', list.reload)
  return useWithOfflineCopy(list, macrosSaying(search))
}

export const macros = {
  create: (input: MacroInput) => api.post<MacroRow>('/macros', input),
  update: (id: number, input: MacroInput) => api.put<MacroRow>(`/macros/${id}`, input),
  remove: (id: number) => api.delete(`/macros/${id}`),
  /** For a ticket that this browser does not hold. */
  run: (id: number, ticketId: number, version: number) => api.post(`/macros/${id}/run`, { ticketId, version }),
}
