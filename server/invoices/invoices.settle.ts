import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { nextDueDate } from '../../schema/companies/companies.due.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { refundedUntil, renewedUntil } from '../../schema/invoices/invoices.due.ts'
import { charges, type Invoice, invoices } from '../../schema/invoices/invoices.table.ts'
import type { Tx } from '../db/database.ts'

export interface Renewal {
  companyId: number
  invoiceId: number
  /** `YYYY-MM-DD`, from now on the last valid day. */
  dueDate: string
}

/**
 * An open invoice becomes a paid one, and its company gets its months: both or neither, and once, whoever else says
 * the same at the same moment. The invoice is the first row that anybody locks here.
 * @returns undefined when it was not open
 */
export async function renew(
  tx: Tx,
  invoiceId: number,
  via: NonNullable<Invoice['paidVia']>,
  now: Date,
): Promise<Renewal | undefined> {
  const [open] = await tx
    .select({ companyId: invoices.companyId, months: invoices.months })
    .from(invoices)
    .where(and(eq(invoices.id, invoiceId), eq(invoices.status, 'open')))
    .for('update')
  if (!open) return undefined
  const { companyId, months } = open
  const [company] = await tx
    .select({ dueDate: companies.dueDate, dueDay: companies.dueDay, timeZone: companies.timeZone })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('update')
  const renewed = renewedUntil(company!, months, now)
  const bought = { boughtFrom: company!.dueDate, boughtUntil: renewed.dueDate }
  await tx
    .update(invoices)
    .set({ status: 'paid', paidAt: now, paidVia: via, ...bought, updatedAt: now })
    .where(eq(invoices.id, invoiceId))
  await tx
    .update(companies)
    .set({ ...renewed, updatedAt: now })
    .where(eq(companies.id, companyId))
  return { companyId, invoiceId, dueDate: renewed.dueDate }
}

export interface Refund {
  companyId: number
  invoiceId: number
  /** From now on the last valid day; undefined where that has not changed. */
  dueDate?: string
}

/**
 * The money of a paid invoice went back, all of it: its company gives back the time that it bought, once. What is still
 * to be paid goes along. Locked in the order of `renew`: invoices, then the company.
 * @returns undefined when it was not paid
 */
export async function refund(tx: Tx, invoiceId: number, now: Date): Promise<Refund | undefined> {
  const [invoice] = await tx
    .update(invoices)
    .set({ status: 'refunded', updatedAt: now })
    .where(and(eq(invoices.id, invoiceId), eq(invoices.status, 'paid')))
    .returning({
      companyId: invoices.companyId,
      boughtFrom: invoices.boughtFrom,
      boughtUntil: invoices.boughtUntil,
    })
  if (!invoice) return undefined
  const { companyId } = invoice
  await openInvoices(tx, companyId)
  const [company] = await tx
    .select({ dueDate: companies.dueDate, dueDay: companies.dueDay, timeZone: companies.timeZone })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('update')
  const back = refundedUntil(company!, invoice, now)
  if (!back) return { companyId, invoiceId }
  await followDueDate(tx, companyId, back.dueDate, now)
  await tx
    .update(companies)
    .set({ ...back, updatedAt: now })
    .where(eq(companies.id, companyId))
  return { companyId, invoiceId, dueDate: back.dueDate }
}

/** What a company has still to pay, locked until the commit. */
const openInvoices = (tx: Tx, companyId: number) =>
  tx
    .select({ id: invoices.id, dueDate: invoices.dueDate, months: invoices.months })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.status, 'open')))
    .orderBy(desc(invoices.dueDate))
    .for('update')

/**
 * What was to be paid for the time after a company's due date, when the operator moves that date. Time that was given
 * whole is not billed as well: its invoice is cancelled, and money that comes for it is told to the operator. An invoice
 * that is still to be paid goes along, so that no second one is made for the same months.
 * Called before the company's row is written: `renew` locks in this order, too.
 * @param dueDate null: it is never due again
 * @returns whether an invoice has changed
 */
export async function followDueDate(tx: Tx, companyId: number, dueDate: string | null, now: Date): Promise<boolean> {
  const open = await openInvoices(tx, companyId)
  const [company] = await tx
    .select({ dueDay: companies.dueDay })
    .from(companies)
    .where(eq(companies.id, companyId))
  let changed = false
  for (const invoice of open) {
    if (dueDate === null || dueDate >= nextDueDate(invoice.dueDate, invoice.months, company?.dueDay)) {
      await tx.update(invoices).set({ status: 'cancelled', updatedAt: now }).where(eq(invoices.id, invoice.id))
      await endCharges(tx, invoice.id, now)
      changed = true
      continue
    }
    const [known] = await tx
      .select({ id: invoices.id })
      .from(invoices)
      .where(
        and(eq(invoices.companyId, companyId), eq(invoices.dueDate, dueDate), ne(invoices.status, 'refunded')),
      )
    if (known) continue
    await tx.update(invoices).set({ dueDate, updatedAt: now }).where(eq(invoices.id, invoice.id))
    changed = true
  }
  return changed
}

/** Nobody is shown them any more; what is paid on them nevertheless is still found out. */
export async function endCharges(tx: Tx, invoiceId: number, now: Date): Promise<void> {
  await tx
    .update(charges)
    .set({ status: 'ended', updatedAt: now })
    .where(and(eq(charges.invoiceId, invoiceId), inArray(charges.status, ['open'])))
}
