import { Type } from '@sinclair/typebox'
import { command, type FactReader } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId } from '../inputs.ts'
import { can, type Principal } from '../permissions.ts'
import { savedFilterInput, viewOrderInput } from './filters.inputs.ts'
import type { SavedFilter } from './filters.table.ts'

/** What is shared is changed by who may share, whoever made it; what is not is there for nobody else. */
function demandChange(saved: SavedFilter, who: Principal): void {
  if (saved.sharing === 'own' && saved.userId !== who.userId) throw new DomainError('ERR_NOT_FOUND')
  if (saved.sharing !== 'own' && !can(who, 'views:share')) throw new DomainError('ERR_NO_PERMISSION')
}

async function changeable(id: string, read: FactReader, who: Principal): Promise<SavedFilter> {
  const saved = await read.need('savedFilters', id)
  demandChange(saved, who)
  return saved
}

export const filterCommands = {
  /** Keeps a view of the ticket list under a name, for its author or for others; the same id again replaces it. */
  'filters.save': command({
    name: 'filters.save',
    needs: null,
    input: savedFilterInput,
    facts: async ({ id, sharing, queueIds = [] }, read, who) => {
      const saved = (await read.get('savedFilters', id)) ?? null
      if (saved) demandChange(saved, who)
      if ((sharing ?? 'own') !== 'own' && !can(who, 'views:share')) throw new DomainError('ERR_NO_PERMISSION')
      for (const queueId of queueIds) await read.need('queues', queueId)
      return saved
    },
    decide: ({ id, name, filter, color, sharing, queueIds }, saved, { who, now }) => {
      const shared = sharing ?? saved?.sharing ?? 'own'
      const values = {
        ...{ name, filter, sharing: shared },
        color: color === undefined ? (saved?.color ?? null) : color,
        queueIds: shared === 'queues' ? (queueIds ?? saved?.queueIds ?? []) : [],
        // What nobody else has is its owner's: who takes it from the others has it from now on.
        ...(saved && shared === 'own' ? { userId: who.userId } : {}),
      }
      return {
        rows: [
          saved
            ? { table: 'savedFilters', op: 'update', ids: [id], values }
            : {
                table: 'savedFilters',
                op: 'insert',
                values: {
                  ...{ id, companyId: who.companyId, userId: who.userId, ...values, createdAt: now },
                  // Behind all that were put in an order before.
                  position: Math.floor(now.getTime() / 60_000),
                },
              },
        ],
        effects: [],
        result: { id },
      }
    },
  }),

  /** Puts views in this order: own ones, or shared ones, which stand so for everybody. */
  'filters.order': command({
    name: 'filters.order',
    needs: null,
    input: viewOrderInput,
    facts: async ({ ids }, read, who) => {
      await read.ahead({ savedFilters: ids })
      const saved: SavedFilter[] = []
      for (const id of ids) saved.push(await changeable(id, read, who))
      return saved
    },
    decide: (_input, saved) => ({
      rows: saved.flatMap(({ id, position }, at) =>
        position === at + 1
          ? []
          : [{ table: 'savedFilters' as const, op: 'update' as const, ids: [id], values: { position: at + 1 } }],
      ),
      effects: [],
    }),
  }),

  'filters.delete': command({
    name: 'filters.delete',
    needs: null,
    input: Type.Object({ id: clientId }, { additionalProperties: false }),
    facts: ({ id }, read, who) => changeable(id, read, who),
    decide: (_input, saved) => ({ rows: [{ table: 'savedFilters', op: 'delete', ids: [saved.id] }], effects: [] }),
  }),
}
