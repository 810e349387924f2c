import { Type } from '@sinclair/typebox'
import { command, type Decision, nothing } from '../command.ts'
import { DomainError } from '../errors.ts'
import { rowId } from '../inputs.ts'
import { can, canSeeTicket, type Principal, type TicketScope } from '../permissions.ts'
import { visible } from './tickets.commands.ts'
import { transferNote } from './tickets.inputs.ts'
import { timelineRow } from './tickets.move.ts'

/**
 * Who is called to a ticket: those who may supervise and see it; of them, where there are any, those who work in its
 * queue. Who calls is not called.
 */
export function calledTo<P extends Principal>(people: readonly P[], ticket: TicketScope, callerId: number): P[] {
  const able = people.filter(
    (who) => who.userId !== callerId && can(who, 'tickets:supervise') && canSeeTicket(who, ticket),
  )
  const near = able.filter(({ queueIds }) => ticket.queueId !== null && queueIds.includes(ticket.queueId))
  return near.length > 0 ? near : able
}

export const supervisorCommands = {
  /** Calls a supervisor to an active ticket. Called once more, nothing changes. */
  'tickets.callSupervisor': command({
    name: 'tickets.callSupervisor',
    needs: null,
    input: Type.Object({ ticketId: rowId, note: Type.Optional(transferNote) }, { additionalProperties: false }),
    facts: async ({ ticketId }, read, who) => visible(await read.need('tickets', ticketId), who),
    decide: ({ note = '' }, ticket, { who, now, commandId }): Decision => {
      if (ticket.status === 'closed') throw new DomainError('ERR_TICKET_TRANSITION', { ticketId: ticket.id })
      if (ticket.supervisorCalledAt !== null) return nothing
      const data: Record<string, string> = note.trim() ? { note: note.trim() } : {}
      return {
        rows: [
          {
            table: 'tickets',
            op: 'update',
            ids: [ticket.id],
            values: { supervisorCalledAt: now, supervisorCalledBy: who.userId || null },
          },
          timelineRow(ticket, 'supervisor_called', { id: commandId, userId: who.userId, now, data }),
        ],
        effects: [{ kind: 'push.ticket', why: 'supervisor', ticketId: ticket.id, userId: null, by: who.userId }],
      }
    },
  }),

  /** A supervisor sees to it, or who called needs nobody any more. */
  'tickets.answerCall': command({
    name: 'tickets.answerCall',
    needs: null,
    input: Type.Object({ ticketId: rowId }, { additionalProperties: false }),
    facts: async ({ ticketId }, read, who) => visible(await read.need('tickets', ticketId), who),
    decide: (_input, ticket, { who, now, commandId }): Decision => {
      if (!can(who, 'tickets:supervise') && ticket.supervisorCalledBy !== who.userId)
        throw new DomainError('ERR_NO_PERMISSION')
      if (ticket.supervisorCalledAt === null) return nothing
      return {
        rows: [
          {
            table: 'tickets',
            op: 'update',
            ids: [ticket.id],
            values: { supervisorCalledAt: null, supervisorCalledBy: null },
          },
          timelineRow(ticket, 'supervisor_answered', { id: commandId, userId: who.userId, now }),
        ],
        effects: [],
      }
    },
  }),
}
