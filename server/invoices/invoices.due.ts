import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, ne } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { billDue } from '../../schema/invoices/invoices.decide.ts'
import { BILLED_BEFORE_DAYS } from '../../schema/invoices/invoices.due.ts'
import { invoices } from '../../schema/invoices/invoices.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Logger } from '../log.ts'
import { reserveInvoiceIds } from './invoices.facts.ts'
import { reprice } from './invoices.settle.ts'

const AT_ONCE = 500

/**
 * Makes the invoices that are due and that nobody has made. Done twice, or on two servers at once, it makes them once.
 * @param companyId only of this company
 */
export async function makeDueInvoices(
  { db, events, now }: { db: Db; events: Pick<Events, 'emit'>; now: () => Date },
  companyId?: number,
): Promise<number> {
  const at = now()
  // Whoever changed a price while an invoice was made by the old one.
  if (companyId === undefined)
    for (const id of await db.transaction((tx) => reprice(tx, 'all', at))) invoicesChanged(events, id)
  // A day more than any time zone is ahead of ours.
  const latest = new Date(at.getTime() + (BILLED_BEFORE_DAYS + 1) * 86_400_000).toISOString().slice(0, 10)
  let made = 0
  for (let after = 0; ; ) {
    const rows = await db
      .select({
        company: {
          id: companies.id,
          status: companies.status,
          dueDate: companies.dueDate,
          timeZone: companies.timeZone,
          recurrence: companies.recurrence,
        },
        plan: { name: plans.name, value: plans.value },
      })
      .from(companies)
      .innerJoin(plans, eq(plans.id, companies.planId))
      .leftJoin(
        invoices,
        and(
          eq(invoices.companyId, companies.id),
          eq(invoices.dueDate, companies.dueDate),
          ne(invoices.status, 'refunded'),
        ),
      )
      .where(
        and(
          isNull(invoices.id),
          isNull(companies.removal),
          isNotNull(companies.dueDate),
          lt(companies.dueDate, latest),
          companyId === undefined ? gt(companies.id, after) : eq(companies.id, companyId),
        ),
      )
      .orderBy(asc(companies.id))
      .limit(AT_ONCE)
    const due = rows.flatMap(({ company, plan }) => {
      const bill = billDue(company, plan, at)
      return bill ? [{ companyId: company.id, bill }] : []
    })
    if (due.length > 0) {
      const stored = await db.transaction(async (tx) => {
        const ids = await reserveInvoiceIds(tx, due.length)
        await Promise.all(due.map((one, n) => applyDecision(tx, one.companyId, one.bill(ids[n]!))))
        return tx
          .select({ id: invoices.id, companyId: invoices.companyId })
          .from(invoices)
          .where(inArray(invoices.id, ids))
          .orderBy(asc(invoices.companyId))
      })
      made += stored.length
      for (const invoice of stored)
        events.emit({
          companyId: invoice.companyId,
          name: 'payment',
          action: 'invoice',
          payload: { invoice: { id: invoice.id } },
        })
    }
    if (companyId !== undefined || rows.length < AT_ONCE) return made
    after = rows.at(-1)!.company.id
  }
}

/** A company's admins read its invoices anew. */
export function invoicesChanged(events: Pick<Events, 'emit'>, companyId: number): void {
  events.emit({ companyId, name: 'payment', action: 'invoice', payload: {} })
}

/** A company's invoice stands there as soon as it has a due date and a price. */
export async function billSoon(
  deps: Parameters<typeof makeDueInvoices>[0] & { log: Logger },
  companyId: number,
): Promise<void> {
  await makeDueInvoices(deps, companyId).catch((err: unknown) =>
    deps.log.error({ err, companyId }, 'the invoice was not made; the clock makes it'),
  )
}
