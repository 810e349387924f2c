import { Type } from '@sinclair/typebox'
import { command } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId, rowId } from '../inputs.ts'

const ids = Type.Optional(Type.Array(rowId, { maxItems: 100 }))
/** 0 stands for "without a queue". */
const queueIds = Type.Optional(Type.Array(Type.Union([rowId, Type.Literal(0)]), { maxItems: 100 }))

export const filterCommands = {
  /** Keeps a view of the ticket list under a name; the same id again replaces it. */
  'filters.save': command({
    name: 'filters.save',
    needs: null,
    input: Type.Object(
      {
        id: clientId,
        name: Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }),
        filter: Type.Object(
          {
            queueIds,
            tagIds: ids,
            userIds: ids,
            whatsappIds: ids,
            unreadOnly: Type.Optional(Type.Boolean()),
            text: Type.Optional(Type.String({ maxLength: 200 })),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
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
              values: { id, companyId: who.companyId, userId: who.userId, name, filter, createdAt: now },
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
