import { and, eq } from 'drizzle-orm'
import { actionFacts } from '../../schema/actions/actions.decide.ts'
import { nobody } from '../../schema/actions/actions.by-itself.ts'
import { automationDecisions, type DecisionStep } from '../../schema/automation/automation.table.ts'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import type { RuleEvent } from '../../schema/rules/rules.events.ts'
import { answerEvent, type Answered, runId } from '../../schema/rules/rules.run.ts'
import { type Rule, ruleRuns } from '../../schema/rules/rules.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import { factReader } from '../commands/facts.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { asksHours, contactFieldsOf, doneIn, openAt, rulesFor, textOf, wasAsked } from './rules.facts.ts'
import { webhookIdsOf } from '../webhooks/webhooks.queries.ts'
import { lastByPeople } from './rules.idle.queries.ts'

interface Deps {
  db: Db
  facts: CompanyFacts
  now(): Date
  events: Pick<Events, 'emit'>
  /** Called after the commit. */
  committed(changes: Change[]): void
}

/** Asks the rules about what happened. One transaction: what they do, and that they were asked, stand together or not at all. */
export const ruleEffects = ({ db, facts, now, events, committed }: Deps): Pick<Handlers, 'rules.ask'> => ({
  'rules.ask': async ({ ticketId, event }, { companyId }) => {
    const company = await facts.of(companyId)
    if (!isSubscribed(company.subscription, now())) return
    const done = await db.transaction((tx) => askRules(tx, { companyId, company, ticketId, event, clock: now }))
    if (!done) return
    committed(done.changes)
    if (done.ruleIds.length > 0)
      events.emit({ companyId, name: 'rule', action: 'ran', payload: { ruleIds: done.ruleIds } })
  },
})

async function askRules(
  tx: Tx,
  asked: { companyId: number; company: CompanyConfig; ticketId: number; event: RuleEvent; clock(): Date },
): Promise<{ changes: Change[]; ruleIds: number[] } | null> {
  const { companyId, company, ticketId, event, clock } = asked
  const [ticket] = await tx
    .select()
    .from(tickets)
    .where(and(eq(tickets.companyId, companyId), eq(tickets.id, ticketId)))
    .for('update')
  // It has waited for whoever held the ticket: what they did came before what rules do now.
  const now = clock()
  // Groups are spared, as by all else that answers by itself; what was joined to another goes on there.
  if (!ticket || ticket.isGroup || ticket.mergedIntoId !== null) return null
  const rules = await rulesFor(tx, companyId, event)
  if (
    rules.length === 0 ||
    (await wasAsked(
      tx,
      rules.map(({ id }) => runId(event.id, id)),
    ))
  )
    return null
  if (event.trigger === 'idle' && !(await isStillSilent(tx, ticketId, event))) return null
  const hours = rules.some(({ conditions }) => asksHours(conditions)) ? await openAt(tx, companyId, company) : null
  const read = factReader(tx, companyId)
  const answered = await answerEvent(
    event,
    ticket,
    {
      rules,
      done: await doneIn(tx, ticketId, event.root, now),
      about: {
        text: await textOf(tx, companyId, event.messageId),
        contactFields: rules.some(asksContact) ? await contactFieldsOf(tx, companyId, ticket.contactId) : {},
      },
      webhookIds: rules.some(tellsWebhooks) ? await webhookIdsOf(tx, companyId) : new Set(),
      isOpen: (of) => hours?.(of, new Date(event.at)) ?? true,
      factsOf: ({ actions }) => actionFacts(ticketId, actions, read, nobody(companyId)),
    },
    now,
  )
  const changes = await applyDecision(tx, companyId, answered.decision)
  if (answered.runs.length > 0) await tx.insert(ruleRuns).values(answered.runs).onConflictDoNothing()
  await keepTrace(tx, companyId, rules, event, answered, now)
  return { changes, ruleIds: answered.runs.map(({ ruleId }) => ruleId) }
}

const asksContact = ({ conditions }: Rule) =>
  conditions.some((condition) => condition.kind === 'field' && condition.entity === 'contact')

const tellsWebhooks = ({ actions }: Rule) => actions.some(({ type }) => type === 'webhook')

/** Whether nobody has written since. */
async function isStillSilent(tx: Tx, ticketId: number, { messageId }: RuleEvent): Promise<boolean> {
  return (await lastByPeople(tx, ticketId)) === messageId
}

/** Why a message was answered by rules, or was not, beside what else is said about it. */
async function keepTrace(
  tx: Tx,
  companyId: number,
  rules: readonly Rule[],
  event: RuleEvent,
  { runs, replies }: Answered,
  now: Date,
): Promise<void> {
  const isAboutMessage = event.messageId !== undefined && event.trigger !== 'idle'
  if (runs.length === 0 || (!isAboutMessage && replies.length === 0)) return
  const nameOf = new Map(rules.map(({ id, name }) => [id, name]))
  const steps = runs.map(({ ruleId, version, trigger, result, met, outcome }): DecisionStep => {
    const unmet = met.find(({ held }) => !held)
    const facts = { ruleId, name: nameOf.get(ruleId) ?? '', version, trigger }
    if (result === 'passed')
      return { step: 'rule', result: 'passed', why: 'rule_unmet', facts: { ...facts, condition: unmet?.kind ?? null } }
    if (result === 'done') return { step: 'rule', result: 'matched', why: 'rule_done', facts }
    const why = result === 'blocked' ? `rule_${outcome.why}` : 'rule_refused'
    return { step: 'rule', result: 'blocked', why, facts: { ...facts, error: outcome.why ?? null } }
  })
  await tx
    .insert(automationDecisions)
    .values({
      ...{ id: `rules:${event.id}`, companyId, ticketId: event.ticketId, trigger: 'rule', steps },
      messageId: isAboutMessage ? event.messageId! : null,
      actions: runs.flatMap(({ ruleId, outcome }) => outcome.done.map((kind) => ({ kind: `rule.${kind}`, ruleId }))),
      ...{ replies, by: null, createdAt: now },
    })
    .onConflictDoNothing()
}
