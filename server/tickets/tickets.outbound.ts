import { and, desc, eq, ne } from 'drizzle-orm'
import { newId } from '../../schema/ids.ts'
import { chooseTicket } from '../../schema/tickets/tickets.open.ts'
import { ticketEvents, tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsappQueues } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'

/**
 * The ticket in which a message of the company's own accord is kept (a schedule, a campaign), locked: the active one;
 * else the latest, if a reply would reopen it; else a new one that is closed from the start. None waits for an agent
 * before the contact replies, and then it is reopened like any other.
 *
 * @param reopenWindowMs as in `chooseTicket`
 */
export async function ticketForOutbound(
  tx: Tx,
  to: { companyId: number; contactId: number; isGroup: boolean; whatsappId: number; userId: number | null },
  now: Date,
  reopenWindowMs: number,
): Promise<{ ticket: Ticket; changes: Change[] }> {
  const { companyId, contactId, isGroup, whatsappId, userId } = to
  const mine = and(eq(tickets.contactId, contactId), eq(tickets.whatsappId, whatsappId))
  const [active] = await tx
    .select()
    .from(tickets)
    .where(and(mine, ne(tickets.status, 'closed')))
    .for('update')
  const [latest] = active
    ? [active]
    : await tx.select().from(tickets).where(mine).orderBy(desc(tickets.updatedAt)).limit(1).for('update')
  const choice = chooseTicket(latest, isGroup, now, reopenWindowMs)
  if (choice.use === 'active') return { ticket: choice.ticket, changes: [] }
  if (choice.use === 'reopen') {
    // What is said now is the last change: the reply has the whole window.
    await tx.update(tickets).set({ updatedAt: now }).where(eq(tickets.id, choice.ticket.id))
    return { ticket: choice.ticket, changes: [] }
  }
  const offered = await tx
    .select({ queueId: whatsappQueues.queueId })
    .from(whatsappQueues)
    .where(eq(whatsappQueues.whatsappId, whatsappId))
    .limit(2)
  const [ticket] = await tx
    .insert(tickets)
    .values({
      companyId,
      contactId,
      whatsappId,
      isGroup,
      userId,
      queueId: offered.length === 1 ? offered[0]!.queueId : null,
      status: 'closed',
      lastMessageAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await tx
    .insert(ticketEvents)
    .values({ id: newId(), companyId, ticketId: ticket!.id, kind: 'created', userId, createdAt: now })
  return { ticket: ticket!, changes: [{ companyId, table: 'tickets', action: 'create', id: ticket!.id }] }
}
