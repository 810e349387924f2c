import type { ChangedCustomField, CustomFieldInput } from '../../schema/custom-fields/custom-fields.inputs.ts'
import type { FieldEntity } from '../../schema/custom-fields/custom-fields.table.ts'
import { useMemo } from 'react'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import type { Rows } from '../replica/rows.ts'
import { everyField, type FieldRow } from './custom-fields.rows.ts'

/** A field as the screen has it on which fields are defined. */
export interface DefinedField extends Omit<FieldRow, 'archivedAt'> {
  archivedAt: string | number | null
  /** How many have a value; unknown while the list is this computer's copy. */
  uses?: number
}

const copy = everyField as Rows<DefinedField>

/** All fields of the company, those that are put aside too. */
export function useDefinedFields(): ListSource<DefinedField> {
  const list = useFetched<{ customFields: DefinedField[] }>('/custom-fields')
  useCompanyEvent('customField', list.reload)
  const data = useMemo(() => list.data?.customFields, [list.data])
  return useWithOfflineCopy({ ...list, data }, copy)
}

export const customFields = {
  create: (input: CustomFieldInput) => api.post<DefinedField>('/custom-fields', input),
  update: (id: number, input: ChangedCustomField) => api.put<DefinedField>(`/custom-fields/${id}`, input),
  order: (entity: FieldEntity, ids: readonly number[]) => api.put('/custom-fields/order', { entity, ids }),
  remove: (id: number) => api.delete(`/custom-fields/${id}`),
}
