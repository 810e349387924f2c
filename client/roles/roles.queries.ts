import { useMemo } from 'react'
import type { RoleInput } from '../../schema/roles/roles.inputs.ts'
import type { Role as Stored } from '../../schema/roles/roles.table.ts'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface Role extends Pick<Stored, 'id' | 'name' | 'permissions' | 'ticketScope' | 'maskNumbers'> {
  /** How many have it. */
  users: number
  /** The first of them, by name. */
  people: { id: number; name: string }[]
}

/** The company's roles; `wanted` false asks for none. */
export function useRoles(wanted = true) {
  const list = useFetched<{ roles: Role[] }>(wanted ? '/roles' : null)
  useCompanyEvent('role', list.reload)
  useCompanyEvent('user', list.reload)
  const data = useMemo(() => list.data?.roles, [list.data])
  return { ...list, data }
}

export const roles = {
  create: (input: RoleInput) => api.post<Role>('/roles', input),
  update: (id: number, input: RoleInput) => api.put<Role>(`/roles/${id}`, input),
  remove: (id: number) => api.delete(`/roles/${id}`),
}
