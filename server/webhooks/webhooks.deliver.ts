import { and, eq, sql } from 'drizzle-orm'
import { clip } from '../../schema/texts.ts'
import { users } from '../../schema/users/users.table.ts'
import {
  FAILING_MS,
  outcomeOf,
  retryAfterOf,
  retryIn,
  type WebhookAttempt,
} from '../../schema/webhooks/webhooks.events.ts'
import { webhookDeliveries, webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { byItself } from '../actor.ts'
import type { Db, Sql, Tx } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { doing } from '../heartbeat.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { type Outside, OutsideError } from '../outside/outside.ts'
import type { Sealer } from '../seal.ts'
import { signatureOf } from '../signing.ts'
import { expandOutbox } from './webhooks.expand.ts'
import { secretsOf } from './webhooks.queries.ts'

export interface WebhookDeps {
  db: Db
  sql: Sql
  now(): Date
  outside: Outside
  sealer: Sealer
  events: Events
  log: Logger
  /** Milliseconds between two looks for what is due, when nobody says that there is something. */
  pollMs?: number
  /** Jobs were written. */
  told?(): void
}

const CALL_MS = 15_000
/** Of an answer: enough to see what a receiver says. */
const MOST_ANSWER_CHARS = 1_000
const MOST_ANSWER_BYTES = 100_000
/** Longer than a call may take, and the calls that are made before it. */
const LOCK_MS = 90_000
/** Calls at once to a receiver that answers quickly, and to one that does not. */
const QUICK_AT_ONCE = 8
/** Taken up at once for each receiver that answers quickly. */
const TAKEN = 16
/** Who takes longer than this, or fails, is slow until it is not. */
const SLOW_MS = 2_000
/** Calls at once in all: below what this runtime makes at once. */
const MOST_AT_ONCE = 200
const SETTLE_MS = 10
const WAKE_MS = 20
/** Admins who get a letter. */
const MOST_TOLD = 20

interface Taken {
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

interface Settled {
  id: number
  state: 'waiting' | 'delivered' | 'failed'
  tries: number
  attempt: WebhookAttempt
  nextAt: string | null
  deliveredAt: string | null
}

/**
 * Delivers what webhooks are told. Each receiver has a line of its own: one that is slow, or down, gets one call at a
 * time, and keeps nobody else waiting. A delivery that was taken up by a process that died is taken up again, with the
 * same id.
 */
export function startWebhooks(deps: WebhookDeps) {
  const { db, now, outside, sealer, log } = deps
  const lines = new Map<number, { waiting: Taken[]; running: number }>()
  const slow = new Set<number>()
  const working = new Set<Promise<void>>()
  let atOnce = 0
  let isWanted = false
  let stopping = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let soon: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> | undefined
  let again = false

  /** Locks what is due of each receiver that is not at work, so many of each. Only receivers with something waiting are looked at. */
  const take = async (only: readonly number[] | null, without: readonly number[], most: number): Promise<Taken[]> => {
    const at = now().toISOString()
    const until = new Date(now().getTime() + LOCK_MS).toISOString()
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
        UPDATE ${webhookDeliveries} d SET "lockedUntil" = ${until}::timestamptz
        FROM due, ${webhooks} w WHERE d."id" = due."id" AND w."id" = d."webhookId"
        RETURNING d."id"::int AS "id", d."companyId", d."webhookId", d."eventId", d."payload", d."tries", w."url",
          w."secret", w."failingSince" IS NOT NULL AS "failing"`)),
    ]
  }

  const look = async (): Promise<void> => {
    do {
      again = false
      doing('webhooks')
      while (!stopping && (await expandOutbox(db, now())) > 0);
      if (stopping || atOnce >= MOST_AT_ONCE) return
      const busy = [...lines.keys()]
      const idleSlow = [...slow].filter((id) => !lines.has(id))
      const taken = [
        ...(await take(null, [...busy, ...slow], TAKEN)),
        ...(idleSlow.length > 0 ? await take(idleSlow, busy, 1) : []),
      ]
      for (const one of taken.toSorted((a, b) => a.id - b.id)) {
        let line = lines.get(one.webhookId)
        if (!line) lines.set(one.webhookId, (line = { waiting: [], running: 0 }))
        line.waiting.push(one)
      }
      for (const id of new Set(taken.map(({ webhookId }) => webhookId))) advance(id)
    } while (again && !stopping)
  }

  /** Makes the calls of a receiver that may be made now. */
  const advance = (webhookId: number): void => {
    const line = lines.get(webhookId)
    if (!line) return
    const most = slow.has(webhookId) ? 1 : QUICK_AT_ONCE
    while (line.waiting.length > 0 && line.running < most && atOnce < MOST_AT_ONCE && !stopping) {
      const one = line.waiting.shift()!
      line.running++
      atOnce++
      const work = call(one)
        .catch((err: unknown) => log.error({ err, delivery: one.id }, 'a delivery was not recorded; it is made again'))
        .finally(() => {
          line.running--
          atOnce--
          working.delete(work)
          // Where all places were taken, any line may have waited for this one.
          for (const id of atOnce === MOST_AT_ONCE - 1 ? [...lines.keys()] : [webhookId]) advance(id)
          if (line.running === 0 && line.waiting.length === 0) {
            lines.delete(webhookId)
            look_()
          }
        })
      working.add(work)
    }
  }

  /** A receiver that has become slow gets one call at a time: what was taken up for it is anybody's again. */
  const giveBack = async (webhookId: number): Promise<void> => {
    const back = lines.get(webhookId)?.waiting.splice(0) ?? []
    if (back.length === 0) return
    const ids = sql.param(back.map(({ id }) => id))
    await db.execute(
      sql`UPDATE ${webhookDeliveries} SET "lockedUntil" = NULL WHERE "id" = ANY(${ids}::bigint[]) AND "state" = 'waiting'`,
    )
  }

  const call = async (one: Taken): Promise<void> => {
    const began = now()
    const started = performance.now()
    const { status, answer, retryAfter } = await post(one, began)
    const ms = Math.round(performance.now() - started)
    const outcome = outcomeOf(status)
    if (outcome === 'delivered' && ms < SLOW_MS) slow.delete(one.webhookId)
    else {
      slow.add(one.webhookId)
      await giveBack(one.webhookId)
    }
    const tries = one.tries + 1
    const pause = outcome === 'failed' ? retryIn(tries, retryAfterOf(retryAfter, began), Math.random()) : null
    const at = now()
    await settle({
      ...{ id: one.id, tries, attempt: { at: began.toISOString(), status, ms, answer } },
      state: outcome === 'delivered' ? 'delivered' : pause === null ? 'failed' : 'waiting',
      nextAt: pause === null ? null : new Date(at.getTime() + pause).toISOString(),
      deliveredAt: outcome === 'delivered' ? at.toISOString() : null,
    })
    if (outcome === 'delivered') {
      if (one.failing) await db.execute(sql`UPDATE ${webhooks} SET "failingSince" = NULL WHERE "id" = ${one.webhookId}`)
    } else await failing(one, outcome, at)
  }

  /** The first failure is remembered; who fails for days, or wants no more, is switched off, and its admins are told. */
  const failing = async (taken: Taken, outcome: 'failed' | 'gone', at: Date): Promise<void> => {
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
    deps.events.emit({ companyId, name: 'webhook', action: 'disabled', payload: { webhookId, reason } })
    deps.told?.()
  }

  /** @returns why it is switched off now, where it is */
  const switchedOff = async (tx: Tx, { webhookId }: Taken, outcome: 'failed' | 'gone', at: Date) => {
    const long = new Date(at.getTime() - FAILING_MS).toISOString()
    const [off] = await tx.execute<{ disabledReason: 'gone' | 'failing' | null }>(sql`
      UPDATE ${webhooks} SET "failingSince" = COALESCE("failingSince", ${at.toISOString()}::timestamptz),
        "active" = "active" AND ${outcome !== 'gone'} AND COALESCE("failingSince" > ${long}::timestamptz, true),
        "disabledReason" = CASE WHEN NOT "active" THEN "disabledReason" WHEN ${outcome === 'gone'} THEN 'gone'
          WHEN "failingSince" <= ${long}::timestamptz THEN 'failing' END
      WHERE "id" = ${webhookId} AND "active" RETURNING "disabledReason"`)
    return off?.disabledReason ?? undefined
  }

  const post = async (
    { url, eventId, payload, secret, webhookId }: Taken,
    at: Date,
  ): Promise<{ status: number | null; answer: string; retryAfter: string | null }> => {
    const seconds = Math.floor(at.getTime() / 1_000)
    try {
      const secrets = secretsOf(sealer, { id: webhookId, secret }, at)
      const response = await outside.fetch(url, {
        ...{ method: 'POST', body: payload, timeoutMs: CALL_MS, maxBytes: MOST_ANSWER_BYTES, httpsOnly: true },
        headers: {
          'content-type': 'application/json',
          'user-agent': 'balcao-webhooks',
          'webhook-id': eventId,
          'webhook-timestamp': String(seconds),
          'webhook-signature': secrets.map((one) => signatureOf(one, eventId, seconds, payload)).join(' '),
        },
      })
      // What is said beside the status is for people; a long or broken answer changes nothing.
      const text = await response.text().catch(() => '')
      const answer = clip(text.toWellFormed().replaceAll('\0', ''), MOST_ANSWER_CHARS)
      return { status: response.status, answer, retryAfter: response.headers.get('retry-after') }
    } catch (error) {
      if (!(error instanceof OutsideError)) log.warn({ err: error, webhookId }, 'a webhook could not be called')
      return { status: null, answer: error instanceof OutsideError ? error.failure : 'error', retryAfter: null }
    }
  }

  // ── outcomes, many in one statement ──────────────────────────────────────────────────────────
  let outcomes: { settled: Settled; done(): void; failed(error: unknown): void }[] = []
  let writing: ReturnType<typeof setTimeout> | undefined
  const settle = (settled: Settled): Promise<void> =>
    new Promise((done, failed) => {
      outcomes.push({ settled, done, failed })
      writing ??= setTimeout(() => void writeOutcomes(), SETTLE_MS)
    })
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
        WHERE d."id" = x."id"`)
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }

  const look_ = (): void => {
    if (stopping) return
    if (looking) {
      again = true
      return
    }
    looking = look()
      .catch((err: unknown) => log.warn({ err }, 'deliveries could not be taken up; trying again'))
      .finally(() => {
        looking = undefined
        if (again) look_()
      })
  }

  const poll = async (): Promise<void> => {
    const [row] = await deps.sql<{ any: boolean }[]>`SELECT EXISTS (SELECT FROM "webhooks") AS any`.catch(() => [])
    isWanted = row?.any ?? isWanted
    if (isWanted) look_()
    if (!stopping) timer = setTimeout(() => void poll(), deps.pollMs ?? 1_000)
  }
  void poll()

  return {
    /** Something was committed. Where nobody wants to be told, it costs nothing. */
    wake(): void {
      if (isWanted) soon ??= setTimeout(() => ((soon = undefined), byItself(look_)), WAKE_MS)
    },
    /** There is a webhook now, or something of one to deliver. */
    look(): void {
      isWanted = true
      byItself(look_)
    },
    async stop(): Promise<void> {
      stopping = true
      clearTimeout(timer)
      clearTimeout(soon)
      await looking
      await Promise.allSettled(working)
    },
  }
}

export type WebhookSender = ReturnType<typeof startWebhooks>

/** What is older than thirty days is forgotten, in small pieces. */
export async function sweepDeliveries(sqlOf: Sql): Promise<void> {
  for (;;) {
    const gone = await sqlOf`DELETE FROM "webhook_deliveries" WHERE "id" IN (
      SELECT "id" FROM "webhook_deliveries" WHERE "createdAt" < now() - interval '30 days' LIMIT 5000)`
    if (gone.count < 5_000) return
  }
}
