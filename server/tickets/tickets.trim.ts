import { sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'

/** Rows in one statement, and the pause after it: everybody who had them is told of each. */
const batch = 500
const pauseMs = 50

/**
 * Takes what is older than the last hundred messages and timeline rows of a ticket that changed hands out of the
 * replicas of agents (`0002_tickets.sql`). Done in small steps, newest first; whoever repeats it finds nothing left.
 */
export async function trimTicket(db: Db, ticketId: number): Promise<void> {
  for (const [table, order] of [
    ['messages', '"createdAt" DESC NULLS LAST, "id" DESC NULLS LAST'],
    ['ticket_events', '"createdAt" DESC'],
  ] as const) {
    for (;;) {
      const trimmed = await db.execute(sql`
        UPDATE ${sql.identifier(table)} SET "queueScope" = -1, "userScope" = NULL WHERE "id" IN (
          SELECT "id" FROM (
            SELECT "id", "queueScope" FROM ${sql.identifier(table)} WHERE "ticketId" = ${ticketId}
            ORDER BY ${sql.raw(order)} OFFSET 100) older
          WHERE "queueScope" IS DISTINCT FROM -1 LIMIT ${batch})
        RETURNING "id"`)
      if (trimmed.length < batch) break
      await Bun.sleep(pauseMs)
    }
  }
}
