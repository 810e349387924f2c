import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { type JobRank, jobs } from '../../schema/jobs/jobs.table.ts'
import type { Effect, NewMessage } from '../../schema/effects.ts'
import { HELD_MS } from '../../schema/undo.ts'
import type { Db, Tx } from '../db/database.ts'

/** What one chat is told goes in order; different chats do not wait for each other. */
function laneOf(effect: Effect): string | null {
  // A bot that thinks for long holds up its own next answer, and nothing that an agent writes.
  if (effect.kind === 'automation.ask' && effect.tries) return null
  if (effect.kind === 'automation.ask' || effect.kind === 'flows.ai') return `ask:${effect.ticketId}`
  return 'chat' in effect ? `chat:${effect.whatsappId}:${effect.chat}` : null
}

/** Only agents say by hand what was changed, deleted, read and felt. */
function rankOf(effect: Effect): JobRank {
  switch (effect.kind) {
    case 'whatsapp.send':
      return effect.by === 'agent' ? 0 : effect.by === 'many' ? 2 : 1
    case 'whatsapp.edit':
    case 'whatsapp.revoke':
    case 'whatsapp.react':
    case 'whatsapp.read':
      return 0
    default:
      return 1
  }
}

/** A repeat of these while one waits would do the same work twice. */
function uniqueKeyOf(effect: Effect): string | null {
  switch (effect.kind) {
    case 'whatsapp.send':
    case 'media.fetch':
      return `${effect.kind}:${effect.messageId}`
    case 'automation.ask':
      return `${effect.kind}:${effect.messageId}:${effect.by}:${effect.id}:${effect.tries ?? 0}`
    case 'flows.http':
    case 'flows.ai':
      return `${effect.kind}:${effect.runId}:${effect.waitId}`
    case 'push.notify':
      return `${effect.kind}:${newMessageId(effect)}`
    case 'push.send':
      return `${effect.kind}:${effect.subscriptionId}:${newMessageId(effect)}`
    case 'contacts.picture':
      return `${effect.kind}:${effect.contactId}`
    case 'companies.remove':
      return `${effect.kind}:${effect.removedId}`
    case 'invoices.takeBack':
      return `${effect.kind}:${effect.ref}`
    case 'mail.passwordReset':
    case 'mail.invitation':
      return `${effect.kind}:${effect.userId}`
    case 'mail.webhookOff':
      return `${effect.kind}:${effect.userId}:${effect.webhookId}`
    case 'mail.dueSoon':
      return `${effect.kind}:${effect.userId}:${effect.dueDate}:${effect.days}`
    case 'push.dueSoon':
      return `${effect.kind}:${effect.subscriptionId}:${effect.dueDate}:${effect.days}`
    default:
      return null
  }
}

const newMessageId = (of: NewMessage) => ('messageId' in of ? of.messageId : of.chatMessageId)

/** Writes a job for each effect, in the transaction that decided them. */
export async function addJobs(tx: Tx | Db, companyId: number, effects: readonly Effect[], runAt?: Date): Promise<void> {
  if (effects.length === 0) return
  const rows = effects.map((effect) => {
    const { kind, ...payload } = effect
    const whatsappId = 'whatsappId' in effect ? effect.whatsappId : null
    return { kind, payload, lane: laneOf(effect), whatsappId, rank: rankOf(effect), uniqueKey: uniqueKeyOf(effect) }
  })
  // One text however many they are, which Postgres has read before.
  await tx.execute(sql`
    INSERT INTO ${jobs} ("companyId", "kind", "payload", "lane", "whatsappId", "rank", "uniqueKey", "runAt")
    SELECT ${companyId}::int, x."kind", x."payload", x."lane", x."whatsappId", x."rank", x."uniqueKey", coalesce(${runAt?.toISOString() ?? null}::timestamptz, now())
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json)
      AS x("kind" text, "payload" jsonb, "lane" text, "whatsappId" int, "rank" smallint, "uniqueKey" text)
    ON CONFLICT DO NOTHING`)
}

const heldKey = (companyId: number, key: string) => `held:${companyId}:${key}`

/**
 * The same for what may yet be taken back. It stands in no lane: what is told the same chat meanwhile does not wait for it.
 */
export async function addHeldJob(
  tx: Tx | Db,
  companyId: number,
  { key, effect }: { key: string; effect: Effect },
): Promise<void> {
  const { kind, ...payload } = effect
  await tx
    .insert(jobs)
    .values({
      companyId,
      kind,
      payload,
      whatsappId: 'whatsappId' in payload ? payload.whatsappId : null,
      rank: rankOf(effect),
      uniqueKey: heldKey(companyId, key),
      runAt: sql`now() + ${HELD_MS} * interval '1 millisecond'`,
    })
    .onConflictDoNothing()
}

/** Whether what a command holds was still there to be taken back. What a worker has begun is not. */
export async function takeBackJob(tx: Tx, companyId: number, key: string): Promise<boolean> {
  const taken = await tx
    .delete(jobs)
    .where(
      and(
        eq(jobs.uniqueKey, heldKey(companyId, key)),
        isNull(jobs.failedAt),
        or(isNull(jobs.lockedUntil), lt(jobs.lockedUntil, sql`now()`)),
      ),
    )
    .returning({ id: jobs.id })
  return taken.length > 0
}
