import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type FileListOption, fileListOptions, fileLists } from '../../schema/files/files.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const FILE_LISTS_PER_PAGE = 20

/** A file of a list as the wire spells it. */
const view = ({ id, fileListId, name, mediaPath, mediaName, mediaMime, mediaSize }: FileListOption) => ({
  id,
  fileId: fileListId,
  name,
  path: mediaPath,
  mediaType: mediaMime,
  mediaName,
  mediaSize,
})

/** With their files, in the order of the lists. */
async function dressed(db: Db | Tx, companyId: number, lists: (typeof fileLists.$inferSelect)[]) {
  const ids = lists.map(({ id }) => id)
  const options =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(fileListOptions)
          .where(and(eq(fileListOptions.companyId, companyId), inArray(fileListOptions.fileListId, ids)))
          .orderBy(asc(fileListOptions.position), asc(fileListOptions.id))
  return lists.map((list) => ({
    ...list,
    options: options.filter(({ fileListId }) => fileListId === list.id).map(view),
  }))
}
export type FileListRow = Awaited<ReturnType<typeof dressed>>[number]

export async function listFileLists(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    eq(fileLists.companyId, companyId),
    search
      ? sql`(plain(${fileLists.name}) LIKE plain(${anywhere(search)}) OR plain(${fileLists.message}) LIKE plain(${anywhere(search)}))`
      : undefined,
  )
  const [rows, count] = await Promise.all([
    db
      .select()
      .from(fileLists)
      .where(where)
      .orderBy(asc(fileLists.name), asc(fileLists.id))
      .limit(FILE_LISTS_PER_PAGE + 1)
      .offset((pageNumber - 1) * FILE_LISTS_PER_PAGE),
    db.$count(fileLists, where),
  ])
  return {
    files: await dressed(db, companyId, rows.slice(0, FILE_LISTS_PER_PAGE)),
    count,
    hasMore: rows.length > FILE_LISTS_PER_PAGE,
  }
}

/** A list of the company, with its files; undefined where there is none. */
export async function findFileList(db: Db | Tx, companyId: number, id: number): Promise<FileListRow | undefined> {
  const rows = await db
    .select()
    .from(fileLists)
    .where(and(eq(fileLists.companyId, companyId), eq(fileLists.id, id)))
  return (await dressed(db, companyId, rows))[0]
}
