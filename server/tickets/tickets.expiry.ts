import { and, eq, sql } from 'drizzle-orm'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { ticketRows } from '../../schema/tickets/tickets.commands.ts'
import { transition } from '../../schema/tickets/tickets.transition.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'
import { wordsFor } from './tickets.facts.ts'
import { sayIn } from './tickets.say.ts'

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
        const outcome = transition(ticket, { type: 'expire' }, { now, cause })
        if ('refused' in outcome) return []
        const done = await applyDecision(tx, ticket.companyId, {
          rows: ticketRows(ticket, outcome, { id: cause, userId: null, now }),
          effects: outcome.effects,
          was: ticket,
          ...(outcome.tracking ? { tracking: { ticketId: ticket.id, change: outcome.tracking } } : {}),
        })
        if (!row.message.trim() || !isSubscribed(company.subscription, now)) return done
        const words = await wordsFor(tx, ticket.id, company, now)
        return [...done, ...(await sayIn(tx, ticket, cause, words(row.message), now))]
      })),
    )
  }
  return changes
}
