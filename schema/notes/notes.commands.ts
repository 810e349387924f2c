import { Type } from '@sinclair/typebox'
import { command } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId } from '../inputs.ts'
import { newNote } from './notes.inputs.ts'
import { visible } from '../tickets/tickets.commands.ts'

export const noteCommands = {
  'notes.create': command({
    name: 'notes.create',
    needs: null,
    input: newNote,
    facts: async (input, read, who) => visible(await read.need('tickets', input.ticketId), who),
    decide: (input, ticket, { who, now }) => ({
      rows: [
        {
          table: 'ticketNotes',
          op: 'insert',
          values: {
            id: input.id,
            companyId: who.companyId,
            ticketId: ticket.id,
            contactId: ticket.contactId,
            userId: who.userId,
            note: input.note,
            queueScope: ticket.queueId,
            userScope: ticket.userId,
            createdAt: now,
          },
        },
      ],
      effects: [],
      result: { id: input.id },
    }),
  }),

  /** Its author deletes a note, or an admin. */
  'notes.delete': command({
    name: 'notes.delete',
    needs: null,
    input: Type.Object({ id: clientId }, { additionalProperties: false }),
    facts: async (input, read, who) => {
      const note = await read.need('ticketNotes', input.id)
      visible(await read.need('tickets', note.ticketId), who)
      return note
    },
    decide: (_input, note, { who }) => {
      if (note.userId !== who.userId && who.profile !== 'admin') throw new DomainError('ERR_NO_PERMISSION')
      return { rows: [{ table: 'ticketNotes', op: 'delete', ids: [note.id] }], effects: [] }
    },
  }),
}
