import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { changedQueueOption, newQueueOption } from '../../schema/queues/queue-options.inputs.ts'
import { type QueueOption, queueOptions } from '../../schema/queues/queue-options.table.ts'
import {
  below,
  branch,
  DEEPEST,
  depthOf,
  heightOf,
  MOST_BESIDE,
  MOST_OPTIONS,
  nested,
  numbered,
} from '../../schema/queues/queue-options.tree.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import type { Tx } from '../db/database.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, levelQuery } from '../http/inputs.ts'
import { fileColumns, fileForm, noFile, takeFile } from '../http/upload-one.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { optionsOf } from './queue-options.queries.ts'
import { setNumbers } from './queue-options.writes.ts'

const tags = ['queues']

const one = (who: Principal, id: number) => and(eq(queueOptions.companyId, who.companyId), eq(queueOptions.id, id))
/** The numbers of a level that one has left. */
const closedUp = (all: readonly QueueOption[], parentId: number | null, goneId: number) =>
  numbered(
    below(all, parentId).filter(({ id }) => id !== goneId),
    null,
  )
const topOr = (parentId: number | null) => (parentId === -1 ? null : parentId)

/** The chatbot of a queue: a tree of options that contacts choose by number. */
export const queueOptionRoutes = (deps: AppDeps) =>
  new Elysia().use(readTree(deps)).use(changeTree(deps)).use(optionFiles(deps))

/** What the parts of the routes need. */
function optionCalls({ db, events }: AppDeps) {
  const need = async (who: Principal, id: number): Promise<QueueOption> => {
    demand(who, 'queues:write')
    const [option] = await db.select().from(queueOptions).where(one(who, id))
    if (!option) throw new DomainError('ERR_NO_QUEUE_OPTION_FOUND')
    return option
  }
  /** Lists of queues and open trees look again. */
  const emit = (who: Principal, queueId: number) =>
    events.emit({ companyId: who.companyId, name: 'queue', action: 'update', payload: { queue: { id: queueId } } })
  return { need, emit }
}

function readTree(deps: AppDeps) {
  const { db } = deps
  const { need } = optionCalls(deps)
  return new Elysia({ prefix: '/queue-options' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        demand(who, 'queues:write')
        const all = await optionsOf(db, who.companyId, query.queueId)
        return query.parentId === undefined ? all : nested(all, topOr(query.parentId))
      },
      {
        query: levelQuery,
        detail: {
          tags,
          summary:
            'The options of a queue: one level (`parentId`, -1 for the top) with what is under it, or all in a list',
        },
      },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        const option = await need(who, params.id)
        const all = await optionsOf(db, who.companyId, option.queueId)
        return { ...option, children: nested(all, option.id) }
      },
      { params: idParams, detail: { tags, summary: 'One option, with those under it' } },
    )
}

function changeTree(deps: AppDeps) {
  const { db, now } = deps
  const { need, emit } = optionCalls(deps)

  /** One change of a tree at a time: its numbers are a property of a whole level. */
  const changing = <T>(who: Principal, queueId: number, work: (tx: Tx, all: QueueOption[]) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const [queue] = await tx
        .select({ id: queues.id })
        .from(queues)
        .where(and(eq(queues.companyId, who.companyId), eq(queues.id, queueId)))
        .for('no key update')
      if (!queue) throw new DomainError('ERR_NO_QUEUE_FOUND')
      return work(tx, await optionsOf(tx, who.companyId, queueId))
    })

  return new Elysia({ prefix: '/queue-options' })
    .use(authed(deps))
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'queues:write')
        const parentId = topOr(body.parentId ?? null)
        const id = await changing(who, body.queueId, async (tx, all) => {
          if (all.length >= MOST_OPTIONS) throw new DomainError('ERR_QUEUE_OPTIONS_LIMIT', { limit: MOST_OPTIONS })
          demandPlace(all, parentId, null)
          const [row] = await tx
            .insert(queueOptions)
            .values({
              companyId: who.companyId,
              queueId: body.queueId,
              parentId,
              option: 0,
              title: body.title.trim(),
              message: body.message ?? '',
              createdAt: now(),
              updatedAt: now(),
            })
            .returning({ id: queueOptions.id })
          await setNumbers(tx, numbered(below(all, parentId), row!.id, body.option), now())
          return row!.id
        })
        emit(who, body.queueId)
        return need(who, id)
      },
      {
        body: newQueueOption,
        detail: { tags, summary: 'Make an option; without a number it is the last of its level' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const before = await need(who, params.id)
        const queueId = body.queueId ?? before.queueId
        if (queueId !== before.queueId) throw new DomainError('ERR_NO_QUEUE_FOUND')
        await changing(who, queueId, async (tx, all) => {
          const row = all.find(({ id }) => id === before.id)
          if (!row) throw new DomainError('ERR_NO_QUEUE_OPTION_FOUND')
          const parentId = body.parentId === undefined ? row.parentId : topOr(body.parentId)
          const moves = parentId !== row.parentId
          if (moves) demandPlace(all, parentId, row)
          await tx
            .update(queueOptions)
            .set({
              parentId,
              ...(body.title !== undefined && { title: body.title.trim() }),
              ...(body.message !== undefined && { message: body.message }),
              updatedAt: now(),
            })
            .where(one(who, row.id))
          if (!moves && body.option === undefined) return
          await setNumbers(tx, numbered(below(all, parentId), row.id, body.option), now())
          if (moves) await setNumbers(tx, closedUp(all, row.parentId, row.id), now())
        })
        emit(who, queueId)
        return need(who, before.id)
      },
      {
        params: idParams,
        body: changedQueueOption,
        detail: { tags, summary: 'Change an option, or put it elsewhere in its queue: those beside it move along' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        const { id, queueId } = await need(who, params.id)
        await changing(who, queueId, async (tx, all) => {
          const gone = branch(all, id)
          const [top] = gone
          if (!top) throw new DomainError('ERR_NO_QUEUE_OPTION_FOUND')
          await tx.delete(queueOptions).where(one(who, id))
          await releaseFiles(
            tx,
            who.companyId,
            gone.map(({ mediaPath }) => mediaPath),
          )
          await setNumbers(tx, closedUp(all, top.parentId, id), now())
        })
        emit(who, queueId)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete an option and all under it' } },
    )
}

/** The file that is sent with an option. */
function optionFiles(deps: AppDeps) {
  const { db, media, config, now } = deps
  const { need, emit } = optionCalls(deps)

  const setFile = async (who: Principal, id: number, file: ReturnType<typeof fileColumns> | typeof noFile) => {
    const row = await db.transaction(async (tx) => {
      // Another file may have come since.
      const [before] = await tx.select().from(queueOptions).where(one(who, id)).for('update')
      if (!before) throw new DomainError('ERR_NO_QUEUE_OPTION_FOUND')
      await tx
        .update(queueOptions)
        .set({ ...file, updatedAt: now() })
        .where(one(who, id))
      await releaseFiles(tx, who.companyId, [before.mediaPath])
      return before
    })
    emit(who, row.queueId)
    return need(who, id)
  }

  return new Elysia({ prefix: '/queue-options' })
    .use(authed(deps))
    .post(
      '/:id/media-upload',
      async ({ who, params, request }) => {
        // Before any byte is stored.
        const { id } = await need(who, params.id)
        return takeFile(request, { media, companyId: who.companyId, maxBytes: config.maxUploadBytes }, (file) =>
          setFile(who, id, fileColumns(file)),
        )
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'A file that is sent with an option, in place of the one before',
          requestBody: fileForm,
        },
      },
    )
    .delete('/:id/media-upload', async ({ who, params }) => setFile(who, (await need(who, params.id)).id, noFile), {
      params: idParams,
      detail: { tags, summary: 'Take the file off an option' },
    })
}

/** @throws DomainError where the tree would grow beyond its bounds, or into itself */
function demandPlace(all: readonly QueueOption[], parentId: number | null, moved: QueueOption | null): void {
  if (parentId !== null && !all.some(({ id }) => id === parentId)) throw new DomainError('ERR_NO_QUEUE_OPTION_FOUND')
  if (moved && parentId !== null && branch(all, moved.id).some(({ id }) => id === parentId))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/parentId', message: 'not under itself' }] })
  if (below(all, parentId).filter(({ id }) => id !== moved?.id).length >= MOST_BESIDE)
    throw new DomainError('ERR_QUEUE_OPTIONS_LIMIT', { limit: MOST_BESIDE })
  if (depthOf(all, parentId) + (moved ? heightOf(all, moved.id) : 1) > DEEPEST)
    throw new DomainError('ERR_QUEUE_OPTIONS_LIMIT', { limit: DEEPEST })
}
