import { dayIn, OPERATOR_COMPANY_ID, type Subscription } from '../companies/companies.subscription.ts'
import { wallOf } from '../wall.ts'
import { daysBetween } from './invoices.due.ts'

/** So many days before a company's last day its admins are told. */
export const noticeDays = [1, 3, 7] as const

/** Nobody is written to at night. */
const FROM_HOUR = 8
const TO_HOUR = 21

/** Whole days that a company has left, by its own calendar: 0 on its last one. */
export const daysLeftOf = ({ dueDate, timeZone }: { dueDate: string; timeZone: string }, now: Date): number =>
  daysBetween(dayIn(timeZone, now), dueDate)

/**
 * Which notice a company's admins should have had by now: a server that was off on the day sends it later, and never two
 * at once. Null where there is time yet, or none left; at night; and of who does not pay.
 */
export function noticeOf(company: Subscription, now: Date): (typeof noticeDays)[number] | null {
  const { dueDate, timeZone } = company
  if (company.id === OPERATOR_COMPANY_ID || !company.status || dueDate === null) return null
  const hour = Number(wallOf(now, timeZone).hour)
  if (hour < FROM_HOUR || hour >= TO_HOUR) return null
  const left = daysLeftOf({ dueDate, timeZone }, now)
  return left < 1 ? null : (noticeDays.find((days) => left <= days) ?? null)
}
