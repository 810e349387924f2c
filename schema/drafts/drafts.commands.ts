import { Type } from '@sinclair/typebox'
import { command } from '../command.ts'
import { rowId } from '../inputs.ts'
import { visible } from '../tickets/tickets.commands.ts'

export const draftCommands = {
  /** Keeps what is begun in a ticket; an empty text forgets it. The last device to write has its way. */
  'drafts.set': command({
    name: 'drafts.set',
    needs: null,
    input: Type.Object({ ticketId: rowId, body: Type.String({ maxLength: 65_536 }) }, { additionalProperties: false }),
    facts: async ({ ticketId }, read, who) => {
      visible(await read.need('tickets', ticketId), who)
      return (await read.get('drafts', `${who.userId}:${ticketId}`)) ?? null
    },
    decide: ({ ticketId, body }, draft, { who, now }) => {
      const id = `${who.userId}:${ticketId}`
      const nothing = { rows: [], effects: [] }
      if (body === '') return draft ? { rows: [{ table: 'drafts', op: 'delete', ids: [id] }], effects: [] } : nothing
      if (draft?.body === body) return nothing
      return {
        rows: [
          draft
            ? { table: 'drafts', op: 'update', ids: [id], values: { body, updatedAt: now } }
            : {
                table: 'drafts',
                op: 'insert',
                values: { id, companyId: who.companyId, userId: who.userId, ticketId, body, updatedAt: now },
              },
        ],
        effects: [],
      }
    },
  }),
}
