import { isSameSecret } from '../same-secret.ts'
import { Gauge, Histogram, Registry } from 'prom-client'
import { backupWorks } from '../../schema/backups/backups.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { countRoute, figures, kindOf, methodOf, watchLoop } from '../figures.ts'
import { backupState, jobCounts } from '../operator/operator.queries.ts'
import type { AppDeps } from './deps.ts'
import { bearerOf } from './guard.ts'
import { ageOf } from './request-id.ts'

export interface Metrics {
  /** A call was answered. @param route the pattern that knows its path, if any does */
  answered(request: Request, status: number, route?: string): void
  /**
   * All figures, as Prometheus reads them.
   * @throws DomainError `ERR_API_TOKEN` for another token, and for any where none is set
   */
  tell(request: Request): Promise<{ text: string; type: string }>
}

/**
 * Figures of this server for Prometheus. Of no company: a label for each would grow without a bound, and tell who the
 * customers are.
 */
export function createMetrics(deps: Pick<AppDeps, 'config' | 'db' | 'health' | 'version'>): Metrics {
  watchLoop()
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const gauge = <T extends string>(name: string, help: string, labelNames: T[] = []) =>
    new Gauge({ name: `balcao_${name}`, help, labelNames, registers })

  gauge('info', 'Which version runs', ['version']).set({ version: deps.version }, 1)
  const memory = gauge('memory_bytes', 'Resident memory of the server')
  const uptime = gauge('uptime_seconds', 'Since the server began')
  const database = gauge('database_up', '1 while the database answers')
  const connections = gauge('connections', 'WhatsApp connections of all companies', ['status'])
  const open = gauge('connections_open', 'Links that this server holds open')
  const sockets = gauge('sockets', 'Sockets of browsers at this server', ['kind'])
  const jobs = gauge('jobs', 'Jobs that wait, and those that were given up', ['state'])
  const oldest = gauge('jobs_oldest_seconds', 'How long the oldest job that could run has waited')
  const { backup } = deps.config
  const madeAge = backup && gauge('backup_age_seconds', 'Since the last good backup was made by itself')
  const provenAge = backup && gauge('backup_restored_age_seconds', 'Since a backup was restored aside and compared')
  const backupFailed = backup && gauge('backup_failed', '1 while the last try failed', ['work'])
  const calls = new Histogram({
    name: 'balcao_http_request_seconds',
    help: 'Calls by method and kind of answer, and how long they took',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })

  async function measureBackups(): Promise<void> {
    if (!backup) return
    const state = await backupState(deps.db)
    const since = (at: Date | undefined) => (at ? (Date.now() - at.getTime()) / 1_000 : Number.POSITIVE_INFINITY)
    madeAge?.set(since(state.made?.at))
    provenAge?.set(since(state.restored?.at))
    for (const work of backupWorks)
      backupFailed?.set({ work }, state.failures.some((failure) => failure.work === work) ? 1 : 0)
  }

  async function measure(): Promise<void> {
    memory.set(process.memoryUsage.rss())
    uptime.set(process.uptime())
    const [health, counts] = await Promise.all([deps.health(), jobCounts(deps.db).catch(() => undefined)])
    await measureBackups().catch(() => undefined)
    database.set(health.database === 'up' ? 1 : 0)
    connections.reset()
    for (const [status, n] of numbersOf(health.connections))
      if (status === 'openHere') open.set(n)
      else connections.set({ status }, n)
    for (const [kind, n] of numbersOf(health.sockets)) sockets.set({ kind }, n)
    if (!counts) return
    jobs.set({ state: 'waiting' }, counts.waiting)
    jobs.set({ state: 'failed' }, counts.failed)
    oldest.set(counts.oldestSeconds)
  }

  return {
    answered(request, status, route) {
      const ms = ageOf(request)
      calls.observe({ method: methodOf(request), status: kindOf(status) }, ms / 1_000)
      countRoute(request, route, status, ms)
    },
    async tell(request) {
      const wanted = deps.config.metricsToken
      if (wanted === undefined || !isSameSecret(bearerOf(request) ?? '', wanted)) throw new DomainError('ERR_API_TOKEN')
      await measure()
      return { text: await Registry.merge([registry, figures]).metrics(), type: registry.contentType }
    },
  }
}

const numbersOf = (part: unknown): [string, number][] =>
  Object.entries((part ?? {}) as Record<string, unknown>).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
