import { asc, eq } from 'drizzle-orm'
import type { SlaPolicy } from '../../schema/sla-policies/sla-policies.table.ts'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
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
