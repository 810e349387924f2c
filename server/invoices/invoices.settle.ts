import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { together } from '../../schema/command.ts'
import { monthsOf } from '../../schema/companies/companies.due.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import {
  cancelInvoice,
  chargeChange,
  endBilling,
  followDueDate,
  followPrice,
  payInvoice,
  type Refund,
  refundInvoice,
  type Renewal,
} from '../../schema/invoices/invoices.decide.ts'
import { priceOf } from '../../schema/invoices/invoices.due.ts'
import { charges, invoices } from '../../schema/invoices/invoices.table.ts'
import type { PaidVia } from '../../schema/invoices/invoices.transition.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import {
  billingOf,
  lockCharges,
  lockInvoice,
  lockInvoices,
  lockPayer,
  openChargesOf,
  openInvoices,
  payerOf,
  unendedCharges,
  withCharges,
} from './invoices.facts.ts'

/**
 * What people and clocks do to invoices: their facts are loaded and locked, `invoices.decide.ts` decides, the decision is
 * written. Part of the caller's transaction. The invoice is the first row that anybody locks here.
 */

/**
 * Somebody has seen the money of an invoice.
 * @returns undefined when it was not open
 */
export async function pay(tx: Tx, invoiceId: number, via: PaidVia, now: Date): Promise<Renewal | undefined> {
  const invoice = await lockInvoice(tx, eq(invoices.id, invoiceId))
  if (!invoice) return undefined
  const open = await openChargesOf(tx, invoiceId)
  const company = await lockPayer(tx, invoice.companyId)
  const paid = payInvoice({ invoice, charges: open, company }, via, now)
  if (!paid) return undefined
  await applyDecision(tx, company.id, paid.decision)
  return paid.renewal
}

/**
 * Somebody has given the money of an invoice back.
 * @returns undefined when it was not paid
 */
export async function refund(tx: Tx, invoiceId: number, now: Date): Promise<Refund | undefined> {
  const invoice = await lockInvoice(tx, eq(invoices.id, invoiceId))
  if (!invoice) return undefined
  const billing = await billingOf(tx, invoice.companyId)
  const paying = await lockCharges(tx, eq(charges.invoiceId, invoiceId))
  const company = await lockPayer(tx, invoice.companyId)
  const refunded = refundInvoice({ invoice, company, billing }, now)
  if (!refunded) return undefined
  const known = paying.map((charge) => chargeChange(charge, { type: 'refunded' }, now))
  await applyDecision(tx, company.id, together(refunded.decision, ...known))
  return refunded.refund
}

/**
 * An invoice is not to be paid.
 * @returns whether it was open
 */
export async function cancel(tx: Tx, invoiceId: number, now: Date): Promise<boolean> {
  const invoice = await lockInvoice(tx, eq(invoices.id, invoiceId))
  const company = invoice && (await payerOf(tx, invoice.companyId))
  if (!company) return false
  const cancelled = cancelInvoice({ invoice, charges: await openChargesOf(tx, invoiceId), company }, now)
  if (cancelled) await applyDecision(tx, company.id, cancelled)
  return cancelled !== null
}

/**
 * The operator moves the due date of a company. Called before the company's row is written: who pays locks in this order,
 * too.
 * @param dueDate null: it is never due again
 * @returns whether an invoice has changed
 */
export async function moveDueDate(tx: Tx, companyId: number, dueDate: string | null, now: Date): Promise<boolean> {
  const billing = await billingOf(tx, companyId)
  const company = await payerOf(tx, companyId)
  if (!company) return false
  const { decision, isChanged } = followDueDate({ ...billing, company }, dueDate, now)
  await applyDecision(tx, companyId, decision)
  return isChanged
}

/** A company is to go. Called before the company's row is written, as `moveDueDate`. */
export async function stopBilling(tx: Tx, companyId: number, now: Date): Promise<void> {
  const open = await openInvoices(tx, companyId)
  const unended = await unendedCharges(tx, companyId)
  const company = await payerOf(tx, companyId)
  if (company) await applyDecision(tx, companyId, endBilling(open, unended, company, now))
}

/**
 * The operator has given money back that waited for them, has counted it otherwise, or has seen that it went back.
 * @returns its invoice, or undefined where none waits
 */
export async function resolveMoney(tx: Tx, chargeId: number, now: Date): Promise<number | undefined> {
  const [charge] = await lockCharges(tx, eq(charges.id, chargeId))
  if (!charge) return undefined
  const decision = chargeChange(charge, { type: 'resolve' }, now)
  if (decision.rows.length === 0) return undefined
  await applyDecision(tx, charge.companyId, decision)
  return charge.invoiceId
}

const monthsOfCompany = sql`CASE ${companies.recurrence} ${sql.join(
  Object.entries(monthsOf).map(([name, months]) => sql.raw(`WHEN '${name}' THEN ${months}`)),
  sql.raw(' '),
)} END`

/**
 * What is not paid yet follows the price of its plan.
 * @param which of one company, of all on one plan, or of all
 * @returns the companies that read of it
 */
export async function reprice(
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
  const found = await tx
    .select({
      id: invoices.id,
      company: { id: companies.id, name: companies.name },
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
  if (found.length === 0) return []
  const byId = new Map(found.map((row) => [row.id, row]))
  const locked = await lockInvoices(tx, inArray(invoices.id, [...byId.keys()]))
  const decisions = (await withCharges(tx, locked, 'all')).map((billed) => {
    const { company, plan, recurrence } = byId.get(billed.invoice.id)!
    return { companyId: company.id, decision: followPrice({ ...billed, company }, priceOf(plan, recurrence), now) }
  })
  const byCompany = Map.groupBy(decisions, ({ companyId }) => companyId)
  for (const [companyId, all] of byCompany)
    await applyDecision(tx, companyId, together(...all.map(({ decision }) => decision)))
  return [...byCompany.keys()]
}
