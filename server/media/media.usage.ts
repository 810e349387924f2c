import { sql } from 'drizzle-orm'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { fileListOptions } from '../../schema/files/files.table.ts'
import { flowFiles } from '../../schema/flows/flows.table.ts'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { MediaStore } from './media-store.ts'

/** So many rows as one statement takes. */
const AT_ONCE = 1_000

/** Has files removed after the commit in which their rows let go of them, unless others still show them. */
export async function releaseFiles(tx: Tx, companyId: number, paths: readonly (string | null)[]): Promise<void> {
  const effects = paths.filter((path) => path !== null).map((path) => ({ kind: 'media.release' as const, path }))
  for (let at = 0; at < effects.length; at += AT_ONCE) await addJobs(tx, companyId, effects.slice(at, at + AT_ONCE))
}

/** What `media.release` does: removes a file, unless a row still shows it. A message that was sent keeps its file. */
export async function removeUnused(
  { db, media }: { db: Db; media: MediaStore },
  companyId: number,
  path: string,
): Promise<void> {
  const [row] = await db.execute<{ used: boolean }>(sql`SELECT
    EXISTS (SELECT FROM ${messages} WHERE ${messages.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${quickMessages} WHERE ${quickMessages.companyId} = ${companyId} AND ${quickMessages.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${campaigns} WHERE ${campaigns.companyId} = ${companyId} AND ${campaigns.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${schedules} WHERE ${schedules.companyId} = ${companyId} AND ${schedules.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${queues} WHERE ${queues.companyId} = ${companyId} AND ${queues.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${queueOptions} WHERE ${queueOptions.companyId} = ${companyId} AND ${queueOptions.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${announcements} WHERE ${announcements.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${fileListOptions} WHERE ${fileListOptions.companyId} = ${companyId} AND ${fileListOptions.mediaPath} = ${path}) OR
    EXISTS (SELECT FROM ${flowFiles} WHERE ${flowFiles.companyId} = ${companyId} AND ${flowFiles.mediaPath} = ${path}) AS "used"`)
  if (!row?.used) await media.delete(path)
}
