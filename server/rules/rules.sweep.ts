import type { Sql } from '../db/database.ts'

/** What rules did, and why they were kept from it, is told for so long. */
const RUN_DAYS = 90
/** That one was asked and had nothing to do, only for so long: on a busy day there are many. */
const PASSED_DAYS = 7
/** When tags changed is asked only by dry runs, which look back thirty days. */
const TAGGING_DAYS = 32
const BATCH = 20_000

/** Forgets runs, and when tags changed, that nobody asks about any more, in pieces. */
export async function sweepRuleRuns(sql: Sql): Promise<void> {
  for (const [results, days] of [
    [['passed'], PASSED_DAYS],
    [['done', 'blocked', 'refused'], RUN_DAYS],
  ] as const)
    for (;;) {
      const { count } = await sql`DELETE FROM "rule_runs" WHERE "id" IN (SELECT "id" FROM "rule_runs"
        WHERE "result" = ANY(${results as unknown as string[]}::text[]) AND "createdAt" < now() - ${days} * interval '1 day' LIMIT ${BATCH})`
      if (count < BATCH) break
    }
  for (;;) {
    const { count } = await sql`DELETE FROM "ticket_taggings" WHERE "id" IN (SELECT "id" FROM "ticket_taggings"
      WHERE "createdAt" < now() - ${TAGGING_DAYS} * interval '1 day' LIMIT ${BATCH})`
    if (count < BATCH) break
  }
}
