import { and, eq, sql } from 'drizzle-orm'
import { isAway, isPresent } from '../../schema/assignment/assignment.presence.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { openOf } from '../assignment/assignment.facts.ts'
import type { Db } from '../db/database.ts'

/** Rows of each kind that a wall has room for, and more. */
const MOST_SHOWN = 500

/** What happens in one queue at this moment; null stands for tickets without a queue. */
interface QueueFigures {
  queueId: number | null
  name: string | null
  color: string | null
  waiting: number
  /** Since when the one that waits longest does, ISO. */
  since: string | null
  open: number
  /** Of the tickets with a promise: those near its end, and those past it. */
  atRisk: number
  breached: number
  /** Supervisors are called to so many. */
  called: number
}

export interface CompanyWall {
  /** ISO. */
  at: string
  /** Whether anything is promised to contacts. */
  promises: boolean
  queues: QueueFigures[]
  agents: {
    id: number
    name: string
    state: 'present' | 'away' | 'offline'
    awayUntil: string | null
    open: number
    capacity: number | null
    queueIds: number[]
  }[]
  connections: { id: number; name: string; status: string }[]
}

/**
 * Everything that a company's walls show, in four statements, which all of them share. Figures count what the lists of
 * somebody who sees all hold.
 * @param capacity of agents of whom no own one is set
 */
export async function companyWall(db: Db, companyId: number, capacity: number | null, now: Date): Promise<CompanyWall> {
  // A column of the only table that is read is written without its table's name: inside, it would be another's.
  const userId = sql`${users}."id"`
  const at = sql`${now.toISOString()}::timestamptz`
  const [figures, people, connections, [policy]] = await Promise.all([
    db.execute<Omit<QueueFigures, 'name' | 'color'> & { name: string | null; color: string | null }>(sql`
      SELECT f."queueId", q."name", q."color", f."waiting", to_json(f."since")#>>'{}' AS "since", f."open",
        f."atRisk", f."breached", f."called"
      FROM (
        SELECT t."queueId", count(*) FILTER (WHERE t."status" = 'pending')::int AS "waiting",
          min(coalesce(k."queuedAt", t."createdAt")) FILTER (WHERE t."status" = 'pending') AS "since",
          count(*) FILTER (WHERE t."status" = 'open')::int AS "open",
          count(*) FILTER (WHERE t."nextDueAt" > ${at} AND t."nextRiskAt" <= ${at})::int AS "atRisk",
          count(*) FILTER (WHERE t."nextDueAt" <= ${at})::int AS "breached",
          count(t."supervisorCalledAt")::int AS "called"
        FROM ${tickets} t
        LEFT JOIN ${ticketTrackings} k ON k."ticketId" = t."id" AND k."finishedAt" IS NULL AND t."status" = 'pending'
        WHERE t."companyId" = ${companyId} AND t."status" IN ('pending', 'open') AND t."snoozedUntil" IS NULL
        GROUP BY t."queueId") f
      LEFT JOIN ${queues} q ON q."id" = f."queueId"
      ORDER BY q."orderQueue" NULLS LAST, q."name" NULLS LAST LIMIT ${MOST_SHOWN}`),
    db
      .select({
        id: users.id,
        name: users.name,
        online: users.online,
        lastSeenAt: users.lastSeenAt,
        awayAt: users.awayAt,
        awayUntil: users.awayUntil,
        capacity: users.capacity,
        open: openOf(userId),
        queueIds: sql<number[]>`ARRAY(SELECT uq."queueId" FROM ${userQueues} uq WHERE uq."userId" = ${userId})`,
      })
      .from(users)
      .where(eq(users.companyId, companyId))
      .orderBy(users.name, users.id)
      .limit(MOST_SHOWN),
    db
      .select({ id: whatsapps.id, name: whatsapps.name, status: whatsapps.status })
      .from(whatsapps)
      .where(eq(whatsapps.companyId, companyId))
      .orderBy(whatsapps.name, whatsapps.id)
      .limit(MOST_SHOWN),
    db
      .select({ id: slaPolicies.id })
      .from(slaPolicies)
      .where(and(eq(slaPolicies.companyId, companyId), eq(slaPolicies.active, true)))
      .limit(1),
  ])
  return {
    at: now.toISOString(),
    promises: policy !== undefined,
    queues: [...figures],
    agents: people.map(({ online, lastSeenAt, awayAt, awayUntil, ...one }) => {
      const who = { online, lastSeenAt, awayAt, awayUntil }
      const away = isAway(who, now)
      return {
        ...one,
        state: away ? ('away' as const) : isPresent(who, now) ? ('present' as const) : ('offline' as const),
        awayUntil: away ? (awayUntil?.toISOString() ?? null) : null,
        capacity: one.capacity ?? capacity,
      }
    }),
    connections,
  }
}

/** What a wall shows: of some queues, or of all. */
export type Wall = ReturnType<typeof wallOf>

/**
 * The figures of a wall out of the company's.
 * @param queueIds only these; 0 stands for tickets without a queue. Empty: all
 */
export function wallOf({ at, promises, queues: all, agents, connections }: CompanyWall, queueIds: readonly number[]) {
  const wanted = new Set(queueIds)
  const own = all.filter(({ queueId }) => wanted.size === 0 || wanted.has(queueId ?? 0))
  const sum = (of: (queue: QueueFigures) => number) => own.reduce((total, queue) => total + of(queue), 0)
  const since = own.flatMap((queue) => queue.since ?? []).toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
  return {
    at,
    waiting: sum((queue) => queue.waiting),
    since,
    open: sum((queue) => queue.open),
    called: sum((queue) => queue.called),
    /** Null: nothing is promised, and nothing can be at risk. */
    risk: !promises ? null : { atRisk: sum((queue) => queue.atRisk), breached: sum((queue) => queue.breached) },
    queues: own.map(({ queueId, name, color, waiting, since: waitingSince, open }) => ({
      ...{ queueId, name, color, waiting, since: waitingSince, open },
    })),
    // Who works in no queue is given nothing.
    agents: agents
      .filter(({ queueIds: theirs }) => theirs.some((id) => wanted.size === 0 || wanted.has(id)))
      .map(({ id, name, state, awayUntil, open, capacity }) => ({ id, name, state, awayUntil, open, capacity })),
    connections,
  }
}
