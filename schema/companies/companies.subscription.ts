import { wallOf } from '../wall.ts'

/** The platform's own company: it holds the global settings and never expires. */
export const OPERATOR_COMPANY_ID = 1

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

/** Whether the company may work: to the end of its due date, in its own time zone. */
export function isSubscribed(company: Subscription, now: Date): boolean {
  if (company.id === OPERATOR_COMPANY_ID) return true
  if (!company.status) return false
  return company.dueDate === null || company.dueDate >= dayIn(company.timeZone, now)
}
