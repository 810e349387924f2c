import { and, asc, eq, ne, notInArray } from 'drizzle-orm'
import { together } from '../../schema/command.ts'
import { newId } from '../../schema/ids.ts'
import type { Principal } from '../../schema/permissions.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { UserChange } from '../../schema/users/users.change.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'

/** Replaces the queues a user works in. */
export async function setQueues(tx: Tx, companyId: number, userId: number, queueIds: readonly number[]): Promise<void> {
  const wanted = [...new Set(queueIds)]
  // Leaving a queue moves what the person has in it: only those go that are not wanted any more.
  await tx.delete(userQueues).where(and(eq(userQueues.userId, userId), notInArray(userQueues.queueId, wanted)))
  const rows = wanted.map((queueId) => ({ companyId, userId, queueId }))
  if (rows.length > 0) await tx.insert(userQueues).values(rows).onConflictDoNothing()
}

/** Writes what `userChange` has decided of a user. */
export async function changeUser(
  tx: Tx,
  { companyId, id }: { companyId: number; id: number },
  { patch, queueIds }: UserChange,
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({ ...patch, updatedAt: now })
    .where(and(eq(users.companyId, companyId), eq(users.id, id)))
  if (queueIds) await setQueues(tx, companyId, id, queueIds)
}

/**
 * Deletes a user, whose active tickets wait for somebody else.
 * @param by who deletes them
 * @returns ids of those tickets
 */
export async function deleteUser(tx: Tx, by: Principal, userId: number, now: Date): Promise<number[]> {
  const { companyId } = by
  const active = await tx
    .select()
    .from(tickets)
    .where(and(eq(tickets.companyId, companyId), eq(tickets.userId, userId), ne(tickets.status, 'closed')))
    .orderBy(asc(tickets.id))
    .for('update')
  const returned = active.flatMap((ticket) => {
    const moved = moveTicket(ticket, { type: 'return', who: by }, { id: newId(), userId: by.userId, now })
    return 'refused' in moved ? [] : [moved.decision]
  })
  await applyDecision(tx, companyId, together(...returned))
  await tx.delete(users).where(and(eq(users.companyId, companyId), eq(users.id, userId)))
  return active.map(({ id }) => id)
}
