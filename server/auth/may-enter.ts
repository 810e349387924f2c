import { standingOf, type Subscription } from '../../schema/companies/companies.subscription.ts'
import { can, type Principal } from '../../schema/permissions.ts'

/** Whether a person comes in: when their company may work, and `toPay` also when its time is over and they administer it. */
export function mayEnter(
  who: Pick<Principal, 'super' | 'profile' | 'role'>,
  company: Subscription,
  now: Date,
  toPay = false,
): boolean {
  if (who.super) return true
  const standing = standingOf(company, now)
  return standing === 'good' || (toPay && standing === 'over' && can(who, 'invoices:pay'))
}
