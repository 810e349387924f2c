import type { PlanInput } from '../../schema/plans/plans.inputs.ts'
import type { Plan as Stored } from '../../schema/plans/plans.table.ts'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'
import type { Fetched } from '../session/fetched.ts'

/** With how many companies have it. */
export type Plan = Omit<Stored, 'createdAt' | 'updatedAt'> & { companies: number }

export const usePlans = (): Fetched<Plan[]> => useFetched<Plan[]>('/plans/all')

export const plans = {
  create: (input: PlanInput) => api.post<Plan>('/plans', input),
  update: (id: number, input: PlanInput) => api.put<Plan>(`/plans/${id}`, input),
  remove: (id: number) => api.delete(`/plans/${id}`),
}
