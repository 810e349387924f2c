import { sql } from 'drizzle-orm'
import { reportStale, reportStates } from '../../schema/reports/reports.table.ts'
import type { Tx } from '../db/database.ts'

/**
 * What was said in these tickets has changed, and they have not: their facts are made anew. Who never asked for a report
 * writes nothing.
 */
export async function pastChanged(tx: Tx, companyId: number, ticketIds: readonly number[]): Promise<void> {
  if (ticketIds.length === 0) return
  await tx.execute(sql`INSERT INTO ${reportStale} ("companyId", "ticketId")
    SELECT ${companyId}, id FROM unnest(${sql.param([...ticketIds])}::int[]) AS id
    WHERE EXISTS (SELECT FROM ${reportStates} WHERE "companyId" = ${companyId}) ON CONFLICT DO NOTHING`)
}
