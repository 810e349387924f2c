import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { drafts } from '../../schema/drafts/drafts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { ticketEvents, ticketMerges, tickets } from '../../schema/tickets/tickets.table.ts'
import { MERGED_MESSAGES, type TicketJoin } from '../../schema/tickets/tickets.merge.ts'
import type { Tx } from '../db/database.ts'

/**
 * Moves what was said, noted and done in one ticket to another, or back; part of the transaction that writes the tickets,
 * and behind them. What stands in a ticket follows who sees it by triggers.
 * @throws DomainError `ERR_TICKET_MERGE_SIZE` for more than {@link MERGED_MESSAGES} messages, `ERR_UNDO_LATE` where the
 * merge was taken back already
 */
export async function applyJoins(tx: Tx, companyId: number, joins: readonly TicketJoin[]): Promise<void> {
  for (const join of joins) await ('parts' in join ? part(tx, companyId, join) : merge(tx, companyId, join))
}

const moving = [
  { table: messages, ids: 'messageIds' },
  { table: ticketNotes, ids: 'noteIds' },
  { table: ticketEvents, ids: 'eventIds' },
] as const

async function merge(tx: Tx, companyId: number, { id, fromId, intoId }: Extract<TicketJoin, { id: string }>) {
  const [found] = await tx.select({ n: count() }).from(messages).where(eq(messages.ticketId, fromId))
  if (found!.n > MERGED_MESSAGES) throw new DomainError('ERR_TICKET_MERGE_SIZE')
  const moved = { messageIds: [] as string[], noteIds: [] as string[], eventIds: [] as string[] }
  for (const { table, ids } of moving) {
    // The line that says where it went stays.
    const isLeft = table === ticketEvents ? sql`${table.id} <> ${`${id}:${fromId}`}` : sql`TRUE`
    const rows = await tx
      .update(table)
      .set({ ticketId: intoId })
      .where(and(eq(table.ticketId, fromId), isLeft))
      .returning({ id: table.id })
    moved[ids] = rows.map((row) => row.id)
  }
  // What somebody has begun to write goes along, unless they write in both.
  await tx.execute(sql`INSERT INTO ${drafts} ("id", "companyId", "userId", "ticketId", "body", "updatedAt")
    SELECT "userId" || ':' || ${intoId}::text, "companyId", "userId", ${intoId}::int, "body", "updatedAt" FROM ${drafts}
    WHERE "ticketId" = ${fromId} ON CONFLICT ("id") DO NOTHING`)
  await tx.delete(drafts).where(eq(drafts.ticketId, fromId))
  await tx.insert(ticketMerges).values({ id, companyId, fromId, intoId, ...moved })
}

async function part(tx: Tx, companyId: number, { parts, fromId, intoId }: Extract<TicketJoin, { parts: string }>) {
  const [record] = await tx
    .delete(ticketMerges)
    .where(and(eq(ticketMerges.companyId, companyId), eq(ticketMerges.id, parts), eq(ticketMerges.fromId, fromId)))
    .returning()
  if (!record || record.intoId !== intoId) throw new DomainError('ERR_UNDO_LATE')
  for (const { table, ids } of moving)
    if (record[ids].length > 0)
      await tx
        .update(table)
        .set({ ticketId: fromId })
        .where(and(eq(table.ticketId, intoId), inArray(table.id, record[ids])))
  // What was read since is read in both.
  await tx.execute(sql`UPDATE ${tickets} t SET "unreadMessages" =
    (SELECT count(*)::int FROM ${messages} m WHERE m."ticketId" = t."id" AND NOT m."read" AND NOT m."fromMe")
    WHERE t."id" IN (${fromId}, ${intoId}) AND t."companyId" = ${companyId}`)
}
