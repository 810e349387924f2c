import { useLingui } from '@lingui/react/macro'
import type { invoiceState } from '../../schema/invoices/invoices.due.ts'
import type { PaymentAccountInput } from '../../schema/invoices/invoices.inputs.ts'
import type { PaymentProviderName } from '../../schema/invoices/invoices.table.ts'
import { moneyText } from '../i18n/money.ts'

/** How an invoice stands; one that is open may be overdue. */
export type InvoiceState = ReturnType<typeof invoiceState>

export function useInvoiceStateNames(): Record<InvoiceState, string> {
  const { t } = useLingui()
  return {
    open: t`Em Aberto`,
    overdue: t`Vencido`,
    paid: t`Pago`,
    cancelled: t`Cancelado`,
    refunded: t`Devolvido`,
  }
}

/** Amounts are in reais, written as the person's language writes money. */
export function useMoney(): (value: string) => string {
  const { i18n } = useLingui()
  return (value) => moneyText(i18n.locale, value)
}

/** What the ways to be paid are called, in every language. */
export const paymentServices: Record<PaymentProviderName, string> = { pix: 'Pix', efi: 'Efí', asaas: 'Asaas' }

/** What each field of the account is called that companies pay to. */
export function usePaymentAccountWords(): Record<keyof PaymentAccountInput, string> {
  const { t } = useLingui()
  return {
    provider: t`Receber por`,
    pixKey: t`Chave Pix`,
    pixName: t`Nome de quem recebe`,
    pixCity: t`Cidade`,
    efiClientId: t`Client ID`,
    efiClientSecret: t`Client secret`,
    efiCertificate: t`Certificado e chave (PEM)`,
    efiBaseUrl: t`Endereço da API`,
    asaasKey: t`Chave da API`,
    asaasBaseUrl: t`Endereço da API`,
  }
}
