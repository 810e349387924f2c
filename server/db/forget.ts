import type { Sql } from './database.ts'

/** So many at a time: these tables are written to on the message path. */
const BATCH = 20_000

/** Deletes, in pieces, the rows whose moment in `column` lies more than `days` back. @param more narrows them further */
export async function forgetOlder(
  sql: Sql,
  { table, column, days }: { table: string; column: string; days: number },
  more = sql`TRUE`,
): Promise<void> {
  for (;;) {
    const { count } = await sql`DELETE FROM ${sql(table)} WHERE "id" IN (SELECT "id" FROM ${sql(table)}
      WHERE ${sql(column)} < now() - ${days} * interval '1 day' AND ${more} LIMIT ${BATCH})`
    if (count < BATCH) return
  }
}
