import type { Logger } from 'pino'
import { DomainError } from '../../schema/errors.ts'
import { type CloudFailure, cloudFailureOf } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { officialApis } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { createLease } from '../lease.ts'
import type { CloudDeps, CloudTiming } from './cloud.channel.ts'
import { type Line, newLine } from './cloud.line.ts'
import type { CloudStore } from './cloud.store.ts'
import { type Graph, GraphError } from './graph.ts'

const FIELDS = 'display_phone_number,verified_name,quality_rating'

type Kept = CloudDeps & { timing: CloudTiming; log: Logger; store: CloudStore; graph: Graph }

/** Which numbers this process speaks over. */
export function keepLines(deps: Kept, lines: Map<number, Line>) {
  const { timing, log, store } = deps
  const { fell, probe } = lookAt(deps, lines)
  const lease = createLease(deps.sql, deps.serverId, officialApis, timing.lease)
  const leasedUntil = new Map<number, number>()
  let isStopped = false
  let renewedAt = Date.now()
  const alive = deps.alive?.(() => {
    for (const [id, until] of leasedUntil) leasedUntil.set(id, Math.min(until, renewedAt + lease.silentMs))
  })
  const lastsFrom = (at: number) => at + (alive && !alive.isHeld ? lease.silentMs : lease.ttlMs)

  async function adopt(id: number, claimedAt: number): Promise<Line> {
    const account = await store.account(id)
    if (!account) {
      await lease.release([id])
      await deps.onSession(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'cloud_unset' })
      throw new DomainError('ERR_CLOUD_UNSET', { whatsappId: id })
    }
    leasedUntil.set(id, lastsFrom(claimedAt))
    const known = lines.get(id)
    // What it is reached by may be new.
    const line = known ? Object.assign(known, { account, isOpen: false }) : newLine(account)
    lines.set(id, line)
    return line
  }

  async function letGo(id: number): Promise<void> {
    lines.delete(id)
    leasedUntil.delete(id)
    await lease.release([id])
  }

  async function keep(): Promise<void> {
    const ids = [...lines.keys()]
    const askedAt = Date.now()
    const kept = new Set(ids.length > 0 ? await lease.renew(ids) : [])
    renewedAt = askedAt
    for (const id of kept) leasedUntil.set(id, lastsFrom(askedAt))
    for (const id of ids)
      if (!kept.has(id)) {
        lines.delete(id)
        leasedUntil.delete(id)
      }
    await alive?.hold()
    if (isStopped) return
    const claimedAt = Date.now()
    const free = (await lease.free()).filter((id) => !lines.has(id))
    for (const { id } of free.length > 0 ? await lease.claim(free) : [])
      await adopt(id, claimedAt).catch((err: unknown) =>
        log.warn({ err, whatsappId: id }, 'a number cannot be spoken over'),
      )
  }

  let keeping: Promise<void> = Promise.resolve()
  const keepNow = () =>
    (keeping = keeping.then(keep).catch((err: unknown) => log.error({ err }, 'leases were not renewed')))
  const leaseTimer = setInterval(() => void keepNow(), Math.min(timing.lease / 3, alive ? 2_000 : timing.lease))
  const ticker = setInterval(() => {
    const now = Date.now()
    for (const line of lines.values()) {
      // The database did not answer in time: another process may be about to speak for it.
      if ((leasedUntil.get(line.id) ?? 0) < now) lines.delete(line.id)
      else if (line.probeAt <= now)
        void probe(line).catch((err: unknown) => log.warn({ err }, 'a number was not looked at'))
    }
  }, timing.tick)
  for (const timer of [leaseTimer, ticker]) timer.unref()

  return {
    fell,
    keep: keepNow,
    /** @throws ERR_UNAVAILABLE, ERR_NO_WAPP_FOUND, ERR_CLOUD_UNSET */
    async start(id: number): Promise<void> {
      if (isStopped) throw new DomainError('ERR_UNAVAILABLE')
      const claimedAt = Date.now()
      const [claimed] = await lease.claim([id])
      if (!claimed) {
        const [row] = await deps.sql`SELECT 1 FROM whatsapps WHERE "id" = ${id}`
        throw new DomainError(row ? 'ERR_UNAVAILABLE' : 'ERR_NO_WAPP_FOUND', { whatsappId: id })
      }
      await probe(await adopt(id, claimedAt))
    },
    async end(id: number, change?: SessionChange): Promise<void> {
      if (!lines.has(id) && !change) return
      await letGo(id)
      if (change) await deps.onSession(id, change)
    },
    async stop(): Promise<void> {
      if (isStopped) return
      isStopped = true
      clearInterval(leaseTimer)
      clearInterval(ticker)
      await keeping
      await lease.release([...lines.keys()])
      lines.clear()
      await alive?.close()
    },
  }
}

/** How numbers are. */
function lookAt(deps: Kept, lines: ReadonlyMap<number, Line>) {
  const { timing, store, graph } = deps

  /** It cannot be spoken over until somebody mends it; it is looked at again and again. */
  async function fell(line: Line, word: CloudFailure): Promise<void> {
    line.probeAt = Date.now() + timing.probeDown
    if (!line.isOpen && line.problem === word) return
    Object.assign(line, { isOpen: false, problem: word })
    await deps.onSession(line.id, { status: 'DISCONNECTED', qrcode: '', lastError: `cloud_${word}` })
  }

  async function probe(line: Line): Promise<void> {
    line.probeAt = Date.now() + (line.isOpen ? timing.probe : timing.probeDown)
    try {
      const told = await graph.call(line.account, `${line.account.phoneNumberId}?fields=${FIELDS}`)
      if (lines.get(line.id) !== line) return
      const { display_phone_number: shown, quality_rating: quality } = told
      if (typeof quality === 'string') await store.noteQuality(line.id, quality.slice(0, 20))
      if (line.isOpen) return
      if (line.wasOpen) line.reconnects++
      Object.assign(line, { isOpen: true, wasOpen: true, problem: null, probeAt: Date.now() + timing.probe })
      const number = typeof shown === 'string' ? shown.replaceAll(/\D/g, '').slice(0, 20) : ''
      await deps.onSession(line.id, { status: 'CONNECTED', number, qrcode: '', retries: 0, lastError: null })
    } catch (error) {
      if (lines.get(line.id) !== line) return
      // Whether it can send shows when something is sent: a service that is away now may be back by then.
      if (error instanceof GraphError) await fell(line, cloudFailureOf(error.code, error.status))
      else if (!line.isOpen) await fell(line, 'passing')
    }
  }

  return { fell, probe }
}
