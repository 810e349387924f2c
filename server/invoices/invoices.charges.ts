import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, ne, type SQL } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { together } from '../../schema/command.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { DomainError } from '../../schema/errors.ts'
import { type ChargeEvent, isLastAsk } from '../../schema/invoices/charges.transition.ts'
import {
  askForPayment,
  chargeChange,
  moneyTold,
  type Refund,
  type Renewal,
} from '../../schema/invoices/invoices.decide.ts'
import { centsOf, moneyOf } from '../../schema/invoices/invoices.due.ts'
import type { PayerInput } from '../../schema/invoices/invoices.inputs.ts'
import { brCode } from '../../schema/invoices/invoices.pix.ts'
import { type Charge, charges, type Invoice, invoices } from '../../schema/invoices/invoices.table.ts'
import { documentOf } from '../../schema/documents.ts'
import { users } from '../../schema/users/users.table.ts'
import { audit } from '../audit/audit.changes.ts'
import { isNoted } from '../audit/audit.queries.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { NotNow } from '../jobs/worker.ts'
import type { Logger } from '../log.ts'
import type { Sealer } from '../seal.ts'
import { type Account, readAccount, refusedFields } from './invoices.account.ts'
import { PaymentFailed } from './invoices.call.ts'
import { billSoon, invoicesChanged } from './invoices.due.ts'
import type { ChargeState, PaymentProvider } from './invoices.port.ts'
import {
  billingOf,
  lockCharges,
  lockFreeCharges,
  lockInvoice,
  lockPayer,
  openChargesOf,
  reserveChargeId,
} from './invoices.facts.ts'
import { cancel, pay, refund } from './invoices.settle.ts'

export interface PaymentDeps {
  db: Db
  now(): Date
  sealer: Sealer
  events: Pick<Events, 'emit'>
  log: Logger
  /** The service that an account names; null for the operator's own key, which nobody can ask. */
  providerOf(name: Charge['provider'], account: Account): PaymentProvider | null
  /** What was decided by the old due date of a company counts no more. */
  renewed(companyId: number, userIds: readonly number[]): void
}

/** Asked about at once by the clock. */
const AT_ONCE = 50
/** So long after its end a charge may still appear at its service. */
const IN_THE_MAKING_MS = 5 * 60_000
/** So long a service that does not answer, or refuses, is asked again to take a charge back. */
const TRYING_MS = 30 * 86_400_000
const AGAIN_MS = 15 * 60_000

type TakeBack = Extract<Effect, { kind: 'invoices.takeBack' }>

export type Payments = ReturnType<typeof createPayments>

/** Charges of invoices, and what becomes of them. */
export function createPayments(deps: PaymentDeps) {
  const { db, now, sealer, events, log } = deps
  const account = () => readAccount(db, sealer)

  /**
   * A charge by which a company may pay an invoice: the open one, or a new one.
   * @throws DomainError `ERR_NO_PAYMENT`, `ERR_NO_INVOICE_FOUND`, `ERR_INVOICE_SETTLED`, `ERR_PAYMENT_FIELD`, `ERR_PAYMENT_PROVIDER`
   */
  async function charge(companyId: number, invoiceId: number, payer: PayerInput) {
    const settings = await account()
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
        throw failureOf(error, invoiceId)
      })
    const [ready] = await change(and(eq(charges.id, row.id), eq(charges.status, 'open'), isNull(charges.copyPaste)), {
      type: 'made',
      ...made,
    })
    if (ready) return { invoice, charge: ready }
    // Another tab, or server, was quicker: nobody is to pay both.
    await undo?.().catch((err: unknown) => log.warn({ err, invoiceId }, 'a second payment stays at the service'))
    const [first] = await db.select().from(charges).where(eq(charges.id, row.id))
    if (first?.status === 'open') return { invoice, charge: first }
    // It was paid or cancelled in this moment.
    throw new DomainError('ERR_INVOICE_SETTLED')
  }

  /**
   * Locks charges, has their table say what becomes of them, and writes that.
   * @returns those that have changed, as they are then
   */
  const change = (
    which: SQL | undefined,
    event: ChargeEvent | ((charge: Charge) => ChargeEvent),
    waits = true,
  ): Promise<Charge[]> =>
    db.transaction(async (tx) => {
      const found = waits ? await lockCharges(tx, which) : await lockFreeCharges(tx, which, AT_ONCE)
      const changed = found.flatMap((charge) => {
        const decision = chargeChange(charge, typeof event === 'function' ? event(charge) : event, now())
        return decision.rows.length > 0 ? [{ charge, decision }] : []
      })
      for (const [companyId, some] of Map.groupBy(changed, ({ charge }) => charge.companyId))
        await applyDecision(tx, companyId, together(...some.map(({ decision }) => decision)))
      const ids = changed.map(({ charge }) => charge.id)
      return ids.length > 0 ? tx.select().from(charges).where(inArray(charges.id, ids)).orderBy(asc(charges.id)) : []
    })

  function failureOf(error: unknown, invoiceId: number): unknown {
    if (!(error instanceof PaymentFailed)) return error
    log.warn({ err: error, invoiceId }, 'a payment service gave no charge')
    return new DomainError('ERR_PAYMENT_PROVIDER', { why: error.why })
  }

  /**
   * Asks a provider about one charge and does what follows.
   * @returns what is paid on a charge that went with its company meanwhile; undefined for any other
   */
  async function ask(row: Charge, settings: Account): Promise<ChargeState | undefined> {
    const provider = deps.providerOf(row.provider, settings)
    if (!provider) return undefined
    const told = await provider.status(row.ref)
    if (told.state === 'open') return undefined
    if (told.state === 'ended') {
      await change(eq(charges.id, row.id), { type: 'gone' })
      return undefined
    }
    const outcome = await db.transaction(async (tx) => {
      // The invoice first: whoever pays, or asks for a charge, locks in this order, too.
      const invoice = await lockInvoice(tx, eq(invoices.id, row.invoiceId))
      const billing = await billingOf(tx, row.companyId)
      const [charge] = await lockCharges(tx, eq(charges.id, row.id))
      if (!invoice || !charge) return undefined
      const open = billing.open.find((one) => one.invoice.id === invoice.id)?.charges ?? []
      const company = await lockPayer(tx, invoice.companyId)
      const done = moneyTold({ invoice, charge, charges: open, company, billing }, told, now())
      await applyDecision(tx, company.id, done.decision)
      if (done.isOdd) log.warn({ invoiceId: invoice.id, ...told }, 'money came that settles no invoice, or went back')
      return done
    })
    if (!outcome) return told
    if (outcome.renewal) await tell(outcome.renewal)
    if (outcome.refund) await tellRefund(outcome.refund)
    return undefined
  }

  /** The company reads of it where it reads of its invoices, and by the notices that come before its last day. */
  async function tellRefund({ companyId, dueDate }: Refund): Promise<void> {
    if (dueDate !== undefined) {
      await forget(companyId)
      await billSoon({ db, events, now, log }, companyId)
    }
    invoicesChanged(events, companyId)
    events.emit({
      companyId: OPERATOR_COMPANY_ID,
      name: 'company',
      action: 'update',
      payload: { company: { id: companyId } },
      audience: { operators: true },
    })
  }

  /** What was decided by the due date that a company had. */
  async function forget(companyId: number): Promise<void> {
    const people = await db.select({ id: users.id }).from(users).where(eq(users.companyId, companyId))
    deps.renewed(
      companyId,
      people.map(({ id }) => id),
    )
  }

  /** Everybody of the company works again, at once, and its admins hear why. */
  async function tell({ companyId, invoiceId, dueDate }: Renewal): Promise<void> {
    await forget(companyId)
    events.emit({
      companyId,
      name: 'payment',
      action: 'CONCLUIDA',
      payload: { company: { id: companyId, dueDate }, invoice: { id: invoiceId } },
    })
  }

  /** Asks about the charges whose time has come. */
  async function checkDue(): Promise<void> {
    const settings = await account()
    if (!settings) return
    const last = new Set<number>()
    const due = await change(
      lte(charges.checkAt, now()),
      (charge) => {
        if (isLastAsk(charge, now())) last.add(charge.id)
        return { type: 'ask' }
      },
      false,
    )
    for (const row of due)
      try {
        await ask(row, settings)
        if (last.has(row.id) && row.checkAt !== null)
          await change(eq(charges.id, row.id), { type: 'asked', checkAt: row.checkAt })
      } catch (err) {
        log.warn({ err, charge: row.id }, 'a payment could not be asked about; it will be asked again')
      }
  }

  /**
   * Has a service take back what nobody is to pay any more. What it has no charge for may be in the making: our question
   * and its answer cross. What was paid all the same is settled as ever; where its company is gone, the operator's log
   * keeps it.
   */
  async function takeBack({ provider: name, ref, invoiceId, value, company, endedAt }: TakeBack): Promise<void> {
    const settings = await account()
    const provider = settings && deps.providerOf(name, settings)
    if (!settings || !provider) return
    const age = now().getTime() - Date.parse(endedAt)
    const outcome = await provider.takeBack(ref).catch((error: unknown) => {
      // A service that is down for an hour would leave it payable for good, and nobody asks about a company that is gone.
      if (error instanceof PaymentFailed && age < TRYING_MS) throw new NotNow(error.message, AGAIN_MS)
      throw error
    })
    if (outcome === 'unknown' && age < IN_THE_MAKING_MS) throw new NotNow('the charge may be in the making', 30_000)
    if (outcome !== 'paid') {
      await change(eq(charges.ref, ref), { type: 'takenBack' })
      return
    }
    const [row] = await db.select().from(charges).where(eq(charges.ref, ref))
    const told = row ? await ask(row, settings) : await provider.status(ref)
    if (!told) return
    // Begun again after a crash, it is written down already.
    if (await isNoted(db, { companyId: OPERATOR_COMPANY_ID, entity: 'invoice', id: invoiceId, facts: { ref } })) return
    const { paidCents } = told
    log.warn({ company, ref, paidCents }, 'money came from a company that is gone')
    await audit(db, {
      companyId: OPERATOR_COMPANY_ID,
      action: 'refused',
      entity: 'invoice',
      id: invoiceId,
      facts: { company, provider: name, ref, value, paidValue: moneyOf(paidCents) },
    })
  }

  /** One after the other: a call that comes meanwhile looks once more when this one is done. */
  let looking: Promise<void> = Promise.resolve()
  const check = (): Promise<void> => (looking = looking.then(checkDue, checkDue))

  return {
    account,
    charge,
    check,
    takeBack,
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
        throw new DomainError('ERR_PAYMENT_PROVIDER', { why: error.why, heard: error.heard, fields })
      }
    },
    /**
     * The account is another one, or has other keys: it is asked whether it knows the codes that are shown. Those that it
     * does not know make room for new ones, and what was paid at the last moment is seen.
     */
    async accountChanged(): Promise<void> {
      // One that is being made is asked about when it is there.
      await change(and(eq(charges.status, 'open'), ne(charges.provider, 'pix'), isNotNull(charges.copyPaste)), {
        type: 'hear',
      })
    },
    /** Somebody says that these charges were paid, or that their money went back: that is asked, and only that. */
    async heard(refs: readonly string[]): Promise<void> {
      if (refs.length === 0) return
      await change(and(inArray(charges.ref, [...refs]), ne(charges.provider, 'pix')), { type: 'hear' })
    },
    /**
     * The operator has seen the money.
     * @throws DomainError `ERR_INVOICE_SETTLED`
     */
    async markPaid(invoiceId: number): Promise<Renewal> {
      const renewal = await db.transaction((tx) => pay(tx, invoiceId, 'operator', now()))
      if (!renewal) throw new DomainError('ERR_INVOICE_SETTLED')
      await tell(renewal)
      return renewal
    },
    /**
     * The operator has given the money back.
     * @throws DomainError `ERR_INVOICE_SETTLED` when it was not paid
     */
    async markRefunded(invoiceId: number): Promise<void> {
      const refunded = await db.transaction((tx) => refund(tx, invoiceId, now()))
      if (!refunded) throw new DomainError('ERR_INVOICE_SETTLED')
      await tellRefund(refunded)
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

/** The operator's own key, with the number of the invoice to find the money by. */
const staticCode = (account: Account, { id, value }: Pick<Invoice, 'id' | 'value'>): string =>
  brCode({ key: account.pixKey, name: account.pixName, city: account.pixCity }, value, `FATURA${id}`)
