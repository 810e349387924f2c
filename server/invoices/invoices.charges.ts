import { and, desc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import type { Renewal } from '../../schema/invoices/invoices.decide.ts'
import type { PayerInput } from '../../schema/invoices/invoices.inputs.ts'
import { type Charge, charges } from '../../schema/invoices/invoices.table.ts'
import { type Account, readAccount, refusedFields } from './invoices.account.ts'
import { changeCharges, checkDue } from './invoices.ask.ts'
import { PaymentFailed } from './invoices.call.ts'
import { chargeInvoice } from './invoices.charge.ts'
import type { PaymentDeps } from './invoices.port.ts'
import { cancel, pay, refund } from './invoices.settle.ts'
import { takeBack } from './invoices.take-back.ts'
import { notifyRefund, notifyRenewal } from './invoices.notify.ts'

export type Payments = ReturnType<typeof createPayments>

/** Charges of invoices, and what becomes of them. */
export function createPayments(deps: PaymentDeps) {
  const { db, now } = deps

  /** One after the other: a call that comes meanwhile looks once more when this one is done. */
  const checkOnce = () => checkDue(deps)
  let looking: Promise<void> = Promise.resolve()
  const check = (): Promise<void> => (looking = looking.then(checkOnce, checkOnce))

  return {
    account: () => readAccount(db, deps.sealer),
    charge: (companyId: number, invoiceId: number, payer: PayerInput) =>
      chargeInvoice(deps, companyId, invoiceId, payer),
    check,
    takeBack: (effect: Parameters<typeof takeBack>[1]) => takeBack(deps, effect),
    providerOf: deps.providerOf,
    /** Where the account's service calls us; null where it does not, or cannot. */
    webhookUrl(settings: Account, publicUrl: string | undefined): string | null {
      if (settings.provider === 'pix' || !publicUrl) return null
      const url = new URL(`/payments/${settings.provider}`, publicUrl)
      // Efí appends `/pix`, unless something stands there that takes it.
      if (settings.provider === 'efi') url.search = `?hmac=${settings.webhookSecret}&ignorar=`
      return url.href
    },
    /**
     * Whether the service takes the keys, before they are kept.
     * @returns whether it knows now where to call us
     * @throws DomainError `ERR_PAYMENT_PROVIDER`
     */
    async tryOut(settings: Account, publicUrl: string | undefined): Promise<boolean> {
      const provider = deps.providerOf(settings.provider, settings)
      if (!provider) return false
      const url = this.webhookUrl(settings, publicUrl)
      let took = false
      try {
        await provider.check()
        took = true
        if (!provider.subscribe || !url?.startsWith('https:')) return false
        await provider.subscribe(url)
        return true
      } catch (error) {
        if (!(error instanceof PaymentFailed)) throw error
        const fields = refusedFields(settings, error.why, took)
        throw new DomainError('ERR_PAYMENT_PROVIDER', { why: error.why, answer: error.answer, fields })
      }
    },
    /**
     * The account is another one, or has other keys: it is asked whether it knows the codes that are shown. Those that it
     * does not know make room for new ones, and what was paid at the last moment is seen.
     */
    async accountChanged(): Promise<void> {
      // One that is being made is asked about when it is there.
      await changeCharges(
        deps,
        and(eq(charges.status, 'open'), ne(charges.provider, 'pix'), isNotNull(charges.copyPaste)),
        {
          type: 'hear',
        },
      )
    },
    /** Somebody says that these charges were paid, or that their money went back: that is asked, and only that. */
    async notified(refs: readonly string[]): Promise<void> {
      if (refs.length === 0) return
      await changeCharges(deps, and(inArray(charges.ref, [...refs]), ne(charges.provider, 'pix')), { type: 'hear' })
    },
    /**
     * The operator has seen the money.
     * @throws DomainError `ERR_INVOICE_SETTLED`
     */
    async markPaid(invoiceId: number): Promise<Renewal> {
      const renewal = await db.transaction((tx) => pay(tx, invoiceId, 'operator', now()))
      if (!renewal) throw new DomainError('ERR_INVOICE_SETTLED')
      await notifyRenewal(deps, renewal)
      return renewal
    },
    /**
     * The operator has given the money back.
     * @throws DomainError `ERR_INVOICE_SETTLED` when it was not paid
     */
    async markRefunded(invoiceId: number): Promise<void> {
      const refunded = await db.transaction((tx) => refund(tx, invoiceId, now()))
      if (!refunded) throw new DomainError('ERR_INVOICE_SETTLED')
      await notifyRefund(deps, refunded)
    },
    /**
     * It is not to be paid. The due date stays billed: no second invoice is made for it.
     * @throws DomainError `ERR_INVOICE_SETTLED`
     */
    async cancel(invoiceId: number): Promise<void> {
      const done = await db.transaction((tx) => cancel(tx, invoiceId, now()))
      if (!done) throw new DomainError('ERR_INVOICE_SETTLED')
    },
    /** The charge by which an invoice is being paid. */
    async openCharge(invoiceId: number): Promise<Charge | undefined> {
      const [row] = await db
        .select()
        .from(charges)
        .where(and(eq(charges.invoiceId, invoiceId), eq(charges.status, 'open')))
        .orderBy(desc(charges.id))
        .limit(1)
      return row
    },
  }
}
