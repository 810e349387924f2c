import { and, asc, isNull, type SQL, sql } from 'drizzle-orm'
import { automationStates } from '../../schema/automation/automation.table.ts'
import { decideRuns, type FlowRunEvent } from '../../schema/flows/flow-runs.transition.ts'
import { flowRuns } from '../../schema/flows/flows.table.ts'
import { ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { lockTickets } from './automation.answer.ts'

/** What happens to a run from outside: it goes on elsewhere, or nothing goes on and people are left with the contact. */
type FromOutside = Extract<FlowRunEvent, { type: 'breakDown' | 'close' | 'move' }>

/**
 * Lets something happen to the runs that go on and of which `which` holds, all of one company. As whoever answers in their
 * tickets it holds these first: what was stepped meanwhile is what is changed, and none waits for the other in a circle.
 * @returns of how many something became
 */
export async function changeRuns(tx: Tx, which: SQL | undefined, event: FromOutside, now: Date): Promise<number> {
  const going = and(isNull(flowRuns.endedAt), which)
  const held = await tx.select({ ticketId: flowRuns.ticketId }).from(flowRuns).where(going)
  await lockTickets(
    tx,
    held.map(({ ticketId }) => ticketId),
  )
  const rows = await tx.select().from(flowRuns).where(going).orderBy(asc(flowRuns.id)).for('update')
  const { decision, changed } = decideRuns(rows, event, now)
  const [first] = changed
  if (!first) return 0
  await applyDecision(tx, first.companyId, decision)
  if (event.type !== 'move')
    await leaveToPeople(
      tx,
      changed.map(({ id }) => id),
    )
  return changed.length
}

/** Nothing else answers in the place of runs that were ended from outside: their tickets wait for people. */
async function leaveToPeople(tx: Tx, runIds: readonly string[]): Promise<void> {
  await tx.execute(sql`INSERT INTO ${automationStates} ("ticketId", "companyId", "serviceId", "handedOver")
    SELECT DISTINCT ON (r."ticketId") r."ticketId", r."companyId", s."id", true
    FROM ${flowRuns} r LEFT JOIN ${ticketTrackings} s ON s."ticketId" = r."ticketId" AND s."finishedAt" IS NULL
    WHERE r."id" IN (SELECT jsonb_array_elements_text(${JSON.stringify(runIds)}::text::jsonb)) ORDER BY r."ticketId"
    ON CONFLICT ("ticketId") DO UPDATE SET "serviceId" = excluded."serviceId", "handedOver" = true`)
}
