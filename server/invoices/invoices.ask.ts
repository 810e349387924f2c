import { asc, eq, inArray, lte, type SQL } from 'drizzle-orm'
import { together } from '../../schema/command.ts'
import { type ChargeEvent, isLastAsk } from '../../schema/invoices/charges.transition.ts'
import { chargeChange, moneyReported } from '../../schema/invoices/invoices.decide.ts'
import { type Charge, charges, invoices } from '../../schema/invoices/invoices.table.ts'
import { applyDecision } from '../commands/apply.ts'
import { type Account, readAccount } from './invoices.account.ts'
import { billingOf, lockCharges, lockFreeCharges, lockInvoice, lockPayer } from './invoices.facts.ts'
import type { ChargeState, PaymentDeps } from './invoices.port.ts'
import { notifyRefund, notifyRenewal } from './invoices.notify.ts'

/** Asked about at once by the clock. */
const AT_ONCE = 50

/**
 * Locks charges, has their table say what becomes of them, and writes that.
 * @returns those that have changed, as they are then
 */
export const changeCharges = (
  { db, now }: Pick<PaymentDeps, 'db' | 'now'>,
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

/**
 * Asks a provider about one charge and does what follows.
 * @returns what is paid on a charge that went with its company meanwhile; undefined for any other
 */
export async function askAbout(deps: PaymentDeps, row: Charge, settings: Account): Promise<ChargeState | undefined> {
  const { db, now, log } = deps
  const provider = deps.providerOf(row.provider, settings)
  if (!provider) return undefined
  const report = await provider.status(row.ref)
  if (report.state === 'open') return undefined
  if (report.state === 'ended') {
    await changeCharges(deps, eq(charges.id, row.id), { type: 'gone' })
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
    const done = moneyReported({ invoice, charge, charges: open, company, billing }, report, now())
    await applyDecision(tx, company.id, done.decision)
    if (done.isOdd) log.warn({ invoiceId: invoice.id, ...report }, 'money came that settles no invoice, or went back')
    return done
  })
  if (!outcome) return report
  if (outcome.renewal) await notifyRenewal(deps, outcome.renewal)
  if (outcome.refund) await notifyRefund(deps, outcome.refund)
  return undefined
}

/** Asks about the charges whose time has come. */
export async function checkDue(deps: PaymentDeps): Promise<void> {
  const { db, sealer, now, log } = deps
  const settings = await readAccount(db, sealer)
  if (!settings) return
  const last = new Set<number>()
  const due = await changeCharges(
    deps,
    lte(charges.checkAt, now()),
    (charge) => {
      if (isLastAsk(charge, now())) last.add(charge.id)
      return { type: 'ask' }
    },
    false,
  )
  for (const row of due)
    try {
      await askAbout(deps, row, settings)
      if (last.has(row.id) && row.checkAt !== null)
        await changeCharges(deps, eq(charges.id, row.id), { type: 'asked', checkAt: row.checkAt })
    } catch (err) {
      log.warn({ err, charge: row.id }, 'a payment could not be asked about; it will be asked again')
    }
}
