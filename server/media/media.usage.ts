import { sql } from 'drizzle-orm'
import { messages } from '../../schema/messages/messages.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import type { Db } from '../db/database.ts'
import type { MediaStore } from './media-store.ts'

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
