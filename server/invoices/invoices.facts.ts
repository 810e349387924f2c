import { and, asc, eq, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Billed, Billing, Payer } from '../../schema/invoices/invoices.decide.ts'
import { type Charge, charges, type Invoice, invoices } from '../../schema/invoices/invoices.table.ts'
import type { Tx } from '../db/database.ts'

/**
 * What decisions about money are made by, locked until the commit. Whoever locks several locks invoices first, then
 * their charges, then the company; of one kind in the order of their ids.
 */

export async function lockInvoice(tx: Tx, which: SQL | undefined): Promise<Invoice | undefined> {
  const [invoice] = await tx.select().from(invoices).where(which).orderBy(asc(invoices.id)).limit(1).for('update')
  return invoice
}

export const lockInvoices = (tx: Tx, which: SQL | undefined): Promise<Invoice[]> =>
  tx.select().from(invoices).where(which).orderBy(asc(invoices.id)).for('update')

export const lockCharges = (tx: Tx, which: SQL | undefined): Promise<Charge[]> =>
  tx.select().from(charges).where(which).orderBy(asc(charges.id)).for('update')

/** Those that nobody else is asking about, the longest due first. */
export const lockFreeCharges = (tx: Tx, which: SQL | undefined, most: number): Promise<Charge[]> =>
  tx.select().from(charges).where(which).orderBy(asc(charges.checkAt)).limit(most).for('update', { skipLocked: true })

export const openChargesOf = (tx: Tx, invoiceId: number): Promise<Charge[]> =>
  lockCharges(tx, and(eq(charges.invoiceId, invoiceId), eq(charges.status, 'open')))

/** What a company has still to pay. */
export const openInvoices = (tx: Tx, companyId: number): Promise<Invoice[]> =>
  lockInvoices(tx, and(eq(invoices.companyId, companyId), eq(invoices.status, 'open')))

/** Of a company that may be about to go: what is open or may yet be paid. */
export const unendedCharges = (tx: Tx, companyId: number): Promise<Charge[]> =>
  lockCharges(
    tx,
    and(
      eq(charges.companyId, companyId),
      or(eq(charges.status, 'open'), and(eq(charges.status, 'ended'), isNotNull(charges.checkAt))),
    ),
  )

/** Who pays. Behind its invoices. */
export async function lockPayer(tx: Tx, companyId: number): Promise<Payer> {
  const [company] = await tx
    .select({
      id: companies.id,
      name: companies.name,
      dueDate: companies.dueDate,
      dueDay: companies.dueDay,
      timeZone: companies.timeZone,
    })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('update')
  return company!
}

/** The same without a lock: who only has to be named. */
export async function payerOf(tx: Tx, companyId: number): Promise<Payer | undefined> {
  const [company] = await tx.select().from(companies).where(eq(companies.id, companyId))
  return company
}

/** Invoices with those of their charges that are open, or with all. */
export async function withCharges(tx: Tx, rows: readonly Invoice[], which: 'open' | 'all'): Promise<Billed[]> {
  if (rows.length === 0) return []
  const ofThem = inArray(
    charges.invoiceId,
    rows.map(({ id }) => id),
  )
  const found = await lockCharges(tx, which === 'open' ? and(ofThem, eq(charges.status, 'open')) : ofThem)
  return rows.map((invoice) => ({ invoice, charges: found.filter(({ invoiceId }) => invoiceId === invoice.id) }))
}

/** What a company has still to pay, and which of its due dates are billed. */
export async function billingOf(tx: Tx, companyId: number): Promise<Billing> {
  const open = await withCharges(tx, await openInvoices(tx, companyId), 'open')
  const taken = await tx
    .select({ id: invoices.id, dueDate: invoices.dueDate })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), ne(invoices.status, 'refunded')))
  return { open, taken }
}

/** Ids for what a decision may make. */
async function reserve(tx: Tx, sequence: string, count: number): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(
    sql`SELECT nextval(${sequence}::regclass)::int AS id FROM generate_series(1, ${count})`,
  )
  return rows.map(({ id }) => id)
}
export const reserveInvoiceIds = (tx: Tx, count: number) => reserve(tx, 'invoices_id_seq', count)
export const reserveChargeId = async (tx: Tx) => (await reserve(tx, 'invoice_charges_id_seq', 1))[0]!
