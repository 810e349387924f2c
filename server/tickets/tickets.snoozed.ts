import { and, asc, inArray, lte } from 'drizzle-orm'
import { together } from '../../schema/command.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { wokenBy } from '../../schema/tickets/tickets.snooze.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'

/** So many in one go: what is due at one moment, such as Monday morning, holds nobody else up. */
const BATCH = 200

/**
 * Wakes the tickets whose time has come: they stand on top of their lists again, and whoever is to go on with them is told.
 * Safe to run twice, and on several servers: what was woken is due no more.
 *
 * @param committed is told of each batch
 * @returns how many were woken
 */
export async function wakeSnoozed(deps: { db: Db; now(): Date; committed(changes: Change[]): void }): Promise<number> {
  const { db } = deps
  const now = deps.now()
  const isDue = lte(tickets.snoozedUntil, now)
  let woken = 0
  for (;;) {
    const before = woken
    const found = await db
      .select({ id: tickets.id, companyId: tickets.companyId })
      .from(tickets)
      .where(isDue)
      .orderBy(asc(tickets.snoozedUntil), asc(tickets.id))
      .limit(BATCH)
    for (const [companyId, due] of Map.groupBy(found, (ticket) => ticket.companyId)) {
      const ids = due.map(({ id }) => id)
      const changes = await db.transaction(async (tx) => {
        const rows = await tx
          .select()
          .from(tickets)
          .where(and(inArray(tickets.id, ids), isDue))
          .orderBy(asc(tickets.id))
          .for('update')
        const decisions = rows.flatMap((ticket) => {
          const id = `woken:${ticket.snoozedUntil?.getTime()}`
          const cause = { id, userId: null, now, data: wokenBy('time', ticket) }
          const moved = moveTicket(ticket, { type: 'wake', who: null }, cause)
          return 'refused' in moved ? [] : [moved.decision]
        })
        woken += decisions.length
        return applyDecision(tx, companyId, together(...decisions))
      })
      deps.committed(changes)
    }
    // What cannot be woken would be found again and again.
    if (found.length < BATCH || woken === before) return woken
  }
}
