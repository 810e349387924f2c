import { and, asc, eq } from 'drizzle-orm'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** The option tree of a queue, level by level in its order. */
export const optionsOf = (db: Db | Tx, companyId: number, queueId: number) =>
  db
    .select()
    .from(queueOptions)
    .where(and(eq(queueOptions.companyId, companyId), eq(queueOptions.queueId, queueId)))
    .orderBy(asc(queueOptions.option), asc(queueOptions.id))

/** Where the files of a queue lie: its greeting's, and those of its options. */
export async function filesOfQueue(tx: Tx, companyId: number, queueId: number): Promise<(string | null)[]> {
  const own = await tx
    .select({ path: queues.mediaPath })
    .from(queues)
    .where(and(eq(queues.companyId, companyId), eq(queues.id, queueId)))
  const below = await tx
    .select({ path: queueOptions.mediaPath })
    .from(queueOptions)
    .where(and(eq(queueOptions.companyId, companyId), eq(queueOptions.queueId, queueId)))
  return [...own, ...below].map(({ path }) => path)
}
