import { MINUTE_MS } from '../../schema/durations.ts'
import type { PaymentProviderName } from '../../schema/invoices/invoices.table.ts'
import type { ConnectionStatus } from '../../schema/whatsapps/whatsapps.table.ts'
import { api, requestBlob } from '../session/api.ts'
import { useFetched, useRecords } from '../session/fetched.ts'
import type { MoneyTotals } from '../companies/companies.queries.ts'
import type { Invoice, OddMoneyWhy } from '../invoices/invoices.queries.ts'

/** A day of the whole installation; null is what nobody was there to count. */
export interface UsageDay {
  /** `YYYY-MM-DD` */
  day: string
  companies: number
  activeUsers: number | null
  messagesIn: number
  messagesOut: number
  tickets: number
  connections: number | null
}

export interface System {
  version: string
  postgres: string
  databaseBytes: number
  migrations: { applied: number; pending: number }
  jobs: { waiting: number; failed: number; oldestSeconds: number }
  connections: { all: number; broken: number }
  /** Payments that settled no invoice. */
  oddMoney: number
  money: MoneyTotals
  /** Null where the server makes none by itself. */
  backups: {
    made: { at: string; rows: number | null; files: number | null; bytes: number | null } | null
    restored: { at: string } | null
    failures: { work: 'made' | 'restored'; at: string; error: string }[]
  } | null
}

/** A connection of any company: how it is, never what is said over it. */
export interface OperatorConnection {
  id: number
  name: string
  company: { id: number; name: string }
  status: ConnectionStatus
  wanted: boolean
  lastError: string | null
  connectedAt: string | null
  lastMessageInAt: string | null
  lastMessageOutAt: string | null
  jobs: { waiting: number; failed: number }
}

/** A job that was given up. */
export interface FailedJob {
  id: number
  kind: string
  company: { id: number; name: string } | null
  attempts: number
  error: string | null
  failedAt: string
  /** Of what made the server stand still nothing is left to do: its message went to people. */
  mayRetry: boolean
}

/** Money that came and settled no invoice, or went back: the operator decides. */
export interface OddMoney {
  id: number
  status: OddMoneyWhy
  provider: PaymentProviderName
  value: string
  paidValue: string | null
  at: string
  company: { id: number; name: string; timeZone: string }
  invoice: { id: number; status: Invoice['status']; dueDate: string }
}

/** An e-mail domain that a company says is its own. */
export interface CompanyDomain {
  company: { id: number; name: string }
  domain: string
  proven: boolean
}

export interface PlanWarning {
  company: { id: number; name: string }
  plan: string
  what: 'users' | 'connections' | 'queues'
  used: number
  limit: number
}

/** How one company stands, and what it did in 30 days, as it was counted last. */
export interface CompanyUsage {
  id: number
  company: { id: number; name: string }
  plan: { name: string; users: number; connections: number; queues: number } | null
  users: number
  connections: number
  queues: number
  linked: number
  openTickets: number
  messagesIn: number
  messagesOut: number
  /** Of the files that came or went. */
  mediaBytes: number
  tickets: number
  countedAt: string
}

export const usageOrders = [
  ...(['messagesIn', 'messagesOut', 'tickets', 'openTickets', 'mediaBytes', 'users', 'linked'] as const),
]
export type UsageOrder = (typeof usageOrders)[number]

export interface CompanyDay {
  /** `YYYY-MM-DD` */
  day: string
  messagesIn: number
  messagesOut: number
  mediaBytes: number
  tickets: number
  activeUsers: number | null
  connections: number | null
}

export const useUsage = (days: number) =>
  useFetched<{ records: UsageDay[]; countedAt: string | null }>('/operator/usage', { days })
export const useCompanyUsage = (order: UsageOrder, searchParam: string) =>
  useRecords<CompanyUsage>('/operator/usage/companies', { order, searchParam: searchParam || undefined })
export const useCompanyDays = (id: number, days: number) =>
  useFetched<{ records: CompanyDay[] }>(`/operator/usage/companies/${id}`, { days })
export const useSystem = () => useFetched<System>('/operator/system', undefined, { everyMs: MINUTE_MS })
export const useConnections = (state: 'broken' | 'all') =>
  useRecords<OperatorConnection>('/operator/connections', { state })
export const useFailedJobs = () => useRecords<FailedJob>('/operator/jobs')
export const useOddMoney = () => useRecords<OddMoney>('/invoices/odd-money')
export const usePlanWarnings = () => useFetched<{ records: PlanWarning[] }>('/operator/plan-warnings')

export const useCompanyDomains = () => useFetched<{ records: CompanyDomain[] }>('/operator/domains')

export const operator = {
  sayDomain: (word: { companyId: number; domain: string; proven: boolean }) => api.put('/operator/domains', word),
  usageFile: (days: number, language: string) =>
    requestBlob('/operator/usage', { query: { days, format: 'csv', language } }),
  retry: (id: number) => api.post(`/operator/jobs/${id}/retry`),
  resolveMoney: (id: number) => api.put(`/invoices/odd-money/${id}/resolved`),
  forget: (id: number) => api.delete(`/operator/jobs/${id}`),
}
