import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Decision, RowChange } from '../../schema/command.ts'
import { DomainError } from '../../schema/errors.ts'
import { type Ticket, ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import type { TrackingChange } from '../../schema/tickets/tickets.transition.ts'
import type { Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import { commandTables } from './facts.ts'

/** The tables of whose changes somebody is told. */
const told = ['tickets', 'messages', 'contacts', 'ticketNotes', 'schedules', 'chatMessages', 'chatUsers'] as const

export type TicketPlace = Pick<Ticket, 'status' | 'queueId' | 'userId'>

/** A row that changed in a committed transaction; whoever wants more loads it by id. */
export interface Change {
  companyId: number
  table: (typeof told)[number]
  /** `updateUnread`: a ticket was read, and nothing else about it changed. */
  action: 'create' | 'update' | 'updateUnread' | 'delete'
  id: string | number
  /** The ticket a message or note belongs to. */
  ticketId?: number
  /** The chat a new message belongs to. */
  chatId?: number
  /** Where a ticket was that has moved. */
  was?: TicketPlace
}

/** Writes a decision: its rows, the service's clock, and a job for each effect. Part of the caller's transaction. */
export async function applyDecision(tx: Tx, companyId: number, decision: Decision): Promise<Change[]> {
  for (const change of decision.rows) await applyRow(tx, companyId, change)
  if (decision.tracking) await applyTracking(tx, companyId, decision.tracking.ticketId, decision.tracking.change)
  await addJobs(tx, companyId, decision.effects)
  const { was } = decision
  return decision.rows
    .flatMap((row) => changesOf(companyId, row))
    .map((change) =>
      was && change.table === 'tickets' && change.id === was.id ? { ...change, was: placeOf(was) } : change,
    )
}

/** What decides who listens to a ticket. */
export const placeOf = ({ status, queueId, userId }: TicketPlace): TicketPlace => ({ status, queueId, userId })

async function applyRow(tx: Tx, companyId: number, change: RowChange): Promise<void> {
  const table = commandTables[change.table]
  // Row values are typed by the change; the union of tables is not something drizzle's builder can follow.
  type AnyTable = typeof tickets
  const t = table as unknown as AnyTable
  // As one list: a group that nobody read for weeks has more messages than a statement has parameters.
  const list = sql.raw((t.id.dataType as string) === 'number' ? 'int[]' : 'text[]')
  const named = (ids: readonly (string | number)[]) =>
    and(eq(t.companyId, companyId), sql`${t.id} = ANY(${sql.param(ids)}::${list})`)
  try {
    if (change.op === 'insert') await tx.insert(t).values(change.values as never)
    else if (change.op === 'update')
      await tx
        .update(t)
        .set(change.values as never)
        .where(named(change.ids))
    else await tx.delete(t).where(named(change.ids))
  } catch (error) {
    if (violates(error, 'tickets_one_active')) throw new DomainError('ERR_OTHER_OPEN_TICKET')
    // The client reuses a row id under another idempotency key.
    if (violates(error, /_pkey$/)) throw new DomainError('ERR_IDEMPOTENCY_MISMATCH')
    throw error
  }
}

/** Moves the clock of a service; the first move of a service starts its row. */
export async function applyTracking(
  tx: Tx,
  companyId: number,
  ticketId: number,
  change: TrackingChange,
): Promise<void> {
  const current = and(eq(ticketTrackings.ticketId, ticketId), isNull(ticketTrackings.finishedAt))
  const updated = await tx.update(ticketTrackings).set(change).where(current).returning({ id: ticketTrackings.id })
  if (updated.length > 0 || change.finishedAt) return
  const [ticket] = await tx.select({ whatsappId: tickets.whatsappId }).from(tickets).where(eq(tickets.id, ticketId))
  await tx.insert(ticketTrackings).values({ companyId, ticketId, whatsappId: ticket?.whatsappId ?? null, ...change })
}

function changesOf(companyId: number, row: RowChange): Change[] {
  const table = told.find((name) => name === row.table)
  if (!table) return []
  const action = row.op === 'insert' ? 'create' : isRead(row) ? 'updateUnread' : row.op
  const ticketId = row.op === 'insert' && 'ticketId' in row.values ? (row.values.ticketId as number) : undefined
  const chatId = row.op === 'insert' && 'chatId' in row.values ? (row.values.chatId as number) : undefined
  const ids = row.op === 'insert' ? [row.values.id] : row.ids
  return ids.map((id) => ({
    companyId,
    table,
    action,
    id,
    ...(ticketId ? { ticketId } : {}),
    ...(chatId ? { chatId } : {}),
  }))
}

const isRead = (row: RowChange) =>
  row.table === 'tickets' &&
  row.op === 'update' &&
  row.values.unreadMessages === 0 &&
  Object.keys(row.values).length === 1

/** Whether a database error is a violation of this unique constraint or index. */
export function violates(error: unknown, constraint: string | RegExp): boolean {
  // Drizzle wraps the driver's error.
  for (
    let e = error as { code?: string; constraint_name?: string; cause?: unknown } | undefined;
    e;
    e = e.cause as typeof e
  ) {
    if (e.code === '23505' && e.constraint_name !== undefined)
      return typeof constraint === 'string' ? e.constraint_name === constraint : constraint.test(e.constraint_name)
  }
  return false
}
