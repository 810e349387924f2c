import { sql } from 'drizzle-orm'
import { automationStates } from '../../schema/automation/automation.table.ts'
import { flowRuns } from '../../schema/flows/flows.table.ts'
import { ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'

/** Nothing else answers in the place of runs that were ended from outside: their tickets wait for people. */
export async function leaveToPeople(db: Db, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return
  await db.execute(sql`INSERT INTO ${automationStates} ("ticketId", "companyId", "serviceId", "handedOver")
    SELECT DISTINCT ON (r."ticketId") r."ticketId", r."companyId", s."id", true
    FROM ${flowRuns} r LEFT JOIN ${ticketTrackings} s ON s."ticketId" = r."ticketId" AND s."finishedAt" IS NULL
    WHERE r."id" IN (SELECT jsonb_array_elements_text(${JSON.stringify(runIds)}::text::jsonb)) ORDER BY r."ticketId"
    ON CONFLICT ("ticketId") DO UPDATE SET "serviceId" = excluded."serviceId", "handedOver" = true`)
}
