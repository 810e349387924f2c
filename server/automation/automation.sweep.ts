import type { Sql } from '../db/database.ts'
import { forgetOlder } from '../db/forget.ts'

/** Why something was answered is told for so long. */
const DECISION_DAYS = 90
/** What runs did block by block, with what services answered, is kept for so long. */
const LOG_DAYS = 30
/** So many ways at a time: the table is written to on the message path. */
const BATCH = 20_000

/** Forgets decisions that nobody asks about any more, and runs whose ways were counted long ago. */
export async function sweepAutomation(sql: Sql): Promise<void> {
  await forgetOlder(sql, { table: 'flow_logs', column: 'at', days: LOG_DAYS })
  await forgetOlder(sql, { table: 'automation_decisions', column: 'createdAt', days: DECISION_DAYS })
  await forgetOlder(sql, { table: 'flow_runs', column: 'endedAt', days: DECISION_DAYS })
}

/**
 * Adds the ways of runs to the counts of their nodes, by the company's days, and forgets the ways: counting each as it
 * happens would let all chats of a flow wait for one row.
 *
 * @returns how many ways were counted
 */
export async function countTrails(sql: Sql): Promise<number> {
  let counted = 0
  for (;;) {
    const [row] = await sql<{ n: number }[]>`
      WITH oldest AS (SELECT "id" FROM "flow_trails" ORDER BY "at" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
      gone AS (
        DELETE FROM "flow_trails" t USING oldest, "companies" c WHERE t."id" = oldest."id" AND c."id" = t."companyId"
        RETURNING t."companyId", t."flowId", t."runId", t."nodes", t."left", (t."at" AT TIME ZONE c."timeZone")::date AS day),
      reached AS (
        SELECT "companyId", "flowId", node, day, count(DISTINCT "runId")::int AS n
        FROM gone, unnest("nodes") AS node GROUP BY 1, 2, 3, 4),
      lost AS (
        SELECT "companyId", "flowId", "left" AS node, day, count(DISTINCT "runId")::int AS n
        FROM gone WHERE "left" IS NOT NULL GROUP BY 1, 2, 3, 4),
      added AS (
        INSERT INTO "flow_counts" AS f ("companyId", "flowId", "node", "day", "reached", "left")
        SELECT "companyId", "flowId", node, day, coalesce(r.n, 0), coalesce(l.n, 0)
        FROM reached r FULL JOIN lost l USING ("companyId", "flowId", node, day)
        ON CONFLICT ("flowId", "day", "node") DO UPDATE
          SET "reached" = f."reached" + excluded."reached", "left" = f."left" + excluded."left")
      SELECT count(*)::int AS n FROM gone`
    counted += row!.n
    if (row!.n < BATCH) return counted
  }
}
