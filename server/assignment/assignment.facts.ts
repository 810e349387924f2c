import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AssignmentFacts, Candidate, Seeking } from '../../schema/assignment/assignment.decide.ts'
import { isAway } from '../../schema/assignment/assignment.presence.ts'
import type { Queue } from '../../schema/queues/queues.table.ts'
import { queues, queueTurns } from '../../schema/queues/queues.table.ts'
import { ticketEvents, tickets, type Ticket, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import type { Tx } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'

/** So many tickets are looked at in one go. */
export const MOST_AT_ONCE = 200

/** At so many open tickets a person of whom nothing else is said is given no more; null: as many as come. */
export const capacityOf = ({ settings }: Pick<CompanyConfig, 'settings'>): number | null =>
  Number(settings.agentCapacity) || null

/** What is known of a queue and its people when somebody is looked for. The tickets are locked until the commit. */
export interface QueueAtWork {
  queue: Queue
  people: (Candidate & { name: string })[]
  turn: number | null
}

/**
 * Who works in a queue, how they are, and how much they have.
 * @param capacity of whom no own one is set; null for none
 * @returns undefined where the company has no such queue
 */
export async function queueAtWork(
  tx: Tx,
  companyId: number,
  queueId: number,
  capacity: number | null,
): Promise<QueueAtWork | undefined> {
  const [queue] = await tx
    .select()
    .from(queues)
    .where(and(eq(queues.companyId, companyId), eq(queues.id, queueId)))
  if (!queue) return undefined
  const people = await tx
    .select({
      id: users.id,
      name: users.name,
      online: users.online,
      lastSeenAt: users.lastSeenAt,
      awayAt: users.awayAt,
      awayUntil: users.awayUntil,
      capacity: users.capacity,
      skillIds: users.skillIds,
      open: openOf(users.id),
    })
    .from(userQueues)
    .innerJoin(users, eq(users.id, userQueues.userId))
    .where(and(eq(userQueues.queueId, queueId), eq(users.companyId, companyId)))
    .orderBy(users.id)
  const [turn] = await tx.select().from(queueTurns).where(eq(queueTurns.queueId, queueId))
  return {
    queue,
    people: people.map((one) => ({ ...one, capacity: one.capacity ?? capacity })),
    turn: turn?.userId ?? null,
  }
}

/** How many open tickets somebody has, without groups. */
export const openOf = (userId: SQL | typeof users.id): SQL<number> =>
  sql<number>`(SELECT count(*)::int FROM ${tickets} o WHERE o."userId" = ${userId} AND o."status" = 'open' AND NOT o."isGroup")`

/** A ticket for which somebody is looked for, and what of it decides. */
export interface SeekingTicket extends Seeking {
  ticket: Ticket
}

/**
 * The tickets that wait for a person in a queue, those that wait longest first; and those that people who are away have in
 * it, where it gives them to others or takes them back. While something answers by itself, or it lies aside, a ticket
 * waits for nobody.
 */
export async function seekingTickets(tx: Tx, { queue, people }: QueueAtWork, now: Date): Promise<SeekingTicket[]> {
  const away = queue.whenAway === 'keep' ? [] : people.filter((who) => isAway(who, now)).map(({ id }) => id)
  const found = await tx
    .select({ ticket: tickets, tracking: ticketTrackings })
    .from(tickets)
    .leftJoin(
      ticketTrackings,
      and(eq(ticketTrackings.ticketId, tickets.id), sql`${ticketTrackings.finishedAt} IS NULL`),
    )
    .where(
      sql`${tickets.companyId} = ${queue.companyId} AND ${tickets.queueId} = ${queue.id} AND NOT ${tickets.isGroup}
        AND ${tickets.snoozedUntil} IS NULL AND (
        (${tickets.status} = 'pending' AND ${tickets.userId} IS NULL AND NOT ${tickets.chatbot})
        OR (${tickets.status} = 'open' AND ${tickets.userId} = ANY(${sql.param(away)}::int[])))`,
    )
    .orderBy(sql`coalesce(${ticketTrackings.queuedAt}, ${tickets.createdAt})`, tickets.id)
    .limit(MOST_AT_ONCE)
    // What is said in them meanwhile need not wait.
    .for('no key update', { of: tickets })
  const ids = found.map(({ ticket }) => ticket.id)
  const [last, gaveBack] = [
    queue.lastAgentFirst && ids.length > 0 ? await lastAgents(tx, ids) : new Map<number, number>(),
    ids.length > 0 ? await whoGaveBack(tx, ids) : new Map<number, number[]>(),
  ]
  return found.map(({ ticket, tracking }) => ({
    ...{ ticket, id: ticket.id, tagIds: ticket.tagIds },
    since: tracking?.queuedAt ?? ticket.createdAt,
    lastAgentId: last.get(ticket.id) ?? null,
    gaveBack: gaveBack.get(ticket.id) ?? [],
    heldBy: ticket.status === 'open' ? ticket.userId : null,
  }))
}

/** Who served the contact of each ticket last, to its end. */
async function lastAgents(tx: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.execute<{ id: number; userId: number }>(sql`
    SELECT t."id", last."userId" FROM ${tickets} t CROSS JOIN LATERAL (
      SELECT served."userId" FROM ${tickets} other JOIN ${ticketTrackings} served ON served."ticketId" = other."id"
      WHERE other."contactId" = t."contactId" AND served."finishedAt" IS NOT NULL AND served."userId" IS NOT NULL
      ORDER BY served."finishedAt" DESC LIMIT 1) last
    WHERE t."id" = ANY(${sql.param([...ids])}::int[])`)
  return new Map(rows.map(({ id, userId }) => [id, userId]))
}

/** Who gave each ticket back, or passed it on, since its service began. */
async function whoGaveBack(tx: Tx, ids: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await tx.execute<{ id: number; userIds: number[] }>(sql`
    SELECT e."ticketId" AS "id", array_agg(DISTINCT e."userId") AS "userIds"
    FROM ${ticketEvents} e
    WHERE e."ticketId" = ANY(${sql.param([...ids])}::int[]) AND e."kind" IN ('returned', 'transferred')
      AND e."userId" IS NOT NULL AND NOT EXISTS (SELECT FROM ${ticketEvents} begun
        WHERE begun."ticketId" = e."ticketId" AND begun."createdAt" > e."createdAt"
          AND begun."kind" IN ('created', 'reopened', 'reopened_by_contact'))
    GROUP BY e."ticketId"`)
  return new Map(rows.map(({ id, userIds }) => [id, userIds]))
}

/** The facts of a choice. */
export const factsOf = ({ queue, people, turn }: QueueAtWork, seeking: readonly Seeking[]): AssignmentFacts => ({
  ...{ queue, people, turn, seeking },
})
