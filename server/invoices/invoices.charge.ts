import { and, eq, isNull } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { documentOf } from '../../schema/documents.ts'
import { DomainError } from '../../schema/errors.ts'
import { askForPayment } from '../../schema/invoices/invoices.decide.ts'
import { centsOf } from '../../schema/invoices/invoices.due.ts'
import type { PayerInput } from '../../schema/invoices/invoices.inputs.ts'
import { brCode } from '../../schema/invoices/invoices.pix.ts'
import { charges, type Invoice, invoices } from '../../schema/invoices/invoices.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Logger } from '../log.ts'
import { type Account, readAccount } from './invoices.account.ts'
import { changeCharges } from './invoices.ask.ts'
import { PaymentFailed } from './invoices.call.ts'
import type { PaymentDeps } from './invoices.port.ts'
import { lockInvoice, openChargesOf, reserveChargeId } from './invoices.facts.ts'

/**
 * A charge by which a company may pay an invoice: the open one, or a new one.
 * @throws DomainError `ERR_NO_PAYMENT`, `ERR_NO_INVOICE_FOUND`, `ERR_INVOICE_SETTLED`, `ERR_PAYMENT_FIELD`, `ERR_PAYMENT_PROVIDER`
 */
export async function chargeInvoice(deps: PaymentDeps, companyId: number, invoiceId: number, payer: PayerInput) {
  const { db, sealer, now, log } = deps
  const settings = await readAccount(db, sealer)
  if (!settings) throw new DomainError('ERR_NO_PAYMENT')
  const provider = deps.providerOf(settings.provider, settings)
  const document = documentOf(payer.document)
  if ((payer.document !== '' || provider?.asksDocument) && !document)
    throw new DomainError('ERR_PAYMENT_FIELD', { field: 'document' })

  const begun = await db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, and(eq(invoices.companyId, companyId), eq(invoices.id, invoiceId)))
    if (!invoice) throw new DomainError('ERR_NO_INVOICE_FOUND')
    if (invoice.status !== 'open') throw new DomainError('ERR_INVOICE_SETTLED')
    const [company] = await tx
      .update(companies)
      .set({
        billingName: payer.firstName.trim(),
        billingDocument: document?.value ?? '',
        addressStreet: payer.address2.trim(),
        addressDistrict: payer.district.trim(),
        addressCity: payer.city.trim(),
        addressState: payer.state.trim(),
        addressZipCode: payer.zipcode.trim(),
        addressCountry: payer.country,
        updatedAt: now(),
      })
      .where(and(eq(companies.id, companyId), isNull(companies.removal)))
      .returning({
        ...{ id: companies.id, name: companies.name },
        ...{ email: companies.email, billingName: companies.billingName },
      })
    if (!company) throw new DomainError('ERR_INVOICE_SETTLED')
    const asking = {
      id: await reserveChargeId(tx),
      ref: crypto.randomUUID().replaceAll('-', ''),
      provider: settings.provider,
      ownCode: provider ? null : staticCode(settings, invoice),
    }
    const open = await openChargesOf(tx, invoiceId)
    const asked = askForPayment({ invoice, charges: open, company }, asking, now())
    await applyDecision(tx, companyId, asked.decision)
    return { invoice, company, row: asked.charge }
  })

  const { invoice, company, row } = begun
  if (!provider || row.copyPaste !== null) return { invoice, charge: row }
  const { undo, ...made } = await provider
    .create({
      ref: row.ref,
      cents: centsOf(row.value),
      description: `${invoice.detail} #${invoice.id}`,
      dueDate: invoice.dueDate,
      payer: { name: company.billingName, document: document?.value ?? '', email: company.email },
    })
    .catch((error: unknown) => {
      throw failureOf(log, error, invoiceId)
    })
  const [ready] = await changeCharges(
    deps,
    and(eq(charges.id, row.id), eq(charges.status, 'open'), isNull(charges.copyPaste)),
    {
      type: 'made',
      ...made,
    },
  )
  if (ready) return { invoice, charge: ready }
  // Another tab, or server, was quicker: nobody is to pay both.
  await undo?.().catch((err: unknown) => log.warn({ err, invoiceId }, 'a second payment stays at the service'))
  const [first] = await db.select().from(charges).where(eq(charges.id, row.id))
  if (first?.status === 'open') return { invoice, charge: first }
  // It was paid or cancelled in this moment.
  throw new DomainError('ERR_INVOICE_SETTLED')
}

function failureOf(log: Logger, error: unknown, invoiceId: number): unknown {
  if (!(error instanceof PaymentFailed)) return error
  log.warn({ err: error, invoiceId }, 'a payment service gave no charge')
  return new DomainError('ERR_PAYMENT_PROVIDER', { why: error.why })
}

/** The operator's own key, with the number of the invoice to find the money by. */
const staticCode = (account: Account, { id, value }: Pick<Invoice, 'id' | 'value'>): string =>
  brCode({ key: account.pixKey, name: account.pixName, city: account.pixCity }, value, `FATURA${id}`)
