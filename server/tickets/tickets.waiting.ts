import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { queues } from '../../schema/queues/queues.table.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'

/** So many in one go; the next minute goes on. */
const BATCH = 200

/**
 * Gives a queue to pending tickets that have none and in which nothing was said for longer than their connection
 * allows (`timeToTransfer`, minutes). Groups stay.
 */
export async function queueWaitingTickets(deps: { db: Db; now(): Date }): Promise<Change[]> {
  const { db } = deps
  const now = deps.now()
  const waiting = and(
    eq(tickets.status, 'pending'),
    isNull(tickets.queueId),
    isNull(tickets.snoozedUntil),
    eq(tickets.isGroup, false),
    sql`${whatsapps.timeToTransfer} > 0`,
    isNotNull(whatsapps.transferQueueId),
    sql`${tickets.lastMessageAt} < ${now.toISOString()}::timestamptz - ${whatsapps.timeToTransfer} * interval '1 minute'`,
  )
  const found = await db
    .select({ id: tickets.id })
    .from(tickets)
    .innerJoin(whatsapps, eq(whatsapps.id, tickets.whatsappId))
    .where(waiting)
    .limit(BATCH)
  const changes: Change[] = []
  for (const { id } of found) {
    changes.push(
      ...(await db.transaction(async (tx) => {
        const [row] = await tx
          .select({ ticket: tickets, queue: { id: queues.id, name: queues.name } })
          .from(tickets)
          .innerJoin(whatsapps, eq(whatsapps.id, tickets.whatsappId))
          .innerJoin(queues, eq(queues.id, whatsapps.transferQueueId))
          .where(and(eq(tickets.id, id), waiting))
          .for('update', { of: tickets })
        if (!row) return []
        const { ticket, queue } = row
        const cause = `queued:${ticket.id}:${now.toISOString()}`
        const move = { type: 'queue', queueId: queue.id } as const
        const moved = moveTicket(ticket, move, { id: cause, userId: null, now, data: { queue: queue.name } })
        return 'refused' in moved ? [] : applyDecision(tx, ticket.companyId, moved.decision)
      })),
    )
  }
  return changes
}
