import { eq } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import type { Refund, Renewal } from '../../schema/invoices/invoices.decide.ts'
import { users } from '../../schema/users/users.table.ts'
import { billSoon, invoicesChanged } from './invoices.due.ts'
import type { PaymentDeps } from './invoices.port.ts'

type NotifyDeps = Pick<PaymentDeps, 'db' | 'events' | 'now' | 'log' | 'renewed'>

/** The company reads of it where it reads of its invoices, and by the notices that come before its last day. */
export async function notifyRefund(deps: NotifyDeps, { companyId, dueDate }: Refund): Promise<void> {
  if (dueDate !== undefined) {
    await forget(deps, companyId)
    await billSoon(deps, companyId)
  }
  invoicesChanged(deps.events, companyId)
  deps.events.emit({
    companyId: OPERATOR_COMPANY_ID,
    name: 'company',
    action: 'update',
    payload: { company: { id: companyId } },
    audience: { operators: true },
  })
}

/** What was decided by the due date that a company had. */
async function forget({ db, renewed }: NotifyDeps, companyId: number): Promise<void> {
  const people = await db.select({ id: users.id }).from(users).where(eq(users.companyId, companyId))
  renewed(
    companyId,
    people.map(({ id }) => id),
  )
}

/** Everybody of the company works again, at once, and its admins hear why. */
export async function notifyRenewal(deps: NotifyDeps, { companyId, invoiceId, dueDate }: Renewal): Promise<void> {
  await forget(deps, companyId)
  deps.events.emit({
    companyId,
    name: 'payment',
    action: 'CONCLUIDA',
    payload: { company: { id: companyId, dueDate }, invoice: { id: invoiceId } },
  })
}
