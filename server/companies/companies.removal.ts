import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { invoices } from '../../schema/invoices/invoices.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { audit } from '../audit/audit.changes.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { oddMoneyOf } from '../invoices/invoices.queries.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { MediaStore } from '../media/media-store.ts'

/** Money that still waits for the operator goes on in their log: its row goes with the company. */
async function noteMoney(db: Tx, { id, name }: { id: number; name: string }): Promise<void> {
  // Whoever is just told of money holds its invoice: what they find out is noted, too.
  await db.select({ id: invoices.id }).from(invoices).where(eq(invoices.companyId, id)).for('update')
  for (const { invoiceId, provider, ref, status, value, paidValue } of await oddMoneyOf(db, id))
    await audit(db, {
      ...{ companyId: OPERATOR_COMPANY_ID, action: 'refused', entity: 'invoice', id: invoiceId },
      facts: { company: { id, name }, provider, ref, status, value, paidValue },
    })
}

/** So many at once keep no other company waiting: a ticket takes its messages along. */
const AT_ONCE = 100
const many = [tickets, contacts] as const

/** What there is to delete of a company, as its progress counts it. */
export async function countRows(db: Db, companyId: number): Promise<number> {
  const counts = await Promise.all(many.map((table) => db.$count(table as PgTable, eq(table.companyId, companyId))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Deletes a company: its numbers are unlinked, then its tickets and contacts go a few at a time, then its files, then
 * the company with all the rest. Begun again after a crash, it goes on with what is left.
 */
export function companyEffects(deps: {
  db: Db
  media: MediaStore
  events: Events
  forgetSession(whatsappId: number): Promise<void>
}): Pick<Handlers, 'companies.remove'> {
  const { db, media, events, forgetSession } = deps
  const emit = (action: string, payload: Record<string, unknown>) =>
    events.emit({ companyId: OPERATOR_COMPANY_ID, name: 'company', action, payload, audience: { operators: true } })

  return {
    'companies.remove': async ({ removedId }) => {
      const [company] = await db.select().from(companies).where(eq(companies.id, removedId))
      if (!company?.removal) return
      for (const { id } of await db
        .select({ id: whatsapps.id })
        .from(whatsapps)
        .where(eq(whatsapps.companyId, removedId)))
        await forgetSession(id)
      let { done } = company.removal
      const { total } = company.removal
      for (const table of many)
        for (;;) {
          const some = db
            .select({ id: table.id })
            .from(table as typeof tickets)
            .where(eq(table.companyId, removedId))
            .limit(AT_ONCE)
          const gone = await db
            .delete(table as typeof tickets)
            .where(and(eq(table.companyId, removedId), inArray(table.id, some)))
            .returning({ id: table.id })
          if (gone.length === 0) break
          done += gone.length
          const removal = { done: Math.min(done, total), total }
          await db.update(companies).set({ removal }).where(eq(companies.id, removedId))
          emit('update', { company: { id: removedId, removal } })
        }
      await media.deleteCompany(removedId)
      await db.transaction(async (tx) => {
        await noteMoney(tx, company)
        await tx.delete(companies).where(and(eq(companies.id, removedId), sql`${companies.removal} IS NOT NULL`))
      })
      emit('delete', { companyId: removedId })
    },
  }
}
