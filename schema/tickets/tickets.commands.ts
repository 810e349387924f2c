import { Type } from '@sinclair/typebox'
import { command, type CommandContext, type Decision, type FactReader, nothing, type RowChange } from '../command.ts'
import { contactDecision } from '../contacts/contacts.commands.ts'
import { fieldPatch } from '../custom-fields/custom-fields.inputs.ts'
import { mergedFields } from '../custom-fields/custom-fields.merge.ts'
import type { CustomField, FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { changedIn, missingOnClose, takePatch } from '../custom-fields/custom-fields.values.ts'
import { DomainError } from '../errors.ts'
import { clientId, dateOf, moment, nullable, optionalRowId, rowId } from '../inputs.ts'
import { canSeeTicket, type Principal } from '../permissions.ts'
import { undoable } from '../undo.inputs.ts'
import { heldIf } from '../undo.ts'
import { tagsInLane } from '../tags/tags.lane.ts'
import { seenMessages, snoozeNote, ticketTags, transferNote, unreadCount } from './tickets.inputs.ts'
import { type Ticket, type TicketEvent, ticketStatuses } from './tickets.table.ts'
import { taggedAs } from './tickets.tagged.ts'
import { mergeTickets, partTickets } from './tickets.merge.ts'
import { moveTicket, timelineRow } from './tickets.move.ts'
import { type Snoozing, snoozedFor, untilAnswered, wokenBy } from './tickets.snooze.ts'
import { type TicketBefore, type TicketMove, type UndoneMove, undoneMoves } from './tickets.transition.ts'

/** The ticket, for somebody who may see it; a stranger is told that it does not exist. */
export function visible(ticket: Ticket, who: Principal): Ticket {
  if (!canSeeTicket(who, ticket)) throw new DomainError('ERR_NO_TICKET_FOUND')
  return ticket
}

function moved(
  ticket: Ticket,
  move: TicketMove,
  { commandId, who, now }: CommandContext,
  data: Record<string, string | number | null> = {},
): Decision {
  const outcome = moveTicket(ticket, move, { id: commandId, userId: who.userId, now, data })
  if ('refused' in outcome) throw new DomainError(outcome.refused, { ticketId: ticket.id })
  return { ...outcome.decision, result: { ticketId: ticket.id } }
}

/** Two tickets, read in one order by everybody, so that two who merge crosswise do not wait for each other. */
async function bothOf(fromId: number, intoId: number, read: FactReader, who: Principal) {
  if (fromId === intoId) throw new DomainError('ERR_TICKET_MERGE')
  const [a, b] = fromId < intoId ? [fromId, intoId] : [intoId, fromId]
  const first = visible(await read.need('tickets', a), who)
  const second = visible(await read.need('tickets', b), who)
  return fromId < intoId ? { from: first, into: second } : { from: second, into: first }
}

const ticketInput = Type.Object({ ticketId: rowId }, { additionalProperties: false })

/** What the line in the timeline keeps of a ticket, so that the move can be taken back, and how it is read. */
const kept = ({ status, userId, unreadMessages, updatedAt, lastMessageAt, ...ticket }: Ticket) => ({
  status,
  userId,
  unread: unreadMessages,
  updatedAt: updatedAt.getTime(),
  lastMessageAt: lastMessageAt.getTime(),
  ...(ticket.snoozedUntil !== null || ticket.snoozeNote !== null
    ? {
        ...{ wasUntil: ticket.snoozedUntil?.getTime() ?? null, wasKeep: ticket.snoozeKeep ? 1 : 0 },
        ...{ wasNote: ticket.snoozeNote, wasBy: ticket.snoozedBy },
      }
    : {}),
})
/** The same of a transfer, which changes more, and where it leads. */
const keptOfPlace = ({ queueId, whatsappId }: Ticket, to: { queueId: number | null; userId: number | null }) => ({
  ...{ queueId, whatsappId },
  ...{ toQueueId: to.queueId, toUserId: to.userId },
})
/** What a line keeps of ids: undefined where it keeps none. */
const idOf = (value: string | number | null | undefined) => (typeof value === 'string' ? undefined : value)
function before({ data, createdAt }: TicketEvent, ticket: Ticket): TicketBefore | null {
  const { status, userId = null, unread, updatedAt: at, lastMessageAt } = data
  const known = ticketStatuses.find((one) => one === status)
  if (!known || typeof userId === 'string') return null
  const [queueId, whatsappId] = [idOf(data['queueId']), idOf(data['whatsappId'])]
  // What has come since keeps its moment. In a browser the ticket may have come from the server and the line not: the moments
  // of the two are then of two clocks, and say nothing of what came first. Older lines keep no last message.
  const hasCome =
    typeof lastMessageAt === 'number' ? ticket.lastMessageAt.getTime() !== lastMessageAt : ticket.updatedAt > createdAt
  const updatedAt = hasCome ? ticket.updatedAt : typeof at === 'number' ? new Date(at) : null
  return {
    ...{ status: known, userId, unreadMessages: Number(unread), updatedAt },
    ...(queueId !== undefined && { queueId }),
    ...(whatsappId !== undefined && { whatsappId }),
    ...snoozeIn(data),
  }
}
/** How the ticket lay aside, of what `kept` has put away. */
function snoozeIn({ wasUntil, wasKeep, wasNote, wasBy }: TicketEvent['data']): { snooze?: Snoozing } {
  if (wasUntil === undefined) return {}
  return {
    snooze: {
      snoozedUntil: typeof wasUntil === 'number' ? new Date(wasUntil) : null,
      snoozeKeep: wasKeep === 1,
      snoozeNote: typeof wasNote === 'string' ? wasNote : null,
      snoozedBy: typeof wasBy === 'number' ? wasBy : null,
    },
  }
}

/** Fields of the ticket change; null where nothing does. */
export function fieldsDecision(
  ticket: Ticket,
  fields: readonly CustomField[],
  given: FieldPatch,
  { commandId, who, now }: Pick<CommandContext, 'commandId' | 'now'> & { who: { userId: number | null } },
): Decision {
  const patch = changedIn(ticket.fields, takePatch(fields, 'ticket', given, ticket.fields))
  const names = fields.filter(({ id }) => id in patch).map(({ name }) => name)
  if (names.length === 0) return nothing
  const cause = {
    ...{ id: commandId, eventId: `${commandId}:${ticket.id}:fields`, userId: who.userId, now },
    data: { fields: names.join(', ') },
  }
  return {
    rows: [
      { table: 'tickets', op: 'update', ids: [ticket.id], values: { fields: patch } },
      timelineRow(ticket, 'fields', cause),
    ],
    effects: [],
  }
}

/** A move that its author may take back with `tickets.undo` while nobody was told of it. */
const undoableMove = (type: 'accept' | 'return') =>
  command({
    name: `tickets.${type}`,
    needs: null,
    input: Type.Object({ ticketId: rowId, undoable }, { additionalProperties: false }),
    facts: async ({ ticketId }, read, who) => visible(await read.need('tickets', ticketId), who),
    decide: ({ undoable: isHeld }, ticket, context) => {
      const move = { type, who: context.who }
      const { effects, ...decision } = moved(ticket, move, context, isHeld ? kept(ticket) : {})
      return { ...decision, ...heldIf(isHeld, context.commandId, effects) }
    },
  })

const simpleMove = (type: 'reopen') =>
  command({
    name: `tickets.${type}`,
    needs: null,
    input: ticketInput,
    facts: async ({ ticketId }, read, who) => visible(await read.need('tickets', ticketId), who),
    decide: (_input, ticket, context) => moved(ticket, { type, who: context.who }, context),
  })

const isTakenBack = (kind: string): kind is UndoneMove => undoneMoves.some((one) => one === kind)
/** Of these the contact is told nothing. */
const silent: ReadonlySet<UndoneMove> = new Set(['returned', 'snoozed'])

export const ticketCommands = {
  'tickets.accept': undoableMove('accept'),
  'tickets.return': undoableMove('return'),
  /** Whoever closes a ticket fills in what the company wants to know of it, before or with the same word. */
  'tickets.resolve': command({
    name: 'tickets.resolve',
    needs: null,
    input: Type.Object(
      {
        ticketId: rowId,
        undoable,
        /** How many unread messages its author saw in it: where there are more by now, it stays as it is. */
        unread: Type.Optional(unreadCount),
        /** Fields of the ticket, and of its contact, that are filled in with it. */
        fields: Type.Optional(fieldPatch),
        contactFields: Type.Optional(fieldPatch),
      },
      { additionalProperties: false },
    ),
    facts: async ({ ticketId, contactFields }, read, who) => {
      const ticket = visible(await read.need('tickets', ticketId), who)
      const fields = await read.customFields()
      const isAsked = fields.some(({ entity, required }) => entity === 'contact' && required)
      const contact = contactFields || isAsked ? await read.get('contacts', ticket.contactId) : undefined
      return { ticket, fields, contact }
    },
    decide: (input, { ticket, fields, contact }, context) => {
      const filled = input.fields ? fieldsDecision(ticket, fields, input.fields, context) : nothing
      const ofContact =
        input.contactFields && contact ? contactDecision(contact, fields, input.contactFields, context) : nothing
      const after = (row: { fields: FieldPatch }, patch: FieldPatch = {}) => ({
        fields: mergedFields(row.fields, patch),
      })
      const missing = missingOnClose(
        fields,
        { ...ticket, ...after(ticket, input.fields) },
        contact && after(contact, input.contactFields),
      )
      const move = { type: 'resolve' as const, who: context.who }
      const { effects, ...decision } = moved(ticket, move, context, input.undoable ? kept(ticket) : {})
      if (input.unread !== undefined && ticket.status !== 'closed' && ticket.unreadMessages > input.unread)
        throw new DomainError('ERR_TICKET_UNSEEN', { ticketId: ticket.id })
      if (missing.length > 0)
        throw new DomainError('ERR_FIELDS_REQUIRED', {
          ticketId: ticket.id,
          fields: missing.map(({ name }) => name),
          ids: missing.map(({ id }) => id),
        })
      const rows = [...filled.rows, ...ofContact.rows, ...decision.rows]
      return { ...decision, rows, ...heldIf(input.undoable, context.commandId, effects) }
    },
  }),
  'tickets.reopen': simpleMove('reopen'),

  /** Takes back an own move, given as undoable, that nothing has followed yet. */
  'tickets.undo': command({
    name: 'tickets.undo',
    needs: null,
    input: Type.Object({ ticketId: rowId, commandId: clientId }, { additionalProperties: false }),
    facts: async ({ ticketId, commandId }, read, who) => {
      const ticket = await read.need('tickets', ticketId)
      const event = await read.need('ticketEvents', `${commandId}:${ticketId}`)
      // Who gave a ticket back may no longer see it; that it was theirs is what counts.
      if (event.userId !== who.userId || event.ticketId !== ticketId) throw new DomainError('ERR_NO_TICKET_FOUND')
      return { ticket, event }
    },
    decide: ({ commandId }, { ticket, event }, context) => {
      const was = before(event, ticket)
      const done = event.kind
      if (!was || !isTakenBack(done)) throw new DomainError('ERR_UNDO_LATE')
      const left = { queueId: idOf(event.data['toQueueId']) ?? null, userId: idOf(event.data['toUserId']) ?? null }
      const decision = moved(ticket, { type: 'undo', who: context.who, done, was, left }, context, { done })
      return silent.has(done) || ticket.isGroup ? decision : { ...decision, takesBack: [commandId] }
    },
  }),

  /** What was said in one ticket of a contact goes to another of theirs; the first is closed. */
  'tickets.merge': command({
    name: 'tickets.merge',
    needs: 'tickets:merge',
    input: Type.Object({ ticketId: rowId, intoId: rowId }, { additionalProperties: false }),
    facts: async ({ ticketId, intoId }, read, who) => bothOf(ticketId, intoId, read, who),
    decide: (_input, { from, into }, { commandId, who, now }) =>
      mergeTickets(from, into, who, { id: commandId, userId: who.userId, now }),
  }),

  /** Takes a merge back: everything that came with it returns to the ticket that had gone. */
  'tickets.part': command({
    name: 'tickets.part',
    needs: 'tickets:merge',
    input: Type.Object({ ticketId: rowId, intoId: rowId, mergeId: clientId }, { additionalProperties: false }),
    facts: async ({ ticketId, intoId, mergeId }, read, who) => ({
      ...(await bothOf(ticketId, intoId, read, who)),
      went: await read.need('ticketEvents', `${mergeId}:${ticketId}`),
      came: await read.need('ticketEvents', `${mergeId}:${intoId}`),
    }),
    decide: ({ mergeId, ticketId, intoId }, facts, { commandId, who, now }) => {
      const isOfThese = facts.went.ticketId === ticketId && facts.came.ticketId === intoId
      if (!isOfThese || facts.went.kind !== 'merged_into') throw new DomainError('ERR_UNDO_LATE')
      return partTickets(facts, mergeId, { id: commandId, userId: who.userId, now })
    },
  }),

  'tickets.transfer': command({
    name: 'tickets.transfer',
    needs: null,
    input: Type.Object(
      {
        ticketId: rowId,
        queueId: optionalRowId,
        userId: Type.Optional(optionalRowId),
        whatsappId: Type.Optional(optionalRowId),
        /** What who sends it says to who gets it; the contact never sees it. */
        note: Type.Optional(transferNote),
        undoable,
      },
      { additionalProperties: false },
    ),
    facts: async (input, read, who) => ({
      ticket: visible(await read.need('tickets', input.ticketId), who),
      queue: input.queueId === null ? null : await read.need('queues', input.queueId),
      user: input.userId == null ? null : await read.need('users', input.userId),
      whatsapp: input.whatsappId == null ? null : await read.need('whatsapps', input.whatsappId),
    }),
    decide: ({ note = '', undoable: isHeld }, { ticket, queue, user, whatsapp }, context) => {
      const to = { queueId: queue?.id ?? null, userId: user?.id ?? null }
      const { effects, ...decision } = moved(
        ticket,
        { type: 'transfer', who: context.who, ...to, whatsappId: whatsapp?.id ?? null },
        context,
        {
          ...(isHeld ? { ...kept(ticket), ...keptOfPlace(ticket, to) } : {}),
          ...(queue?.id === (ticket.queueId ?? undefined) && user?.id === (ticket.userId ?? undefined) && whatsapp
            ? { connection: whatsapp.name }
            : { queue: queue?.name ?? null, user: user?.name ?? null }),
          ...(note.trim() && { note: note.trim() }),
        },
      )
      return { ...decision, ...heldIf(isHeld, context.commandId, effects) }
    },
  }),

  /** Puts the ticket aside until a time, or until the contact answers, or to another time than before. */
  'tickets.snooze': command({
    name: 'tickets.snooze',
    needs: null,
    input: Type.Object(
      {
        ticketId: rowId,
        /** Null: until the contact answers. */
        until: nullable(moment),
        /** The contact's message does not wake it; says nothing where nothing else would. */
        keep: Type.Optional(Type.Boolean()),
        /** What whoever takes it up again is reminded of. */
        note: Type.Optional(snoozeNote),
        undoable,
      },
      { additionalProperties: false },
    ),
    facts: async ({ ticketId }, read, who) => visible(await read.need('tickets', ticketId), who),
    decide: ({ until, keep = false, note = '', undoable: isHeld }, ticket, context) => {
      const text = note.trim() || null
      const at = until === null ? untilAnswered : dateOf(until, '/until')
      const move = { until: at, keep: keep && until !== null, note: text }
      return moved(ticket, { type: 'snooze', who: context.who, ...move }, context, {
        ...(isHeld ? kept(ticket) : {}),
        ...snoozedFor(move),
      })
    },
  }),

  /** Takes up again, now, what lies aside. */
  'tickets.wake': command({
    name: 'tickets.wake',
    needs: null,
    input: ticketInput,
    facts: async ({ ticketId }, read, who) => visible(await read.need('tickets', ticketId), who),
    decide: (_input, ticket, context) =>
      moved(ticket, { type: 'wake', who: context.who }, context, wokenBy('person', ticket)),
  }),

  /** The agent has seen the conversation. Only the assignee's reading counts; a preview changes nothing. */
  'tickets.read': command({
    name: 'tickets.read',
    needs: null,
    input: Type.Object(
      {
        ticketId: rowId,
        /** The messages that were on the screen; what arrived since stays unread. Without it: all. */
        seen: Type.Optional(seenMessages),
      },
      { additionalProperties: false },
    ),
    facts: async ({ ticketId }, read, who) => {
      const ticket = visible(await read.need('tickets', ticketId), who)
      return { ticket, unread: await read.unreadMessages(ticketId) }
    },
    decide: ({ seen }, { ticket, unread }, { who }) => {
      if (ticket.userId !== who.userId) return { rows: [], effects: [] }
      const seenIds = seen && new Set(seen)
      const nowRead = seenIds ? unread.filter((id) => seenIds.has(id)) : unread
      const left = unread.length - nowRead.length
      const rows: RowChange[] = []
      if (nowRead.length > 0) rows.push({ table: 'messages', op: 'update', ids: nowRead, values: { read: true } })
      if (ticket.unreadMessages !== left)
        rows.push({ table: 'tickets', op: 'update', ids: [ticket.id], values: { unreadMessages: left } })
      return {
        rows,
        effects:
          nowRead.length > 0 && ticket.whatsappId !== null
            ? [{ kind: 'whatsapp.read', messageIds: nowRead, whatsappId: ticket.whatsappId, chat: ticket.contactId }]
            : [],
      }
    },
  }),

  /** Fills in fields of the ticket, or empties them with null. Those that are not named stay. */
  'tickets.setFields': command({
    name: 'tickets.setFields',
    needs: null,
    input: Type.Object({ ticketId: rowId, fields: fieldPatch }, { additionalProperties: false }),
    facts: async ({ ticketId }, read, who) => ({
      ticket: visible(await read.need('tickets', ticketId), who),
      fields: await read.customFields(),
    }),
    decide: (input, { ticket, fields }, context) => fieldsDecision(ticket, fields, input.fields, context),
  }),

  /** Replaces the ticket's tags. */
  'tickets.setTags': command({
    name: 'tickets.setTags',
    needs: null,
    input: Type.Object({ ticketId: rowId, tagIds: ticketTags }, { additionalProperties: false }),
    facts: async ({ ticketId, tagIds }, read, who) => {
      const ticket = visible(await read.need('tickets', ticketId), who)
      for (const id of tagIds) await read.need('tags', id)
      return ticket
    },
    decide: ({ tagIds }, ticket) => ({
      rows: [
        { table: 'tickets', op: 'update', ids: [ticket.id], values: { tagIds: [...tagIds].sort((a, b) => a - b) } },
      ],
      ...taggedAs(ticket, tagIds),
      effects: [],
    }),
  }),
  /** Puts the ticket's card into a lane of the board; null takes it out of all of them. */
  'tickets.setLane': command({
    name: 'tickets.setLane',
    needs: null,
    feature: 'useKanban',
    input: Type.Object({ ticketId: rowId, tagId: optionalRowId }, { additionalProperties: false }),
    facts: async ({ ticketId, tagId }, read, who) => {
      const ticket = visible(await read.need('tickets', ticketId), who)
      const tags = []
      for (const id of ticket.tagIds) tags.push(await read.get('tags', id))
      return { ticket, tags, lane: tagId === null ? null : await read.need('tags', tagId) }
    },
    decide: (_input, { ticket, tags, lane }) => {
      if (lane && lane.kanban !== 1) throw new DomainError('ERR_NO_TAG_FOUND')
      const lanes = new Set(tags.flatMap((tag) => (tag?.kanban === 1 ? tag.id : [])))
      const tagIds = tagsInLane(ticket.tagIds, lanes, lane?.id ?? null)
      if (String(tagIds) === String(ticket.tagIds)) return nothing
      return {
        rows: [{ table: 'tickets', op: 'update', ids: [ticket.id], values: { tagIds } }],
        ...taggedAs(ticket, tagIds),
        effects: [],
      }
    },
  }),
}
