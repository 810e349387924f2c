import { sql } from 'drizzle-orm'
import { messages } from '../../schema/messages/messages.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { MediaStore } from './media-store.ts'

/** So many rows as one statement takes. */
const AT_ONCE = 1_000

/** Has files removed after the commit in which their rows go, unless others still show them. */
export async function releaseFiles(tx: Tx, companyId: number, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += AT_ONCE)
    await addJobs(
      tx,
      companyId,
      paths.slice(at, at + AT_ONCE).map((path) => ({ kind: 'media.release', path })),
    )
}

/** Removes a file that a row has let go of, unless another one still shows it: a message that was sent keeps its file. */
export async function removeUnused(
  { db, media }: { db: Db; media: MediaStore },
  companyId: number,
  path: string | null,
): Promise<void> {
  if (!path) return
  const [row] = await db.execute<{ used: boolean }>(sql`SELECT
    EXISTS (SELECT FROM ${messages} WHERE ${messages.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${quickMessages} WHERE ${quickMessages.companyId} = ${companyId} AND ${quickMessages.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${schedules} WHERE ${schedules.companyId} = ${companyId} AND ${schedules.mediaPath} = ${path}) AS "used"`)
  if (!row?.used) await media.remove(path)
}
