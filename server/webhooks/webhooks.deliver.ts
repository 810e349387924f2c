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
import { heldDeliveries } from './webhooks.held.ts'
import { outcomeWriter, type Settled, type Taken, takeDue } from './webhooks.taken.writes.ts'

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
/** What waits for one receiver, and how many calls of it are under way. */
interface Line {
  waiting: Taken[]
  running: number
}

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
  const held = heldDeliveries(deps)
  const slow = new Set<number>()
  const working = new Set<Promise<void>>()
  let atOnce = 0
  let isWanted = false
  let stopping = false
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
      held.took(taken)
      for (const id of lineUp(lines, taken)) advance(id)
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
          held.done(one)
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

  const call = async (one: Taken): Promise<void> => {
    if (!(await held.isOurs(one))) return
    const began = now()
    const started = performance.now()
    const { status, answer, retryAfter } = await postTo(deps, one, began)
    const ms = Math.round(performance.now() - started)
    const outcome = outcomeOf(status)
    if (outcome === 'delivered' && ms < SLOW_MS) slow.delete(one.webhookId)
    else {
      // It gets one call at a time from now on.
      slow.add(one.webhookId)
      await held.giveBack(lines.get(one.webhookId)?.waiting.splice(0) ?? [])
    }
    const at = now()
    await settle(settledOf(one, { status, answer, retryAfter, outcome, ms }, began, at))
    if (outcome !== 'delivered') await noteFailure(deps, one, outcome, at)
    else if (one.failing)
      await db.execute(sql`UPDATE ${webhooks} SET "failingSince" = NULL WHERE "id" = ${one.webhookId}`)
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

  const polling = repeating(deps.pollMs ?? 1_000, async () => {
    const [row] = await deps.sql<{ any: boolean }[]>`SELECT EXISTS (SELECT FROM "webhooks") AS any`.catch(() => [])
    isWanted = row?.any ?? isWanted
    if (isWanted) look_()
  })

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
      polling.stop()
      clearTimeout(soon)
      await looking
      await Promise.allSettled(working)
      held.stop()
      // Nobody need wait for what was taken up and not begun; where that fails, its locks run out.
      await held.giveBack(waitingIn(lines)).catch(() => undefined)
    },
  }
}

/** Puts each at the end of its receiver's line, the oldest first. @returns whose lines have grown */
function lineUp(lines: Map<number, Line>, taken: readonly Taken[]): Set<number> {
  for (const one of taken.toSorted((a, b) => a.id - b.id)) lineOf(lines, one.webhookId).waiting.push(one)
  return new Set(taken.map(({ webhookId }) => webhookId))
}

/** Does something at once, and again so long after each time. */
function repeating(ms: number, work: () => Promise<void>): { stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  const go = async (): Promise<void> => {
    await work()
    if (!over) timer = setTimeout(() => void go(), ms)
  }
  void go()
  return {
    stop() {
      over = true
      clearTimeout(timer)
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
