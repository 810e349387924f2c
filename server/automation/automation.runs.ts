import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import type { FlowEvent, FlowRun } from '../../schema/flows/flows.run.ts'
import { flowRuns } from '../../schema/flows/flows.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { askedKey, type AskedFlow, happenAll, lockTickets, type Told } from './automation.answer.ts'
import { type RulesFacts, serviceFacts } from './automation.facts.ts'
import type { Graphs } from './automation.graphs.ts'
import { changeRuns } from './automation.changes.ts'

export interface RunsDeps {
  db: Db
  rules: RulesFacts
  graphs: Graphs
  now(): Date
  log: Logger
  committed(changes: Change[], jobs?: boolean): void
}

/** Runs of one company that are stepped in one transaction. */
const TOGETHER = 100
/** So many transactions at once: while Postgres writes for one, the next is decided. */
const AT_ONCE = 3
/** So many in one go; what is left over is taken up at the next look. */
const BATCH = 2_000

/**
 * Lets the runs go on whose time has come, of connections that are open: while one is closed nothing that a run says
 * would leave, and the contact could not answer.
 *
 * @returns how many went on
 */
export async function wakeRuns(deps: RunsDeps, open: readonly number[]): Promise<number> {
  const { db } = deps
  if (open.length === 0) return 0
  const due = await db
    .select({ id: flowRuns.id, companyId: flowRuns.companyId, ticketId: flowRuns.ticketId })
    .from(flowRuns)
    .where(and(isNull(flowRuns.endedAt), lte(flowRuns.wakeAt, deps.now()), inArray(flowRuns.whatsappId, [...open])))
    .orderBy(asc(flowRuns.wakeAt))
    .limit(BATCH)
  let woken = 0
  for (const [companyId, runs] of Map.groupBy(due, (run) => run.companyId)) {
    const parts = Array.from({ length: Math.ceil(runs.length / TOGETHER) }, (_, part) =>
      runs.slice(part * TOGETHER, (part + 1) * TOGETHER),
    )
    const next = parts.values()
    const worker = async () => {
      for (const some of next) {
        const went = await wakeSome(deps, companyId, some)
        woken += went
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
  return woken
}

async function wakeSome(
  deps: RunsDeps,
  companyId: number,
  runs: readonly { id: string; ticketId: number }[],
): Promise<number> {
  try {
    return await wakeTogether(deps, companyId, runs)
  } catch (err) {
    deps.log.error({ err, companyId }, 'flows did not go on together; each is tried by itself')
    // What they name may be gone since the rules were read.
    deps.rules.forget(companyId)
    // One that fails must not hold up the others, now or at the next look.
    let woken = 0
    for (const run of runs)
      woken += await wakeTogether(deps, companyId, [run]).catch((e: unknown) => giveUp(deps, run.id, e))
    return woken
  }
}

/** A run that cannot be stepped is over: its ticket waits for people. */
async function giveUp({ db, log, now }: RunsDeps, runId: string, err: unknown): Promise<number> {
  log.error({ err, runId }, 'a flow ended because it cannot go on')
  await db.transaction((tx) => changeRuns(tx, eq(flowRuns.id, runId), { type: 'breakDown' }, now()))
  return 0
}

async function wakeTogether(
  deps: RunsDeps,
  companyId: number,
  runs: readonly { id: string; ticketId: number }[],
): Promise<number> {
  const own = await deps.rules.of(companyId)
  const now = deps.now()
  const { woken, changes, jobs } = await deps.db.transaction(async (tx) => {
    const ticketIds = runs.map(({ ticketId }) => ticketId)
    // One way to the database and back: the second is asked behind the first, when the locks are held.
    const [, services] = await Promise.all([lockTickets(tx, ticketIds), serviceFacts(tx, ticketIds)])
    const told = runs.flatMap(({ id, ticketId }): { ticketId: number; what: Told }[] => {
      // As it is now: another server, or the contact, may have been first.
      const row = services.get(ticketId)?.run
      if (row?.id !== id || row.wakeAt === null || row.wakeAt > now) return []
      const waitId = (row.run as FlowRun).wait?.id
      if (waitId === undefined) return []
      return [{ ticketId, what: { event: { kind: 'timer', waitId }, cause: `${id}:${waitId}`, runId: id } }]
    })
    return { woken: told.length, ...(await happenAll(tx, own, deps.graphs, now, told, services)) }
  })
  deps.committed(changes, jobs)
  return woken
}

/**
 * Tells one run what happened; one that has ended, or is gone, hears nothing.
 * @param about the message of the contact that led there, of which it is told, too, why it was answered so
 */
export async function reportToRun(
  deps: RunsDeps,
  runId: string,
  event: FlowEvent,
  cause: string,
  about?: string,
): Promise<void> {
  const [row] = await deps.db
    .select({ companyId: flowRuns.companyId, ticketId: flowRuns.ticketId })
    .from(flowRuns)
    .where(and(eq(flowRuns.id, runId), isNull(flowRuns.endedAt)))
  if (!row) return
  const own = await deps.rules.of(row.companyId)
  const reporting = deps.db.transaction(async (tx) => {
    await lockTickets(tx, [row.ticketId])
    const [asked] =
      about === undefined ? [] : await tx.select({ id: messages.id }).from(messages).where(eq(messages.id, about))
    return happenAll(tx, own, deps.graphs, deps.now(), [
      { ticketId: row.ticketId, what: { event, cause, runId, about: asked?.id } },
    ])
  })
  const { changes, jobs } = await reporting.catch((err: unknown) => {
    // Who tells it again knows what is gone by then.
    deps.rules.forget(row.companyId)
    throw err
  })
  deps.committed(changes, jobs)
}

/** Begins a flow because a person, or a rule, wants it; said again it is done once. What hinders it is written down. */
export async function beginFlow(deps: RunsDeps, companyId: number, ticketId: number, asked: AskedFlow): Promise<void> {
  const own = await deps.rules.of(companyId)
  const { changes, jobs } = await deps.db.transaction(async (tx) => {
    await lockTickets(tx, [ticketId])
    const [done] = await tx
      .select({ id: automationDecisions.id })
      .from(automationDecisions)
      .where(eq(automationDecisions.id, askedKey(asked.cause)))
    if (done) return { changes: [], jobs: false }
    return happenAll(tx, own, deps.graphs, deps.now(), [{ ticketId, what: asked }])
  })
  deps.committed(changes, jobs)
}

/** A flow could not begin: the ticket is shown as one with a bot no longer, so that people take it. */
export async function leaveToWait({ db, committed }: RunsDeps, companyId: number, ticketId: number): Promise<void> {
  const changes = await db.transaction(async (tx) => {
    await lockTickets(tx, [ticketId])
    const [ticket] = await tx
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(eq(tickets.id, ticketId), eq(tickets.companyId, companyId), eq(tickets.chatbot, true)))
    if (!ticket) return []
    const row = { table: 'tickets', op: 'update', ids: [ticketId], values: { chatbot: false } } as const
    return applyDecision(tx, companyId, { rows: [{ ...row, ids: [ticketId] }], effects: [] })
  })
  committed(changes)
}
