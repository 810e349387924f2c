import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { demandActions } from '../../schema/actions/actions.check.ts'
import { DomainError } from '../../schema/errors.ts'
import { changedMacro, type MacroInput, mostMacros, newMacro, runOne } from '../../schema/macros/macros.inputs.ts'
import { type Macro, macros } from '../../schema/macros/macros.table.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { factReader } from '../commands/facts.ts'
import type { Tx } from '../db/database.ts'
import { commandKey, rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { findMacro, listMacros, usableMacros } from './macros.queries.ts'

const tags = ['macros']

/** What the routes need. */
function macroCalls({ db, events }: AppDeps) {
  const need = async (who: Principal, id: number): Promise<Macro> => {
    const row = await findMacro(db, who, id)
    if (!row) throw new DomainError('ERR_NO_MACRO_FOUND')
    return row
  }
  /** Those that others have, too, are for supervisors and admins to change. */
  const needMine = async (who: Principal, id: number): Promise<Macro> => {
    const row = await need(who, id)
    demandSharing(who, row.sharing)
    return row
  }
  const demandSharing = (who: Principal, sharing: Macro['sharing']) => {
    if (sharing !== 'own' && !can(who, 'macros:write')) throw new DomainError('ERR_NO_PERMISSION')
  }
  /** What it does and whose it is, or why not. */
  const checked = async (tx: Tx, who: Principal, row: Pick<MacroInput, 'actions' | 'sharing' | 'queueIds'>) => {
    const read = factReader(tx, who.companyId)
    await demandActions(row.actions, read)
    if (row.sharing !== 'queues') return { ...row, queueIds: [] }
    if (row.queueIds.length === 0) throw new DomainError('ERR_QUEUE_REQUIRED')
    for (const id of row.queueIds) await read.need('queues', id)
    return row
  }
  const emit = (action: string, row: Macro, before = row) => {
    const isShared = row.sharing !== 'own' || before.sharing !== 'own'
    events.emit({
      companyId: row.companyId,
      name: 'macro',
      action,
      // Who has it asks for it.
      payload: { macroId: row.id },
      ...(!isShared && { audience: { userIds: row.userId === null ? [] : [row.userId] } }),
    })
  }
  return { need, needMine, demandSharing, checked, emit }
}

/** Several actions with a ticket, kept under a name: one's own, and those that are shared. */
export const macroRoutes = (deps: AppDeps) => new Elysia().use(keptMacros(deps)).use(runRoute(deps))

function keptMacros(deps: AppDeps) {
  const { db, now } = deps
  const { need, needMine, demandSharing, checked, emit } = macroCalls(deps)

  return new Elysia({ prefix: '/macros' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) => listMacros(db, who, { search: query.searchParam?.trim(), pageNumber: query.pageNumber ?? 1 }),
      {
        query: pageQuery,
        detail: { tags, summary: 'Macros by name, 20 a page; those of other queues for supervisors and admins' },
      },
    )
    .get('/list', ({ who }) => usableMacros(db, who), {
      detail: { tags, summary: 'All that the caller may run: own ones and those that are shared with them' },
    })
    .get('/:id', ({ who, params }) => need(who, params.id), {
      params: idParams,
      detail: { tags, summary: 'One macro' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        const { name, shortcut = '', actions, sharing = 'own', queueIds = [] } = body
        demandSharing(who, sharing)
        const row = await db.transaction(async (tx) => {
          const does = await checked(tx, who, { actions, sharing, queueIds })
          if ((await tx.$count(macros, eq(macros.companyId, who.companyId))) >= mostMacros)
            throw new DomainError('ERR_MACRO_LIMIT', { limit: mostMacros })
          const at = { createdAt: now(), updatedAt: now() }
          const [made] = await tx
            .insert(macros)
            .values({ companyId: who.companyId, userId: who.userId, name: name.trim(), shortcut, ...does, ...at })
            .returning()
          return made!
        })
        emit('create', row)
        return row
      },
      {
        body: newMacro,
        detail: { tags, summary: 'Make a macro; one for others: supervisors and admins' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const before = await needMine(who, params.id)
        demandSharing(who, body.sharing ?? before.sharing)
        const row = await db.transaction(async (tx) => {
          // Two who change it at once: the second is told of what the first made of it by its number.
          const [last] = await tx.select().from(macros).where(one(who, before.id)).for('update')
          if (!last) throw new DomainError('ERR_NO_MACRO_FOUND')
          const wished = {
            actions: body.actions ?? last.actions,
            sharing: body.sharing ?? last.sharing,
            queueIds: body.queueIds ?? last.queueIds,
          }
          const does = await checked(tx, who, wished)
          const [changed] = await tx
            .update(macros)
            .set({
              ...does,
              ...(body.name !== undefined && { name: body.name.trim() }),
              ...(body.shortcut !== undefined && { shortcut: body.shortcut }),
              ...(body.actions !== undefined && { version: last.version + 1 }),
              // Whoever takes it from everybody has it.
              ...(wished.sharing === 'own' && last.sharing !== 'own' && { userId: who.userId }),
              updatedAt: now(),
            })
            .where(one(who, before.id))
            .returning()
          return changed!
        })
        emit('update', row, before)
        return row
      },
      {
        params: idParams,
        body: changedMacro,
        detail: { tags, summary: 'Change a macro' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        const row = await needMine(who, params.id)
        await db.delete(macros).where(one(who, row.id))
        emit('delete', row)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a macro' } },
    )
}

const one = (who: Principal, id: number) => and(eq(macros.companyId, who.companyId), eq(macros.id, id))

const runRoute = (deps: AppDeps) =>
  new Elysia({ prefix: '/macros' }).use(authed(deps)).post(
    '/:id/run',
    async ({ who, params, body, request }) => {
      const key = commandKey(request)
      const { result } = await deps.runCommand(who, {
        // A repeat with the same key is the same command, and says the same messages.
        id: rowIdFor(who, key),
        name: 'macros.run',
        input: { ...body, macroId: params.id },
      })
      return result
    },
    {
      params: idParams,
      body: runOne,
      detail: { tags, summary: 'Do with a ticket what a macro says: all of it, or nothing' },
    },
  )
