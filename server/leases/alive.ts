import postgres from 'postgres'
import type { Logger } from 'pino'

/** The first key of the locks by which servers tell that they live; the second is the hash of their name. */
export const ALIVE = 0x62_61_6c_63

/** A word to other servers that this process lives. */
export interface Alive {
  /** Whether the others can see it. */
  readonly isHeld: boolean
  /** Says it again where it was lost. Never rejects. */
  hold(): Promise<void>
  close(): Promise<void>
}

/**
 * Holds a lock in Postgres on a connection of its own, which ends with the process however that ends: others need not wait
 * until its leases have run out.
 * @param url of the database itself; a pooler would hold the lock for another
 * @param lost the connection ended, and others may take this process for dead
 */
export function createAlive({
  url,
  owner,
  log,
  lost,
}: {
  url: string
  owner: string
  log: Pick<Logger, 'warn'>
  lost(): void
}): Alive {
  let isHeld = false
  let isClosing = false
  const sql = postgres(url, {
    ...{ max: 1, max_lifetime: null, connect_timeout: 5, fetch_types: false, onnotice: () => undefined },
    connection: { application_name: 'balcao alive' },
    onclose: () => {
      if (!isHeld || isClosing) return
      isHeld = false
      log.warn({}, 'the connection that tells other servers of this one was lost')
      lost()
    },
  })
  return {
    get isHeld() {
      return isHeld
    },
    async hold() {
      if (isHeld || isClosing) return
      try {
        const [row] = await sql<{ held: boolean }[]>`SELECT pg_try_advisory_lock(${ALIVE}, hashtext(${owner})) AS held`
        isHeld = row?.held ?? false
      } catch (err) {
        log.warn({ err }, 'other servers cannot be told that this one lives')
      }
    },
    async close() {
      isClosing = true
      isHeld = false
      await sql.end({ timeout: 1 })
    },
  }
}

/**
 * One word for several wires, which a process says once.
 * @param make is given who hears that it was lost, and called for the first wire
 */
export function sharedAlive(make: (lost: () => void) => Alive): (lost: () => void) => Alive {
  const listeners = new Set<() => void>()
  let alive: Alive | undefined
  return (lost) => {
    listeners.add(lost)
    const one = (alive ??= make(() => {
      for (const listener of listeners) listener()
    }))
    return {
      get isHeld() {
        return one.isHeld
      },
      hold: () => one.hold(),
      close: async () => {
        listeners.delete(lost)
        if (listeners.size === 0) await one.close()
      },
    }
  }
}
