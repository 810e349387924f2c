import { lte, sql } from 'drizzle-orm'
import { assignTickets, type Choice, traceOf } from '../../schema/assignment/assignment.decide.ts'
import { type Decision, nothing, together } from '../../schema/command.ts'
import type { Effect } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { queues, queueTurns } from '../../schema/queues/queues.table.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import { retryOnConflict, retrying } from '../db/retrying.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'
import {
  capacityOf,
  factsOf,
  MOST_AT_ONCE,
  queueAtWork,
  seekingTickets,
  type SeekingTicket,
} from './assignment.facts.ts'

interface Deps {
  db: Db
  facts: CompanyFacts
  now(): Date
  committed(changes: Change[], jobs: boolean): void
}

/** Gives the tickets that wait in a queue to its people, by its rule. */
export function assignmentEffects(deps: Deps): Pick<Handlers, 'queues.assign'> {
  const { db, facts, now, committed } = deps
  return {
    'queues.assign': async ({ queueId }, { companyId }) => {
      const capacity = capacityOf(await facts.of(companyId))
      const changes = await retrying(retryOnConflict, () =>
        db.transaction((tx) => assignQueue(tx, { companyId, queueId, capacity, clock: now })),
      )
      if (changes.length > 0) committed(changes, true)
    },
  }
}

/**
 * One look at a queue. A person may be in several queues, whose jobs run on several servers: within a company one chooses
 * at a time, so that what one gave is what the next one counts.
 */
async function assignQueue(
  tx: Tx,
  {
    companyId,
    queueId,
    capacity,
    clock,
  }: { companyId: number; queueId: number; capacity: number | null; clock(): Date },
): Promise<Change[]> {
  await lockName(tx, `assignment of ${companyId}`)
  // What asks for the same and is committed is seen below: it is done by this.
  await tx.execute(sql`DELETE FROM ${jobs} WHERE "id" IN (
    SELECT "id" FROM ${jobs} WHERE "lane" = ${`assign:${queueId}`} AND "failedAt" IS NULL AND "lockedUntil" IS NULL
    FOR UPDATE SKIP LOCKED)`)
  const work = await queueAtWork(tx, companyId, queueId, capacity)
  if (!work) return []
  const seeking = await seekingTickets(tx, work, clock())
  if (seeking.length === 0) return []
  // It has waited for its turn: what became of these tickets meanwhile came before what becomes of them now.
  const now = clock()
  const { choices, turn } = assignTickets(factsOf(work, seeking), now)
  const nameOf = new Map(work.people.map(({ id, name }) => [id, name]))
  const decisions = choices.map((choice, n) => decided(choice, seeking[n]!, work.queue.whenAway, nameOf, now))
  const decision = together(...decisions)
  if (decision.rows.length === 0) return []
  if (turn !== null && turn !== work.turn)
    await tx
      .insert(queueTurns)
      .values({ queueId, companyId, userId: turn })
      .onConflictDoUpdate({ target: queueTurns.queueId, set: { userId: turn } })
  const changes = await applyDecision(tx, companyId, decision)
  if (seeking.length === MOST_AT_ONCE) await addJobs(tx, companyId, [{ kind: 'queues.assign', queueId }])
  return changes
}

/** A choice, as what becomes of its ticket. */
function decided(
  choice: Choice,
  one: SeekingTicket,
  whenAway: string,
  nameOf: ReadonlyMap<number, string>,
  now: Date,
): Decision {
  const cause = `assign:${newId()}`
  const by = { id: cause, userId: null, now }
  const { userId } = choice
  if (userId === null || (one.heldBy !== null && whenAway === 'queue')) {
    if (one.heldBy === null || whenAway !== 'queue') return nothing
    const back = moveTicket(
      one.ticket,
      { type: 'leave', userId: null },
      {
        ...by,
        data: { user: nameOf.get(one.heldBy) ?? '' },
      },
    )
    return 'refused' in back ? nothing : back.decision
  }
  const data = {
    ...traceOf(choice, one, nameOf.get(userId) ?? '', now),
    ...(one.heldBy !== null && { from: nameOf.get(one.heldBy) ?? '' }),
  }
  const move =
    one.heldBy === null ? ({ type: 'assign', userId, by: 'queue' } as const) : ({ type: 'leave', userId } as const)
  const moved = moveTicket(one.ticket, move, { ...by, data })
  if ('refused' in moved) return nothing
  const news: Effect = { kind: 'push.ticket', why: 'assigned', ticketId: one.id, userId }
  return { ...moved.decision, effects: [...moved.decision.effects, news] }
}

/**
 * What no row tells the moment of: who is back because their time is over, and, should a job ever have failed for good,
 * the queues in which tickets wait beside people who are there. Done twice, it does no harm.
 * @returns the people who are back
 */
export async function lookAgain(db: Db, now: Date): Promise<{ id: number; companyId: number; online: boolean }[]> {
  const back = await db
    .update(users)
    .set({ awayAt: null, awayUntil: null, updatedAt: now })
    .where(lte(users.awayUntil, now))
    .returning({ id: users.id, companyId: users.companyId, online: users.online })
  await db.execute(sql`
    INSERT INTO ${jobs} ("companyId", "kind", "payload", "lane")
    SELECT q."companyId", 'queues.assign', jsonb_build_object('queueId', q."id"), 'assign:' || q."id"
    FROM ${queues} q
    WHERE q."assignment" <> 'manual'
      AND EXISTS (SELECT FROM ${tickets} t WHERE t."queueId" = q."id" AND t."status" = 'pending' AND t."userId" IS NULL
        AND NOT t."chatbot" AND NOT t."isGroup" AND t."snoozedUntil" IS NULL)
      AND NOT EXISTS (SELECT FROM ${jobs} j WHERE j."lane" = 'assign:' || q."id" AND j."failedAt" IS NULL)`)
  return back
}
