import type { ChangedCompany, CompanyInput } from '../../schema/companies/companies.inputs.ts'
import type { Company as Stored } from '../../schema/companies/companies.table.ts'
import type { Invitation, Invited } from '../kit/invitation.tsx'
import { api } from '../session/api.ts'
import { type Fetched, type Pages, useFetched, usePages } from '../session/fetched.ts'
import type { SessionUser } from '../session/session-store.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface Company
  extends Pick<
    Stored,
    | 'id'
    | 'name'
    | 'email'
    | 'phone'
    | 'status'
    | 'planId'
    | 'dueDate'
    | 'dueDay'
    | 'recurrence'
    | 'timeZone'
    | 'language'
    | 'callingCode'
    | 'schedules'
    | 'holidays'
    | 'removal'
  > {
  createdAt: string
  plan: { id: number; name: string; users: number; connections: number; queues: number } | null
  settings: { key: string; value: string }[]
  /** How much of each it has. */
  users: number
  connections: number
  queues: number
  /** Of its open invoices, in BRL. */
  owed: string
  /** `YYYY-MM-DD`, of the oldest open invoice. */
  owedSince: string | null
  /** Nobody of it has come in yet, nor chosen a password. */
  invited: boolean
}

/** `late`: over, or with an invoice that was to be paid before today; `owing`: with an open invoice. */
export type CompanyFilter = 'late' | 'owing'
export type CompanyOrder = 'name' | 'owed'

/** All companies of the platform; the progress of one that is being deleted arrives by itself. */
export function useCompanies(search: string, filter?: CompanyFilter, order: CompanyOrder = 'name'): Pages<Company> {
  const list = usePages<Company>('/companies', 'companies', search, { filter, order })
  useCompanyEvent('company', list.reload)
  return list
}

/** Somebody for whom the operator may act. */
export type CompanyPerson = Pick<SessionUser, 'id' | 'name' | 'email' | 'profile'>

export const useCompanyPeople = (companyId: number, search: string) =>
  useFetched<{ users: CompanyPerson[] }>(`/companies/${companyId}/users`, { searchParam: search || undefined })

/** What all companies owe and have paid, in BRL. */
export interface MoneyTotals {
  open: { invoices: number; value: string; companies: number }
  late: { invoices: number; value: string; companies: number }
  /** Of this month. */
  paid: { invoices: number; value: string }
  /** Whether the operator has said how companies pay. */
  canBePaid: boolean
}

export function useMoneyTotals(): Fetched<MoneyTotals> {
  const totals = useFetched<MoneyTotals>('/invoices/totals')
  useCompanyEvent('company', totals.reload)
  return totals
}

export const companies = {
  impersonate: (id: number, input: { userId: number; reason: string; write: boolean }) =>
    api.post<{ token: string; user: SessionUser }>(`/companies/${id}/impersonate`, input),
  /** Without a password with the invitation of its admin, which is told this once. */
  create: (input: CompanyInput & { password: string }) =>
    api.post<Company & { invitation?: Invitation }>('/companies', input),
  /** Only before anybody of it has come in. */
  inviteAgain: async (id: number): Promise<Invited> => {
    const { invitation, ...person } = await api.post<{ name: string; email: string; invitation: Invitation }>(
      `/companies/${id}/invitation`,
    )
    return { ...person, ...invitation }
  },
  update: (id: number, input: ChangedCompany) => api.put<Company>(`/companies/${id}`, input),
  remove: (id: number) => api.delete<Company>(`/companies/${id}`),
}
