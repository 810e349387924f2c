import { Budget, OverBudget } from '../budget.ts'
import { type Decision, nothing, together } from '../command.ts'
import { fieldWords } from '../custom-fields/custom-fields.values.ts'
import type { Contact } from '../contacts/contacts.table.ts'
import type { Effect } from '../effects.ts'
import type { AnswerFile } from '../flows/flows.answers.ts'
import {
  type FlowTemplate,
  type EndReason,
  flowMessageId,
  type FlowContext,
  type FlowEffect,
  type FlowEvent,
  type FlowGraphs,
  type FlowRun,
  newRun,
  type SentFile,
  type TrailEntry,
} from '../flows/flows.run.ts'
import { type FlowLogEntry, logOf } from '../flows/flows.log.ts'
import { step } from '../flows/flows.step.ts'
import type { OwnFile } from '../messages/messages.own.ts'
import { say } from '../messages/messages.say.ts'
import { noteOn } from '../notes/notes.row.ts'
import { moveTicket } from '../tickets/tickets.move.ts'
import { taggedAs } from '../tickets/tickets.tagged.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { TicketTouch } from '../tickets/tickets.transition.ts'
import { act, type PlainAction } from './automation.act.ts'
import { type Action, type Answer, decide, type Situation } from './automation.decide.ts'
import type { AutomationRules } from './automation.rules.ts'
import { blank, type Memory } from './automation.state.ts'
import type { DecisionStep } from './automation.table.ts'

/** A run of a flow with its place: which flow it is of, and in which version it began. */
export interface ActiveRun {
  flowId: number
  versionId: number
  run: FlowRun
}

/** The flows of a company, as the engine needs them. */
export interface FlowSource {
  graphs: FlowGraphs
  /** The published version of each flow that can begin. */
  versionOf: ReadonlyMap<number, number>
  /** A stored file by its name. */
  fileOf(name: string): OwnFile | null
  /** A message template of a connection, as it is now; missing where no flow names any. */
  templateOf?: (whatsappId: number, name: string, language: string) => FlowTemplate | undefined
  /** What the company calls its tags. */
  tags: readonly { id: number; name: string }[]
  /** The names of the people to whom tickets can be given. */
  people: ReadonlyMap<number, string>
}

/** One ticket, while what happened in it is answered. Only what stands here is read or written. */
export interface Turn {
  readonly rules: AutomationRules
  readonly flows: FlowSource
  readonly contact: Pick<Contact, 'id' | 'name' | 'number' | 'email' | 'extraInfo' | 'disableBot'> &
    Partial<Pick<Contact, 'fields'>>
  readonly now: Date
  readonly wasServed: boolean
  readonly ticket: Ticket
  readonly memory: Memory
  readonly run: ActiveRun | null
  /** So many messages were said in this turn. */
  readonly said: number
  /** What the one happening that is being answered may still cost, through all flows that it meets. */
  readonly budget: Budget
}

/** What came of one happening. */
export interface Turned {
  turn: Turn
  decision: Decision
  steps: DecisionStep[]
  /** Kinds and ids, no texts. */
  actions: Record<string, unknown>[]
  /** Ids of the messages that were said. */
  replies: string[]
  /** What is told to the contact, for who only asks what would happen. */
  texts: { body: string; file: OwnFile | null }[]
  /** Runs that began, went on or ended, in that order, each as it is then; `stood` is the node where it was before. */
  runs: (ActiveRun & { trail: TrailEntry[]; stood: string | null; log: FlowLogEntry | undefined })[]
}

/** Ids are the caller's to make: nothing here is drawn by chance. */
export interface Ids {
  /** Of the n-th message said for a cause. */
  reply(cause: string, n: number): string
  /** Of a run that begins for a cause: a UUIDv7. */
  run(cause: string): { id: string; seed: number }
}

/** A message of the contact. */
export interface Heard {
  id: string
  /** Null where something else was sent. */
  text: string | null
  caption: string
  /** What was sent, where that was a file. */
  file: AnswerFile | null
  writtenAt: Date
  /** The contact’s first ever. */
  isFirst: boolean
}

/** Answers one message. */
export function receive(before: Turn, message: Heard, ids: Ids): Turned {
  const turn: Turn = { ...before, budget: new Budget() }
  const situation: Situation = {
    now: turn.now,
    ticket: turn.ticket,
    contact: { ...turn.contact, number: turn.contact.number ?? '', isNew: message.isFirst },
    message,
    wasServed: turn.wasServed,
    memory: turn.memory,
    run: turn.run,
  }
  let answer = decide(turn.rules, situation)
  const event: FlowEvent = {
    ...{ kind: 'message', text: message.text ?? message.caption },
    ...{ file: message.file, id: message.id },
  }
  if (turn.run && answer.actions.some(({ kind }) => kind === 'continueFlow')) {
    const before = turn.run.run
    const went = goOn(turn, turn.run, event, message.id, ids)
    // A phrase is stronger than a flow that did not wait for this, or cannot use it.
    const steps = answer.steps.map((one) =>
      one.why === 'waited_for' && isWrong(before, went) ? notUnderstood(one) : one,
    )
    if (isTaken(before, went)) return { ...went, steps }
    const other = decide(turn.rules, situation, { notForFlow: true })
    if (!other.actions.some(({ kind }) => kind === 'startFlow')) return { ...went, steps }
    answer = other
  }
  return doAll(turn, answer, message, ids)
}

/** Why a flow does not begin in a ticket, though somebody wants it; null where it does. */
function whyNotBegun({ ticket, contact, rules, flows }: Turn, flowId: number): string | null {
  if (ticket.isGroup) return 'asked_group'
  if (ticket.status !== 'pending' || ticket.userId !== null) return 'asked_agent'
  if (contact.disableBot) return 'asked_contact_without_bot'
  if (!rules.company.isSubscribed) return 'asked_no_subscription'
  return flows.versionOf.has(flowId) ? null : 'asked_switched_off'
}

/**
 * Begins a flow because a person, or a rule, wants it, in place of one that the contact is in. Who was served by a person
 * before is with bots again, as who asks for the menu is.
 * @param cause names the wish
 */
export function beginAsked(before: Turn, flowId: number, by: 'person' | 'rule', cause: string, ids: Ids): Turned {
  const turn: Turn = { ...before, budget: new Budget() }
  const why = whyNotBegun(turn, flowId)
  const facts = { flowId }
  if (why) {
    const went = turn.run === null ? change(turn, { chatbot: false }) : quiet(turn)
    return { ...went, steps: [{ step: 'flow', result: 'blocked', why, facts }] }
  }
  const left = endRun(turn, cause, ids)
  const { greeted, hoursToldAt } = turn.memory
  const memory = { ...blank, greeted, hoursToldAt, menuAskedAt: turn.now }
  const begun = then(left, (t) => begin({ ...t, memory, wasServed: false }, flowId, { cause }, ids))
  return { ...begun, steps: [{ step: 'flow', result: 'matched', why: `asked_by_${by}`, facts }] }
}

/** Tells the run that waits what happened: its time is over, a result is there, a message has left. */
export function happen(before: Turn, event: FlowEvent, cause: string, ids: Ids): Turned {
  const turn: Turn = { ...before, budget: new Budget() }
  if (!turn.run) return { ...quiet(turn), steps: [{ step: 'flow', result: 'passed', why: 'none' }] }
  const went = goOn(turn, turn.run, event, cause, ids)
  const facts = { flowId: turn.run.flowId, ...factsOf(event) }
  return { ...went, steps: [{ step: 'flow', result: 'matched', why: whyOf(turn.run.run, event, went), facts }] }
}

const notUnderstood = (step: DecisionStep): DecisionStep => ({ ...step, why: 'not_understood' })

/** What the run met, and whether that was good. */
function whyOf(before: FlowRun, event: FlowEvent, went: Turned): string {
  if (event.kind === 'timer') {
    if (before.wait?.kind === 'job') return 'no_result'
    if (before.wait?.kind === 'gather') return isWrong(before, went) ? 'not_understood' : 'gathered'
    return before.wait?.kind === 'reply' ? 'silence' : 'time'
  }
  if (event.kind !== 'result') return 'told'
  const { result } = event
  if (result.kind === 'ai')
    return !result.ok
      ? result.why === 'plan'
        ? 'plan_without_ai'
        : 'ai_failed'
      : result.transferTo === undefined
        ? 'ai_answered'
        : 'ai_transferred'
  if (result.kind === 'typebot') {
    if (!result.ok) return result.why === 'plan_integrations' ? 'plan_without_integrations' : 'typebot_failed'
    if (result.transferTo !== undefined || result.userId !== undefined) return 'typebot_transferred'
    return result.session == null ? 'typebot_finished' : 'typebot_answered'
  }
  if (result.kind === 'file') return result.ok ? 'file_fetched' : 'file_failed'
  const [run] = went.runs
  if (run?.trail[0]?.port !== 'error' && run?.run.ended?.why !== 'error') return 'result'
  return result.ok && (result.status < 200 || result.status >= 300) ? 'call_refused' : 'call_failed'
}

function factsOf(event: FlowEvent): NonNullable<DecisionStep['facts']> {
  if (event.kind !== 'result') return {}
  const { result } = event
  if (result.kind === 'http') return result.ok ? { status: result.status } : {}
  if (result.kind === 'file' || result.kind === 'typebot')
    return result.ok ? {} : { failure: result.why, ...(result.status !== undefined && { status: result.status }) }
  return { ...(result.why && { failure: result.why }), ...(result.reason && { reason: result.reason.slice(0, 200) }) }
}

/** Nobody but people answers: to answer it made the server stand still. A run that waited for it is over. */
export function leaveToPeople(before: Turn, cause: string, ids: Ids): Turned {
  const turn: Turn = { ...before, budget: new Budget() }
  const went = turn.run ? goOn(turn, turn.run, { kind: 'stoodStill' }, cause, ids) : handOver(turn)
  return { ...went, steps: [{ step: 'stood_still', result: 'blocked', why: 'stood_still' }] }
}

const quiet = (turn: Turn): Turned => ({
  ...{ turn, decision: nothing, steps: [], actions: [], replies: [], texts: [], runs: [] },
})

/** One behind the other. */
function then(first: Turned, next: (turn: Turn) => Turned): Turned {
  const second = next(first.turn)
  return {
    turn: second.turn,
    decision: together(first.decision, second.decision),
    steps: [...first.steps, ...second.steps],
    actions: [...first.actions, ...second.actions],
    replies: [...first.replies, ...second.replies],
    texts: [...first.texts, ...second.texts],
    runs: [...first.runs, ...second.runs],
  }
}

/** Does what was decided, in its order. */
function doAll(turn: Turn, answer: Answer, message: Heard, ids: Ids): Turned {
  let done: Turned = { ...quiet(turn), steps: answer.steps }
  const plain: PlainAction[] = []
  const starts: Extract<Action, { kind: 'startFlow' }>[] = []
  for (const action of answer.actions) {
    if (action.kind === 'startFlow') starts.push(action)
    else if (action.kind !== 'continueFlow') plain.push(action)
  }
  done = then(done, (t) => doPlain(remembering(t, answer.memory), plain, message.id, ids))
  for (const start of starts) {
    done = then(done, (t) => endRun(t, message.id, ids))
    done = then(done, (t) => begin(t, start.flowId, { cause: message.id, message }, ids))
  }
  return then(done, (t) => showBot(t, answer.actions))
}

/** Who asks for the menu wants bots again. */
const remembering = (turn: Turn, memory: Memory): Turn => ({
  ...turn,
  memory,
  wasServed: turn.wasServed && memory.menuAskedAt === turn.memory.menuAskedAt,
})

function doPlain(turn: Turn, actions: readonly PlainAction[], cause: string, ids: Ids): Turned {
  const { ticket, decision, replies } = act(turn.ticket, actions, {
    cause,
    now: turn.now,
    after: turn.said,
    idOf: (n) => ids.reply(cause, n),
    queueName: (id) => turn.rules.queues.get(id)?.name ?? '',
  })
  return {
    ...quiet({ ...turn, ticket, said: turn.said + replies.length }),
    decision,
    replies,
    actions: actions.map((action) => (action.kind === 'say' ? { kind: 'say' } : { ...action })),
    texts: actions.flatMap((action) => (action.kind === 'say' ? [{ body: action.body, file: action.file }] : [])),
  }
}

/** The ticket says that it is with a bot, until a person takes it. */
function showBot(turn: Turn, actions: readonly Action[]): Turned {
  if (actions.length === 0 && turn.run === null) return quiet(turn)
  const asked = actions.find((action) => action.kind === 'ask')
  const values = {
    chatbot: turn.memory.inOptions || asked !== undefined || turn.run !== null,
    useIntegration: asked?.by === 'integration',
    promptId: asked?.by === 'prompt' ? asked.id : null,
    integrationId: asked?.by === 'integration' ? asked.id : null,
  }
  return change(turn, values)
}

function change(turn: Turn, values: TicketTouch): Turned {
  const isAsBefore = (Object.keys(values) as (keyof Ticket)[]).every((key) => values[key] === turn.ticket[key])
  if (isAsBefore) return quiet(turn)
  const row = { table: 'tickets', op: 'update', ids: [turn.ticket.id], values } as const
  return {
    ...quiet({ ...turn, ticket: { ...turn.ticket, ...values } }),
    decision: { rows: [{ ...row, ids: [...row.ids] }], effects: [] },
  }
}

// ── flows ────────────────────────────────────────────────────────────────────────────────────

/** Whether the run could use the message: it went elsewhere, ended, or counted no wrong answer. */
function isTaken(before: FlowRun, { turn, runs, replies }: Turned): boolean {
  const after = turn.run?.run ?? runs.at(-1)?.run
  if (!after || after.ended || after.node !== before.node) return true
  if (replies.length === 0 && after.wait?.id === before.wait?.id && after.wait?.kind !== 'gather') return false
  return after.wait === null || before.wait === null || after.wait.tries <= before.wait.tries
}

/** Whether the answer was none that the run could use: it asks again, or gives up. */
function isWrong(before: FlowRun, { runs }: Turned): boolean {
  const [went] = runs
  if (!went || before.wait === null || !['reply', 'gather'].includes(before.wait.kind)) return false
  const { run, trail } = went
  if (run.ended?.why === 'invalid' || trail[0]?.port === 'invalid') return true
  return run.node === before.node && run.wait?.kind === 'reply' && run.wait.tries > before.wait.tries
}

/** @param message what the contact wrote that began it, where it was that */
function begin(turn: Turn, flowId: number, { cause, message }: { cause: string; message?: Heard }, ids: Ids): Turned {
  const versionId = turn.flows.versionOf.get(flowId)
  if (versionId === undefined) return quiet(turn)
  const { id, seed } = ids.run(cause)
  const run = newRun({ id, version: String(versionId), seed })
  const event: FlowEvent = message
    ? { kind: 'started', text: message.text ?? '', id: message.id }
    : { kind: 'started', text: '' }
  return goOn(turn, { flowId, versionId, run }, event, cause, ids)
}

/** The flow that the contact is in is left for another. */
const endRun = (turn: Turn, cause: string, ids: Ids): Turned =>
  turn.run ? goOn(turn, turn.run, { kind: 'takenOver' }, cause, ids) : quiet(turn)

function goOn(turn: Turn, active: ActiveRun, event: FlowEvent, cause: string, ids: Ids): Turned {
  const { run, effects, trail, done: kept } = step(turn.flows.graphs, active.run, event, contextOf(turn))
  const after: ActiveRun = { ...active, run }
  let done: Turned = {
    ...quiet({ ...turn, run: run.ended ? null : after }),
    runs: [
      { ...after, trail, stood: active.run.node, log: logOf(active.run, event, { run, effects, trail, done: kept }) },
    ],
  }
  for (const effect of effects) done = then(done, (t) => perform(t, run, effect, cause, ids))
  return then(done, (t) => (run.ended ? change(t, { chatbot: false }) : change(t, { chatbot: true })))
}

/** What a flow sends: a file that it names, or one that was fetched for it. */
function storedOf({ file, name, fetched }: SentFile, flows: FlowSource): OwnFile | null {
  return fetched ? { path: file, name, ...fetched, voice: false } : flows.fileOf(file)
}

/** Ends of a flow after which the ticket waits for people, and no bot begins again. */
const forPeople: ReadonlySet<EndReason> = new Set<EndReason>(['queue', 'agent', 'close', 'takenOver', 'closed'])

type Doing<Kind extends FlowEffect['kind']> = Extract<FlowEffect, { kind: Kind }>

/** What the trace says that a flow did. */
const noted = (effect: FlowEffect, fact: Record<string, unknown> = {}) => ({ kind: effect.kind, ...fact })

/** By whom the timeline says that a ticket was moved. */
const byFlow = (id: string, now: Date) => ({ id: `flow:${id}`, eventId: `flow:${id}`, userId: null, now })

function perform(turn: Turn, run: FlowRun, effect: FlowEffect, cause: string, ids: Ids): Turned {
  const { ticket, now } = turn
  const id = flowMessageId(run.id, effect.n)
  switch (effect.kind) {
    case 'send':
      return send(turn, run, effect, id)
    case 'toQueue':
      return toQueue(turn, effect, id)
    case 'toAgent':
      return toAgent(turn, effect, id)
    case 'close': {
      const moved = moveTicket(ticket, { type: 'finish' }, byFlow(id, now))
      if ('refused' in moved) return quiet(turn)
      return { ...quiet({ ...turn, ticket: moved.ticket }), decision: moved.decision, actions: [noted(effect)] }
    }
    case 'tag':
    case 'untag':
      return tagged(turn, effect)
    case 'field':
      return { ...quiet(turn), decision: fieldChange(turn, effect), actions: [noted(effect, { field: effect.field })] }
    case 'note':
      return {
        ...quiet(turn),
        decision: { rows: [noteOn(ticket, { id, note: effect.text, now })], effects: [] },
        actions: [noted(effect, effect.guard ? { guard: effect.guard } : {})],
      }
    case 'http':
    case 'file':
    case 'ai':
    case 'typebot':
      return askElsewhere(turn, run, effect, cause)
    case 'takeBack':
      return { ...quiet(turn), decision: { rows: [], effects: [], takenOver: [ticket.id] }, actions: [noted(effect)] }
    case 'leave':
      return leave(turn, run, effect, cause, ids)
  }
}

function send(turn: Turn, run: FlowRun, effect: Doing<'send'>, id: string): Turned {
  const stored = effect.file ? storedOf(effect.file, turn.flows) : null
  const file =
    stored && effect.file ? { ...stored, name: effect.file.name || stored.name, voice: effect.voice ?? false } : null
  if (file === null && effect.body.trim() === '') return quiet(turn)
  const at = new Date(turn.now.getTime() + turn.said + 1)
  const isAwaited = run.wait?.after === effect.n
  return {
    ...quiet({ ...turn, said: turn.said + 1 }),
    decision: say(turn.ticket, {
      ...{ id, isSaid: false, body: effect.body, file, at },
      ...(effect.about && { about: effect.about }),
      offer: effect.offer,
      ...{ typingMs: effect.typingMs, flow: isAwaited ? { runId: run.id, n: effect.n } : undefined },
    }),
    replies: [id],
    texts: [{ body: effect.body, file }],
    actions: [{ kind: 'say' }],
  }
}

function toQueue(turn: Turn, effect: Doing<'toQueue'>, id: string): Turned {
  const queue = turn.rules.queues.get(effect.queueId)
  // Whoever is there takes it: the contact was told that somebody comes.
  if (!queue) return { ...handOver(turn), actions: [noted(effect, { queueId: effect.queueId, missing: true })] }
  const moved = moveTicket(
    turn.ticket,
    { type: 'choose', queueId: queue.id },
    { ...byFlow(id, turn.now), data: { queue: queue.name, by: 'flow' } },
  )
  const memory = { ...turn.memory, enteredQueueId: queue.id, inOptions: false, handedOver: true }
  if ('refused' in moved) return handOver(turn)
  return {
    ...quiet({ ...turn, ticket: moved.ticket, memory }),
    decision: moved.decision,
    actions: [noted(effect, { queueId: queue.id })],
  }
}

function toAgent(turn: Turn, effect: Doing<'toAgent'>, id: string): Turned {
  const name = turn.flows.people.get(effect.userId)
  // Whoever is there takes it, as where a flow ends without anybody's name.
  if (name === undefined)
    return { ...handOver(turn), actions: [noted(effect, { userId: effect.userId, missing: true })] }
  const data = { to: name }
  const moved = moveTicket(turn.ticket, { type: 'assign', userId: effect.userId }, { ...byFlow(id, turn.now), data })
  if ('refused' in moved) return handOver(turn)
  return {
    ...quiet({ ...turn, ticket: moved.ticket }),
    decision: moved.decision,
    actions: [noted(effect, { userId: effect.userId })],
  }
}

function tagged(turn: Turn, effect: Doing<'tag' | 'untag'>): Turned {
  const { tagId } = effect
  const has = new Set(turn.ticket.tagIds)
  if (effect.kind === 'untag') has.delete(tagId)
  else if (turn.flows.tags.some((tag) => tag.id === tagId)) has.add(tagId)
  const tagIds = [...has].sort((a, b) => a - b)
  if (tagIds.length === turn.ticket.tagIds.length) return quiet(turn)
  const changed = change(turn, { tagIds })
  const decision = { ...changed.decision, ...taggedAs(turn.ticket, tagIds) }
  return { ...changed, decision, actions: [noted(effect, { tagId })] }
}

/** What is asked elsewhere, by a job after the commit; the run waits for the answer. */
function askElsewhere(
  turn: Turn,
  run: FlowRun,
  effect: Doing<'http' | 'file' | 'ai' | 'typebot'>,
  cause: string,
): Turned {
  const asking = (job: Effect, fact: Record<string, unknown> = {}): Turned => ({
    ...quiet(turn),
    decision: { rows: [], effects: [job] },
    actions: [noted(effect, fact)],
  })
  const ticketId = turn.ticket.id
  switch (effect.kind) {
    case 'http':
      return asking({
        kind: 'flows.http',
        ticketId,
        runId: run.id,
        waitId: effect.waitId,
        request: effect.request,
      })
    case 'file':
      return asking({
        kind: 'flows.file',
        ticketId,
        runId: run.id,
        waitId: effect.waitId,
        url: effect.url,
      })
    case 'ai': {
      const { waitId, promptId, instructions, text, heard, turn: times } = effect
      return asking(
        {
          kind: 'flows.ai',
          ticketId,
          runId: run.id,
          waitId,
          promptId,
          instructions,
          text,
          turn: times,
          heard: heard.length > 0 ? heard : [cause],
        },
        { promptId },
      )
    }
    case 'typebot': {
      const { waitId, integrationId, text, session, variables } = effect
      const heard = effect.heard.length > 0 ? effect.heard : [cause]
      return asking(
        {
          ...{ kind: 'flows.typebot', ticketId, runId: run.id },
          ...{ waitId, integrationId, text, heard, session, variables },
        },
        { integrationId },
      )
    }
  }
}

/** A flow is over: the ticket waits for people, or the contact is shown the menu, or nobody answers any more. */
function leave(turn: Turn, run: FlowRun, effect: Doing<'leave'>, cause: string, ids: Ids): Turned {
  if (effect.to === 'nowhere')
    return {
      ...quiet({ ...turn, memory: { ...turn.memory, botOver: true } }),
      actions: [noted(effect, { to: effect.to })],
    }
  if (effect.to === 'pending' || run.ended === null || forPeople.has(run.ended.why))
    return { ...handOver(turn), actions: [noted(effect, { to: effect.to })] }
  return toMenu(turn, cause, ids)
}

/** The ticket waits for people: nothing begins again in this service. */
const handOver = (turn: Turn): Turned =>
  quiet({ ...turn, memory: { ...turn.memory, handedOver: true, enteredQueueId: turn.ticket.queueId } })

/** What one way to the menu counts, in letters: a circle through it ends as one in a flow does. */
const MENU_LETTERS = 40_000

function isAffordable(budget: Budget, letters: number): boolean {
  try {
    budget.spend(letters)
    return true
  } catch (error) {
    if (error instanceof OverBudget) return false
    throw error
  }
}

/** Out of a flow and to the queue menu, as `#` leads there. */
function toMenu(turn: Turn, cause: string, ids: Ids): Turned {
  // The menu may begin a flow that leads to the menu.
  if (!isAffordable(turn.budget, MENU_LETTERS)) return handOver(turn)
  const { greeted, hoursToldAt } = turn.memory
  const memory = { ...blank, greeted, hoursToldAt }
  const answer = decide(turn.rules, {
    ...{ now: turn.now, ticket: turn.ticket, memory, run: null, wasServed: turn.wasServed },
    contact: { ...turn.contact, number: turn.contact.number ?? '', isNew: false },
    message: { text: '#', writtenAt: turn.now },
  })
  const message: Heard = {
    id: `${cause}:menu`,
    text: '#',
    caption: '',
    file: null,
    writtenAt: turn.now,
    isFirst: false,
  }
  return doAll({ ...turn, run: null }, answer, message, ids)
}

function fieldChange({ contact, now }: Turn, effect: Extract<FlowEffect, { kind: 'field' }>): Decision {
  const value = effect.value.trim()
  const values = (): Partial<Contact> | null => {
    switch (effect.field) {
      case 'name':
        return value === '' ? null : { name: value.slice(0, 100), nameSource: 'edited' }
      case 'email':
        return { email: value.slice(0, 254) }
      case 'extra': {
        const others = contact.extraInfo.filter(({ name }) => name !== effect.extraName)
        if (effect.extraName === '' || others.length >= 50) return null
        const own = { id: `flow-${effect.extraName}`, name: effect.extraName, value: value.slice(0, 1_000) }
        return { extraInfo: [...others, own] }
      }
    }
  }
  const changed = values()
  return changed
    ? {
        rows: [{ table: 'contacts', op: 'update', ids: [contact.id], values: { ...changed, updatedAt: now } }],
        effects: [],
      }
    : nothing
}

/** Templates of the ticket's connection. */
const templatesFor = ({ templateOf }: FlowSource, whatsappId: number | null) =>
  templateOf && whatsappId !== null
    ? { templateOf: (name: string, language: string) => templateOf(whatsappId, name, language) }
    : {}

function contextOf({ rules, flows, contact, ticket, now, budget }: Turn): FlowContext {
  const { company, connection, queues, fields = [] } = rules
  const queue = ticket.queueId === null ? undefined : queues.get(ticket.queueId)
  return {
    ...{ now, budget },
    facts: {
      timeZone: company.timeZone,
      language: company.language,
      contact,
      ticket: { id: ticket.id },
      queue: queue ? { id: queue.id, name: queue.name } : null,
      connection: { name: connection.name },
      company: { name: company.name },
      fields: fieldWords(fields, { contact: contact.fields, ticket: ticket.fields }, company.language),
      tags: flows.tags.filter(({ id }) => ticket.tagIds.includes(id)),
      ...(company.leaving && { leaving: company.leaving }),
      ...templatesFor(flows, ticket.whatsappId),
      promptQueues: Object.fromEntries(rules.promptQueues ?? []),
      hours: {
        company: company.schedules,
        ...(company.holidays && { holidays: company.holidays }),
        connection: connection.schedules,
        queues: Object.fromEntries([...queues].map(([id, { schedules }]) => [id, schedules])),
      },
    },
  }
}
