import { getTableColumns, inArray, sql } from 'drizzle-orm'
import { Budget } from '../../schema/budget.ts'
import { blank } from '../../schema/automation/automation.state.ts'
import {
  type AutomationDecision,
  automationDecisions,
  type AutomationState,
  automationStates,
  type DecisionStep,
} from '../../schema/automation/automation.table.ts'
import {
  type FlowSource,
  beginAsked,
  receive,
  type Ids,
  leaveToPeople,
  happen,
  type Turn,
  type Turned,
} from '../../schema/automation/automation.turn.ts'
import { type Decision, together } from '../../schema/command.ts'
import type { FlowEvent, FlowRun } from '../../schema/flows/flows.run.ts'
import { stepRuns } from '../../schema/flows/flow-runs.transition.ts'
import { flowLogs, flowTrails } from '../../schema/flows/flows.table.ts'
import { newId } from '../../schema/ids.ts'
import type { Arrival, FiledIn } from '../../schema/messages/messages.arrive.ts'
import { BODY_LENGTH } from '../../schema/messages/messages.text.ts'
import { clip, fileNameOf } from '../../schema/texts.ts'
import { type Ticket, tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision, namesWhatIsGone } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { hasStoodStill, working } from '../jobs/standstills.ts'
import type { Logger } from '../log.ts'
import { letOthersIn } from '../others.ts'
import type { AnswerMessages, Received } from '../tickets/receive.ts'
import { idIn } from '../tickets/tickets.facts.ts'
import {
  type CompanyRules,
  flowsFor,
  type RulesFacts,
  rulesNow,
  serviceFacts,
  type ServiceFacts,
} from './automation.facts.ts'
import type { Graphs } from './automation.graphs.ts'

export interface AnswerDeps {
  rules: RulesFacts
  graphs: Graphs
  log: Logger
}

const unchanged: Received = { changes: [], jobs: false }

/**
 * What answers in an agent's place. The rules of a company are read before the transaction begins: one that waits for a
 * second connection can starve the pool.
 */
export function createAnswers(deps: AnswerDeps): (companyId: number) => Promise<AnswerMessages> {
  return async (companyId) => {
    const own = await deps.rules.of(companyId)
    return async (tx, filed, now) => {
      const waiting = filed.filter(({ ticket }) => mayAnswer(ticket) && !own.isSilent(ticket.whatsappId!, now))
      if (waiting.length === 0) return unchanged
      try {
        // A rule that fails costs no message: what was filed stays filed.
        const happenings = waiting.map((one) => ({ ticketId: one.ticket.id, what: one }))
        const answering = (by: CompanyRules) =>
          tx.transaction((inner) => happenAll(inner, by, deps.graphs, now, happenings))
        try {
          return await answering(own)
        } catch (err) {
          // What the rules name was deleted since they were read: the queue of a block, a flow.
          if (!namesWhatIsGone(err)) throw err
          deps.rules.forget(companyId)
          return await answering(await rulesNow(tx, own, deps.graphs))
        }
      } catch (err) {
        deps.log.error({ err, companyId, tickets: waiting.map(({ ticket }) => ticket.id) }, 'nobody was answered')
        return unchanged
      }
    }
  }
}

const mayAnswer = (ticket: Ticket): boolean =>
  ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup && ticket.whatsappId !== null

/** What a run that waits is told. `cause` names it: the same one is told once. */
export interface Told {
  event: FlowEvent
  cause: string
  runId: string
  /** The message of the contact that led there. */
  about?: string | undefined
}

/** A flow that a person, or a rule, wants begun. `cause` names the wish: it is granted once. */
export interface AskedFlow {
  flowId: number
  by: 'person' | 'rule'
  cause: string
}

/**
 * Answers what happened in these tickets, which must be locked and of one company.
 *
 * @param happenings each ticket once
 * @param known the facts of their services, where they have been read under the lock
 */
export async function happenAll(
  tx: Tx,
  own: CompanyRules,
  graphs: Graphs,
  now: Date,
  happenings: readonly { ticketId: number; what: FiledIn | Told | AskedFlow }[],
  known?: ReadonlyMap<number, ServiceFacts>,
): Promise<Received> {
  const services =
    known ??
    (await serviceFacts(
      tx,
      happenings.map(({ ticketId }) => ticketId),
    ))
  const alsoNamed = happenings.flatMap(({ what }) => ('event' in what ? namedBy(what.event) : []))
  const flows = await flowsFor(tx, own, graphs, services, { hold: true, alsoNamed })
  const outcomes: Kept[] = []
  for (const { ticketId, what } of happenings) {
    const service = services.get(ticketId)
    const turn = service && turnOf(own, flows, service, now)
    if (!service || !turn) continue
    // However many tickets there are, what others wait for goes on between two of them.
    await letOthersIn()
    const outcome =
      'event' in what
        ? happenOne(turn, what, now)
        : 'flowId' in what
          ? beginOne(turn, what, now)
          : receiveAll(turn, what, now)
    outcomes.push({ ...outcome, before: service })
  }
  if (outcomes.length === 0) return unchanged
  const companyId = outcomes[0]!.before.ticket.companyId
  const decision = together(...outcomes.map((one) => one.decision))
  const changes = await applyDecision(tx, companyId, decision, () => [
    keepStates(tx, outcomes),
    ...keepRuns(tx, companyId, outcomes, now),
    keepDecisions(
      tx,
      outcomes.flatMap(({ rows }) => rows),
    ),
  ])
  return { changes, jobs: decision.effects.length > 0 }
}

/** By which a message is known when it comes again: the row that would hold it has another id then. */
const arrivalKey = ({ whatsappId }: Pick<Ticket, 'whatsappId'>, wid: string) => `${whatsappId}/${wid}`

/** What one ticket's turn came to. */
interface Outcome {
  turn: Turn
  decision: Decision
  rows: AutomationDecision[]
  runs: Turned['runs']
}

/** The person to whom an answer from elsewhere hands over: nobody has looked at that id yet. */
const namedBy = (event: FlowEvent): number[] =>
  event.kind === 'result' && event.result.kind === 'typebot' && event.result.ok && event.result.userId !== undefined
    ? [event.result.userId]
    : []

/** Answers the messages of one ticket, one after the other: each meets what the one before it left. */
function receiveAll(begun: Turn, { contact, byOwner, waiting }: FiledIn, now: Date): Outcome {
  let turn = begun
  let decision: Decision = { rows: [], effects: [] }
  if (byOwner) {
    // Somebody who answers on the phone has the conversation in hand.
    turn = { ...turn, memory: { ...blank, answeredByPhone: true }, wasServed: true, run: null }
    if (begun.run) decision = { ...decision, takenOver: [turn.ticket.id] }
  }
  const rows: AutomationDecision[] = []
  const runs: Turned['runs'] = []
  for (const [i, arrival] of waiting.entries()) {
    const cause = arrivalKey(turn.ticket, arrival.event.wid)
    if (hasStoodStill(cause)) {
      const left = leaveToPeople(turn, arrival.id, idsOf(turn.ticket.id))
      turn = left.turn
      decision = together(decision, left.decision)
      rows.push(decisionRow(turn.ticket, 'message', arrival.id, arrival.id, left, now))
      runs.push(...left.runs)
      continue
    }
    const before = turn
    const isFirst = contact.created && i === 0
    const went = working({ companyId: before.ticket.companyId, about: cause }, () =>
      receive(before, { ...arrivalOf(arrival, now), isFirst }, idsOf(before.ticket.id)),
    )
    turn = went.turn
    decision = together(decision, went.decision)
    rows.push(decisionRow(turn.ticket, 'message', arrival.id, arrival.id, went, now))
    runs.push(...went.runs)
  }
  return { turn, decision, rows, runs }
}

function happenOne(turn: Turn, { event, cause, runId, about }: Told, now: Date): Outcome {
  // Of a run that has ended nothing is told any more.
  if (turn.run?.run.id !== runId) return { turn, decision: { rows: [], effects: [] }, rows: [], runs: [] }
  const ids = idsOf(turn.ticket.id)
  const went = hasStoodStill(cause)
    ? leaveToPeople(turn, cause, ids)
    : working({ companyId: turn.ticket.companyId, about: cause }, () => happen(turn, event, cause, ids))
  const usage = event.kind === 'result' && event.result.kind === 'ai' ? event.result.usage : undefined
  const isDone = went.actions.length > 0 || event.kind === 'result'
  const rows = isDone ? [decisionRow(turn.ticket, 'timer', cause, about ?? null, went, now, usage)] : []
  return { turn: went.turn, decision: went.decision, rows, runs: went.runs }
}

/** The key under which it is written down that a wish for a flow was granted, or why not. */
export const askedKey = (cause: string): string => `asked:${cause}`

function beginOne(turn: Turn, { flowId, by, cause }: AskedFlow, now: Date): Outcome {
  const ids = idsOf(turn.ticket.id)
  const went = hasStoodStill(cause)
    ? leaveToPeople(turn, cause, ids)
    : working({ companyId: turn.ticket.companyId, about: cause }, () => beginAsked(turn, flowId, by, cause, ids))
  const rows = [decisionRow(turn.ticket, 'asked', cause, null, went, now)]
  return { turn: went.turn, decision: went.decision, rows, runs: went.runs }
}

function arrivalOf({ id, event }: Arrival, now: Date) {
  const { content, pressed } = event
  return {
    id,
    // Longer ones are no choice and no phrase.
    text: pressed ?? (content.type === 'text' ? clip(content.text, BODY_LENGTH) : null),
    caption: 'caption' in content ? clip(content.caption, BODY_LENGTH) : '',
    file:
      'media' in content && content.type !== 'sticker'
        ? {
            kind: content.media.mimetype.split('/')[0]!,
            name: fileNameOf(content.media.fileName),
            messageId: id,
          }
        : null,
    writtenAt: event.offline ? event.sentAt : now,
  }
}

export const idsOf = (ticketId: number): Ids => ({
  reply: (cause, n) => idIn(ticketId, `auto:${cause}:${n}`),
  run: () => ({ id: newId(), seed: crypto.getRandomValues(new Uint32Array(1))[0]! }),
})

/** Undefined where the ticket has no connection of the company. */
export function turnOf(
  own: CompanyRules,
  flows: FlowSource,
  { ticket, contact, wasServed, memory, run }: ServiceFacts,
  now: Date,
): Turn | undefined {
  const rules = ticket.whatsappId === null ? undefined : own.of(ticket.whatsappId, now)
  if (!rules) return undefined
  return {
    ...{ rules, contact, now, wasServed, ticket, memory, said: 0, budget: new Budget() },
    run: run ? { flowId: run.flowId, versionId: run.versionId, run: run.run as FlowRun } : null,
    flows,
  }
}

// ── what is kept ─────────────────────────────────────────────────────────────────────────────

/** Texts stand in the messages themselves. */
function decisionRow(
  { id: ticketId, companyId }: Ticket,
  trigger: AutomationDecision['trigger'],
  cause: string,
  messageId: string | null,
  { steps, actions, replies, runs }: { steps: DecisionStep[] } & Pick<Turned, 'actions' | 'replies' | 'runs'>,
  createdAt: Date,
  usage: object = {},
): AutomationDecision {
  const last = runs.at(-1)
  const by = last
    ? {
        flowId: last.flowId,
        runId: last.run.id,
        versionId: last.versionId,
        // Where it waited comes first: what answers a wrong word is that block, and it leads nowhere else.
        nodes: runs
          .flatMap(({ stood, trail }) => [...(stood ? [stood] : []), ...trail.map(({ node }) => node)])
          .slice(-50),
        ...usage,
        ...(last.run.ended ? { ended: last.run.ended.why } : {}),
      }
    : null
  return {
    ...{ id: `${trigger}:${cause}`, companyId, ticketId, messageId, trigger, steps, replies, by, createdAt },
    actions: actions.slice(0, 50),
  }
}

export async function keepDecisions(tx: Tx, rows: AutomationDecision[]): Promise<void> {
  if (rows.length === 0) return
  // One text however many they are, which Postgres has read before: of a hundred rows' parameters it would read each.
  await tx.execute(sql`INSERT INTO ${automationDecisions}
    SELECT * FROM json_populate_recordset(NULL::${automationDecisions}, ${JSON.stringify(rows)}::text::json) ON CONFLICT DO NOTHING`)
}

type Kept = Outcome & { before: ServiceFacts }

export async function keepMemory(tx: Tx, row: AutomationState): Promise<void> {
  await keepRows(tx, [row])
}

async function keepStates(tx: Tx, outcomes: readonly Kept[]): Promise<void> {
  const rows = outcomes.flatMap(({ turn, before }): AutomationState[] =>
    turn.memory === before.memory
      ? []
      : [
          {
            ...turn.memory,
            ...{ ticketId: turn.ticket.id, companyId: turn.ticket.companyId, serviceId: before.serviceId },
          },
        ],
  )
  if (rows.length > 0) await keepRows(tx, rows)
}

async function keepRows(tx: Tx, rows: AutomationState[]): Promise<void> {
  const { ticketId: _, companyId: _company, ...columns } = getTableColumns(automationStates)
  const set = Object.fromEntries(Object.keys(columns).map((name) => [name, sql.raw(`excluded."${name}"`)]))
  await tx.insert(automationStates).values(rows).onConflictDoUpdate({ target: automationStates.ticketId, set })
}

/** Each run as it is at the end, and behind them what they went through. */
function keepRuns(tx: Tx, companyId: number, outcomes: readonly Kept[], now: Date): Promise<unknown>[] {
  const stepped = outcomes.flatMap(({ turn: { ticket }, runs, before }) =>
    [...new Map(runs.map((one) => [one.run.id, one])).values()].map(({ flowId, versionId, run }) => ({
      ...{ companyId, flowId, versionId, ticketId: ticket.id, contactId: ticket.contactId },
      ...{ whatsappId: ticket.whatsappId!, run, before: before.run?.id === run.id ? before.run : null },
    })),
  )
  const trails = outcomes.flatMap(({ turn, runs }) =>
    runs
      .map(({ flowId, run, trail }) => ({
        ...{ companyId: turn.ticket.companyId, flowId, runId: run.id, at: now },
        nodes: trail.map(({ node }) => node),
        left: run.ended?.why === 'silence' ? run.ended.node : null,
      }))
      .filter(({ nodes, left }) => nodes.length > 0 || left !== null),
  )
  const logs = outcomes.flatMap(({ turn, runs }) =>
    runs.flatMap(({ run, log }) =>
      log ? [{ companyId: turn.ticket.companyId, runId: run.id, entry: log, at: now }] : [],
    ),
  )
  return [
    ...(stepped.length > 0 ? [applyDecision(tx, companyId, stepRuns(stepped, now))] : []),
    ...(trails.length > 0
      ? [
          tx.execute(sql`INSERT INTO ${flowTrails} ("companyId", "flowId", "runId", "nodes", "left", "at")
            SELECT "companyId", "flowId", "runId", "nodes", "left", "at"
            FROM json_populate_recordset(NULL::${flowTrails}, ${JSON.stringify(trails)}::text::json)`),
        ]
      : []),
    ...(logs.length > 0
      ? [
          tx.execute(sql`INSERT INTO ${flowLogs} ("companyId", "runId", "entry", "at")
            SELECT "companyId", "runId", "entry", "at"
            FROM json_populate_recordset(NULL::${flowLogs}, ${JSON.stringify(logs)}::text::json)`),
        ]
      : []),
  ]
}

/** Locks these tickets, in their order. */
export async function lockTickets(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(inArray(tickets.id, [...ids]))
    .orderBy(tickets.id)
    .for('update')
}
