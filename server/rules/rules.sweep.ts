import type { Sql } from '../db/database.ts'
import { forgetOlder } from '../db/forget.ts'

/** What rules did, and why they were kept from it, is told for so long. */
const RUN_DAYS = 90
/** That one was asked and had nothing to do, only for so long: on a busy day there are many. */
const PASSED_DAYS = 7
/** When tags changed is asked only by dry runs, which look back thirty days. */
const TAGGING_DAYS = 32

/** Forgets runs, and when tags changed, that nobody asks about any more. */
export async function sweepRuleRuns(sql: Sql): Promise<void> {
  for (const [results, days] of [
    [['passed'], PASSED_DAYS],
    [['done', 'blocked', 'refused'], RUN_DAYS],
  ] as const)
    await forgetOlder(
      sql,
      { table: 'rule_runs', column: 'createdAt', days },
      sql`"result" = ANY(${results as unknown as string[]}::text[])`,
    )
  await forgetOlder(sql, { table: 'ticket_taggings', column: 'createdAt', days: TAGGING_DAYS })
}
