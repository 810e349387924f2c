import { createHash } from 'node:crypto'
import { DELIVERY_LOCK_MS } from '../../schema/webhooks/webhooks.events.ts'
import type { Sql } from '../db/database.ts'
import type { Logger } from '../log.ts'

/** A job's lock, from when it is taken and whenever it is renewed, ms. */
export const JOB_LOCK_MS = 20_000
export const JOB_RENEW_MS = 1_500
/** How often it is looked who lives. */
const LOOK_MS = 1_500
/** A process may lose the connection on which it says that it lives, and says it again: so long it is not taken for dead. */
const SILENT_MS = 4_500

/** What of a server stands in the names of its processes, also after it starts again. */
const markOf = (serverId: string): string => createHash('sha256').update(serverId).digest('hex').slice(0, 16)

/**
 * The name by which a process of a server works: on jobs, on deliveries, at its times. Another one after each start.
 * @param serverId as it holds leases
 */
export const workerName = (serverId: string): string => `${markOf(serverId)}.${crypto.randomUUID()}`

/** Whose work is free: that of processes by the hash of their name, or that of earlier processes of this server. */
type Whose = { gone: readonly number[] } | { before: string }

/** Makes what dead processes were at anybody's again, which would else be waited for until their locks run out. */
async function free(sql: Sql, whose: Whose, silentMs = SILENT_MS, again = false): Promise<void> {
  const theirs = (by: 'lockedBy' | 'holder') =>
    'gone' in whose
      ? sql`hashtext(${sql(by)}) = ANY(${[...whose.gone]}::int[])`
      : sql`${sql(by)} LIKE ${`${whose.before.split('.', 1)[0]}.%`} AND ${sql(by)} <> ${whose.before}`
  // A lock is renewed: whose was, lives.
  const silent = 'gone' in whose ? JOB_LOCK_MS - silentMs : JOB_LOCK_MS
  const silentCalls = 'gone' in whose ? DELIVERY_LOCK_MS - silentMs : DELIVERY_LOCK_MS + 60_000
  await sql`UPDATE "jobs" SET "lockedUntil" = NULL WHERE "failedAt" IS NULL AND "lockedUntil" > now()
    AND "lockedUntil" < now() + ${silent} * interval '1 millisecond' AND ${theirs('lockedBy')}`
  await sql`UPDATE "webhook_deliveries" SET "lockedUntil" = NULL
    WHERE "state" = 'waiting' AND "lockedUntil" > now()
      AND "lockedUntil" < now() + ${silentCalls} * interval '1 millisecond' AND ${theirs('lockedBy')}`
  if (again) return
  // By the server's name; what this one left is its own again.
  if ('gone' in whose)
    await sql`UPDATE "cloud_hooks" SET "lockedUntil" = NULL WHERE "lockedUntil" > now() AND ${theirs('lockedBy')}`
  await sql`DELETE FROM "clock_leases" WHERE ${theirs('holder')}`
}

/** Before this process begins: what those of this server before it were at when they were killed. Nobody else has its name. */
export const freeOwn = (sql: Sql, me: string): Promise<void> => free(sql, { before: me })

interface Watch {
  sql: Sql
  /** The first key of the locks by which processes say that they live. */
  alive: number
  /** Something is free: it may be taken up at once. */
  freed(): void
  log: Pick<Logger, 'warn'>
  lookMs?: number
  silentMs?: number
}

/** Watches which processes live, and makes what those were at that do not anybody's again. */
export function watchOthers({ sql, alive, freed, log, lookMs = LOOK_MS, silentMs = SILENT_MS }: Watch): {
  stop(): Promise<void>
} {
  /** When each was seen last, by the hash of its name. */
  const seen = new Map<number, number>()
  /** Of those that are not seen any more: whose work was made free. */
  const known = new Set<number>()
  let looking: Promise<void> | undefined
  const look = async () => {
    const rows = await sql<{ name: number }[]>`
      SELECT DISTINCT ("objid"::bigint::bit(32))::int AS "name" FROM pg_locks
      WHERE "locktype" = 'advisory' AND "classid" = ${alive} AND "objsubid" = 2 AND "granted"
        AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())`
    const now = performance.now()
    for (const { name } of rows) {
      seen.set(name, now)
      known.delete(name)
    }
    const gone = [...seen].filter(([, at]) => now - at > silentMs).map(([name]) => name)
    if (gone.length === 0) return
    const fresh = gone.filter((name) => !known.has(name))
    if (fresh.length > 0) await free(sql, { gone: fresh }, silentMs)
    // It may have died some time after it was seen last, and what it took up just before is silent only now.
    const old = gone.filter((name) => known.has(name))
    if (old.length > 0) await free(sql, { gone: old }, silentMs, true)
    for (const name of fresh) known.add(name)
    for (const name of gone)
      if (now - seen.get(name)! > 2 * silentMs + lookMs) {
        seen.delete(name)
        known.delete(name)
      }
    freed()
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((err: unknown) => log.warn({ err }, 'it was not seen which servers live'))
      .finally(() => (looking = undefined))
  }, lookMs)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
