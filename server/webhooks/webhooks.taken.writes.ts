import { sql } from 'drizzle-orm'
import { DELIVERY_LOCK_MS, type WebhookAttempt } from '../../schema/webhooks/webhooks.events.ts'
import { webhookDeliveries, webhooks } from '../../schema/webhooks/webhooks.table.ts'
import type { Db } from '../db/database.ts'

const SETTLE_MS = 10

/** A delivery that this process is to make. */
export interface Taken {
  id: number
  companyId: number
  webhookId: number
  eventId: string
  payload: string
  tries: number
  url: string
  secret: string
  failing: boolean
}

/** What became of a call. */
export interface Settled {
  id: number
  state: 'waiting' | 'delivered' | 'failed'
  tries: number
  attempt: WebhookAttempt
  nextAt: string | null
  deliveredAt: string | null
}

/** Locks what is due of each receiver that is not at work for the process `by`, so many of each. Only receivers with something waiting are looked at. */
export async function takeDue(
  db: Db,
  {
    only,
    without,
    most,
    by,
  }: { only: readonly number[] | null; without: readonly number[]; most: number; by: string | undefined },
  now: Date,
): Promise<Taken[]> {
  const at = now.toISOString()
  const until = new Date(now.getTime() + DELIVERY_LOCK_MS).toISOString()
  return [
    ...(await db.execute<Taken & Record<string, unknown>>(sql`
      WITH RECURSIVE hooks(id) AS (
        (SELECT "webhookId" FROM ${webhookDeliveries} WHERE "state" = 'waiting' ORDER BY "webhookId" LIMIT 1)
        UNION ALL
        SELECT (SELECT d."webhookId" FROM ${webhookDeliveries} d WHERE d."state" = 'waiting' AND d."webhookId" > hooks.id
          ORDER BY d."webhookId" LIMIT 1) FROM hooks WHERE hooks.id IS NOT NULL),
      due AS (
        SELECT x."id" FROM hooks JOIN ${webhooks} w ON w."id" = hooks.id AND w."active"
        CROSS JOIN LATERAL (
          SELECT d."id" FROM ${webhookDeliveries} d
          WHERE d."webhookId" = hooks.id AND d."state" = 'waiting' AND d."nextAt" <= ${at}::timestamptz
            AND (d."lockedUntil" IS NULL OR d."lockedUntil" < ${at}::timestamptz)
          ORDER BY d."nextAt", d."id" LIMIT ${most} FOR UPDATE SKIP LOCKED) x
        WHERE NOT hooks.id = ANY(${sql.param([...without])}::int[])
          AND ${only === null ? sql`true` : sql`hooks.id = ANY(${sql.param([...only])}::int[])`})
      UPDATE ${webhookDeliveries} d SET "lockedUntil" = ${until}::timestamptz, "lockedBy" = ${by ?? null}
      FROM due, ${webhooks} w WHERE d."id" = due."id" AND w."id" = d."webhookId"
      RETURNING d."id"::int AS "id", d."companyId", d."webhookId", d."eventId", d."payload", d."tries", w."url",
        w."secret", w."failingSince" IS NOT NULL AS "failing"`)),
  ]
}

/** What was taken up and not called is anybody's again. */
export async function giveBack(db: Db, taken: readonly Taken[], by: string | undefined): Promise<void> {
  if (taken.length === 0) return
  await db.execute(sql`UPDATE ${webhookDeliveries} SET "lockedUntil" = NULL WHERE ${isHeld(taken, by)}`)
}

/**
 * Locks anew what was taken up, for others may take a process that they do not see for dead.
 * @returns the ids of those that are this process's still
 */
export async function holdOn(
  db: Db,
  taken: readonly Pick<Taken, 'id'>[],
  by: string | undefined,
  now: Date,
): Promise<Set<number>> {
  if (taken.length === 0) return new Set()
  const until = new Date(now.getTime() + DELIVERY_LOCK_MS).toISOString()
  const rows = await db.execute<{ id: number }>(sql`
    UPDATE ${webhookDeliveries} SET "lockedUntil" = ${until}::timestamptz
    WHERE ${isHeld(taken, by)} AND "lockedUntil" IS NOT NULL RETURNING "id"::int AS "id"`)
  return new Set([...rows].map(({ id }) => id))
}

const isHeld = (taken: readonly Pick<Taken, 'id'>[], by: string | undefined) =>
  sql`"id" = ANY(${sql.param(taken.map(({ id }) => id))}::bigint[]) AND "state" = 'waiting' AND "lockedBy" IS NOT DISTINCT FROM ${by ?? null}`

/**
 * Records outcomes, many in one statement.
 * @returns resolves when this one is written
 */
export function outcomeWriter(db: Db, by: string | undefined): (settled: Settled) => Promise<void> {
  let outcomes: { settled: Settled; done(): void; failed(error: unknown): void }[] = []
  let writing: ReturnType<typeof setTimeout> | undefined
  const writeOutcomes = async (): Promise<void> => {
    writing = undefined
    const batch = outcomes
    outcomes = []
    try {
      await db.execute(sql`
        UPDATE ${webhookDeliveries} d SET "state" = x."state", "tries" = x."tries", "nextAt" = x."nextAt",
          "deliveredAt" = COALESCE(x."deliveredAt", d."deliveredAt"), "lockedUntil" = NULL,
          "attempts" = CASE WHEN jsonb_array_length(d."attempts") >= 30 THEN d."attempts" - 0 ELSE d."attempts" END || x."attempt"
        FROM json_to_recordset(${JSON.stringify(batch.map(({ settled }) => settled))}::text::json) AS x("id" bigint,
          "state" text, "tries" int, "attempt" jsonb, "nextAt" timestamptz, "deliveredAt" timestamptz)
        WHERE d."id" = x."id" AND d."state" = 'waiting'
          -- Where another has taken it up meanwhile, that a call failed is the other's to find.
          AND (x."state" = 'delivered' OR d."lockedBy" IS NOT DISTINCT FROM ${by ?? null})`)
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }
  return (settled) =>
    new Promise((done, failed) => {
      outcomes.push({ settled, done, failed })
      writing ??= setTimeout(() => void writeOutcomes(), SETTLE_MS)
    })
}
