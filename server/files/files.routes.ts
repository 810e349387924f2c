import { and, asc, eq, inArray } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedFileList, type FileListInput, MOST_FILES, newFileList } from '../../schema/files/files.inputs.ts'
import { type FileListOption, fileListOptions, fileLists } from '../../schema/files/files.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Tx } from '../db/database.ts'
import { discard, isMultipart, readUpload, type UploadedFile } from '../http/body.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { fileColumns } from '../http/upload-one.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { letGo } from '../uses/uses.changes.ts'
import { emitLetGo } from '../uses/uses.events.ts'
import { type FileListRow, findFileList, listFileLists } from './files.queries.ts'

const tags = ['file lists']
const fileListOf = (companyId: number, id: number) => and(eq(fileLists.companyId, companyId), eq(fileLists.id, id))
const optionsOf = (tx: Tx, companyId: number, fileListId: number) =>
  tx
    .select()
    .from(fileListOptions)
    .where(and(eq(fileListOptions.companyId, companyId), eq(fileListOptions.fileListId, fileListId)))
    .orderBy(asc(fileListOptions.position), asc(fileListOptions.id))

/** Lists of files that are sent together. */
export const fileListRoutes = (deps: AppDeps) => new Elysia().use(lists(deps)).use(uploads(deps))

/** What both parts of the routes need. */
function fileListCalls({ db, events }: AppDeps) {
  const mayWrite = (who: Principal) => demand(who, 'files:write')
  const need = async (who: Principal, id: number): Promise<FileListRow> => {
    const row = await findFileList(db, who.companyId, id)
    if (!row) throw new DomainError('ERR_NO_FILE_LIST_FOUND')
    return row
  }
  const emit = (who: Principal, action: 'create' | 'update', row: FileListRow) => {
    events.emit({ companyId: who.companyId, name: 'file', action, payload: { files: row } })
    return row
  }
  return { mayWrite, need, emit }
}

function lists(deps: AppDeps) {
  const { db, events, now } = deps
  const { mayWrite, need, emit } = fileListCalls(deps)

  return new Elysia({ prefix: '/files' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) =>
        listFileLists(db, who.companyId, { search: query.searchParam?.trim(), pageNumber: query.pageNumber ?? 1 }),
      { query: pageQuery, detail: { tags, summary: 'File lists by name, 20 a page, with their files' } },
    )
    .get('/:id', ({ who, params }) => need(who, params.id), {
      params: idParams,
      detail: { tags, summary: 'One file list' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        mayWrite(who)
        const id = await db.transaction(async (tx) => {
          const [made] = await tx
            .insert(fileLists)
            .values({
              companyId: who.companyId,
              name: body.name.trim(),
              message: body.message,
              createdAt: now(),
              updatedAt: now(),
            })
            .returning({ id: fileLists.id })
          // An old client numbers new files, too; nothing here has such a number yet.
          const options = (body.options ?? []).map(({ name }) => ({ name }))
          await arrangeFiles(tx, who.companyId, made!.id, options)
          return made!.id
        })
        return emit(who, 'create', await need(who, id))
      },
      {
        body: newFileList,
        detail: { tags, summary: 'Make a file list; its files come by `POST /files/uploadList/{id}`' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        mayWrite(who)
        const { options, name, message } = body
        await db.transaction(async (tx) => {
          await lockFileList(tx, who.companyId, params.id)
          await tx
            .update(fileLists)
            .set({
              ...(name !== undefined && { name: name.trim() }),
              ...(message !== undefined && { message }),
              updatedAt: now(),
            })
            .where(fileListOf(who.companyId, params.id))
          if (options) await arrangeFiles(tx, who.companyId, params.id, options)
        })
        return emit(who, 'update', await need(who, params.id))
      },
      {
        params: idParams,
        body: changedFileList,
        detail: { tags, summary: 'Change a file list; a file that `options` leave out goes' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        mayWrite(who)
        const gone = await db.transaction(async (tx) => {
          await lockFileList(tx, who.companyId, params.id)
          const gone = await letGo(tx, who.companyId, 'fileList', params.id, now())
          await removeFiles(tx, who.companyId, params.id)
          await tx.delete(fileLists).where(fileListOf(who.companyId, params.id))
          return gone
        })
        events.emit({ companyId: who.companyId, name: 'file', action: 'delete', payload: { fileId: params.id } })
        await emitLetGo(deps, who.companyId, gone)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a file list, with its files' } },
    )
}

/** The files of a list. */
function uploads(deps: AppDeps) {
  const { db, media, config, now } = deps
  const { mayWrite, need, emit } = fileListCalls(deps)

  return new Elysia({ prefix: '/files' }).use(authed(deps)).post(
    '/uploadList/:id',
    async ({ who, params, request }) => {
      // Before any byte is stored.
      mayWrite(who)
      await need(who, params.id)
      if (!isMultipart(request)) throw new DomainError('ERR_FILE_REQUIRED')
      const place = { media, companyId: who.companyId, maxBytes: config.maxUploadBytes }
      const upload = await readUpload(request, place)
      try {
        if (upload.files.length === 0) throw new DomainError('ERR_FILE_REQUIRED')
        await db.transaction((tx) => attachFiles(tx, who.companyId, params.id, upload.files, upload.repeated, now()))
      } catch (error) {
        await discard(media, upload)
        throw error
      }
      return emit(who, 'update', await need(who, params.id))
    },
    {
      params: idParams,
      detail: {
        tags,
        summary: 'Files of a list: a form with `files`, and beside each the `id` and `name` of its option',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object' as const,
                properties: {
                  fileId: { type: 'string' as const },
                  typeArch: { type: 'string' as const },
                  id: { type: 'string' as const },
                  name: { type: 'string' as const },
                  mediaType: { type: 'string' as const },
                  files: { type: 'string' as const, format: 'binary' },
                },
                required: ['files'],
              },
            },
          },
          required: true,
        },
      },
    },
  )
}

/**
 * The list, so that two people who change it do so one after the other.
 * @throws DomainError `ERR_NO_FILE_LIST_FOUND`
 */
async function lockFileList(tx: Tx, companyId: number, id: number): Promise<void> {
  const [row] = await tx.select({ id: fileLists.id }).from(fileLists).where(fileListOf(companyId, id)).for('update')
  if (!row) throw new DomainError('ERR_NO_FILE_LIST_FOUND')
}

/**
 * Makes the files of a list those that are wished: what has no name here any more goes.
 * @throws DomainError `ERR_NO_FILE_FOUND`
 */
async function arrangeFiles(
  tx: Tx,
  companyId: number,
  fileListId: number,
  wished: FileListInput['options'],
): Promise<void> {
  const before = await optionsOf(tx, companyId, fileListId)
  const known = new Map(before.map((option) => [option.id, option]))
  const kept = new Set<number>()
  for (const [position, { id, name }] of wished.entries()) {
    if (id === undefined) {
      await tx.insert(fileListOptions).values({ companyId, fileListId, name: name.trim(), position })
      continue
    }
    if (!known.has(id)) throw new DomainError('ERR_NO_FILE_FOUND')
    kept.add(id)
    await tx.update(fileListOptions).set({ name: name.trim(), position }).where(eq(fileListOptions.id, id))
  }
  await removeOptions(
    tx,
    companyId,
    before.filter(({ id }) => !kept.has(id)),
  )
}

async function removeOptions(tx: Tx, companyId: number, options: readonly FileListOption[]): Promise<void> {
  if (options.length === 0) return
  const ids = options.map(({ id }) => id)
  await tx.delete(fileListOptions).where(inArray(fileListOptions.id, ids))
  await releaseFiles(
    tx,
    companyId,
    options.map(({ mediaPath }) => mediaPath),
  )
}

/** All files of a list that goes. */
async function removeFiles(tx: Tx, companyId: number, fileListId: number): Promise<void> {
  await removeOptions(tx, companyId, await optionsOf(tx, companyId, fileListId))
}

/**
 * Gives the files of a form to the options that they are for: by its id, else by its name, else as a new one.
 * Old clients send one `id`, one `name` and one `mediaType` beside each file.
 */
async function attachFiles(
  tx: Tx,
  companyId: number,
  fileListId: number,
  files: readonly UploadedFile[],
  beside: Record<string, string[]>,
  now: Date,
): Promise<void> {
  await lockFileList(tx, companyId, fileListId)
  const options = await optionsOf(tx, companyId, fileListId)
  for (const [at, file] of files.entries()) {
    const id = Number(beside['id']?.[at])
    const name = beside['name']?.[at]?.trim().slice(0, 255) || file.name
    const option =
      options.find((known) => known.id === id) ??
      options.find((known) => known.name === name && known.mediaPath === null)
    if (option) {
      const released = option.mediaPath
      option.mediaPath = file.path
      await tx.update(fileListOptions).set(fileColumns(file)).where(eq(fileListOptions.id, option.id))
      await releaseFiles(tx, companyId, [released])
      continue
    }
    if (options.length >= MOST_FILES)
      throw new DomainError('ERR_VALIDATION', {
        fields: [{ path: 'body', message: `at most ${MOST_FILES} files` }],
      })
    const [made] = await tx
      .insert(fileListOptions)
      .values({ companyId, fileListId, name, position: options.length, ...fileColumns(file) })
      .returning()
    options.push(made!)
  }
  await tx.update(fileLists).set({ updatedAt: now }).where(fileListOf(companyId, fileListId))
}
