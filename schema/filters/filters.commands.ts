import { Type } from '@sinclair/typebox'
import { command } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId } from '../inputs.ts'
import { savedFilterInput } from './filters.inputs.ts'

export const filterCommands = {
  /** Keeps a view of the ticket list under a name; the same id again replaces it. */
  'filters.save': command({
    name: 'filters.save',
    needs: null,
    input: savedFilterInput,
    facts: async ({ id }, read, who) => {
      const saved = (await read.get('savedFilters', id)) ?? null
      if (saved && saved.userId !== who.userId) throw new DomainError('ERR_NOT_FOUND')
      return saved
    },
    decide: ({ id, name, filter }, saved, { who, now }) => ({
      rows: [
        saved
          ? { table: 'savedFilters', op: 'update', ids: [id], values: { name, filter } }
          : {
              table: 'savedFilters',
              op: 'insert',
              values: {
                ...{ id, companyId: who.companyId, userId: who.userId, name, filter, createdAt: now },
                ...{ color: null, sharing: 'own', queueIds: [], position: 0 },
              },
            },
      ],
      effects: [],
      result: { id },
    }),
  }),

  'filters.delete': command({
    name: 'filters.delete',
    needs: null,
    input: Type.Object({ id: clientId }, { additionalProperties: false }),
    facts: async ({ id }, read, who) => {
      const saved = await read.need('savedFilters', id)
      if (saved.userId !== who.userId) throw new DomainError('ERR_NOT_FOUND')
      return saved
    },
    decide: (_input, saved) => ({ rows: [{ table: 'savedFilters', op: 'delete', ids: [saved.id] }], effects: [] }),
  }),
}
