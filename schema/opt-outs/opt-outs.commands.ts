import { Type } from '@sinclair/typebox'
import { command } from '../command.ts'
import { rowId } from '../inputs.ts'
import { visible } from '../tickets/tickets.commands.ts'

export const optOutCommands = {
  /** The contact of a ticket has said that they want no messages to many. Whoever sees the ticket may note it. */
  'optOuts.note': command({
    name: 'optOuts.note',
    needs: null,
    feature: 'useCampaigns',
    input: Type.Object({ ticketId: rowId }, { additionalProperties: false }),
    facts: async (input, read, who) => visible(await read.need('tickets', input.ticketId), who),
    decide: (_input, { contactId }, { who }) => ({
      rows: [],
      effects: [{ kind: 'optOuts.note', contactId, userId: who.userId }],
    }),
  }),
}
