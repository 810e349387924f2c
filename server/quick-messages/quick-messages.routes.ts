import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { messageBody } from '../../schema/inputs.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
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
/** Typed after a `/`, which is not part of it; at least one other character. */
const shortcode = t.String({ minLength: 1, maxLength: 60, pattern: '[^\\s/]' })
const writable = { geral: t.Optional(t.Boolean()), status: t.Optional(t.Boolean()) }

const bare = (text: string): string => text.trim().replace(/^\/+\s*/, '')

/** Replies kept under a short name: one's own, and those for everybody. */
export function quickMessageRoutes(deps: AppDeps) {
  const { db, events, media, config, now } = deps

  const need = async (who: Principal, id: number): Promise<QuickMessageRow> => {
    const row = await findQuickMessage(db, who, id)
    if (!row) throw new DomainError('ERR_NO_QUICK_MESSAGE_FOUND')
    return row
  }
  /** Those for everybody are for supervisors and admins to change. */
  const needMine = async (who: Principal, id: number): Promise<QuickMessageRow> => {
    const row = await need(who, id)
    if (row.geral && !can(who, 'quick-messages:any')) throw new DomainError('ERR_NO_PERMISSION')
    return row
  }
  const demandGeral = (who: Principal, before: boolean, wished: boolean | undefined) => {
    if (wished !== undefined && wished !== before && !can(who, 'quick-messages:any'))
      throw new DomainError('ERR_NO_PERMISSION')
  }
  const tell = (action: string, row: QuickMessageRow, before = row) => {
    const everybody = row.geral || before.geral
    events.emit({
      companyId: row.companyId,
      name: 'quickmessage',
      action,
      payload: action === 'delete' ? { id: row.id } : { record: row },
      ...(!everybody && row.userId !== null ? { audience: { userId: row.userId } } : {}),
    })
  }
  const one = (who: Principal, id: number) => and(eq(quickMessages.companyId, who.companyId), eq(quickMessages.id, id))
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
    tell('update', row)
    return row
  }

  return new Elysia({ prefix: '/quick-messages' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) =>
        listQuickMessages(db, who, { search: query.searchParam?.trim(), pageNumber: query.pageNumber ?? 1 }),
      {
        query: pageQuery,
        detail: { tags, summary: 'Quick messages by short name, 20 a page; other people’s for supervisors and admins' },
      },
    )
    .get('/list', ({ who }) => usableQuickMessages(db, who), {
      detail: { tags, summary: 'All that the caller may use: own ones and those for everybody' },
    })
    .get('/:id', ({ who, params }) => need(who, params.id), {
      params: idParams,
      detail: { tags, summary: 'One quick message' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        demandGeral(who, false, body.geral)
        const [made] = await db
          .insert(quickMessages)
          .values({
            companyId: who.companyId,
            userId: who.userId,
            shortcode: bare(body.shortcode),
            message: body.message,
            geral: body.geral ?? false,
            status: body.status ?? true,
            createdAt: now(),
            updatedAt: now(),
          })
          .returning({ id: quickMessages.id })
        const row = await need(who, made!.id)
        tell('create', row)
        return row
      },
      {
        body: t.Object({ shortcode, message: messageBody, ...writable }),
        detail: { tags, summary: 'Make a quick message; one for everybody: supervisors and admins' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const before = await needMine(who, params.id)
        demandGeral(who, before.geral, body.geral)
        await db
          .update(quickMessages)
          .set({
            ...(body.shortcode !== undefined && { shortcode: bare(body.shortcode) }),
            ...(body.message !== undefined && { message: body.message }),
            ...(body.geral !== undefined && { geral: body.geral }),
            ...(body.status !== undefined && { status: body.status }),
            // Its owner is gone: whoever takes it from everybody has it.
            ...(body.geral === false && before.userId === null && { userId: who.userId }),
            updatedAt: now(),
          })
          .where(one(who, before.id))
        const row = await need(who, before.id)
        tell('update', row, before)
        return row
      },
      {
        params: idParams,
        body: t.Object({ shortcode: t.Optional(shortcode), message: t.Optional(messageBody), ...writable }),
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
        tell('delete', row)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a quick message' } },
    )
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
