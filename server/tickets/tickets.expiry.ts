import { and, eq, isNull, sql } from 'drizzle-orm'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { nothing, together } from '../../schema/command.ts'
import { sayWhole } from '../../schema/messages/messages.say.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { sayingsFor, wordsFor } from './tickets.facts.ts'

/** So many in one go; the next minute goes on. */
const BATCH = 200

/**
 * Closes open tickets on whose last word, ours, nobody answered for too long: the connection's minutes, or the
 * environment's hours where it sets none. Whoever takes, gets or reopens a ticket has that time anew. Groups stay.
 *
 * @param defaultHours 0 closes only where a connection sets its own time
 */
export async function closeIdleTickets(deps: {
  db: Db
  now(): Date
  facts: CompanyFacts
  defaultHours: number
}): Promise<Change[]> {
  const { db } = deps
  const now = deps.now()
  const idle = and(
    eq(tickets.status, 'open'),
    eq(tickets.isGroup, false),
    eq(tickets.lastMessageFromMe, true),
    isNull(tickets.snoozedUntil),
    sql`CASE WHEN ${whatsapps.expiresTicket} > 0 THEN ${whatsapps.expiresTicket} ELSE ${deps.defaultHours * 60} END > 0`,
    sql`GREATEST(${tickets.lastMessageAt}, ${tickets.updatedAt}) < ${now.toISOString()}::timestamptz
      - CASE WHEN ${whatsapps.expiresTicket} > 0 THEN ${whatsapps.expiresTicket} ELSE ${deps.defaultHours * 60} END * interval '1 minute'`,
  )
  const found = await db
    .select({ id: tickets.id, companyId: tickets.companyId })
    .from(tickets)
    .innerJoin(whatsapps, eq(whatsapps.id, tickets.whatsappId))
    .where(idle)
    .limit(BATCH)
  const changes: Change[] = []
  for (const { id, companyId } of found) {
    const company = await deps.facts.of(companyId)
    changes.push(
      ...(await db.transaction(async (tx) => {
        const [row] = await tx
          .select({ ticket: tickets, message: whatsapps.expiresInactiveMessage })
          .from(tickets)
          .innerJoin(whatsapps, eq(whatsapps.id, tickets.whatsappId))
          .where(and(eq(tickets.id, id), idle))
          .for('update', { of: tickets })
        if (!row) return []
        const { ticket } = row
        const cause = `expired:${ticket.id}:${now.toISOString()}`
        const moved = moveTicket(ticket, { type: 'expire' }, { id: cause, userId: null, now })
        if ('refused' in moved) return []
        const speaks = row.message.trim() !== '' && isSubscribed(company.subscription, now)
        const last = speaks ? await farewell(tx, ticket, company, cause, row.message, now) : nothing
        return applyDecision(tx, ticket.companyId, together(moved.decision, last))
      })),
    )
  }
  return changes
}

async function farewell(tx: Tx, ticket: Ticket, company: CompanyConfig, cause: string, text: string, now: Date) {
  const { said } = await sayingsFor(tx, ticket.id, { said: cause })
  const words = await wordsFor(tx, ticket, company, now)
  return sayWhole(ticket, { ...said, body: words(text), at: now }, company.language)
}
