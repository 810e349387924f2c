import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { changedQuickMessage, newQuickMessage } from '../../schema/quick-messages/quick-messages.inputs.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { quickMessageWire } from '../../schema/wire.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { fileColumns, fileForm, noFile, takeFile } from '../http/upload-one.ts'
import { releaseFiles } from '../media/media.usage.ts'
import {
  findQuickMessage,
  listQuickMessages,
  type QuickMessageRow,
  usableQuickMessages,
} from './quick-messages.queries.ts'

const tags = ['quick messages']

/** As the wire spells it. */
const view = (row: QuickMessageRow) => quickMessageWire.write(row)

const bare = (text: string): string => text.trim().replace(/^\/+\s*/, '')

const one = (who: Principal, id: number) => and(eq(quickMessages.companyId, who.companyId), eq(quickMessages.id, id))

/** Replies kept under a short name: one's own, and those for everybody. */
export const quickMessageRoutes = (deps: AppDeps) => new Elysia().use(replies(deps)).use(replyFiles(deps))

/** What both parts of the routes need. */
function replyCalls({ db, events }: AppDeps) {
  const need = async (who: Principal, id: number): Promise<QuickMessageRow> => {
    const row = await findQuickMessage(db, who, id)
    if (!row) throw new DomainError('ERR_NO_QUICK_MESSAGE_FOUND')
    return row
  }
  /** Those for everybody are for supervisors and admins to change. */
  const needMine = async (who: Principal, id: number): Promise<QuickMessageRow> => {
    const row = await need(who, id)
    if (row.isGeneral && !can(who, 'quick-messages:any')) throw new DomainError('ERR_NO_PERMISSION')
    return row
  }
  const emit = (action: string, row: QuickMessageRow, before = row) => {
    const everybody = row.isGeneral || before.isGeneral
    events.emit({
      companyId: row.companyId,
      name: 'quickmessage',
      action,
      payload: action === 'delete' ? { id: row.id } : { record: view(row) },
      // Whose author is gone is nobody's to hear of.
      ...(!everybody && { audience: { userIds: row.userId === null ? [] : [row.userId] } }),
    })
  }
  return { need, needMine, emit }
}

function replies(deps: AppDeps) {
  const { db, now } = deps
  const { need, needMine, emit } = replyCalls(deps)

  const demandGeneral = (who: Principal, before: boolean, wished: boolean | undefined) => {
    if (wished !== undefined && wished !== before && !can(who, 'quick-messages:any'))
      throw new DomainError('ERR_NO_PERMISSION')
  }

  return new Elysia({ prefix: '/quick-messages' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        const asked = { search: query.searchParam?.trim(), pageNumber: query.pageNumber ?? 1 }
        const page = await listQuickMessages(db, who, asked)
        return { ...page, records: page.records.map(view) }
      },
      {
        query: pageQuery,
        detail: { tags, summary: 'Quick messages by short name, 20 a page; other people’s for supervisors and admins' },
      },
    )
    .get('/list', async ({ who }) => (await usableQuickMessages(db, who)).map(view), {
      detail: { tags, summary: 'All that the caller may use: own ones and those for everybody' },
    })
    .get('/:id', async ({ who, params }) => view(await need(who, params.id)), {
      params: idParams,
      detail: { tags, summary: 'One quick message' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        const { isGeneral = false, ...given } = quickMessageWire.read(body)
        demandGeneral(who, false, isGeneral)
        const [made] = await db
          .insert(quickMessages)
          .values({
            companyId: who.companyId,
            userId: who.userId,
            shortcode: bare(given.shortcode),
            message: given.message,
            isGeneral,
            status: given.status ?? true,
            createdAt: now(),
            updatedAt: now(),
          })
          .returning({ id: quickMessages.id })
        const row = await need(who, made!.id)
        emit('create', row)
        return view(row)
      },
      {
        body: newQuickMessage,
        detail: { tags, summary: 'Make a quick message; one for everybody: supervisors and admins' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const before = await needMine(who, params.id)
        const { isGeneral, ...given } = quickMessageWire.read(body)
        demandGeneral(who, before.isGeneral, isGeneral)
        await db
          .update(quickMessages)
          .set({
            ...(given.shortcode !== undefined && { shortcode: bare(given.shortcode) }),
            ...(given.message !== undefined && { message: given.message }),
            ...(isGeneral !== undefined && { isGeneral }),
            ...(given.status !== undefined && { status: given.status }),
            // Its owner is gone: whoever takes it from everybody has it.
            ...(isGeneral === false && before.userId === null && { userId: who.userId }),
            updatedAt: now(),
          })
          .where(one(who, before.id))
        const row = await need(who, before.id)
        emit('update', row, before)
        return view(row)
      },
      {
        params: idParams,
        body: changedQuickMessage,
        detail: { tags, summary: 'Change a quick message' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        const row = await needMine(who, params.id)
        await db.transaction(async (tx) => {
          const gone = await tx
            .delete(quickMessages)
            .where(one(who, row.id))
            .returning({ path: quickMessages.mediaPath })
          await releaseFiles(
            tx,
            who.companyId,
            gone.map(({ path }) => path),
          )
        })
        emit('delete', row)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a quick message' } },
    )
}

/** The file that is sent with one. */
function replyFiles(deps: AppDeps) {
  const { db, media, config, now } = deps
  const { need, needMine, emit } = replyCalls(deps)

  const setFile = async (
    who: Principal,
    before: QuickMessageRow,
    file: ReturnType<typeof fileColumns> | typeof noFile,
  ) => {
    await db.transaction(async (tx) => {
      // Another file may have come since.
      const [last] = await tx
        .select({ path: quickMessages.mediaPath })
        .from(quickMessages)
        .where(one(who, before.id))
        .for('update')
      if (!last) throw new DomainError('ERR_NO_QUICK_MESSAGE_FOUND')
      await tx
        .update(quickMessages)
        .set({ ...file, updatedAt: now() })
        .where(one(who, before.id))
      await releaseFiles(tx, who.companyId, [last.path])
    })
    const row = await need(who, before.id)
    emit('update', row)
    return view(row)
  }

  return new Elysia({ prefix: '/quick-messages' })
    .use(authed(deps))
    .post(
      '/:id/media-upload',
      async ({ who, params, request }) => {
        // Before any byte is stored.
        const before = await needMine(who, params.id)
        return takeFile(request, { media, companyId: who.companyId, maxBytes: config.maxUploadBytes }, (file) =>
          setFile(who, before, fileColumns(file)),
        )
      },
      {
        params: idParams,
        detail: { tags, summary: 'Attach a file, in place of the one before', requestBody: fileForm },
      },
    )
    .delete('/:id/media-upload', async ({ who, params }) => setFile(who, await needMine(who, params.id), noFile), {
      params: idParams,
      detail: { tags, summary: 'Take the file off' },
    })
}
