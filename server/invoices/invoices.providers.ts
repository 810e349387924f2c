import type { PaymentProviderName } from '../../schema/invoices/invoices.table.ts'
import type { Account } from './invoices.account.ts'
import type { CallDeps } from './invoices.call.ts'
import { asaasPayments } from './invoices.asaas.ts'
import { efi } from './invoices.efi.ts'
import type { PaymentProvider } from './invoices.port.ts'

/** The service that a charge was made with; null for the operator's own key, which nobody can ask. */
export function providerFor(deps: CallDeps) {
  return (name: PaymentProviderName, account: Account): PaymentProvider | null => {
    if (name === 'efi') return efi(deps, account)
    return name === 'asaas' ? asaasPayments(deps, account) : null
  }
}
