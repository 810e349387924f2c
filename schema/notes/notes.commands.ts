import { Type } from '@sinclair/typebox'
import { command, type FactReader } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId } from '../inputs.ts'
import { newNote } from './notes.inputs.ts'
import type { NoteMention } from './notes.table.ts'
import { visible } from '../tickets/tickets.commands.ts'

/** Whom a note calls, each once, with the name that they have now. */
async function called(mentions: readonly Pick<NoteMention, 'kind' | 'id'>[], read: FactReader): Promise<NoteMention[]> {
  const known = new Map<string, NoteMention>()
  for (const { kind, id } of mentions) {
    const key = `${kind} ${id}`
    if (known.has(key)) continue
    const { name } = kind === 'user' ? await read.need('users', id) : await read.need('queues', id)
    known.set(key, { kind, id, name })
  }
  return [...known.values()]
}

export const noteCommands = {
  'notes.create': command({
    name: 'notes.create',
    needs: null,
    input: newNote,
    facts: async (input, read, who) => ({
      ticket: visible(await read.need('tickets', input.ticketId), who),
      mentions: await called(input.mentions ?? [], read),
    }),
    decide: (input, { ticket, mentions }, { who, now }) => ({
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
            mentions,
            queueScope: ticket.queueId,
            userScope: ticket.userId,
            createdAt: now,
          },
        },
      ],
      // Who belongs to a queue, and who sees the ticket, is for the server to say.
      effects: mentions.length > 0 ? [{ kind: 'notes.mentioned', noteId: input.id }] : [],
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
