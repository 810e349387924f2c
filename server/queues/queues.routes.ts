import { and, asc, eq, sql } from 'drizzle-orm'
import { demandBots } from '../bots/bots.queries.ts'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { changedQueue, newQueue } from '../../schema/queues/queues.inputs.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { readNumbers } from '../../schema/wire.ts'
import { userQueues } from '../../schema/users/users.table.ts'
import { outOfQueue } from '../../schema/tickets/tickets.transition.ts'
import { applyDecision } from '../commands/apply.ts'
import { demandRoom } from '../companies/plan-limits.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { fileColumns, fileForm, noFile, takeFile } from '../http/upload-one.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { letGo } from '../uses/uses.changes.ts'
import { emitLetGo } from '../uses/uses.events.ts'
import { filesOfQueue } from './queue-options.queries.ts'

const tags = ['queues']
const ofCompany = (who: Principal, id: number) => and(eq(queues.companyId, who.companyId), eq(queues.id, id))

/** What several routes do with one queue. */
function queueCalls({ db, events, now }: AppDeps) {
  const need = async (who: Principal, id: number) => {
    const [queue] = await db.select().from(queues).where(ofCompany(who, id))
    if (!queue) throw new DomainError('ERR_NO_QUEUE_FOUND')
    return queue
  }
  const emit = (who: Principal, action: string, payload: Record<string, unknown>) =>
    events.emit({ companyId: who.companyId, name: 'queue', action, payload })
  const setFile = async (who: Principal, id: number, file: ReturnType<typeof fileColumns> | typeof noFile) => {
    await db.transaction(async (tx) => {
      // Another file may have come since.
      const [before] = await tx.select().from(queues).where(ofCompany(who, id)).for('no key update')
      if (!before) throw new DomainError('ERR_NO_QUEUE_FOUND')
      await tx
        .update(queues)
        .set({ ...file, updatedAt: now() })
        .where(ofCompany(who, id))
      await releaseFiles(tx, who.companyId, [before.mediaPath])
    })
    const queue = await need(who, id)
    emit(who, 'update', { queue })
    return queue
  }
  return { need, emit, setFile }
}

/** The queues of a company: what a ticket is about, and who works on it. */
export function queueRoutes(deps: AppDeps) {
  const { db, media, config, onRightsChanged, now } = deps
  const { need, emit, setFile } = queueCalls(deps)

  return new Elysia({ prefix: '/queue' })
    .use(authed(deps))
    .onTransform(readNumbers)
    .get(
      '/',
      ({ who }) =>
        db
          .select()
          .from(queues)
          .where(eq(queues.companyId, who.companyId))
          .orderBy(sql`${queues.orderQueue} ASC NULLS LAST`, asc(queues.id)),
      { detail: { tags, summary: 'All queues, in the order of the menu' } },
    )
    .get('/:id', ({ who, params }) => need(who, params.id), {
      params: idParams,
      detail: { tags, summary: 'One queue' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'queues:write')
        const id = await db.transaction(async (tx) => {
          await demandRoom(tx, who.companyId, 'queues')
          await demandBots(tx, who.companyId, body)
          const [row] = await tx
            .insert(queues)
            .values({ ...body, companyId: who.companyId, name: body.name.trim(), color: body.color.toLowerCase() })
            .returning({ id: queues.id })
          return row!.id
        })
        const queue = await need(who, id)
        emit(who, 'create', { queue })
        return queue
      },
      { body: newQueue, detail: { tags, summary: 'Make a queue' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'queues:write')
        await need(who, params.id)
        await demandBots(db, who.companyId, body)
        await db
          .update(queues)
          .set({
            ...body,
            ...(body.name !== undefined && { name: body.name.trim() }),
            ...(body.color !== undefined && { color: body.color.toLowerCase() }),
            updatedAt: now(),
          })
          .where(ofCompany(who, params.id))
        const queue = await need(who, params.id)
        emit(who, 'update', { queue })
        return queue
      },
      {
        params: idParams,
        body: changedQueue,
        detail: { tags, summary: 'Change a queue' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'queues:write')
        const queue = await need(who, params.id)
        const { members, gone } = await db.transaction(async (tx) => {
          const rows = await tx
            .select({ userId: userQueues.userId })
            .from(userQueues)
            .where(eq(userQueues.queueId, queue.id))
          await releaseFiles(tx, who.companyId, await filesOfQueue(tx, who.companyId, queue.id))
          const gone = await letGo(tx, who.companyId, 'queue', queue.id, now())
          await applyDecision(tx, who.companyId, { rows: [outOfQueue(queue.id)], effects: [] })
          await tx.delete(queues).where(ofCompany(who, queue.id))
          return { members: rows, gone }
        })
        for (const { userId } of members) onRightsChanged(userId)
        emit(who, 'delete', { queueId: queue.id })
        await emitLetGo(deps, who.companyId, gone)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a queue; its tickets keep their history and have none' } },
    )
    .post(
      '/:id/media-upload',
      async ({ who, params, request }) => {
        demand(who, 'queues:write')
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
          summary: 'A file that is sent with the greeting, in place of the one before',
          requestBody: fileForm,
        },
      },
    )
    .delete(
      '/:id/media-upload',
      async ({ who, params }) => {
        demand(who, 'queues:write')
        return setFile(who, (await need(who, params.id)).id, noFile)
      },
      { params: idParams, detail: { tags, summary: 'Take the file off the greeting' } },
    )
}
