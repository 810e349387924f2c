import { nextDueDate } from '../../schema/companies/companies.due.ts'
import type { PayerInput, PaymentAccountInput } from '../../schema/invoices/invoices.inputs.ts'
import type { Invoice as Stored, PaymentProviderName } from '../../schema/invoices/invoices.table.ts'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import { api } from '../session/api.ts'
import { type Fetched, type Pages, useFetched, usePages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

/** Why money waits for the operator. */
export type OddMoneyWhy = 'short' | 'surplus' | 'returned'

export interface Invoice extends Pick<Stored, 'id' | 'detail' | 'value' | 'dueDate' | 'months' | 'status' | 'paidVia'> {
  paidAt: string | null
  /** Money came, or went back, that only the operator can judge. */
  oddMoney: OddMoneyWhy | null
}

type Counted = 'users' | 'connections' | 'queues'

/** What a company may have and do, and what an invoice asks for; without a price it costs nothing. */
export interface HeldPlan extends Record<Counted, number> {
  name: string
  features: PlanFeature[]
  price: Pick<Stored, 'value' | 'months'> | null
}

/** How long the company may work, what for, and who pays. */
export interface Subscription {
  email: string
  /** `YYYY-MM-DD`, the last valid day; null never ends. */
  dueDate: string | null
  /** It tries for nothing until then. */
  onTrial: boolean
  isOver: boolean
  operatorEmail: string | null
  /** How many invoices are to be paid. */
  openInvoices: number
  plan: HeldPlan | null
  /** What else is to be had; the operator changes the plan. */
  offered: (HeldPlan & { id: number })[]
  used: Record<Counted, number>
  payer: PayerInput
  /** Null: the operator has not said how invoices are paid. */
  provider: PaymentProviderName | null
  asksDocument: boolean
}

/** What an invoice is paid by. */
export interface Charge {
  qrcode: { qrcode: string }
  valor: { original: string }
  /** ISO instant; null: it can be paid at any time. */
  expiresAt: string | null
  provider: PaymentProviderName
}

export const useSubscription = (): Fetched<Subscription> => useFetched<Subscription>('/subscription')

/** The own company's, the last due first. */
export function useInvoices(search: string): Pages<Invoice> {
  const list = usePages<Invoice>('/invoices/all', 'invoices', search)
  useCompanyEvent('payment', list.reload)
  return list
}

/** Those of any company, for the operator. */
export function useInvoicesOf(companyId: number): Pages<Invoice> {
  const list = usePages<Invoice>(`/invoices?companyId=${companyId}`, 'invoices', '')
  useCompanyEvent('company', list.reload)
  return list
}

/** The open invoice for time that ends before a day, if a company has one; for the operator. */
export async function openInvoice(companyId: number, until: string): Promise<Invoice | undefined> {
  const { invoices: rows } = await api.get<{ invoices: Invoice[] }>(`/invoices?companyId=${companyId}`)
  return rows.find(({ status, dueDate, months }) => status === 'open' && nextDueDate(dueDate, months) <= until)
}

/** What companies of a plan, or one company, have still to pay, and for how much of it somebody has begun; for the operator. */
export const unpaid = (which: { planId: number } | { companyId: number }) =>
  api.get<{ open: number; begun: number }>('/invoices/unpaid', { query: which })

export const invoices = {
  pay: (invoiceId: number, payer: PayerInput) => api.post<Charge>('/subscription', { invoiceId, ...payer }),
  markPaid: (id: number) => api.put<Invoice>(`/invoices/${id}/paid`),
  markRefunded: (id: number) => api.put<Invoice>(`/invoices/${id}/refunded`),
  cancel: (id: number) => api.put<Invoice>(`/invoices/${id}/cancelled`),
}

/** How the operator is paid; what is secret is masked. */
export interface PaymentAccount extends PaymentAccountInput {
  isSet: boolean
  /** Where the chosen service calls us, and the word by which it is known. */
  webhook: { url: string; token?: string } | null
}

export const usePaymentAccount = (): Fetched<PaymentAccount> => useFetched<PaymentAccount>('/invoices/provider')

export const savePaymentAccount = (account: PaymentAccountInput) =>
  api.put<PaymentAccount & { isTold: boolean }>('/invoices/provider', account)
