import { and, asc, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { monthsOf, nextDueDate } from '../../schema/companies/companies.due.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { priceOf, refundedUntil, renewedUntil } from '../../schema/invoices/invoices.due.ts'
import { type Charge, charges, type Invoice, invoices } from '../../schema/invoices/invoices.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import type { Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'

export interface Renewal {
  companyId: number
  invoiceId: number
  /** `YYYY-MM-DD`, from now on the last valid day. */
  dueDate: string
}

/**
 * An open invoice becomes a paid one, and its company gets its months: both or neither, and once, whoever else says
 * the same at the same moment. The invoice is the first row that anybody locks here.
 * @param asked what the charge was made for by which it was paid; without it, the invoice's own price
 * @returns undefined when it was not open
 */
export async function renew(
  tx: Tx,
  invoiceId: number,
  via: NonNullable<Invoice['paidVia']>,
  now: Date,
  asked?: Pick<Invoice, 'value' | 'months'>,
): Promise<Renewal | undefined> {
  const [open] = await tx
    .select({ companyId: invoices.companyId, value: invoices.value, months: invoices.months })
    .from(invoices)
    .where(and(eq(invoices.id, invoiceId), eq(invoices.status, 'open')))
    .for('update')
  if (!open) return undefined
  const { companyId } = open
  // Who pays what they were asked for gets what they were asked for, also where the plan changed in this moment.
  const { value, months } = asked ?? open
  const [company] = await tx
    .select({ dueDate: companies.dueDate, dueDay: companies.dueDay, timeZone: companies.timeZone })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('update')
  const renewed = renewedUntil(company!, months, now)
  const bought = { boughtFrom: company!.dueDate, boughtUntil: renewed.dueDate }
  await tx
    .update(invoices)
    .set({ status: 'paid', paidAt: now, paidVia: via, value, months, ...bought, updatedAt: now })
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
export const openInvoices = (tx: Tx, companyId: number) =>
  tx
    .select({ id: invoices.id, dueDate: invoices.dueDate, months: invoices.months })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.status, 'open')))
    // In the order in which a plan's change locks those of many.
    .orderBy(asc(invoices.id))
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
  const open = (await openInvoices(tx, companyId)).toSorted((a, b) => (a.dueDate < b.dueDate ? 1 : -1))
  const [company] = await tx.select({ dueDay: companies.dueDay }).from(companies).where(eq(companies.id, companyId))
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
      .where(and(eq(invoices.companyId, companyId), eq(invoices.dueDate, dueDate), ne(invoices.status, 'refunded')))
    if (known) continue
    await tx.update(invoices).set({ dueDate, updatedAt: now }).where(eq(invoices.id, invoice.id))
    changed = true
  }
  return changed
}

/**
 * Nobody is shown an invoice's charges any more, and the service takes them back. What is paid on them nevertheless is
 * still found out.
 */
export const endCharges = (tx: Tx, invoiceId: number, now: Date): Promise<void> =>
  endChargesWhere(tx, eq(charges.invoiceId, invoiceId), now)

async function endChargesWhere(tx: Tx, which: SQL | undefined, now: Date): Promise<void> {
  const ended = await tx
    .update(charges)
    .set({ status: 'ended', updatedAt: now })
    .where(and(which, eq(charges.status, 'open')))
    .returning()
  await takeBackLater(tx, ended, now)
}

/** Has the services take back what can still be paid. The operator's jobs: they are done also when the company is gone. */
async function takeBackLater(tx: Tx, rows: readonly Charge[], now: Date): Promise<void> {
  const live = rows.filter(
    ({ provider, expiresAt }) => provider !== 'pix' && (expiresAt === null || expiresAt.getTime() > now.getTime()),
  )
  if (live.length === 0) return
  const owners = await tx
    .select({ id: companies.id, name: companies.name })
    .from(companies)
    .where(inArray(companies.id, [...new Set(live.map(({ companyId }) => companyId))]))
  const effects = live.flatMap(({ provider, ref, invoiceId, value, companyId }): Effect[] => {
    const company = owners.find(({ id }) => id === companyId)
    if (provider === 'pix' || !company) return []
    return [{ kind: 'invoices.takeBack', provider, ref, invoiceId, value, company, endedAt: now.toISOString() }]
  })
  await addJobs(tx, OPERATOR_COMPANY_ID, effects)
}

/**
 * A company is to go: nothing of what it owes can be paid any more, and what may have been paid in the last moment is
 * asked about once more. Called before the company's row is written, as `followDueDate`.
 */
export async function endBilling(tx: Tx, companyId: number, now: Date): Promise<void> {
  await openInvoices(tx, companyId)
  await tx
    .update(invoices)
    .set({ status: 'cancelled', updatedAt: now })
    .where(and(eq(invoices.companyId, companyId), eq(invoices.status, 'open')))
  await endChargesWhere(tx, eq(charges.companyId, companyId), now)
  const unsure = await tx
    .select()
    .from(charges)
    .where(and(eq(charges.companyId, companyId), eq(charges.status, 'ended'), isNotNull(charges.checkAt)))
  await takeBackLater(
    tx,
    unsure.map((charge) => ({ ...charge, expiresAt: null })),
    now,
  )
}

const monthsOfCompany = sql`CASE ${companies.recurrence} ${sql.join(
  Object.entries(monthsOf).map(([name, months]) => sql.raw(`WHEN '${name}' THEN ${months}`)),
  sql.raw(' '),
)} END`

/**
 * What is not paid yet costs what the plan costs now, and is called as it is. Charges of another price are taken back:
 * the next payment makes new ones. What costs nothing any more is not to be paid.
 * @param which of one company, of all on one plan, or of all
 * @returns the companies that read of it
 */
export async function followPrice(
  tx: Tx,
  which: { companyId: number } | { planId: number } | 'all',
  now: Date,
): Promise<number[]> {
  const scope =
    which === 'all'
      ? undefined
      : 'companyId' in which
        ? eq(companies.id, which.companyId)
        : eq(companies.planId, which.planId)
  const open = await tx
    .select({
      id: invoices.id,
      companyId: invoices.companyId,
      is: { detail: invoices.detail, value: invoices.value, months: invoices.months },
      recurrence: companies.recurrence,
      plan: { name: plans.name, value: plans.value },
    })
    .from(invoices)
    .innerJoin(companies, eq(companies.id, invoices.companyId))
    .innerJoin(plans, eq(plans.id, companies.planId))
    .where(
      and(
        scope,
        eq(invoices.status, 'open'),
        isNull(companies.removal),
        sql`(${invoices.detail}, ${invoices.value}, ${invoices.months}) IS DISTINCT FROM
          (${plans.name}, ${plans.value} * ${monthsOfCompany}, ${monthsOfCompany})`,
      ),
    )
    .orderBy(asc(invoices.id))
    .for('update', { of: invoices })
  for (const { id, is, recurrence, plan } of open) {
    const price = priceOf(plan, recurrence)
    if (price) {
      await tx
        .update(invoices)
        .set({ ...price, updatedAt: now })
        .where(eq(invoices.id, id))
      if (price.value !== is.value || price.months !== is.months) await endCharges(tx, id, now)
      continue
    }
    // Without a trace where nobody has begun to pay: the due date is billed when there is a price again.
    const [untouched] = await tx
      .delete(invoices)
      .where(and(eq(invoices.id, id), sql`NOT EXISTS (SELECT FROM ${charges} c WHERE c."invoiceId" = ${id})`))
      .returning({ id: invoices.id })
    if (untouched) continue
    await tx.update(invoices).set({ status: 'cancelled', updatedAt: now }).where(eq(invoices.id, id))
    await endCharges(tx, id, now)
  }
  return [...new Set(open.map(({ companyId }) => companyId))]
}
