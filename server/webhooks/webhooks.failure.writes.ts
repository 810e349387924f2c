import { and, eq, sql } from 'drizzle-orm'
import { users } from '../../schema/users/users.table.ts'
import { FAILING_MS } from '../../schema/webhooks/webhooks.events.ts'
import { webhooks } from '../../schema/webhooks/webhooks.table.ts'
import type { Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { WebhookDeps } from './webhooks.deliver.ts'
import type { Taken } from './webhooks.taken.writes.ts'

/** Admins who get a letter. */
const MOST_TOLD = 20

type FailureDeps = Pick<WebhookDeps, 'db' | 'log' | 'events' | 'told'>

/** The first failure is remembered; who fails for days, or wants no more, is switched off, and its admins are told. */
export async function noteFailure(
  { db, log, events, told }: FailureDeps,
  taken: Taken,
  outcome: 'failed' | 'gone',
  at: Date,
): Promise<void> {
  const { webhookId, companyId } = taken
  const reason = await db.transaction(async (tx) => {
    const off = await switchedOff(tx, taken, outcome, at)
    if (!off) return undefined
    const admins = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.companyId, companyId), eq(users.profile, 'admin')))
      .limit(MOST_TOLD)
    await addJobs(
      tx,
      companyId,
      admins.map(({ id }) => ({ kind: 'mail.webhookOff', userId: id, webhookId, url: taken.url, reason: off })),
    )
    return off
  })
  if (!reason) return
  log.warn({ webhookId, companyId, reason }, 'a webhook was switched off')
  events.emit({ companyId, name: 'webhook', action: 'disabled', payload: { webhookId, reason } })
  told?.()
}

/** @returns why it is switched off now, where it is */
async function switchedOff(tx: Tx, { webhookId }: Taken, outcome: 'failed' | 'gone', at: Date) {
  const long = new Date(at.getTime() - FAILING_MS).toISOString()
  const [off] = await tx.execute<{ disabledReason: 'gone' | 'failing' | null }>(sql`
    UPDATE ${webhooks} SET "failingSince" = COALESCE("failingSince", ${at.toISOString()}::timestamptz),
      "active" = "active" AND ${outcome !== 'gone'} AND COALESCE("failingSince" > ${long}::timestamptz, true),
      "disabledReason" = CASE WHEN NOT "active" THEN "disabledReason" WHEN ${outcome === 'gone'} THEN 'gone'
        WHEN "failingSince" <= ${long}::timestamptz THEN 'failing' END
    WHERE "id" = ${webhookId} AND "active" RETURNING "disabledReason"`)
  return off?.disabledReason ?? undefined
}
