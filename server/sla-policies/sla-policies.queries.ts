import { and, asc, eq, sql } from 'drizzle-orm'
import type { SlaPolicy } from '../../schema/sla-policies/sla-policies.table.ts'
import { slaClocks, slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import type { Db, Tx } from '../db/database.ts'

/** A policy as routes tell it. */
export type ShownPolicy = ReturnType<typeof shown>
export const shown = ({ escalateUserIds, escalateQueueId, ...policy }: SlaPolicy) => ({
  ...policy,
  escalate: { userIds: escalateUserIds, queueId: escalateQueueId },
})

/** A company's policies in their order. */
export const policiesOf = (db: Db | Tx, companyId: number): Promise<SlaPolicy[]> =>
  db
    .select()
    .from(slaPolicies)
    .where(eq(slaPolicies.companyId, companyId))
    .orderBy(asc(slaPolicies.position), asc(slaPolicies.id))

/** What became of a policy's promises. */
export interface KeptPromises {
  /** Null for policies that are there no more. */
  policyId: number | null
  name: string | null
  metric: SlaMetric
  met: number
  breached: number
  /** Milliseconds of open hours until it was done, of those that were done; null where none was. */
  p50: number | null
  p90: number | null
}

/**
 * Promises that ended, or were broken, in a range of the company's days: kept, broken, and how long they took.
 * @param days `YYYY-MM-DD`, both included
 */
export async function promisesKept(
  db: Db,
  companyId: number,
  days: { from: string; to: string },
  zone: string,
): Promise<KeptPromises[]> {
  const from = sql`(${days.from}::date::timestamp AT TIME ZONE ${zone})`
  const to = sql`((${days.to}::date + 1)::timestamp AT TIME ZONE ${zone})`
  const share = (part: number) =>
    sql<number | null>`round((percentile_cont(${part}) WITHIN GROUP (ORDER BY ${slaClocks.tookMs})
      FILTER (WHERE ${slaClocks.metAt} IS NOT NULL))::numeric)::float8`
  return db
    .select({
      policyId: slaClocks.policyId,
      name: slaPolicies.name,
      metric: slaClocks.metric,
      met: sql<number>`(count(*) FILTER (WHERE ${slaClocks.metAt} IS NOT NULL AND ${slaClocks.breachedAt} IS NULL))::int`,
      breached: sql<number>`(count(*) FILTER (WHERE ${slaClocks.breachedAt} IS NOT NULL))::int`,
      p50: share(0.5),
      p90: share(0.9),
    })
    .from(slaClocks)
    .leftJoin(slaPolicies, eq(slaPolicies.id, slaClocks.policyId))
    .where(
      and(
        eq(slaClocks.companyId, companyId),
        sql`(${slaClocks.endedAt} >= ${from} AND ${slaClocks.endedAt} < ${to}
          OR ${slaClocks.endedAt} IS NULL AND ${slaClocks.breachedAt} >= ${from} AND ${slaClocks.breachedAt} < ${to})`,
        sql`(${slaClocks.metAt} IS NOT NULL OR ${slaClocks.breachedAt} IS NOT NULL)`,
      ),
    )
    .groupBy(slaClocks.policyId, slaPolicies.name, slaPolicies.position, slaClocks.metric)
    .orderBy(sql`${slaPolicies.position} ASC NULLS LAST`, asc(slaClocks.metric))
}
