import { type SQL, sql } from 'drizzle-orm'
import { type Happening, happenings, type Listening } from '../../schema/webhooks/webhooks.causes.ts'
import { webhookOutbox } from '../../schema/webhooks/webhooks.table.ts'
import type { Tx } from '../db/database.ts'

/** A row before and after a statement, where somebody wants to know; `was` is null for a new one. */
interface Written extends Record<string, unknown> {
  change: { was: Record<string, unknown> | null; is: Record<string, unknown> } | null
}

/** Whether a webhook of the company wants one of these. Nobody who has none pays more than this question. */
const wants = (companyId: number, { events }: Listening): SQL =>
  sql`wants_webhooks(${companyId}, ${sql.param([...events])}::text[])`
const names = ({ columns }: Listening) => sql.raw(columns.map((column) => `t."${column}"`).join(', '))
const row = ({ columns }: Listening, of: string) =>
  sql.raw(`json_build_object(${columns.map((column) => `'${column}', ${of}."${column}"`).join(', ')})`)

/**
 * Inserts, and says what webhooks are to be told of it.
 * @param insert the statement, in which the table is called `t`, without `RETURNING`
 */
export const insertReporting = async (
  tx: Tx,
  companyId: number,
  listening: Listening,
  insert: SQL,
): Promise<Happening[]> =>
  happeningsOf(
    listening,
    await tx.execute<Written>(sql`${insert} RETURNING CASE WHEN (SELECT ${wants(companyId, listening)})
      THEN json_build_object('was', NULL, 'is', ${row(listening, 't')}) END AS "change"`),
  )

/**
 * Updates, and says what webhooks are to be told of it. What the rows were is read under a lock before, in the same
 * statement, and only where somebody wants to know. (`RETURNING OLD` of Postgres 18 tells of a row for which the statement
 * had to wait what it was before that.)
 *
 * @param table called `t` in the statement
 * @param found which rows, by `t`
 * @param update the statement to where its condition may be prolonged
 */
export const updateReporting = async (
  tx: Tx,
  companyId: number,
  listening: Listening,
  { table, found, update }: { table: SQL; found: SQL; update: SQL },
): Promise<Happening[]> =>
  happeningsOf(
    listening,
    await tx.execute<Written>(sql`WITH was AS (SELECT ${names(listening)} FROM ${table} t
        WHERE ${found} AND ${wants(companyId, listening)} ORDER BY t."id" FOR NO KEY UPDATE),
      done AS (${update} AND (SELECT count(*) FROM was) >= 0 RETURNING ${names(listening)})
      SELECT json_build_object('was', ${row(listening, 'was')}, 'is', ${row(listening, 'done')}) AS "change"
      FROM was JOIN done ON done."id" = was."id"`),
  )

const happeningsOf = (listening: Listening, rows: Iterable<Written>): Happening[] =>
  [...rows].flatMap(({ change }) => (change ? happenings(listening, change.was as never, change.is as never) : []))

/** Writes down what webhooks are to be told; in the transaction in which it happens. One statement. */
export async function keepHappenings(tx: Tx, companyId: number, happened: readonly Happening[]): Promise<void> {
  if (happened.length === 0) return
  await tx.execute(sql`INSERT INTO ${webhookOutbox} ("companyId", "type", "subject", "ticketId", "data")
    SELECT ${companyId}, x."type", x."subject", x."ticketId", x."data"
    FROM json_to_recordset(${JSON.stringify(happened)}::text::json) AS x("type" text, "subject" text, "ticketId" integer, "data" jsonb)
    WHERE wants_webhooks(${companyId}, ARRAY[x."type"])`)
}
