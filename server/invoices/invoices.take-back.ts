import { DAY_MS } from '../../schema/durations.ts'
import { eq } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import type { Effect } from '../../schema/effects.ts'
import { moneyOf } from '../../schema/invoices/invoices.due.ts'
import { charges } from '../../schema/invoices/invoices.table.ts'
import { audit } from '../audit/audit.changes.ts'
import { isNoted } from '../audit/audit.queries.ts'
import { NotNow } from '../jobs/worker.ts'
import { readAccount } from './invoices.account.ts'
import { askAbout, changeCharges } from './invoices.ask.ts'
import { PaymentFailed } from './invoices.call.ts'
import type { PaymentDeps } from './invoices.port.ts'

/** So long after its end a charge may still appear at its service. */
const IN_THE_MAKING_MS = 5 * 60_000
/** So long a service that does not answer, or refuses, is asked again to take a charge back. */
const TRYING_MS = 30 * DAY_MS
const AGAIN_MS = 15 * 60_000

type TakeBack = Extract<Effect, { kind: 'invoices.takeBack' }>

/**
 * Has a service take back what nobody is to pay any more. What it has no charge for may be in the making: our question
 * and its answer cross. What was paid all the same is settled as ever; where its company is gone, the operator's log
 * keeps it.
 */
export async function takeBack(
  deps: PaymentDeps,
  { provider: name, ref, invoiceId, value, company, endedAt }: TakeBack,
): Promise<void> {
  const { db, sealer, now, log } = deps
  const settings = await readAccount(db, sealer)
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
    await changeCharges(deps, eq(charges.ref, ref), { type: 'takenBack' })
    return
  }
  const [row] = await db.select().from(charges).where(eq(charges.ref, ref))
  const report = row ? await askAbout(deps, row, settings) : await provider.status(ref)
  if (!report) return
  // Begun again after a crash, it is written down already.
  if (await isNoted(db, { companyId: OPERATOR_COMPANY_ID, entity: 'invoice', id: invoiceId, facts: { ref } })) return
  const { paidCents } = report
  log.warn({ company, ref, paidCents }, 'money came from a company that is gone')
  await audit(db, {
    companyId: OPERATOR_COMPANY_ID,
    action: 'refused',
    entity: 'invoice',
    id: invoiceId,
    facts: { company, provider: name, ref, value, paidValue: moneyOf(paidCents) },
  })
}
