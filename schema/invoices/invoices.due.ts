import { DAY_MS } from '../durations.ts'
import { dueDayOf, isDayOf, monthsOf, nextDueDate } from '../companies/companies.due.ts'
import { dayIn, OPERATOR_COMPANY_ID, type Subscription } from '../companies/companies.subscription.ts'
import type { Company } from '../companies/companies.table.ts'
import type { Invoice } from './invoices.table.ts'

/** An invoice is made when fewer days than this are left. */
export const BILLED_BEFORE_DAYS = 20

/** Whole days from one day to another, both `YYYY-MM-DD`. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)

/**
 * What a company is billed now for its due date, or null where nothing is due: it has no end or no price, it is the
 * operator's own, it was switched off, or there is time. The database sees to it that each due date is billed once.
 */
export function invoiceDue(
  company: Subscription & Pick<Company, 'recurrence'>,
  plan: { name: string; value: string } | null,
  now: Date,
): Pick<Invoice, 'detail' | 'value' | 'dueDate' | 'months'> | null {
  const { dueDate, recurrence } = company
  if (company.id === OPERATOR_COMPANY_ID || !company.status || dueDate === null || plan === null) return null
  if (daysBetween(dayIn(company.timeZone, now), dueDate) >= BILLED_BEFORE_DAYS) return null
  const price = priceOf(plan, recurrence)
  return price && { ...price, dueDate }
}

/** What a company pays for at once, and how much; null for nothing. */
export function priceOf(
  plan: { name: string; value: string },
  recurrence: Company['recurrence'],
): Pick<Invoice, 'detail' | 'value' | 'months'> | null {
  const months = monthsOf[recurrence]
  const cents = centsOf(plan.value) * months
  return cents === 0 ? null : { detail: plan.name, value: moneyOf(cents), months }
}

/**
 * Until when a company may work after it has paid. Paid in time, the months follow the day that was due; paid later,
 * they begin today: for the days between it could not work.
 */
export function renewedUntil(
  company: Pick<Company, 'dueDate' | 'dueDay' | 'timeZone'>,
  months: number,
  now: Date,
): { dueDate: string; dueDay: number } {
  const today = dayIn(company.timeZone, now)
  const inTime = company.dueDate !== null && company.dueDate >= today
  const from = inTime ? company.dueDate! : today
  const dueDay = dueDayOf(from, inTime ? company.dueDay : null)
  return { dueDate: nextDueDate(from, months, dueDay), dueDay }
}

/** Days that a company has at least when a payment went back: nobody is locked out before they were told. */
export const REFUND_GRACE_DAYS = 3

/**
 * Until when a company may work after an invoice was refunded: as before it was paid. What has changed since, a later
 * payment or the operator's word, counts more, and is left alone.
 * @returns undefined where nothing changes
 */
export function refundedUntil(
  company: Pick<Company, 'dueDate' | 'dueDay' | 'timeZone'>,
  { boughtFrom, boughtUntil }: Pick<Invoice, 'boughtFrom' | 'boughtUntil'>,
  now: Date,
): (Pick<Company, 'dueDay'> & { dueDate: string }) | undefined {
  if (boughtUntil === null || company.dueDate !== boughtUntil) return undefined
  const least = dayLater(dayIn(company.timeZone, now), REFUND_GRACE_DAYS)
  const dueDate = boughtFrom !== null && boughtFrom > least ? boughtFrom : least
  if (dueDate >= boughtUntil) return undefined
  const keepsDay = dueDate === boughtFrom && company.dueDay !== null && isDayOf(dueDate, company.dueDay)
  return { dueDate, dueDay: keepsDay ? company.dueDay : null }
}

/** @param day `YYYY-MM-DD` */
const dayLater = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** How an invoice is shown. @param today `YYYY-MM-DD` */
export function invoiceState(
  { status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>,
  today: string,
): 'open' | 'overdue' | 'paid' | 'cancelled' | 'refunded' {
  if (status !== 'open') return status
  return dueDate < today ? 'overdue' : 'open'
}

/** Cents of `99.90`, as the database keeps money. */
export const centsOf = (value: string): number => Math.round(Number(value) * 100)

/** `99.90` of 9990. */
export const moneyOf = (cents: number): string => (cents / 100).toFixed(2)
