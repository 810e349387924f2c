import { DAY_MS } from '../../schema/durations.ts'
import { eq, sql } from 'drizzle-orm'
import { type BulkLine, bulkLines, bulkSends } from '../../schema/campaigns/campaigns.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** What no cap counts any more, and nobody answers to. */
export const sweepBulk = (db: Db, now: Date) =>
  db.execute(
    sql`DELETE FROM ${bulkSends} WHERE "sentAt" < ${new Date(now.getTime() - 30 * DAY_MS).toISOString()}::timestamptz`,
  )

/** What a connection remembers, locked; one that sends to many for the first time begins its row. */
export async function lockLine(tx: Tx, whatsappId: number, companyId: number): Promise<BulkLine> {
  const read = () => tx.select().from(bulkLines).where(eq(bulkLines.whatsappId, whatsappId)).for('update')
  const [line] = await read()
  if (line) return line
  await tx.insert(bulkLines).values({ whatsappId, companyId }).onConflictDoNothing()
  return (await read())[0]!
}
