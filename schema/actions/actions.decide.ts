import {
  type CommandContext,
  type CommandRows,
  type Decision,
  type FactReader,
  nothing,
  type RowChange,
  together,
} from '../command.ts'
import { readableBy } from '../contacts/contacts.masking.ts'
import { mergedFields } from '../custom-fields/custom-fields.merge.ts'
import type { CustomField, FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { DomainError } from '../errors.ts'
import { idWithin } from '../ids-within.ts'
import { messageCommands } from '../messages/messages.commands.ts'
import { noteCommands } from '../notes/notes.commands.ts'
import type { Principal } from '../permissions.ts'
import { fillPlaceholders, type PlaceholderFacts } from '../placeholders/placeholders.ts'
import { taggedDecision } from '../tickets/tickets.bulk.ts'
import { fieldsDecision, ticketCommands, visible } from '../tickets/tickets.commands.ts'
import { waitsForAnswer } from '../tickets/tickets.snooze.ts'
import { snoozedUntil } from '../tickets/tickets.snooze-choices.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { heldIf } from '../undo.ts'
import { atStep } from './actions.check.ts'
import type { ActionOf, ActionType, RuleAction } from './actions.inputs.ts'

/**
 * Several actions, one after the other, as one decision: each is decided by the command that a person would give, over
 * the ticket as the one before leaves it. All of them are done, or none.
 */

type Named<T extends 'queues' | 'users'> = ReadonlyMap<number, CommandRows[T]>

/** What actions are decided by. */
export interface ActionFacts {
  ticket: Ticket
  /** Ids of messages of the contact that nobody has read. */
  unread: readonly string[]
  fields: readonly CustomField[]
  /** Those that the actions name, and the ticket's own queue. */
  queues: Named<'queues'>
  users: Named<'users'>
  contact: CommandRows['contacts'] | undefined
  /** What texts are filled in with, and times counted by; null where the actions ask for neither. */
  words: Omit<PlaceholderFacts, 'now' | 'user' | 'contact'> | null
}

/** A text with its variables filled in. Who does not read numbers says none. @throws ERR_TEXT_LONG */
export function filledBody(
  body: string,
  { words, contact }: Pick<ActionFacts, 'words' | 'contact'>,
  { who, now }: Pick<CommandContext, 'who' | 'now'>,
): string {
  if (!words || !body.includes('{{')) return body
  const told = contact && readableBy(who, { name: contact.name, number: contact.number, email: contact.email })
  const filled = fillPlaceholders(body, { ...words, contact: told, user: who, now })
  if (filled === null) throw new DomainError('ERR_TEXT_LONG')
  return filled
}

/**
 * What actions with a ticket are decided by.
 * @throws DomainError with `step` and `action` where one names what is not there
 */
export async function actionFacts(
  ticketId: number,
  actions: readonly RuleAction[],
  read: FactReader,
  who: Principal,
): Promise<ActionFacts> {
  const ticket = visible(await read.need('tickets', ticketId), who)
  const [queues, users] = [new Map<number, CommandRows['queues']>(), new Map<number, CommandRows['users']>()]
  for (const [at, action] of actions.entries())
    try {
      if (action.type === 'queue') queues.set(action.queueId, await read.need('queues', action.queueId))
      if (action.type === 'assign') {
        const userId = action.to === 'me' ? who.userId : action.to
        users.set(userId, await read.need('users', userId))
        if (ticket.queueId !== null) queues.set(ticket.queueId, await read.need('queues', ticket.queueId))
      }
      if (action.type === 'tag') for (const tagId of action.add) await read.need('tags', tagId)
    } catch (error) {
      throw atStep(error, at + 1, action.type)
    }
  const says = actions.some(({ type }) => type === 'message')
  const asksFields = actions.some(({ type }) => type === 'field' || type === 'resolve')
  const fields = asksFields ? await read.customFields() : []
  const isContactAsked =
    says ||
    actions.some(({ type }) => type === 'flow') ||
    fields.some(({ entity, required }) => entity === 'contact' && required)
  return {
    ...{ ticket, fields, queues, users },
    unread: says ? await read.unreadMessages(ticketId) : [],
    contact: isContactAsked ? await read.get('contacts', ticket.contactId) : undefined,
    words: says || actions.some(({ type }) => type === 'snooze') ? await wordsOf(ticket, read) : null,
  }
}

async function wordsOf(ticket: Ticket, read: FactReader): Promise<ActionFacts['words']> {
  const company = await read.company()
  const [queue, connection] = [
    ticket.queueId === null ? null : await read.get('queues', ticket.queueId),
    ticket.whatsappId === null ? null : await read.get('whatsapps', ticket.whatsappId),
  ]
  const { timeZone, language, name } = company
  return { ticket: { id: ticket.id }, company: { name }, queue, connection, timeZone, language }
}

/** The ticket as it stands between two actions. */
interface Stand {
  ticket: Ticket
  unread: readonly string[]
}

function after({ ticket, unread }: Stand, rows: readonly RowChange[]): Stand {
  let [left, now] = [unread, ticket]
  for (const row of rows) {
    if (row.op !== 'update') continue
    if (row.table === 'messages' && row.values.read === true) left = left.filter((id) => !row.ids.includes(id))
    if (row.table !== 'tickets' || !row.ids.includes(ticket.id)) continue
    const { fields } = row.values
    now = { ...now, ...row.values, ...(fields ? { fields: mergedFields(now.fields, fields) } : {}) } as Ticket
  }
  return { ticket: now, unread: left }
}

export interface Turn {
  facts: ActionFacts
  stand: Stand
  /** Of this action: its id is the command's and its place. */
  context: CommandContext
  /** The id of the row that it makes. */
  rowId: string
  /** What the contact would be told of it is held, so that it can be taken back. */
  isHeld: boolean
}

/** Where a ticket is to go: to a queue, to a person of a queue, or to whoever does it. */
export interface PlaceTo {
  queueId?: number
  userId?: number | 'me'
}

/** What a person does otherwise than the product by itself, for whom `itself` of `actions.by-itself.ts` stands. */
export interface Hands {
  place(to: PlaceTo, turn: Turn): Decision
  message(action: ActionOf<'message'>, turn: Turn): Decision
  note(action: ActionOf<'note'>, turn: Turn): Decision
  field(action: ActionOf<'field'>, turn: Turn): Decision
  snooze(action: ActionOf<'snooze'>, turn: Turn): Decision
  resolve(action: ActionOf<'resolve'>, turn: Turn): Decision
  /** The ticket waits without an agent again, where it had one. */
  giveBack(turn: Turn): Decision
}

function placeByPerson(to: PlaceTo, turn: Turn): Decision {
  const { facts, context, isHeld } = turn
  const { ticket } = turn.stand
  const { who } = context
  const input = { ticketId: ticket.id, undoable: isHeld }
  const userId = to.userId === 'me' ? who.userId : (to.userId ?? null)
  const queueId = to.queueId ?? ticket.queueId
  const isThere = queueId === ticket.queueId && userId === ticket.userId
  if (isThere && ticket.status === (userId === null ? 'pending' : 'open')) return nothing
  if (to.queueId === undefined && userId === who.userId) {
    if (ticket.status === 'pending') return ticketCommands['tickets.accept'].decide(input, ticket, context)
    if (ticket.status === 'closed') return ticketCommands['tickets.reopen'].decide(input, ticket, context)
  }
  const queue = queueId === null ? null : (facts.queues.get(queueId) ?? null)
  const user = userId === null ? null : (facts.users.get(userId) ?? null)
  return ticketCommands['tickets.transfer'].decide(
    { ...input, queueId, userId },
    { ticket, queue, user, whatsapp: null },
    context,
  )
}

/** The moment of a choice such as "tomorrow", by the company's clock. */
export const untilOf = ({ until }: ActionOf<'snooze'>, { facts, context }: Turn): Date =>
  snoozedUntil(until, context.now, facts.words?.timeZone ?? 'UTC')

/**
 * Leaves the contact to a flow. It begins in a job: what it is, and whether it is on, the server knows; a browser without a
 * line does not.
 * @throws ERR_TICKET_TRANSITION of one that is over, ERR_NO_FLOW_HERE
 */
function leaveToFlow({ flowId }: ActionOf<'flow'>, turn: Turn, hands: Hands): Decision {
  const { stand, context, isHeld } = turn
  const { ticket } = stand
  if (ticket.status === 'closed') throw new DomainError('ERR_TICKET_TRANSITION')
  if (ticket.isGroup || turn.facts.contact?.disableBot) throw new DomainError('ERR_NO_FLOW_HERE')
  const by = context.who.userId === 0 ? 'rule' : 'person'
  const cause = `${ticket.id}:${context.commandId}`
  const effect = { kind: 'flows.begin', ticketId: ticket.id, flowId, cause, by } as const
  return together(ticket.status === 'open' ? hands.giveBack(turn) : nothing, {
    // From now on, so that its queue does not give it to somebody before the flow has said its first word.
    rows: [{ table: 'tickets', op: 'update', ids: [ticket.id], values: { chatbot: true } }],
    ...heldIf(isHeld, context.commandId, [effect]),
  })
}

/** A person: what they may not do is refused. */
const person: Hands = {
  place: placeByPerson,
  message: ({ body }, { facts, stand, context, rowId }) =>
    messageCommands['messages.send'].decide(
      { id: rowId, ticketId: stand.ticket.id, body: filledBody(body, facts, context) },
      { ticket: stand.ticket, quoted: undefined, unread: [...stand.unread] },
      context,
    ),
  note: ({ note }, { stand, context, rowId }) =>
    noteCommands['notes.create'].decide(
      { id: rowId, ticketId: stand.ticket.id, note },
      { ticket: stand.ticket, mentions: [] },
      context,
    ),
  field: ({ fieldId, value }, { facts, stand, context }) =>
    fieldsDecision(stand.ticket, facts.fields, { [fieldId]: value }, context),
  snooze: (action, turn) => {
    const { stand, context, isHeld } = turn
    const at = untilOf(action, turn)
    return ticketCommands['tickets.snooze'].decide(
      { ticketId: stand.ticket.id, until: waitsForAnswer(at) ? null : at.toISOString(), undoable: isHeld },
      stand.ticket,
      context,
    )
  },
  resolve: (_action, { facts, stand, context, isHeld }) =>
    ticketCommands['tickets.resolve'].decide(
      { ticketId: stand.ticket.id, undoable: isHeld },
      { ticket: stand.ticket, fields: [...facts.fields], contact: facts.contact },
      context,
    ),
  giveBack: ({ stand, context, isHeld }) =>
    ticketCommands['tickets.return'].decide({ ticketId: stand.ticket.id, undoable: isHeld }, stand.ticket, context),
}

const doing: { [T in ActionType]: (action: ActionOf<T>, turn: Turn, hands: Hands) => Decision } = {
  message: (action, turn, hands) => hands.message(action, turn),
  note: (action, turn, hands) => hands.note(action, turn),
  tag: ({ add, remove }, { stand }) => taggedDecision(stand.ticket, add, remove),
  queue: ({ queueId }, turn, hands) => hands.place({ queueId }, turn),
  assign: ({ to }, turn, hands) => hands.place({ userId: to }, turn),
  field: (action, turn, hands) => hands.field(action, turn),
  snooze: (action, turn, hands) => hands.snooze(action, turn),
  unread: (_action, { stand: { ticket } }) =>
    ticket.unreadMessages > 0
      ? nothing
      : {
          rows: [{ table: 'tickets', op: 'update', ids: [ticket.id], values: { unreadMessages: 1 } }],
          effects: [],
        },
  resolve: (action, turn, hands) => hands.resolve(action, turn),
  flow: leaveToFlow,
  // It changes nothing; that somebody elsewhere is told, and of which rule, stands with the rule (`rules.run.ts`).
  webhook: () => nothing,
}

/** The id under which an action of a command is known: what it holds, and its line of the timeline, have theirs of it. */
export const stepOf = (commandId: string, at: number): string => `${commandId}-${at}`

/** What it takes to take actions back. */
export interface ActionsBefore {
  /** How many there were. */
  steps: number
  /** Tags that were put on, and taken off. */
  tagged: [number[], number[]]
  /** The values that fields had, and those that they were given. */
  fields: [FieldPatch, FieldPatch]
  /** Ids of notes. */
  notes: string[]
  /** It was made unread. */
  unread: boolean
  /** Keys under which flows are held that have not begun; missing in what was kept before there were any. */
  flows?: string[]
}

/** The change of the fields from one stand to the next. */
const changed = (from: FieldPatch, to: FieldPatch): [FieldPatch, FieldPatch] => {
  const ids = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((id) => from[id] !== to[id])
  const of = (values: FieldPatch) => Object.fromEntries(ids.map((id) => [id, values[id] ?? null]))
  return [of(from), of(to)]
}

/** A queue and, right behind it, a person are one move. */
function placesOf(actions: readonly RuleAction[]): { at: number; action: RuleAction; to?: number | 'me' }[] {
  const steps: { at: number; action: RuleAction; to?: number | 'me' }[] = []
  for (let at = 0; at < actions.length; at++) {
    const [action, next] = [actions[at]!, actions[at + 1]]
    if (action.type === 'queue' && next?.type === 'assign') {
      steps.push({ at, action, to: next.to })
      at++
    } else steps.push({ at, action })
  }
  return steps
}

/**
 * All actions as one decision, and the ticket as it is then.
 * @param hands who does it: a person, by the commands that they would give, or the product by itself
 * @param isHeld whoever asked may take them back: what the contact would be told is held, except where a message follows it
 * @throws DomainError of the first that may not be done, with `step` and `action`
 */
export function decideActions(
  actions: readonly RuleAction[],
  facts: ActionFacts,
  context: CommandContext,
  isHeld: boolean,
  hands: Hands = person,
): { decision: Decision; ticket: Ticket; before: ActionsBefore } {
  let stand: Stand = facts
  const decisions: Decision[] = []
  const notes: string[] = []
  const lastMessage = actions.findLastIndex(({ type }) => type === 'message')
  for (const { at, action, to } of placesOf(actions)) {
    const turn: Turn = {
      ...{ facts, stand },
      // One moment later each, so that they stand in their order wherever they are read.
      context: {
        ...{ who: context.who, commandId: stepOf(context.commandId, at) },
        now: new Date(context.now.getTime() + at),
      },
      rowId: idWithin(context.commandId, at, `${context.who.companyId} ${context.who.userId}`),
      // A greeting that came behind the message that follows it would be none.
      isHeld: isHeld && at > lastMessage,
    }
    try {
      const decision =
        action.type === 'queue' && to !== undefined
          ? hands.place({ queueId: action.queueId, userId: to }, turn)
          : (doing[action.type] as (action: RuleAction, turn: Turn, hands: Hands) => Decision)(action, turn, hands)
      stand = after(stand, decision.rows)
      decisions.push(decision)
      if (action.type === 'note') notes.push(turn.rowId)
    } catch (error) {
      throw atStep(error, at + 1, action.type)
    }
  }
  const all = together(...decisions)
  const [was, is] = [facts.ticket.tagIds, stand.ticket.tagIds]
  return {
    decision: { ...all, ...(all.moved?.length ? { moved: [facts.ticket] } : {}) },
    ticket: stand.ticket,
    before: {
      ...{ steps: actions.length, notes },
      tagged: [is.filter((id) => !was.includes(id)), was.filter((id) => !is.includes(id))],
      fields: changed(facts.ticket.fields, stand.ticket.fields),
      unread: actions.some(({ type }) => type === 'unread') && facts.ticket.unreadMessages === 0,
      flows: (all.held ?? []).flatMap(({ key, effect }) => (effect.kind === 'flows.begin' ? [key] : [])),
    },
  }
}
