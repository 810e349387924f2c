import type { Logger } from 'pino'
import type postgres from 'postgres'
import { DomainError } from '../../schema/errors.ts'
import type { Alive } from './alive.ts'
import type { Lease, LeasedConnection } from './lease.ts'

/** Where other servers look whether this one lives, so often it renews its leases and looks for those that are left, ms. */
const WATCH_MS = 1_500

export interface KeptLeasesDeps<Held, Loaded> {
  sql: postgres.Sql
  lease: Lease
  /** Tells other servers that this process lives; unset where there are no others. @param lost they may take it for dead */
  alive: ((lost: () => void) => Alive) | undefined
  log: Logger
  /** How often it is looked whether a lease has run out, ms. */
  tickMs: number
  /** What must be read before `adopt`. Refuses a connection by throwing; its lease is given back then. */
  load?(connection: LeasedConnection): Promise<Loaded>
  /** What speaks for a connection that was claimed: `known` where this process has it already, so that there is one of it. */
  adopt(connection: LeasedConnection, known: Held | undefined, loaded: Loaded | undefined): Held
  /** Those that nobody had, and this process has now. */
  found?(held: Held[]): void
  /** Another process may speak for it: it must fall silent. It is not among the held ones any more. */
  lost?(held: Held): Promise<void>
  /** Now and then, for each that is held. */
  tick(held: Held, now: number): void
}

/**
 * The connections of one wire that this process may speak for: claimed, renewed, taken from a process that died, and
 * given up in time, by this process's clock, before another may have them.
 */
export class KeptLeases<Held, Loaded = undefined> {
  /** What speaks for each, by the connection's id. */
  readonly held = new Map<number, Held>()
  /** Until when, by this process's clock, nobody else may speak for the connection. */
  private readonly until = new Map<number, number>()
  /** When this process's leases were renewed last, by its clock. */
  private renewedAt = Date.now()
  private stopped = false
  private keeping: Promise<void> = Promise.resolve()
  private readonly alive: Alive | undefined
  private readonly timers: readonly ReturnType<typeof setInterval>[]

  constructor(private readonly deps: KeptLeasesDeps<Held, Loaded>) {
    const { lease, log, tickMs } = deps
    this.alive = deps.alive?.(() => {
      for (const [id, until] of this.until) this.until.set(id, Math.min(until, this.renewedAt + lease.silentMs))
    })
    const renewMs = Math.min(lease.ttlMs / 3, this.alive ? WATCH_MS : Number.POSITIVE_INFINITY)
    const renew = () => void this.look().catch((error: unknown) => log.error({ err: error }, 'leases were not renewed'))
    this.timers = [setInterval(renew, renewMs), setInterval(() => this.tick(), tickMs)]
    for (const timer of this.timers) timer.unref()
    this.alive?.onLeave(renew)
  }

  /**
   * Takes a connection that is to be spoken for.
   * @throws DomainError `ERR_UNAVAILABLE` when another process speaks for it, or this one ends; `ERR_NO_WAPP_FOUND`; what
   *   `load` throws
   */
  async claim(id: number): Promise<Held> {
    if (this.stopped) throw new DomainError('ERR_UNAVAILABLE')
    const claimedAt = Date.now()
    const [connection] = await this.deps.lease.claim([id])
    if (connection) return this.adopt(connection, claimedAt)
    const [row] = await this.deps.sql`SELECT 1 FROM whatsapps WHERE "id" = ${id}`
    throw new DomainError(row ? 'ERR_UNAVAILABLE' : 'ERR_NO_WAPP_FOUND', { whatsappId: id })
  }

  /** Whether nothing more is taken. */
  get isStopped(): boolean {
    return this.stopped
  }

  /** Renews what is held, and takes what a process that died leaves, or what was wanted before this one began. One look at a time. */
  look(): Promise<void> {
    const looked = this.keeping.catch(() => undefined).then(() => this.keep())
    this.keeping = looked
    return looked
  }

  /** Forgets one here; its lease is for the caller to release. */
  drop(id: number): void {
    this.held.delete(id)
    this.until.delete(id)
  }

  /** Takes nothing more, and renews nothing. What is held may still end in peace until `close`. */
  async stop(): Promise<void> {
    this.stopped = true
    for (const timer of this.timers) clearInterval(timer)
    await this.keeping.catch(() => undefined)
  }

  /** Gives all leases back. Without a database they run out by themselves, and nothing else waits for it. */
  async close(): Promise<void> {
    const ids = [...this.held.keys()]
    if (ids.length > 0)
      await this.deps.lease
        .release(ids)
        .catch((error: unknown) => this.deps.log.warn({ err: error }, 'leases were not given back'))
    this.held.clear()
    this.until.clear()
    if (ids.length > 0) await this.alive?.leave()
    await this.alive?.close()
  }

  /** Others may take what this process renewed then, when it falls silent: from then on it must not speak. */
  private lastsFrom(at: number): number {
    const { lease } = this.deps
    return at + (this.alive && !this.alive.isHeld ? lease.silentMs : lease.ttlMs)
  }

  private async adopt(connection: LeasedConnection, claimedAt: number): Promise<Held> {
    const loaded = await this.loaded(connection)
    // From here on at once: whoever asks for the same connection meanwhile must find this one.
    const adopted = this.deps.adopt(connection, this.held.get(connection.id), loaded)
    this.until.set(connection.id, this.lastsFrom(claimedAt))
    this.held.set(connection.id, adopted)
    return adopted
  }

  private async loaded(connection: LeasedConnection): Promise<Loaded | undefined> {
    try {
      return await this.deps.load?.(connection)
    } catch (error) {
      await this.deps.lease.release([connection.id])
      throw error
    }
  }

  private async keep(): Promise<void> {
    const { lease, log } = this.deps
    const ids = [...this.held.keys()]
    const askedAt = Date.now()
    const kept = new Set(ids.length > 0 ? await lease.renew(ids) : [])
    this.renewedAt = askedAt
    for (const id of kept) this.until.set(id, this.lastsFrom(askedAt))
    for (const id of ids) if (!kept.has(id)) await this.lose(id, 'another process holds its lease')
    await this.alive?.hold()
    if (this.stopped) return
    const claimedAt = Date.now()
    const free = (await lease.free()).filter((id) => !this.held.has(id))
    if (free.length === 0) return
    const fresh: Held[] = []
    for (const connection of await lease.claim(free))
      try {
        fresh.push(await this.adopt(connection, claimedAt))
      } catch (error) {
        log.warn({ err: error, whatsappId: connection.id }, 'a connection cannot be spoken for')
      }
    this.deps.found?.(fresh)
  }

  private tick(): void {
    const now = Date.now()
    for (const [id, held] of this.held) {
      // The database did not answer in time: another process may be about to speak for it.
      if ((this.until.get(id) ?? 0) < now) void this.lose(id, 'its lease ran out')
      else this.deps.tick(held, now)
    }
  }

  private async lose(id: number, why: string): Promise<void> {
    const held = this.held.get(id)
    this.drop(id)
    if (held === undefined) return
    this.deps.log.warn({ whatsappId: id, why }, 'a connection is given up')
    await this.deps.lost?.(held)
  }
}
