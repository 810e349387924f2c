import { Type } from '@sinclair/typebox'
import { actionFacts, type ActionsBefore, decideActions, stepOf } from '../actions/actions.decide.ts'
import { command, type CommandContext, type Decision, nothing, type RowChange, together } from '../command.ts'
import type { CustomField, FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { HOUR_MS } from '../durations.ts'
import { DomainError } from '../errors.ts'
import { clientId, rowId } from '../inputs.ts'
import type { Principal } from '../permissions.ts'
import { taggedDecision } from '../tickets/tickets.bulk.ts'
import { fieldsDecision, ticketCommands } from '../tickets/tickets.commands.ts'
import { timelineRow } from '../tickets/tickets.move.ts'
import type { Ticket, TicketEvent } from '../tickets/tickets.table.ts'
import { runInput } from './macros.inputs.ts'
import type { Macro } from './macros.table.ts'

/** Whether somebody may run a macro: it is theirs, everybody's, or of a queue in which they work. */
export const hasMacro = (
  who: Pick<Principal, 'userId' | 'queueIds'>,
  macro: Pick<Macro, 'userId' | 'sharing' | 'queueIds'>,
) =>
  macro.userId === who.userId ||
  macro.sharing === 'company' ||
  (macro.sharing === 'queues' && macro.queueIds.some((id) => who.queueIds.includes(id)))

/** Names the line of the timeline that tells of the whole. */
const lineOf = (commandId: string, ticketId: number) => `${commandId}:${ticketId}:macro`

function beforeOf({ data }: TicketEvent): ActionsBefore {
  try {
    return JSON.parse(String(data['before'])) as ActionsBefore
  } catch {
    throw new DomainError('ERR_UNDO_LATE')
  }
}

/** The values that the fields had, of those that still are as they were made. */
function fieldsBack(ticket: Ticket, [was, made]: ActionsBefore['fields'], known: readonly CustomField[]): FieldPatch {
  const isThere = (id: string) => known.some((field) => field.entity === 'ticket' && String(field.id) === id)
  return Object.fromEntries(
    Object.entries(was).filter(([id]) => isThere(id) && (ticket.fields[id] ?? null) === (made[id] ?? null)),
  )
}

export const macroCommands = {
  /** Does with a ticket what a macro says: all of it, or nothing. */
  'macros.run': command({
    name: 'macros.run',
    needs: null,
    input: runInput,
    facts: async ({ macroId, ticketId, version }, read, who) => {
      const macro = await read.need('macros', macroId)
      if (!hasMacro(who, macro)) throw new DomainError('ERR_NO_MACRO_FOUND')
      if (version !== undefined && version !== macro.version) throw new DomainError('ERR_MACRO_CHANGED')
      return { macro, of: await actionFacts(ticketId, macro.actions, read, who) }
    },
    decide: ({ undoable: isHeld }, { macro, of }, context) => {
      const { decision, ticket, before } = decideActions(macro.actions, of, context, isHeld === true)
      const { commandId, who, now } = context
      const data = { macro: macro.name, ...(isHeld ? { before: JSON.stringify(before) } : {}) }
      const line = timelineRow(ticket, 'macro', {
        ...{ id: commandId, eventId: lineOf(commandId, ticket.id), userId: who.userId, now, data },
      })
      return { ...decision, rows: [line, ...decision.rows], result: { ticketId: ticket.id } }
    },
  }),

  /** Takes back what an own macro did, run as undoable, as far as it can be: what was said to the contact stays. */
  'macros.undo': command({
    name: 'macros.undo',
    needs: null,
    input: Type.Object({ ticketId: rowId, commandId: clientId }, { additionalProperties: false }),
    facts: async ({ ticketId, commandId }, read, who) => {
      const ticket = await read.need('tickets', ticketId)
      const line = await read.need('ticketEvents', lineOf(commandId, ticketId))
      // As `tickets.undo`: that it was theirs is what counts.
      if (line.userId !== who.userId || line.ticketId !== ticketId) throw new DomainError('ERR_NO_TICKET_FOUND')
      const before = beforeOf(line)
      const moves: { step: string; event: TicketEvent }[] = []
      for (let at = before.steps - 1; at >= 0; at--) {
        const step = stepOf(commandId, at)
        const event = await read.get('ticketEvents', `${step}:${ticketId}`)
        // What was done without a way back, such as what stands before a message, tells no place.
        if (event && event.data['status'] !== undefined) moves.push({ step, event })
      }
      return { ...{ ticket, line, before, moves }, fields: await read.customFields() }
    },
    decide: (_input, { ticket, line, before, moves, fields }, context) => {
      if (context.now.getTime() - line.createdAt.getTime() > HOUR_MS) throw new DomainError('ERR_UNDO_LATE')
      let now: Ticket = ticket
      const decisions: Decision[] = []
      const take = (decision: Decision) => {
        for (const row of decision.rows)
          if (row.table === 'tickets' && row.op === 'update') now = { ...now, ...row.values } as Ticket
        decisions.push(decision)
      }
      for (const { step, event } of moves)
        take(
          ticketCommands['tickets.undo'].decide(
            { ticketId: ticket.id, commandId: step },
            { ticket: now, event },
            context,
          ),
        )
      const [added, removed] = before.tagged
      take(taggedDecision(now, removed, added))
      take(fieldsDecision(now, fields, fieldsBack(ticket, before.fields, fields), context))
      if (before.unread && now.unreadMessages === 1) take(readAgain(now))
      if (before.notes.length > 0)
        take({ rows: [{ table: 'ticketNotes', op: 'delete', ids: before.notes }], effects: [] })
      const all = together(...decisions, { ...nothing, takesBack: before.flows ?? [] })
      // One line for all: what it did stands above, each with its own.
      const rows = all.rows.filter((row) => row.table !== 'ticketEvents')
      return {
        ...all,
        ...(all.moved?.length ? { moved: [ticket] } : {}),
        rows: [...rows, undoneLine(now, line, before.steps, context)],
        result: { ticketId: ticket.id },
      }
    },
  }),
}

const readAgain = ({ id }: Ticket): Decision => ({
  ...nothing,
  rows: [{ table: 'tickets', op: 'update', ids: [id], values: { unreadMessages: 0 } }],
})

/** Behind the lines of what is taken back, each of which stands a moment after the one before. */
function undoneLine(
  ticket: Ticket,
  line: TicketEvent,
  steps: number,
  { commandId, who, now }: CommandContext,
): RowChange {
  const at = new Date(Math.max(now.getTime(), line.createdAt.getTime() + steps))
  const data = { done: 'macro', macro: line.data['macro'] ?? null }
  return timelineRow(ticket, 'undone', { id: commandId, userId: who.userId, now: at, data })
}
