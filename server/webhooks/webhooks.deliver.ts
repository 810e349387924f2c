import { sql } from 'drizzle-orm'
import { outcomeOf, retryAfterOf, retryIn } from '../../schema/webhooks/webhooks.events.ts'
import { webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { byItself } from '../actor.ts'
import type { Db, Sql } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { doing } from '../heartbeat.ts'
import type { Logger } from '../log.ts'
import type { Outside } from '../outside/outside.ts'
import type { Sealer } from '../seal.ts'
import { postTo } from './webhooks.call.ts'
import { expandOutbox } from './webhooks.expand.ts'
import { noteFailure } from './webhooks.failure.writes.ts'
import { giveBack, holdOn, outcomeWriter, type Settled, type Taken, takeDue } from './webhooks.taken.writes.ts'

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
  /** Names this process (`workerName`). */
  name?: string
  /** Whether other servers see that this one lives. While they do not, it says of each delivery that it is at it. */
  isSeen?(): boolean
  /** Milliseconds between two such words. */
  renewMs?: number
}

/** Calls at once to a receiver that answers quickly, and to one that does not. */
const QUICK_AT_ONCE = 8
/** Taken up at once for each receiver that answers quickly. */
const TAKEN = 16
/** Who takes longer than this, or fails, is slow until it is not. */
const SLOW_MS = 2_000
/** Calls at once in all: below what this runtime makes at once. */
const MOST_AT_ONCE = 200
const WAKE_MS = 20
const RENEW_MS = 1_500
/** What has been held for longer may be another's by now, where this process stood still: it is asked before the call. */
const SURE_MS = 3_000
/** What waits for one receiver, and how many calls of it are under way. */
interface Line {
  waiting: Taken[]
  running: number
}
/** A delivery that is this process's, and since when that is known (`performance.now`). */
type Held = Map<number, { one: Taken; sureAt: number }>

interface Answered {
  status: number | null
  answer: string
  retryAfter: string | null
  outcome: ReturnType<typeof outcomeOf>
  /** That the call took. */
  ms: number
}

/**
 * Delivers what webhooks are told. Each receiver has a line of its own: one that is slow, or down, gets one call at a
 * time, and keeps nobody else waiting. A delivery that was taken up by a process that died is taken up again, with the
 * same id.
 */
export function startWebhooks(deps: WebhookDeps) {
  const { db, now, log, name: by } = deps
  const settle = outcomeWriter(db, by)
  const lines = new Map<number, Line>()
  const held: Held = new Map()
  const slow = new Set<number>()
  const working = new Set<Promise<void>>()
  let atOnce = 0
  let isWanted = false
  let stopping = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let soon: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> | undefined
  let again = false

  const look = async (): Promise<void> => {
    do {
      again = false
      doing('webhooks')
      while (!stopping && (await expandOutbox(db, now())) > 0);
      if (stopping || atOnce >= MOST_AT_ONCE) return
      const busy = [...lines.keys()]
      const idleSlow = [...slow].filter((id) => !lines.has(id))
      const taken = [
        ...(await takeDue(db, { only: null, without: [...busy, ...slow], most: TAKEN, by }, now())),
        ...(idleSlow.length > 0 ? await takeDue(db, { only: idleSlow, without: busy, most: 1, by }, now()) : []),
      ]
      const sureAt = performance.now()
      for (const one of taken.toSorted((a, b) => a.id - b.id)) {
        held.set(one.id, { one, sureAt })
        lineOf(lines, one.webhookId).waiting.push(one)
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
          held.delete(one.id)
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

  /** What others took up meanwhile is not this process's any more. */
  const stay = async (those: readonly Taken[]): Promise<Set<number>> => {
    const sureAt = performance.now()
    const ours = await holdOn(db, those, by, now())
    for (const one of those) if (ours.has(one.id)) held.set(one.id, { one, sureAt })
    return ours
  }

  const letGo = async (those: readonly Taken[]): Promise<void> => {
    for (const { id } of those) held.delete(id)
    await giveBack(db, those, by)
  }

  const call = async (one: Taken): Promise<void> => {
    const { sureAt = 0 } = held.get(one.id) ?? {}
    if (performance.now() - sureAt > SURE_MS && !(await stay([one])).has(one.id)) return
    const began = now()
    const started = performance.now()
    const { status, answer, retryAfter } = await postTo(deps, one, began)
    const ms = Math.round(performance.now() - started)
    const outcome = outcomeOf(status)
    if (outcome === 'delivered' && ms < SLOW_MS) slow.delete(one.webhookId)
    else {
      // It gets one call at a time from now on.
      slow.add(one.webhookId)
      await letGo(lines.get(one.webhookId)?.waiting.splice(0) ?? [])
    }
    const at = now()
    await settle(settledOf(one, { status, answer, retryAfter, outcome, ms }, began, at))
    if (outcome === 'delivered') {
      if (one.failing) await db.execute(sql`UPDATE ${webhooks} SET "failingSince" = NULL WHERE "id" = ${one.webhookId}`)
    } else await noteFailure(deps, one, outcome, at)
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
  const renewing = setInterval(() => {
    if (held.size === 0 || (deps.isSeen?.() ?? true)) return
    const those = [...held.values()].map(({ one }) => one)
    void stay(those).catch((err: unknown) => log.warn({ err }, 'it was not said which deliveries are at work'))
  }, deps.renewMs ?? RENEW_MS)

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
      clearInterval(renewing)
      // Nobody need wait for what was taken up and not begun; where that fails, its locks run out.
      await letGo(waitingIn(lines)).catch(() => undefined)
    },
  }
}

const waitingIn = (lines: Map<number, Line>) => [...lines.values()].flatMap(({ waiting }) => waiting)

function lineOf(lines: Map<number, Line>, webhookId: number): Line {
  let line = lines.get(webhookId)
  if (!line) lines.set(webhookId, (line = { waiting: [], running: 0 }))
  return line
}

/** What becomes of a delivery by the answer to its call. */
function settledOf(one: Taken, { status, answer, retryAfter, outcome, ms }: Answered, began: Date, at: Date): Settled {
  const tries = one.tries + 1
  const pause = outcome === 'failed' ? retryIn(tries, retryAfterOf(retryAfter, began), Math.random()) : null
  return {
    ...{ id: one.id, tries, attempt: { at: began.toISOString(), status, ms, answer } },
    state: outcome === 'delivered' ? 'delivered' : pause === null ? 'failed' : 'waiting',
    nextAt: pause === null ? null : new Date(at.getTime() + pause).toISOString(),
    deliveredAt: outcome === 'delivered' ? at.toISOString() : null,
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
