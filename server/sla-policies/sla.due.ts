import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import { type ServerDecision, together } from '../../schema/command.ts'
import type { SlaMissed, SlaTold, Spoken } from '../../schema/sla-policies/sla.clock.ts'
import { slaClocks, type SlaPolicy, type SlaState, slaStates } from '../../schema/sla-policies/sla-policies.table.ts'
import { widOf } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import { loadRules, slaFacts, type TicketFacts } from './sla.facts.ts'
import { moveClocks } from './sla.writes.ts'

/** So many tickets in one transaction: short enough that nobody who writes in one of them waits. */
const BATCH = 200
/** So many of these in one go; the next second goes on. */
const MOST_BATCHES = 100

interface Deps {
  db: Db
  now(): Date
  /** Called after each commit. */
  committed(changes: Change[]): void
}

/**
 * Tells of promises that are at risk or broken, once each: what is told is due no more, in the same transaction. A ticket
 * that somebody holds at this moment is looked at a second later.
 * @returns how many tickets were looked at
 */
export async function tellDue({ db, now, committed }: Deps): Promise<number> {
  let seen = 0
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const at = now()
    const due = await db
      .select({ companyId: slaClocks.companyId, ticketId: slaClocks.ticketId })
      .from(slaClocks)
      .where(and(isNotNull(slaClocks.nextAt), lte(slaClocks.nextAt, at)))
      .orderBy(asc(slaClocks.nextAt))
      .limit(BATCH)
    let done = 0
    for (const [companyId, own] of Map.groupBy(due, (one) => one.companyId)) {
      const ids = own.map(({ ticketId }) => ticketId)
      const { changes, count } = await db.transaction((tx) => tellOf(tx, companyId, ids, at))
      done += count
      committed(changes)
    }
    seen += done
    if (due.length < BATCH || done === 0) break
  }
  return seen
}

async function tellOf(tx: Tx, companyId: number, ids: readonly number[], now: Date) {
  const held = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.companyId, companyId), inArray(tickets.id, [...ids])))
    .orderBy(asc(tickets.id))
    .for('update', { skipLocked: true })
  if (held.length === 0) return { changes: [], count: 0 }
  const rules = await loadRules(tx, companyId)
  const facts = await slaFacts(
    tx,
    companyId,
    held.map(({ id }) => id),
    { ended: false, now },
  )
  const { decision, told } = await moveClocks(tx, rules, facts, () => ({ spoken: [], tell: true }), now)
  const policyOf = new Map(rules.policies.map((policy) => [policy.id, policy]))
  const escalated = await escalate(tx, facts, told, (policyId) => policyOf.get(policyId ?? 0), now)
  return { changes: await applyDecision(tx, companyId, together(decision, escalated)), count: held.length }
}

/** Tickets whose policy says so go to another queue when a promise is broken. */
async function escalate(
  tx: Tx,
  facts: readonly TicketFacts[],
  told: readonly SlaTold[],
  policyOf: (policyId: number | null) => SlaPolicy | undefined,
  now: Date,
): Promise<ServerDecision> {
  const moves = new Map<number, { queueId: number; policy: string; cause: string }>()
  for (const { what, ticketId, policyId, clockId } of told) {
    const { escalateQueueId: queueId = null, name: policy = '' } = policyOf(policyId) ?? {}
    if (what === 'breach' && queueId !== null) moves.set(ticketId, { queueId, policy, cause: `sla:${clockId}` })
  }
  if (moves.size === 0) return { rows: [], effects: [] }
  const rows = await tx
    .select({ id: queues.id, name: queues.name })
    .from(queues)
    .where(inArray(queues.id, [...new Set([...moves.values()].map(({ queueId }) => queueId))]))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return together(
    ...facts.flatMap(({ row }) => {
      const move = moves.get(row.id)
      if (!move || !names.has(move.queueId)) return []
      const moved = moveTicket(
        row,
        { type: 'escalate', queueId: move.queueId },
        { id: move.cause, userId: null, now, data: { queue: names.get(move.queueId)!, policy: move.policy } },
      )
      return 'refused' in moved ? [] : [moved.decision]
    }),
  )
}

/**
 * Counts anew what goes in a company, after its hours or policies have changed: in pieces, each in a transaction of its
 * own. Doing it twice changes nothing.
 *
 * @param contactId only the tickets of this contact, of whom something has changed that policies ask: as if the tickets had
 * been tagged otherwise, what begins is counted from where the waiting began
 */
export async function recount({ db, now, committed }: Deps, companyId: number, contactId?: number): Promise<void> {
  const since = now()
  const { policies } = await loadRules(db, companyId)
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    const { changes, next } = await db.transaction(async (tx) => {
      const held = await tx
        .select({ id: tickets.id })
        .from(tickets)
        .where(
          and(
            ...[eq(tickets.companyId, companyId), eq(tickets.isGroup, false), gt(tickets.id, from)],
            contactId === undefined ? undefined : eq(tickets.contactId, contactId),
            policies.length > 0
              ? ne(tickets.status, 'closed')
              : sql`EXISTS (SELECT FROM ${slaStates} s WHERE s."ticketId" = ${tickets.id})`,
          ),
        )
        .orderBy(asc(tickets.id))
        .limit(BATCH)
        .for('update')
      if (held.length === 0) return { changes: [] }
      const rules = await loadRules(tx, companyId)
      const facts = await slaFacts(
        tx,
        companyId,
        held.map(({ id }) => id),
        { ended: true, now: since },
      )
      const happened = { spoken: [], ...(contactId === undefined ? { recount: true, noEarlierThan: since } : {}) }
      const { decision } = await moveClocks(tx, rules, facts, () => happened, now())
      // Nothing is promised any more: nothing is remembered.
      if (rules.policies.length === 0)
        await tx.delete(slaStates).where(
          inArray(
            slaStates.ticketId,
            held.map(({ id }) => id),
          ),
        )
      return { changes: await applyDecision(tx, companyId, decision), next: held.at(-1)!.id }
    })
    committed(changes)
    after = next
  }
}

/** So much of what was said since is read again: more is said in no conversation before its job runs. */
const MOST_SAID = 1_000

/**
 * Moves the clocks of tickets in which something happened that they could not follow, by what was said since: as if they
 * had. Doing it twice changes nothing. What was broken meanwhile stays so.
 */
export async function catchUp(
  { db, now, committed }: Deps,
  companyId: number,
  missed: readonly SlaMissed[],
): Promise<void> {
  const missedIn = new Map(missed.map((one) => [one.ticketId, one]))
  const changes = await db.transaction(async (tx) => {
    const held = await tx
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(eq(tickets.companyId, companyId), inArray(tickets.id, [...missedIn.keys()])))
      .orderBy(asc(tickets.id))
      .for('update')
    const at = now()
    const rules = await loadRules(tx, companyId)
    // Nothing is promised any more.
    if (held.length === 0 || rules.policies.length === 0) return []
    const begun = new Set(missed.filter(({ hasBegun }) => hasBegun).map(({ ticketId }) => ticketId))
    const ids = held.map(({ id }) => id)
    for (const { ticketId, at: first } of missed)
      if (begun.has(ticketId)) await forgetGuesses(tx, ticketId, new Date(first))
    const facts = await slaFacts(tx, companyId, ids, { ended: true, now: at, begun })
    const said = new Map<number, Spoken[]>()
    for (const id of ids) said.set(id, await saidSince(tx, missedIn.get(id)!))
    const ended = await tx
      .select()
      .from(slaClocks)
      .where(
        and(
          inArray(slaClocks.ticketId, ids),
          gte(slaClocks.endedAt, new Date(Math.min(...missed.map(({ at: first }) => Date.parse(first))))),
        ),
      )
    const endedIn = Map.groupBy(ended, ({ ticketId }) => ticketId)
    const known = facts.map((one) => ({
      ...one,
      clocks: [
        ...new Map([...one.clocks, ...(endedIn.get(one.row.id) ?? [])].map((clock) => [clock.id, clock])).values(),
      ],
      state: one.state && before(one.state, new Date(missedIn.get(one.row.id)!.at)),
    }))
    const { decision } = await moveClocks(
      ...([tx, rules, known] as const),
      (id) => ({ spoken: said.get(id)!, isResumed: missedIn.get(id)!.isResumed, recount: true }),
      at,
    )
    return applyDecision(tx, companyId, decision)
  })
  committed(changes)
}

/** Of a service whose beginning was missed what followed was guessed. What was told of stays. */
async function forgetGuesses(tx: Tx, ticketId: number, since: Date): Promise<void> {
  await tx.delete(slaStates).where(eq(slaStates.ticketId, ticketId))
  await tx
    .delete(slaClocks)
    .where(
      and(
        ...[eq(slaClocks.ticketId, ticketId), gt(slaClocks.startedAt, since)],
        ...[isNull(slaClocks.warnedAt), isNull(slaClocks.breachedAt)],
      ),
    )
}

/** What was known before: what has followed since is said again. */
const before = (state: SlaState, since: Date): SlaState => ({
  ...state,
  answeredAt: state.answeredAt && state.answeredAt < since ? state.answeredAt : null,
  waitingSince: state.waitingSince && state.waitingSince < since ? state.waitingSince : null,
})

/** What was missed, and what contacts and people have said after it: by their name, or on the phone, under an id that is not ours. */
async function saidSince(tx: Tx, { ticketId, at, spoken }: SlaMissed): Promise<Spoken[]> {
  const rows = await tx
    .select({
      ...{ id: messages.id, wid: messages.wid, fromMe: messages.fromMe },
      ...{ authorId: messages.authorId, at: messages.createdAt },
    })
    .from(messages)
    .where(and(eq(messages.ticketId, ticketId), gt(messages.createdAt, new Date(at))))
    .orderBy(asc(messages.createdAt))
    .limit(MOST_SAID)
  const later = rows
    .filter((one) => !one.fromMe || one.authorId !== null || (one.wid !== null && one.wid !== widOf(one.id)))
    .map((one): Spoken => ({ ticketId, by: one.fromMe ? 'person' : 'contact', at: one.at }))
  return [...spoken.map((one): Spoken => ({ ticketId, by: one.by, at: new Date(one.at) })), ...later].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )
}
