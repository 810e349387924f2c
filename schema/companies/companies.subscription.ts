import { DomainError } from '../errors.ts'
import { wallOf } from '../wall.ts'

/** The platform's own company: it holds the global settings and never expires. */
export const OPERATOR_COMPANY_ID = 1
/** What it is called until somebody names it. */
export const OPERATOR_COMPANY_NAME = 'Empresa 1'

/** Whether somebody runs the platform where they are: an operator in the operator's own company, which pays nothing to itself. */
export const runsPlatform = (who: { super: boolean; companyId: number }): boolean =>
  who.super && who.companyId === OPERATOR_COMPANY_ID

/** Today in a time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, now: Date): string {
  const { year, month, day } = wallOf(now, timeZone)
  return `${year}-${month}-${day}`
}

export interface Subscription {
  id: number
  /** False when the operator has switched the company off. */
  status: boolean
  /** `YYYY-MM-DD`, the last valid day; null never expires. */
  dueDate: string | null
  timeZone: string
}

/**
 * How a company stands: it may work to the end of its due date, in its own time zone; `over` after it, when its admins
 * may still see its invoices and pay; `off` when the operator has switched it off.
 */
export function standingOf(company: Subscription, now: Date): 'good' | 'over' | 'off' {
  if (company.id === OPERATOR_COMPANY_ID) return 'good'
  if (!company.status) return 'off'
  return company.dueDate === null || company.dueDate >= dayIn(company.timeZone, now) ? 'good' : 'over'
}

/** Whether it still tries for nothing: nobody has paid, and the operator has given it no other day. */
export const isOnTrial = ({ dueDate, trialUntil }: { dueDate: string | null; trialUntil: string | null }): boolean =>
  trialUntil !== null && dueDate === trialUntil

/**
 * What whoever asks in the name of a company that may not work is told. The one place that decides it: who was switched
 * off cannot pay, and an invoice would bring nothing back.
 */
export const standingRefusal = (company: Subscription, now: Date): DomainError =>
  standingOf(company, now) === 'off'
    ? new DomainError('ERR_COMPANY_OFF')
    : new DomainError('ERR_SUBSCRIPTION_EXPIRED', { dueDate: company.dueDate })

/** Whether the company may work. */
export const isSubscribed = (company: Subscription, now: Date): boolean => standingOf(company, now) === 'good'
