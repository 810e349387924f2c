import { inArray } from 'drizzle-orm'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import type { Tx } from '../db/database.ts'

/** Gives options their numbers. */
export async function setNumbers(tx: Tx, numbers: readonly { id: number; option: number }[], now: Date): Promise<void> {
  const byNumber = Map.groupBy(numbers, ({ option }) => option)
  for (const [option, rows] of byNumber)
    await tx
      .update(queueOptions)
      .set({ option, updatedAt: now })
      .where(
        inArray(
          queueOptions.id,
          rows.map(({ id }) => id),
        ),
      )
}
