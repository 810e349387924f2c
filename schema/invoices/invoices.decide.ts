import { nextDueDate } from '../companies/companies.due.ts'
import type { Company } from '../companies/companies.table.ts'
import { type ServerDecision, together } from '../command.ts'
import type { Effect } from '../effects.ts'
import { type ChargeEvent, chargeAfter } from './charges.transition.ts'
import { checkUnmade } from './invoices.checks.ts'
import { invoiceDue, refundedUntil, renewedUntil } from './invoices.due.ts'
import type { Charge, Invoice } from './invoices.table.ts'
import { type InvoiceEvent, invoiceAfter, type PaidVia } from './invoices.transition.ts'

/** An invoice, and the charges that are to be known of it. All of it is locked. */
export interface Billed {
  invoice: Invoice
  charges: readonly Charge[]
}
/** Who pays. */
export type Payer = Pick<Company, 'id' | 'name' | 'dueDate' | 'dueDay' | 'timeZone'>

export interface Renewal {
  companyId: number
  invoiceId: number
  /** `YYYY-MM-DD`, from now on the last valid day. */
  dueDate: string
}
export interface Refund {
  companyId: number
  invoiceId: number
  /** From now on the last valid day; undefined where that has not changed. */
  dueDate?: string
}

const nothing: ServerDecision = { rows: [], effects: [] }

/** What becomes of a charge, as a decision. */
export function chargeChange(charge: Charge, event: ChargeEvent, now: Date): ServerDecision {
  const values = chargeAfter(charge, event, now)
  if (Object.keys(values).length === 0) return nothing
  return { rows: [{ table: 'charges', op: 'update', ids: [charge.id], values }], effects: [] }
}

/** What becomes of an invoice, as a decision; null where it is settled. */
function invoiceChange(invoice: Invoice, event: InvoiceEvent, now: Date): ServerDecision | null {
  const values = invoiceAfter(invoice, event, now)
  return values && { rows: [{ table: 'invoices', op: 'update', ids: [invoice.id], values }], effects: [] }
}

/**
 * Nobody is shown these charges any more, and the services take them back. What is paid on them nevertheless is still
 * found out.
 */
export function endCharges(
  charges: readonly Charge[],
  company: Pick<Company, 'id' | 'name'>,
  now: Date,
): ServerDecision {
  const open = charges.filter(({ status }) => status === 'open')
  const live = open.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now.getTime())
  return {
    ...together(...open.map((charge) => chargeChange(charge, { type: 'end' }, now))),
    operatorEffects: takeBacks(live, company, now),
  }
}

/** Has the services take back what can still be paid. The operator's jobs: they are done also when the company is gone. */
function takeBacks(charges: readonly Charge[], { id, name }: Pick<Company, 'id' | 'name'>, now: Date): Effect[] {
  return charges.flatMap(({ provider, ref, invoiceId, value }): Effect[] =>
    provider === 'pix'
      ? []
      : [
          {
            ...{ kind: 'invoices.takeBack', provider, ref, invoiceId, value },
            ...{ company: { id, name }, endedAt: now.toISOString() },
          },
        ],
  )
}

// ── money ────────────────────────────────────────────────────────────────────────────────────

/**
 * An open invoice becomes a paid one, and its company gets its months: both or neither, and once, whoever else says
 * the same.
 * @param by the charge that was paid: who pays what they were asked for gets what they were asked for, also where the
 * plan changed in this moment
 * @returns null when it was not open
 */
export function payInvoice(
  { invoice, charges, company }: Billed & { company: Payer },
  via: PaidVia,
  now: Date,
  by?: Charge,
): { decision: ServerDecision; renewal: Renewal } | null {
  const asked = by ?? invoice
  const renewed = renewedUntil(company, asked.months, now)
  const bought = { boughtFrom: company.dueDate, boughtUntil: renewed.dueDate }
  const paid = invoiceChange(invoice, { type: 'pay', via, asked, bought }, now)
  if (!paid) return null
  const others = charges.filter(({ id }) => id !== by?.id)
  return {
    decision: together(paid, endCharges(others, company, now), {
      ...nothing,
      subscription: { ...renewed, updatedAt: now },
    }),
    renewal: { companyId: company.id, invoiceId: invoice.id, dueDate: renewed.dueDate },
  }
}

/** What is known when an invoice may be refunded. */
export interface RefundFacts {
  invoice: Invoice
  company: Payer
  billing: Billing
}

/**
 * The money of a paid invoice went back, all of it: its company gives back the time that it bought, once. What is still
 * to be paid goes along.
 * @returns null when it was not paid
 */
export function refundInvoice(
  { invoice, company, billing }: RefundFacts,
  now: Date,
): { decision: ServerDecision; refund: Refund } | null {
  const refunded = invoiceChange(invoice, { type: 'refund' }, now)
  if (!refunded) return null
  const refund: Refund = { companyId: company.id, invoiceId: invoice.id }
  const back = refundedUntil(company, invoice, now)
  if (!back) return { decision: refunded, refund }
  // Its due date may be billed again.
  const taken = billing.taken.filter(({ id }) => id !== invoice.id)
  const { decision } = followDueDate({ ...billing, company, taken }, back.dueDate, now)
  return {
    decision: together(refunded, decision, { ...nothing, subscription: { ...back, updatedAt: now } }),
    refund: { ...refund, dueDate: back.dueDate },
  }
}

/** What a service says of a charge. */
export interface Told {
  paidCents: number
  returningCents: number
}

/**
 * What follows from money that a service tells of: it pays its invoice, it waits for the operator, or it went back. All
 * of it: the invoice is not paid any longer. A part: that is between the operator and the company.
 */
export function moneyReported(
  { charge, ...facts }: RefundFacts & { charge: Charge; charges: readonly Charge[] },
  told: Told,
  now: Date,
): { decision: ServerDecision; renewal?: Renewal; refund?: Refund; isOdd: boolean } {
  const { invoice, company } = facts
  const event = { type: 'told', ...told, settles: invoice.status === 'open' } as const
  const { status } = chargeAfter(charge, event, now)
  const change = chargeChange(charge, event, now)
  if (status === 'returned') {
    const isGone = told.paidCents + told.returningCents === 0
    const refunded = isGone ? refundInvoice(facts, now) : null
    const refund = refunded?.refund ?? { companyId: company.id, invoiceId: invoice.id }
    return { decision: together(change, refunded?.decision ?? nothing), refund, isOdd: true }
  }
  if (status !== 'paid' || charge.status === 'paid')
    return { decision: change, isOdd: status === 'short' || (status === 'surplus' && charge.status !== 'surplus') }
  const paid = payInvoice(facts, charge.provider, now, charge)
  return { decision: together(change, paid?.decision ?? nothing), isOdd: false, ...(paid && { renewal: paid.renewal }) }
}

// ── what is still to be paid ─────────────────────────────────────────────────────────────────

/** It is not to be paid. The due date stays billed. Null where it was settled. */
export function cancelInvoice(
  { invoice, charges, company }: Billed & { company: Pick<Company, 'id' | 'name'> },
  now: Date,
): ServerDecision | null {
  const cancelled = invoiceChange(invoice, { type: 'cancel' }, now)
  return cancelled && together(cancelled, endCharges(charges, company, now))
}

/** What a company has still to pay, and which due dates are billed. */
export interface Billing {
  open: readonly Billed[]
  /** All of its invoices but those that were refunded. */
  taken: readonly Pick<Invoice, 'id' | 'dueDate'>[]
}

/**
 * What was to be paid for the time after a company's due date, when that date moves. Time that was given whole is not
 * billed as well: its invoice is cancelled, and money that comes for it is told to the operator. An invoice that is
 * still to be paid goes along, so that no second one is made for the same months.
 * @param dueDate null: it is never due again
 */
export function followDueDate(
  { open, taken, company }: Billing & { company: Pick<Company, 'id' | 'name' | 'dueDay'> },
  dueDate: string | null,
  now: Date,
): { decision: ServerDecision; isChanged: boolean } {
  const dates = new Map(taken.map(({ id, dueDate: date }) => [id, date]))
  const decisions = open
    .toSorted((a, b) => (a.invoice.dueDate < b.invoice.dueDate ? 1 : -1))
    .flatMap(({ invoice, charges }) => {
      if (dueDate === null || dueDate >= nextDueDate(invoice.dueDate, invoice.months, company.dueDay))
        return cancelInvoice({ invoice, charges, company }, now) ?? []
      if ([...dates.values()].includes(dueDate)) return []
      dates.set(invoice.id, dueDate)
      return invoiceChange(invoice, { type: 'redate', dueDate }, now) ?? []
    })
  return { decision: together(...decisions), isChanged: decisions.length > 0 }
}

/**
 * What is not paid yet costs what the plan costs now, and is called as it is. Charges of another price are taken back:
 * the next payment makes new ones. What costs nothing any more is not to be paid.
 * @param charges all of the invoice
 */
export function followPrice(
  { invoice, charges, company }: Billed & { company: Pick<Company, 'id' | 'name'> },
  price: Pick<Invoice, 'detail' | 'value' | 'months'> | null,
  now: Date,
): ServerDecision {
  if (price) {
    const repriced = invoiceChange(invoice, { type: 'reprice', price }, now) ?? nothing
    const isAsBefore = price.value === invoice.value && price.months === invoice.months
    return isAsBefore ? repriced : together(repriced, endCharges(charges, company, now))
  }
  // Without a trace where nobody has begun to pay: the due date is billed when there is a price again.
  if (charges.length === 0 && invoice.status === 'open')
    return { rows: [{ table: 'invoices', op: 'delete', ids: [invoice.id] }], effects: [] }
  return cancelInvoice({ invoice, charges, company }, now) ?? nothing
}

/**
 * A company is to go: nothing of what it owes can be paid any more, and what may have been paid in the last moment is
 * asked about once more.
 * @param charges all of the company that are open, or ended
 */
export function endBilling(
  open: readonly Invoice[],
  charges: readonly Charge[],
  company: Pick<Company, 'id' | 'name'>,
  now: Date,
): ServerDecision {
  const ended = endCharges(charges, company, now)
  const known = new Set(ended.operatorEffects?.map((effect) => ('ref' in effect ? effect.ref : '')))
  const unsure = charges.filter(({ checkAt, ref }) => checkAt !== null && !known.has(ref))
  return together(...open.map((invoice) => invoiceChange(invoice, { type: 'cancel' }, now) ?? nothing), ended, {
    ...nothing,
    operatorEffects: takeBacks(unsure, company, now),
  })
}

// ── beginnings ───────────────────────────────────────────────────────────────────────────────

/** The invoice that a company is due now, under an id that was reserved for it; null where none is. */
export function billDue(
  company: Parameters<typeof invoiceDue>[0],
  plan: Parameters<typeof invoiceDue>[1],
  now: Date,
): ((id: number) => ServerDecision) | null {
  const due = invoiceDue(company, plan, now)
  if (!due) return null
  const row = { ...due, companyId: company.id, status: 'open' as const, createdAt: now, updatedAt: now }
  return (id) => ({ rows: [{ table: 'invoices', op: 'insert', values: { ...row, id } }], effects: [] })
}

/** A charge that runs out sooner than this is not shown to anybody any more. */
const LEAST_MS = 60_000

/** How an invoice is to be paid now. */
export interface Asking {
  /** Reserved for a new charge. */
  id: number
  ref: string
  provider: Charge['provider']
  /** What is pasted, where no service makes it. */
  ownCode: string | null
}

/** The charge by which an open invoice is paid: the one that is open and still good, or a new one in its place. */
export function askForPayment(
  { invoice, charges, company }: Billed & { company: Pick<Company, 'id' | 'name'> },
  { id, ref, provider, ownCode }: Asking,
  now: Date,
): { decision: ServerDecision; charge: Charge } {
  const open = charges.find(({ status }) => status === 'open')
  const isGood =
    open?.provider === provider &&
    open.value === invoice.value &&
    open.months === invoice.months &&
    (open.expiresAt === null || open.expiresAt.getTime() > now.getTime() + LEAST_MS)
  if (open && isGood && (ownCode === null || open.copyPaste === ownCode)) return { decision: nothing, charge: open }
  const charge: Charge = {
    ...{ id, companyId: invoice.companyId, invoiceId: invoice.id, provider, ref, copyPaste: ownCode },
    ...{ value: invoice.value, months: invoice.months, status: 'open', paidValue: null, expiresAt: null, checks: 0 },
    // An answer that is lost, and a charge that is paid all the same, are found out about.
    checkAt: ownCode === null ? checkUnmade(now) : null,
    createdAt: now,
    updatedAt: now,
  }
  return {
    decision: together(endCharges(charges, company, now), {
      ...nothing,
      rows: [{ table: 'charges', op: 'insert', values: charge }],
    }),
    charge,
  }
}
