import { DomainError } from '../../schema/errors.ts'
import { standingOf, type Subscription } from '../../schema/companies/companies.subscription.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { liesIn } from '../outside/addresses.ts'
import type { Access } from './auth.queries.ts'

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

/**
 * @param address undefined where it does not count
 * @throws DomainError `ERR_IP_REFUSED`
 */
export function demandNetwork({ networks }: Pick<Access, 'networks'>, address: string | null | undefined): void {
  if (address === undefined || networks.length === 0) return
  if (address === null || !liesIn(networks, address)) throw new DomainError('ERR_IP_REFUSED')
}
