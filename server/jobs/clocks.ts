import { Cron } from 'croner'
import type { Sql } from '../db/database.ts'
import { doing } from '../heartbeat.ts'
import type { Logger } from '../log.ts'

/** Work that is done at its time. */
export interface Clock {
  /** Of the log and of the lease. */
  name: string
  /** As cron writes it, with seconds in front where there are six. */
  when: string
  work(): Promise<unknown>
  /** Each server does it: it is about what that one has open. Else one does it for all. */
  everywhere?: true
  /** Also when the server starts. */
  atStart?: true
}

interface Deps {
  log: Pick<Logger, 'error'>
  /** Where other servers may work on the same database. `isSeen`: that the others see that this one lives. */
  lease?: { sql: Sql; holder: string; ms?: number; isSeen?(): boolean }
}

/** So long a clock is one server's, unless it ends before, or others see that it is dead (`left.ts`). */
const LEASE_MS = 15_000

/** Starts them all. A clock that still works when its time comes again is left out; one that fails is told to the log. */
export function startClocks(clocks: readonly Clock[], { log, lease }: Deps): { stop(): Promise<void> } {
  const leases = lease && createLeases(lease)
  const crons = clocks.map(({ name, when, work, everywhere, atStart }) => {
    const cron = new Cron(
      when,
      { protect: true, catch: (err) => log.error({ err, clock: name }, 'a clock failed') },
      async () => {
        if (leases && !everywhere && !(await leases.has(name))) return
        doing(`clock ${name}`)
        await work()
      },
    )
    if (atStart) void cron.trigger()
    return cron
  })
  return {
    async stop() {
      for (const cron of crons) cron.stop()
      await leases
        ?.giveBack()
        .catch((err: unknown) => log.error({ err }, 'what is done at its time is waited for until its leases run out'))
    },
  }
}

/**
 * Which clocks are this server's. A lease is taken by a row, counted by the database's own clock, and prolonged when
 * half of it is over. While the others do not see that this server lives they may take it, so it is asked for each time.
 */
function createLeases({ sql, holder, ms = LEASE_MS, isSeen = () => true }: NonNullable<Deps['lease']>) {
  const renewAt = new Map<string, number>()
  let over = false
  return {
    async giveBack(): Promise<void> {
      over = true
      await sql`DELETE FROM "clock_leases" WHERE "holder" = ${holder}`
    },
    async has(name: string): Promise<boolean> {
      if (over) return false
      const asked = performance.now()
      if (isSeen() && asked < (renewAt.get(name) ?? 0)) return true
      const taken = await sql`
        INSERT INTO "clock_leases" ("name", "holder", "until")
        VALUES (${name}, ${holder}, clock_timestamp() + ${ms} * interval '1 millisecond')
        ON CONFLICT ("name") DO UPDATE SET "holder" = excluded."holder", "until" = excluded."until"
        WHERE "clock_leases"."until" < clock_timestamp() OR "clock_leases"."holder" = excluded."holder"
        RETURNING "name"`
      if (taken.length === 0) return false
      renewAt.set(name, asked + ms / 2)
      return true
    },
  }
}
