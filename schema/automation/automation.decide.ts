import { chosenOf, numberSaid } from '../choices.ts'
import { phraseKey } from '../flows/flows.edits.inputs.ts'
import { NOTICE_EVERY_MS, outOfHoursNotice } from '../hours/hours.notice.ts'
import { type Choice, choicesOf, type Offer, offerOf } from '../messages/messages.offer.ts'
import type { OwnFile } from '../messages/messages.own.ts'
import type { FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { fieldWords } from '../custom-fields/custom-fields.values.ts'
import { fillPlaceholders } from '../placeholders/placeholders.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { below } from '../queues/queue-options.tree.ts'
import { type AutomationRules, hasGreeting, type OptionRules, type QueueRules } from './automation.rules.ts'
import { blank, type Memory } from './automation.state.ts'
import type { DecisionStep } from './automation.table.ts'
import { choice, words } from './automation.words.ts'

/** A message that came later than this after it was written is answered by people alone. */
export const ANSWERED_WITHIN_MS = 10 * 60_000

/** Choices in a row that an option tree does not know, before it waits in silence for a person or a choice. */
const MOST_MISSES = 3

/** What one message of a contact meets. */
export interface Situation {
  now: Date
  /** As it is with the message filed in it. */
  ticket: Pick<Ticket, 'id' | 'status' | 'userId' | 'queueId' | 'isGroup'> & { fields?: FieldPatch }
  contact: { name: string; number: string; email: string; disableBot: boolean; isNew: boolean; fields?: FieldPatch }
  /** `text` is null where something else was sent. */
  message: { text: string | null; writtenAt: Date }
  /** A person has had this service in hand. */
  wasServed: boolean
  memory: Memory
  /** The flow that the contact is in. */
  run: { flowId: number } | null
}

/** What is done, in this order. */
export type Action =
  /** `typingMs`: the contact sees typing for so long before. `offer`: the menu that the body is. */
  | { kind: 'say'; body: string; file: OwnFile | null; typingMs?: number; offer?: Offer }
  /** The ticket goes to a queue, or back to none. The contact wished it, unless `by` says who else. */
  | { kind: 'queue'; queueId: number | null; by?: ChosenBy }
  /** A line in the timeline says that the contact was told the hours. */
  | { kind: 'toldHours' }
  /** A language model or a bot elsewhere is asked, after the commit. */
  | { kind: 'ask'; by: 'prompt' | 'integration'; id: number }
  /** The run that waits is told of the message. */
  | { kind: 'continueFlow' }
  /** A flow begins, in the place of one that the contact is in. */
  | { kind: 'startFlow'; flowId: number; why: 'phrase' | 'welcome' | 'default' | 'integration' }

/** Who chose a queue where the contact did not: there was one only, or it is closed now, or a flow or a bot did. */
export type ChosenBy = 'only' | 'closed' | 'flow' | 'prompt' | 'integration'

export interface Answer {
  steps: DecisionStep[]
  actions: Action[]
  queueId: number | null
  memory: Memory
}

/**
 * Who answers a message when no agent does, and what. The first rule that matches ends it, so that a message is answered
 * by one automation only. Whether a run that waits takes the message is the flow's to say (`continueFlow`): where it does
 * not want it, `decide` is asked again with `notForFlow`, and a phrase may begin another flow.
 */
export function decide(rules: AutomationRules, situation: Situation, { notForFlow = false } = {}): Answer {
  const c: Course = {
    rules,
    ...situation,
    notForFlow,
    text: situation.message.text?.trim() ?? null,
    queueId: situation.ticket.queueId,
    isTooLong: false,
    steps: [],
    actions: [],
  }
  const silent = whySilent(c)
  if (silent) blocked(c, 'may_answer', silent)
  else {
    const order = situation.wasServed ? afterPerson : situation.memory.handedOver ? afterPromise : precedence
    const isOver = order.some((rule) => rule(c))
    if (c.isTooLong) blocked(c, 'words', 'too_long')
    if (!isOver) c.steps.push({ step: 'silence', result: 'passed', why: c.queueId === null ? 'no_rule' : 'waits' })
  }
  return { steps: c.steps, actions: c.actions, queueId: c.queueId, memory: c.memory }
}

interface Course extends Situation {
  rules: AutomationRules
  notForFlow: boolean
  /** Trimmed. */
  text: string | null
  queueId: number | null
  /** A text was not said: no message would hold it. */
  isTooLong: boolean
  steps: DecisionStep[]
  actions: Action[]
}

/** Whether the rule has dealt with the message, so that no later one is asked. */
type Rule = (c: Course) => boolean

// ── what is noted ────────────────────────────────────────────────────────────────────────────

type Facts = DecisionStep['facts']

const note = (c: Course, step: string, result: DecisionStep['result'], why: string, facts?: Facts) =>
  void c.steps.push({ step, result, why, ...(facts ? { facts } : {}) })

function matched(c: Course, step: string, why: string, facts?: Facts): true {
  note(c, step, 'matched', why, facts)
  return true
}

function blocked(c: Course, step: string, why: string, facts?: Facts): true {
  note(c, step, 'blocked', why, facts)
  return true
}

function passed(c: Course, step: string, why: string, facts?: Facts): false {
  note(c, step, 'passed', why, facts)
  return false
}

/** Why nothing may be said at all, or null. */
function whySilent({ ticket, contact, rules, message, now }: Course): string | null {
  if (ticket.isGroup) return 'group'
  if (ticket.status !== 'pending' || ticket.userId !== null) return 'agent'
  if (contact.disableBot) return 'contact_without_bot'
  if (!rules.company.isSubscribed) return 'no_subscription'
  if (now.getTime() - message.writtenAt.getTime() > ANSWERED_WITHIN_MS) return 'too_late'
  return null
}

// ── what is said ─────────────────────────────────────────────────────────────────────────────

function say(c: Course, text: string, file: OwnFile | null = null): void {
  const body = filled(c, text)
  // Better nothing than its beginning: the rule goes on, and whoever asks why reads it.
  if (body === null) c.isTooLong = true
  else if (body.trim() !== '' || file) c.actions.push({ kind: 'say', body, file })
}

/** What a menu offers. */
interface Line {
  key: number | '#'
  label: string
}

/** Says a menu: as lines of a text, and as choices for who can press them. */
function offer(c: Course, text: string, lines: readonly Line[]): void {
  const shown = lines.map(({ key, label }) => choice(key, label)).join('\n')
  const body = filled(c, [text, shown].filter((part) => part.trim() !== '').join('\n\n'))
  if (body === null) {
    c.isTooLong = true
    return
  }
  const labels = lines.map(({ label }) => filled(c, label) ?? label)
  const own = choicesOf(
    lines.flatMap(({ key, label }, i) => (key === '#' || key === 0 ? [] : [{ number: key, label, shown: labels[i]! }])),
  )
  const ways = lines.flatMap(({ key }, i): Choice[] =>
    key === '#' || key === 0 ? [{ label: labels[i]!, answer: String(key) }] : [],
  )
  const { language } = c.rules.company
  c.actions.push({
    ...{ kind: 'say', body, file: null },
    offer: offerOf(filled(c, text) ?? '', [...own, ...ways], language),
  })
}

/** Null: longer than a message may be. */
function filled(c: Course, text: string): string | null {
  const { company, connection, queues, fields = [] } = c.rules
  return fillPlaceholders(text, {
    now: c.now,
    timeZone: company.timeZone,
    language: company.language,
    contact: c.contact,
    ticket: c.ticket,
    queue: c.queueId === null ? null : (queues.get(c.queueId) ?? null),
    connection,
    company,
    fields: fieldWords(fields, { contact: c.contact.fields, ticket: c.ticket.fields }, company.language),
  })
}

function moveTo(c: Course, queueId: number | null, by?: ChosenBy): void {
  if (c.queueId === queueId) return
  c.queueId = queueId
  c.actions.push({ kind: 'queue', queueId, ...(by && { by }) })
}

const remember = (c: Course, memory: Partial<Memory>) => void (c.memory = { ...c.memory, ...memory })

function startFlow(c: Course, flowId: number, why: Extract<Action, { kind: 'startFlow' }>['why']): void {
  c.actions.push({ kind: 'startFlow', flowId, why })
}

// ── the rules, in their order ────────────────────────────────────────────────────────────────

const activeFlow: Rule = (c) => {
  if (!c.run) return passed(c, 'flow', 'none')
  if (c.notForFlow) {
    if (phraseOf(c)) return passed(c, 'flow', 'left_for_phrase', { flowId: c.run.flowId })
    return matched(c, 'flow', 'not_waited_for', { flowId: c.run.flowId })
  }
  c.actions.push({ kind: 'continueFlow' })
  return matched(c, 'flow', 'waited_for', { flowId: c.run.flowId })
}

const phrase: Rule = (c) => {
  const found = phraseOf(c)
  if (!found) return passed(c, 'phrase', 'no_phrase')
  const facts = { phraseId: found.id, flowId: found.flowId }
  if (!c.run && closedOf(c, 'company')) return !blocked(c, 'phrase', 'closed', facts)
  startFlow(c, found.flowId, 'phrase')
  return matched(c, 'phrase', 'phrase', facts)
}

const welcome: Rule = (c) => {
  const flowId = c.rules.welcomeFlowId
  if (flowId === null) return passed(c, 'welcome', 'none')
  if (!c.contact.isNew) return passed(c, 'welcome', 'known_contact')
  if (closedOf(c, 'company')) return !blocked(c, 'welcome', 'closed', { flowId })
  startFlow(c, flowId, 'welcome')
  return matched(c, 'welcome', 'new_contact', { flowId })
}

/** `#` leads out of every bot, and to the menu. */
const backToMenu: Rule = (c) => {
  // A phone may write it as a key.
  if (c.text?.replace(/[\uFE0F\u20E3]/g, '') !== '#') return passed(c, 'menu_again', 'not_asked')
  matched(c, 'menu_again', 'asked')
  const { greeted, hoursToldAt } = c.memory
  c.memory = { ...blank, greeted, hoursToldAt, menuAskedAt: c.now }
  moveTo(c, null)
  return showMenu(c)
}

const companyHours: Rule = (c) => {
  if (c.rules.company.scheduleType !== 'company') return passed(c, 'hours', 'not_by_company')
  const closed = closedOf(c, 'company')
  if (!closed) return passed(c, 'hours', 'open')
  return answerClosed(c, 'hours', closed.words)
}

const connectionPrompt: Rule = (c) => {
  const id = c.rules.connection.promptId
  if (c.queueId !== null) return passed(c, 'connection_prompt', 'has_queue')
  return ask(c, 'connection_prompt', 'prompt', id)
}

const connectionIntegration: Rule = (c) => {
  const id = c.rules.connection.integrationId
  if (c.queueId !== null) return passed(c, 'connection_integration', 'has_queue')
  return ask(c, 'connection_integration', 'integration', id)
}

const queueBot: Rule = (c) => {
  const queue = c.queueId === null ? undefined : c.rules.queues.get(c.queueId)
  if (!queue) return passed(c, 'queue', 'no_queue')
  const isClosed = queueClosed(c, queue)
  if (isClosed) return true
  if (c.memory.enteredQueueId !== queue.id) return enter(c, queue, { chosen: false })
  if (ask(c, 'queue_prompt', 'prompt', queue.promptId, { queueId: queue.id })) return true
  if (ask(c, 'queue_integration', 'integration', queue.integrationId, { queueId: queue.id })) return true
  return options(c, queue)
}

const defaultFlow: Rule = (c) => {
  const flowId = c.rules.defaultFlowId
  if (flowId === null) return passed(c, 'default_flow', 'none')
  if (c.queueId !== null) return passed(c, 'default_flow', 'has_queue')
  if (c.contact.isNew) return passed(c, 'default_flow', 'new_contact')
  if (c.memory.defaultFlow) return passed(c, 'default_flow', 'had_it', { flowId })
  remember(c, { defaultFlow: true })
  startFlow(c, flowId, 'default')
  return matched(c, 'default_flow', 'no_phrase', { flowId })
}

const queueMenu: Rule = (c) => {
  if (c.queueId !== null) return passed(c, 'menu', 'has_queue')
  return showMenu(c)
}

const greeting: Rule = (c) => {
  const { greetingMessage, queueIds } = c.rules.connection
  if (queueIds.length > 0 || c.queueId !== null) return passed(c, 'greeting', 'has_queues')
  if (greetingMessage.trim() === '') return passed(c, 'greeting', 'none')
  if (c.memory.greeted) return passed(c, 'greeting', 'greeted')
  remember(c, { greeted: true })
  say(c, greetingMessage)
  return matched(c, 'greeting', 'first')
}

const person: Rule = (c) => blocked(c, 'may_answer', 'served_by_person')
const promise: Rule = (c) => blocked(c, 'may_answer', 'handed_over')

/** After it all, in the order of the specification. The rate of a service is taken before, when the message is filed. */
const precedence: readonly Rule[] = [
  ...[activeFlow, phrase, welcome, backToMenu, companyHours, connectionPrompt, connectionIntegration],
  ...[queueBot, defaultFlow, queueMenu, greeting],
]

/** Who waits for a person is told when nobody is there. */
const queueHours: Rule = (c) => {
  const queue = c.queueId === null ? undefined : c.rules.queues.get(c.queueId)
  return queue ? queueClosed(c, queue) : false
}
const afterPerson: readonly Rule[] = [backToMenu, companyHours, queueHours, person]
/** Who was told that a person comes meets neither a menu nor another flow in their place. */
const afterPromise: readonly Rule[] = [activeFlow, backToMenu, companyHours, queueHours, promise]

// ── phrases ──────────────────────────────────────────────────────────────────────────────────

/** The phrase that the message is: one of the connection before one of all, a word before any text. */
function phraseOf({ text, rules, run }: Course) {
  if (text === null || text === '') return undefined
  const key = phraseKey(text)
  const here = rules.phrases.filter(({ whatsappId }) => whatsappId === null || whatsappId === rules.connection.id)
  const rank = (p: (typeof here)[number]) => (p.phraseKey === '*' ? 2 : 0) + (p.whatsappId === null ? 1 : 0)
  // Any text is no wish for another flow.
  const said = here.filter((p) => p.phraseKey === key || (p.phraseKey === '*' && !run))
  return said.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)[0]
}

// ── hours ────────────────────────────────────────────────────────────────────────────────────

/** What is said because nobody is there now; null while it is open, or where other hours count. */
function closedOf(c: Course, whose: 'company' | QueueRules): { words: string } | null {
  const { company, connection } = c.rules
  const { scheduleType, timeZone } = company
  if (scheduleType !== (whose === 'company' ? 'company' : 'queue')) return null
  const queue = whose === 'company' ? null : whose
  const words = outOfHoursNotice({ scheduleType, timeZone, company, connection, queue }, c.now)
  return words === null ? null : { words }
}

function answerClosed(c: Course, step: string, text: string, facts?: Facts): true {
  const answeredAt = c.memory.hoursToldAt
  if (answeredAt && c.now.getTime() - answeredAt.getTime() < NOTICE_EVERY_MS)
    return blocked(c, step, 'told_already', facts)
  say(c, text)
  c.actions.push({ kind: 'toldHours' })
  remember(c, { hoursToldAt: c.now })
  return matched(c, step, 'closed', facts)
}

/** A queue that is closed says so; where there are others, the contact may choose again. */
function queueClosed(c: Course, queue: QueueRules): boolean {
  const closed = closedOf(c, queue)
  if (!closed) return false
  const hasMenu = c.rules.connection.queueIds.length > 1 && !c.wasServed && !c.memory.handedOver
  const text = hasMenu ? `${closed.words}\n\n${words.toMenu[c.rules.company.language]}` : closed.words
  answerClosed(c, 'queue_hours', text, { queueId: queue.id })
  if (hasMenu) {
    moveTo(c, null, 'closed')
    const { greeted, hoursToldAt, menuAskedAt } = c.memory
    remember(c, { ...blank, greeted, hoursToldAt, menuAskedAt })
  }
  return true
}

// ── bots elsewhere ───────────────────────────────────────────────────────────────────────────

function ask(c: Course, step: string, by: 'prompt' | 'integration', id: number | null, facts: Facts = {}): boolean {
  if (id === null) return passed(c, step, 'none')
  const about = { ...facts, [`${by}Id`]: id }
  const integration = by === 'integration' ? c.rules.integrations.get(id) : undefined
  if (by === 'prompt' ? !c.rules.promptIds.has(id) : !integration) return passed(c, step, 'switched_off', about)
  if (c.memory.botOver) return passed(c, step, 'over', about)
  if (integration?.type === 'flowbuilder') {
    if (integration.flowId === null) return passed(c, step, 'no_flow', about)
    startFlow(c, integration.flowId, 'integration')
  } else c.actions.push({ kind: 'ask', by, id })
  return matched(c, step, 'asked', about)
}

// ── queues ───────────────────────────────────────────────────────────────────────────────────

/** The queue's own bot begins: its prompt, its integration, its options, or its greeting. */
function enter(c: Course, queue: QueueRules, { chosen }: { chosen: boolean }): true {
  const { connection, company } = c.rules
  const facts = { queueId: queue.id }
  remember(c, {
    ...{ enteredQueueId: queue.id, optionId: null, inOptions: false, misses: 0, menusSent: 0, menuSentAt: null },
    ...{ botOver: false, session: null, sessionAt: null },
  })
  const isAlone = connection.queueIds.length === 1
  if (!chosen && isAlone && company.greetsAlone && !c.memory.greeted && connection.greetingMessage.trim() !== '') {
    say(c, connection.greetingMessage)
    remember(c, { greeted: true })
  }
  // What was typed to choose is nothing to answer: the greeting asks for the next word.
  if (chosen && queue.promptId !== null && c.rules.promptIds.has(queue.promptId) && hasGreeting(queue)) {
    greet(c, queue)
    return matched(c, 'queue_prompt', 'greeted', { ...facts, promptId: queue.promptId })
  }
  if (ask(c, 'queue_prompt', 'prompt', queue.promptId, facts)) return true
  if (ask(c, 'queue_integration', 'integration', queue.integrationId, facts)) return true
  if (queue.options.length > 0) {
    show(c, queue, null)
    return matched(c, 'options', 'shown', facts)
  }
  greet(c, queue)
  return matched(c, 'queue_greeting', hasGreeting(queue) ? 'entered' : 'no_greeting', facts)
}

function greet(c: Course, queue: QueueRules): void {
  if (queue.file) say(c, '', queue.file)
  say(c, queue.greetingMessage)
}

/** The menu of queues, or what takes its place where there is one queue, or none. */
function showMenu(c: Course): boolean {
  const { connection, company, queues } = c.rules
  const offered = connection.queueIds.flatMap((id) => queues.get(id) ?? [])
  const [only] = offered
  if (!only) return passed(c, 'menu', 'no_queues')
  if (offered.length === 1) {
    moveTo(c, only.id, 'only')
    return queueClosed(c, only) || enter(c, only, { chosen: false })
  }
  const { menusSent, menuSentAt } = c.memory
  const lines = offered.map(({ name }, i) => ({ number: i + 1, label: name }))
  const number = (menusSent > 0 && c.text !== null && chosenOf(lines, c.text)) || 0
  const chosen = offered[number - 1]
  if (chosen) {
    matched(c, 'menu', 'chosen', { number, queueId: chosen.id })
    moveTo(c, chosen.id)
    return queueClosed(c, chosen) || enter(c, chosen, { chosen: true })
  }
  const { maxUseBotQueues: most, timeUseBotQueues: minutes } = connection
  const isOver = most > 0 && menusSent >= most
  const rested = minutes > 0 && menuSentAt !== null && c.now.getTime() - menuSentAt.getTime() >= minutes * 60_000
  if (isOver && !rested) return blocked(c, 'menu', 'shown_often', { times: menusSent })
  const above = connection.greetingMessage.trim() ? connection.greetingMessage : words.menu[company.language]
  offer(
    c,
    above,
    lines.map(({ number: key, label }) => ({ key, label })),
  )
  const times = isOver ? 1 : menusSent + 1
  remember(c, { menusSent: times, menuSentAt: c.now, greeted: true })
  return matched(c, 'menu', 'shown', { times })
}

// ── the option tree of a queue ───────────────────────────────────────────────────────────────

function options(c: Course, queue: QueueRules): boolean {
  const facts = { queueId: queue.id }
  if (!c.memory.inOptions) return passed(c, 'options', queue.options.length > 0 ? 'ended' : 'none', facts)
  const here = queue.options.find((o) => o.id === c.memory.optionId) ?? null
  if (here && c.text !== null && numberSaid(c.text) === 0) {
    show(c, queue, queue.options.find((o) => o.id === here.parentId) ?? null, { up: true })
    return matched(c, 'options', 'back', facts)
  }
  const offered = below(queue.options, here?.id ?? null)
  const lines = offered.map(({ option, title }) => ({ number: option, label: title }))
  const number = c.text === null ? null : chosenOf(lines, c.text)
  const next = offered.find(({ option }) => option === number)
  if (next) {
    show(c, queue, next)
    return matched(c, 'options', 'chosen', { ...facts, optionId: next.id })
  }
  const misses = c.memory.misses + 1
  if (misses > MOST_MISSES) return blocked(c, 'options', 'unknown_often', facts)
  show(c, queue, here, { up: true })
  remember(c, { misses })
  return matched(c, 'options', 'unknown', facts)
}

/**
 * Says what stands at a node, and what can be chosen there. One that offers a single thing leads on to it.
 * @param up one goes back to it, where leading on would lead nowhere new
 */
function show(c: Course, queue: QueueRules, node: OptionRules | null, { up = false } = {}): void {
  const children = below(queue.options, node?.id ?? null)
  const { text, file } = node
    ? { text: node.message, file: node.file }
    : { text: queue.greetingMessage, file: queue.file }
  const [only] = children
  remember(c, { optionId: node?.id ?? null, inOptions: children.length > 0, misses: 0 })
  // Who comes back to it, or typed what it does not offer, has it already.
  if (file && !up) say(c, '', file)
  if (children.length === 0 || (children.length === 1 && !up)) {
    say(c, text || node?.title || '')
    if (only) show(c, queue, only)
    return
  }
  const { language } = c.rules.company
  offer(c, text, [
    ...children.map(({ option, title }): Line => ({ key: option, label: title })),
    ...(node ? [{ key: 0, label: words.back[language] }] : []),
    { key: '#', label: words.start[language] },
  ])
}
