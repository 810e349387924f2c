import { itself, nobody } from '../actions/actions.by-itself.ts'
import { type ActionFacts, decideActions } from '../actions/actions.decide.ts'
import { type Decision, nothing, together } from '../command.ts'
import type { Effect } from '../effects.ts'
import { DomainError } from '../errors.ts'
import { timelineRow } from '../tickets/tickets.move.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { demandWebhooks } from './rules.check.ts'
import { ask, type AskedAbout, type Done, guarded, isAsked } from './rules.ask.ts'
import type { RuleEvent } from './rules.events.ts'
import type { Rule, RuleRun } from './rules.table.ts'

/** What rules are asked with. */
export interface RuleWorld {
  /** The company's active ones, in their order. */
  rules: readonly Rule[]
  /** What they have done in this ticket within the hour, or after the same root. */
  done: readonly Done[]
  /** The same of what conditions are asked about but the ticket. */
  about: Omit<AskedAbout, 'ticket' | 'isOpen'>
  isOpen: (ticket: Ticket) => boolean
  /** Those of the company that are on. */
  webhookIds: ReadonlySet<number>
  /** What a rule's actions are decided by; asked for those alone that act. @throws DomainError */
  factsOf: (rule: Rule, ticket: Ticket) => ActionFacts | Promise<ActionFacts>
}

export type NewRun = Omit<RuleRun, 'createdAt'> & { createdAt: Date }

/** What became of an event. */
export interface Answered {
  /** Bears `byRule`, where anything was done. */
  decision: Decision
  runs: NewRun[]
  ticket: Ticket
  /** Ids of messages that were said. */
  replies: string[]
}

/** By which what a rule does after an event is known. */
export const runId = (eventId: string, ruleId: number): string => `${eventId}:${ruleId}`

/**
 * Asks the rules about an event, one after the other, each about the ticket as the one before leaves it. What is refused to
 * one is said of that one, which then does nothing at all; the others go on.
 */
export async function answerEvent(event: RuleEvent, given: Ticket, world: RuleWorld, now: Date): Promise<Answered> {
  let ticket = given
  const [runs, decisions, done]: [NewRun[], Decision[], Done[]] = [[], [], [...world.done]]
  // A moment behind what it answers, and one behind the other.
  let at = now.getTime() + 1
  for (const rule of world.rules) {
    if (!isAsked(rule, event)) continue
    const { holds, met } = ask(rule, { ...world.about, ticket, isOpen: () => world.isOpen(ticket) }, event)
    const run = runOf(rule, event, given, met, now)
    if (!holds) {
      runs.push(run)
      continue
    }
    const why = guarded(rule.id, event, done, now)
    if (why !== null) {
      runs.push({ ...run, result: 'blocked', outcome: { done: [], why } })
      continue
    }
    try {
      demandWebhooks(rule.actions, world.webhookIds)
      const facts = await world.factsOf(rule, ticket)
      const context = { who: nobody(ticket.companyId), now: new Date(at), commandId: run.id }
      const { decision, ticket: after } = decideActions(rule.actions, { ...facts, ticket }, context, false, itself)
      const line = timelineRow(after, 'rule', {
        ...{ id: run.id, eventId: `${run.id}:rule`, userId: null, now: context.now },
        data: { rule: rule.name, ruleId: rule.id },
      })
      const effects = [...decision.effects, ...toWebhooks(rule, event, run)]
      if (decision.rows.length > 0 || effects.length > 0)
        decisions.push({ ...decision, effects, rows: [line, ...decision.rows] })
      at += rule.actions.length + 1
      ticket = after
      done.push({ ruleId: rule.id, root: event.root, at: now })
      runs.push({ ...run, result: 'done', outcome: { done: rule.actions.map(({ type }) => type) } })
      if (rule.stopOnMatch) break
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const step = error.params['step']
      runs.push({
        ...run,
        result: 'refused',
        outcome: { done: [], why: error.code, ...(typeof step === 'number' ? { step } : {}) },
      })
    }
  }
  return { decision: asOne(given, decisions, event), runs, ticket, replies: saidBy(decisions) }
}

/** What webhooks are told by a rule, each under an id of its own that is the same whenever the rule is asked again. */
const toWebhooks = ({ id, name, version, actions }: Rule, event: RuleEvent, run: NewRun): Effect[] =>
  actions.flatMap((action, at) =>
    action.type === 'webhook'
      ? [
          {
            ...{ kind: 'webhooks.rule', webhookId: action.webhookId, ticketId: event.ticketId },
            eventId: `${run.id}:${at}`,
            ...{ rule: { id, name, version, trigger: event.trigger }, messageId: event.messageId ?? null },
          } as const,
        ]
      : [],
  )

const runOf = (rule: Rule, event: RuleEvent, { id, companyId }: Ticket, met: RuleRun['met'], now: Date): NewRun => ({
  ...{ id: runId(event.id, rule.id), companyId, ruleId: rule.id, version: rule.version, ticketId: id },
  ...{ eventId: event.id, trigger: event.trigger, root: event.root, depth: event.depth },
  ...{ result: 'passed', met, outcome: { done: [] }, messageId: event.messageId ?? null, createdAt: now },
})

function asOne(given: Ticket, decisions: readonly Decision[], { root, depth }: RuleEvent): Decision {
  if (decisions.length === 0) return nothing
  const all = together(...decisions)
  return { ...all, ...(all.moved?.length ? { moved: [given] } : {}), byRule: { root, depth: depth + 1 } }
}

const saidBy = (decisions: readonly Decision[]): string[] =>
  decisions.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.table === 'messages' && row.op === 'insert' ? [String(row.values.id)] : [])),
  )
