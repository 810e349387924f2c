import postgres from 'postgres'
import type { Logger } from 'pino'

/** The first key of the locks by which servers tell that they live; the second is the hash of their name. */
export const ALIVE = 0x62_61_6c_63
/** Where a server says that it gave leases back. */
const LEFT = 'balcao_left'

/** A word to other servers that this process lives. */
export interface Alive {
  /** Whether the others can see it. */
  readonly isHeld: boolean
  /** Says it again where it was lost. Never rejects. */
  hold(): Promise<void>
  /** Tells the others that leases were given back, so that they need not wait for their next look. Never rejects. */
  leave(): Promise<void>
  /** Calls back when another says so. @returns how to stop listening */
  onLeave(listener: () => void): () => void
  close(): Promise<void>
}

interface AliveDeps {
  /** Of the database itself; a pooler would hold the lock for another. */
  url: string
  /** The server, whose name stays the same after it starts again. */
  owner: string
  /** This process, by whose name it works on jobs. */
  worker?: string
  /** Where the servers speak to each other; without it nobody is told of what was given back. */
  sql?: Pick<postgres.Sql, 'listen' | 'notify'>
  log: Pick<Logger, 'warn'>
  /** The connection ended, and others may take this process for dead. */
  lost(): void
}

/**
 * Holds locks in Postgres on a connection of its own, which ends with the process however that ends: others need not wait
 * until its leases have run out. Where a whole machine is gone, nobody ends the connection: Postgres finds out in 5 s.
 */
export function createAlive({ url, owner, worker = owner, sql: between, log, lost }: AliveDeps): Alive {
  let isHeld = false
  let isClosing = false
  const listeners = new Set<() => void>()
  const sql = postgres(url, {
    ...{ max: 1, max_lifetime: null, connect_timeout: 5, fetch_types: false, onnotice: () => undefined },
    connection: {
      application_name: 'balcao alive',
      ...{ tcp_keepalives_idle: 2, tcp_keepalives_interval: 1, tcp_keepalives_count: 3 },
    },
    onclose: () => {
      if (!isHeld || isClosing) return
      isHeld = false
      log.warn({}, 'the connection that tells other servers of this one was lost')
      lost()
    },
  })
  const told = between
    ?.listen(LEFT, (from) => {
      if (from !== worker) for (const listener of listeners) listener()
    })
    .catch((err: unknown) => {
      log.warn({ err }, 'what other servers give back is noticed at the next look')
      return undefined
    })
  return {
    get isHeld() {
      return isHeld
    },
    async hold() {
      if (isHeld || isClosing) return
      try {
        const [row] = await sql<{ held: boolean }[]>`SELECT pg_try_advisory_lock(${ALIVE}, hashtext(${owner})) AS held,
          ${owner} = ${worker} OR pg_try_advisory_lock(${ALIVE}, hashtext(${worker}))`
        isHeld = row?.held ?? false
      } catch (err) {
        log.warn({ err }, 'other servers cannot be told that this one lives')
      }
    },
    async leave() {
      await between
        ?.notify(LEFT, worker)
        .catch((err: unknown) => log.warn({ err }, 'others were not told to take over'))
    },
    onLeave(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosing = true
      isHeld = false
      listeners.clear()
      await Promise.all([sql.end({ timeout: 1 }), told?.then((listening) => listening?.unlisten())])
    },
  }
}

/**
 * One word for several wires, which a process says once.
 * @param make is given who hears that it was lost, and called for the first wire
 */
export function sharedAlive(make: (lost: () => void) => Alive): ((lost: () => void) => Alive) & { isSeen(): boolean } {
  const listeners = new Set<() => void>()
  let alive: Alive | undefined
  const share = (lost: () => void): Alive => {
    listeners.add(lost)
    const one = (alive ??= make(() => {
      for (const listener of listeners) listener()
    }))
    return {
      get isHeld() {
        return one.isHeld
      },
      hold: () => one.hold(),
      leave: () => one.leave(),
      onLeave: (listener) => one.onLeave(listener),
      close: async () => {
        listeners.delete(lost)
        if (listeners.size === 0) await one.close()
      },
    }
  }
  return Object.assign(share, { isSeen: () => alive?.isHeld ?? false })
}
