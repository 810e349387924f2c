import { and, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { type JobRank, jobs } from '../../schema/jobs/jobs.table.ts'
import type { Effect, EffectKind, EffectOf, NewMessage } from '../../schema/effects.ts'
import { HELD_MS } from '../../schema/undo.ts'
import type { Db, Tx } from '../db/database.ts'

/** How an effect waits for a worker. */
interface Waits<E> {
  rank: JobRank | ((effect: E) => JobRank)
  /** What is in one lane goes in order; null: it waits for nothing. */
  lane: ((effect: E) => string | null) | null
  /** A repeat while one waits would do the same work twice; null: each is done. */
  key: ((effect: E) => string) | null
}

/** What one chat is told goes in order; different chats do not wait for each other. */
const chat = ({ whatsappId, chat: id }: { whatsappId: number; chat: number }) => `chat:${whatsappId}:${id}`
const asks = ({ ticketId }: { ticketId: number }) => `ask:${ticketId}`
const messageId = (of: { messageId: string }) => of.messageId
const userId = (of: { userId: number }) => String(of.userId)
const wait = ({ runId, waitId }: { runId: string; waitId: number }) => `${runId}:${waitId}`
const plain = { rank: 1, lane: null, key: null } as const

const waits: { [K in EffectKind]: Waits<EffectOf<K>> } = {
  'whatsapp.send': { rank: ({ by }) => (by === 'agent' ? 0 : by === 'many' ? 2 : 1), lane: chat, key: messageId },
  // Only agents say by hand what was changed, deleted, read and felt.
  'whatsapp.edit': { rank: 0, lane: chat, key: null },
  'whatsapp.revoke': { rank: 0, lane: chat, key: null },
  'whatsapp.react': { rank: 0, lane: chat, key: null },
  'whatsapp.read': { rank: 0, lane: chat, key: null },
  'media.fetch': { ...plain, key: messageId },
  'media.release': plain,
  'contacts.picture': { ...plain, key: ({ contactId }) => String(contactId) },
  'tickets.accepted': plain,
  'tickets.transferred': plain,
  'tickets.closed': plain,
  'tickets.trim': plain,
  'queues.assign': { ...plain, lane: ({ queueId }) => `assign:${queueId}` },
  'calls.refused': plain,
  'automation.ask': {
    ...plain,
    // A bot that thinks for long holds up its own next answer, and nothing that an agent writes.
    lane: (effect) => (effect.tries ? null : asks(effect)),
    key: ({ messageId: id, by, id: botId, tries = 0 }) => `${id}:${by}:${botId}:${tries}`,
  },
  'flows.begin': { ...plain, key: ({ cause }) => cause },
  'flows.http': { ...plain, key: wait },
  'flows.file': { ...plain, key: wait },
  'flows.ai': { ...plain, lane: asks, key: wait },
  'flows.typebot': { ...plain, lane: asks, key: wait },
  'notes.mentioned': { ...plain, key: ({ noteId }) => noteId },
  'push.notify': { ...plain, key: (effect) => newMessageId(effect) },
  'push.send': { ...plain, key: (effect) => `${effect.subscriptionId}:${newMessageId(effect)}` },
  'push.ticket': {
    ...plain,
    key: ({ ticketId, why, userId, subscriptionId = 0 }) => `${ticketId}:${why}:${userId}:${subscriptionId}`,
  },
  'push.dueSoon': { ...plain, key: ({ subscriptionId, dueDate, days }) => `${subscriptionId}:${dueDate}:${days}` },
  'mail.passwordReset': { ...plain, key: userId },
  'mail.invitation': { ...plain, key: userId },
  'mail.webhookOff': { ...plain, key: (effect) => `${effect.userId}:${effect.webhookId}` },
  'mail.dueSoon': { ...plain, key: (effect) => `${effect.userId}:${effect.dueDate}:${effect.days}` },
  'mail.report': { ...plain, key: ({ userId, scheduleId, from, to }) => `${userId}:${scheduleId}:${from}:${to}` },
  'mail.freeTier': {
    ...plain,
    key: ({ userId, whatsappId, month, level }) => `${userId}:${whatsappId}:${month}:${level}`,
  },
  'push.freeTier': { ...plain, key: (one) => `${one.subscriptionId}:${one.whatsappId}:${one.month}:${one.level}` },
  'mail.connection': {
    ...plain,
    key: ({ userId, whatsappId, problem, at }) => `${userId}:${whatsappId}:${problem}:${at}`,
  },
  'push.connection': { ...plain, key: (one) => `${one.subscriptionId}:${one.whatsappId}:${one.problem}:${one.at}` },
  'campaigns.say': plain,
  // Whatever is old holds up nothing that is said now.
  'cloud.history': { rank: 2, lane: ({ whatsappId }) => `history:${whatsappId}`, key: ({ piece }) => piece },
  'templates.fetch': {
    ...plain,
    key: ({ whatsappId, slot, notice }) => [whatsappId, slot, ...(notice ? [JSON.stringify(notice)] : [])].join(':'),
  },
  'optOuts.note': plain,
  // In the order in which it happened.
  'rules.ask': { ...plain, lane: ({ ticketId }) => `rules:${ticketId}`, key: ({ event }) => event.id },
  'webhooks.rule': { ...plain, key: ({ webhookId, eventId }) => `${webhookId}:${eventId}` },
  'sla.told': plain,
  'sla.recount': plain,
  'sla.catchUp': plain,
  'push.sla': {
    ...plain,
    key: ({ subscriptionId, what, told }) => `${subscriptionId}:${what}:${told[0]?.clockId ?? ''}`,
  },
  // They read and write much, and nobody waits for them at a counter.
  'privacy.export': { rank: 2, lane: null, key: ({ exportId }) => exportId },
  'privacy.erase': { rank: 2, lane: null, key: ({ erasureId }) => erasureId },
  'privacy.returned': plain,
  'companies.remove': { ...plain, key: ({ removedId }) => String(removedId) },
  'invoices.takeBack': { ...plain, key: ({ ref }) => ref },
}

// That an effect meets the entry of its own kind is beyond the compiler.
const waitsOf = (effect: Effect) => waits[effect.kind] as Waits<Effect>
const laneOf = (effect: Effect): string | null => waitsOf(effect).lane?.(effect) ?? null
const rankOf = (effect: Effect): JobRank => {
  const { rank } = waitsOf(effect)
  return typeof rank === 'function' ? rank(effect) : rank
}
const uniqueKeyOf = (effect: Effect): string | null => {
  const { key } = waitsOf(effect)
  return key && `${effect.kind}:${key(effect)}`
}

function newMessageId(of: NewMessage): string {
  if ('messageId' in of) return of.messageId
  if ('noteId' in of) return of.noteId
  return 'chatMessageId' in of ? of.chatMessageId : `woken:${of.wokenTicketId}`
}

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
export async function addHeldJobs(
  tx: Tx | Db,
  companyId: number,
  held: readonly { key: string; effect: Effect }[],
): Promise<void> {
  await tx
    .insert(jobs)
    .values(
      held.map(({ key, effect }) => {
        const { kind, ...payload } = effect
        return {
          ...{ companyId, kind, payload, rank: rankOf(effect), uniqueKey: heldKey(companyId, key) },
          whatsappId: 'whatsappId' in payload ? payload.whatsappId : null,
          runAt: sql`now() + ${HELD_MS} * interval '1 millisecond'`,
        }
      }),
    )
    .onConflictDoNothing()
}

/** Whether all that commands hold was still there to be taken back. What a worker has begun is not. */
export async function takeBackJobs(tx: Tx, companyId: number, held: readonly string[]): Promise<boolean> {
  const taken = await tx
    .delete(jobs)
    .where(
      and(
        inArray(
          jobs.uniqueKey,
          held.map((key) => heldKey(companyId, key)),
        ),
        isNull(jobs.failedAt),
        or(isNull(jobs.lockedUntil), lt(jobs.lockedUntil, sql`now()`)),
      ),
    )
    .returning({ id: jobs.id })
  return taken.length === held.length
}
