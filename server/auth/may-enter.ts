import { DomainError } from '../../schema/errors.ts'
import { standingOf, standingRefusal, type Subscription } from '../../schema/companies/companies.subscription.ts'
import { can, type Principal, type Rights } from '../../schema/permissions.ts'
import { liesIn } from '../outside/addresses.ts'
import type { Access } from './auth.queries.ts'

/**
 * Why a person does not come in; null for whoever does: when their company may work, and `toPay` also when its time is
 * over and they administer it.
 */
export function refusalOf(
  who: Rights & Pick<Principal, 'super'>,
  company: Subscription,
  now: Date,
  toPay = false,
): DomainError | null {
  if (who.super) return null
  const standing = standingOf(company, now)
  if (standing === 'good' || (toPay && standing === 'over' && can(who, 'invoices:pay'))) return null
  return standingRefusal(company, now)
}

/**
 * @param address undefined where it does not count
 * @throws DomainError `ERR_IP_REFUSED`
 */
export function demandNetwork({ networks }: Pick<Access, 'networks'>, address: string | null | undefined): void {
  if (address === undefined || networks.length === 0) return
  if (address === null || !liesIn(networks, address)) throw new DomainError('ERR_IP_REFUSED')
}
