import type { Logger } from 'pino'
import { DomainError } from '../../schema/errors.ts'
import { type CloudFailure, cloudFailureOf, shownAfter } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { officialApis } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { KeptLeases } from '../leases/kept-leases.ts'
import { createLease } from '../leases/lease.ts'
import type { CloudDeps, CloudTiming } from './cloud.channel.ts'
import { isRecord } from '../outside/outside.call.ts'
import { type Line, newLine } from './cloud.line.ts'
import { ownerOf } from './cloud.look.ts'
import type { CloudAccount, CloudStore } from './cloud.store.ts'
import { type Graph, GraphError } from './graph.ts'

const FIELDS = 'display_phone_number,verified_name,quality_rating,throughput'

type Kept = CloudDeps & { timing: CloudTiming; log: Logger; store: CloudStore; graph: Graph }

/** Which numbers this process speaks over. */
export function keepLines(deps: Kept) {
  const { sql, timing, log, store } = deps
  const lease = createLease(sql, deps.serverId, officialApis, timing.lease)
  const kept = new KeptLeases<Line, CloudAccount>({
    ...{ sql, lease, log, alive: deps.alive, tickMs: timing.tick },
    async load({ id }) {
      const account = await store.account(id)
      if (account) return account
      await deps.onSession(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'cloud_unset' })
      throw new DomainError('ERR_CLOUD_UNSET', { whatsappId: id })
    },
    // What it is reached by may be new.
    adopt: (_connection, known, account) =>
      known ? Object.assign(known, { account: account!, isOpen: false }) : newLine(account!),
    tick(line, now) {
      if (line.probeAt > now) return
      void probe(line).catch((err: unknown) => log.warn({ err }, 'a number was not looked at'))
    },
  })
  const { fell, probe } = lookAt(deps, kept.held)

  return {
    fell,
    lines: kept.held as ReadonlyMap<number, Line>,
    /** At the next tick, where this process speaks over it; another one does when it looks by itself. */
    lookSoon(id: number): void {
      const line = kept.held.get(id)
      if (line) line.probeAt = 0
    },
    keep: () => kept.look().catch((err: unknown) => log.error({ err }, 'leases were not renewed')),
    /** @throws ERR_UNAVAILABLE, ERR_NO_WAPP_FOUND, ERR_CLOUD_UNSET */
    start: async (id: number): Promise<void> => probe(await kept.claim(id)),
    async end(id: number, change?: SessionChange): Promise<void> {
      if (!kept.held.has(id) && !change) return
      kept.drop(id)
      await lease.release([id])
      if (change) await deps.onSession(id, change)
    },
    async stop(): Promise<void> {
      await kept.stop()
      await kept.close()
    },
  }
}

/** How numbers are. */
function lookAt(deps: Kept, lines: ReadonlyMap<number, Line>) {
  const { timing, store, graph } = deps

  /** Whose owner was learnt since their last look. */
  const learnt = new Set<number>()

  /** It cannot be spoken over until somebody mends it; it is looked at again and again. */
  async function fell(line: Line, word: CloudFailure): Promise<void> {
    line.probeAt = Date.now() + timing.probeDown
    if (!line.isOpen && line.problem === word) return
    Object.assign(line, { isOpen: false, problem: word })
    const shown = await store.troubleOf(line.id)
    await deps.onSession(line.id, {
      ...{ status: 'DISCONNECTED', qrcode: '' },
      lastError: shownAfter(shown?.word ?? null, word),
    })
  }

  /** Where the account stands for its owner, because that could not be read. */
  async function learnOwner(line: Line): Promise<void> {
    const { companyId, accountId, portfolio } = line.account
    if (portfolio !== accountId) {
      // What was being filed when it was learnt was filed under the account.
      if (learnt.delete(line.id)) await deps.onOwner({ companyId, accountId, portfolioId: portfolio })
      return
    }
    const portfolioId = await ownerOf(graph, line.account, accountId)
    if (portfolioId === null) return
    await deps.onOwner({ companyId, accountId, portfolioId })
    learnt.add(line.id)
    for (const one of lines.values())
      if (one.companyId === companyId && one.account.accountId === accountId)
        one.account = (await store.account(one.id)) ?? one.account
  }

  async function opened(line: Line, shown: unknown): Promise<void> {
    if (line.wasOpen) line.reconnects++
    Object.assign(line, { isOpen: true, wasOpen: true, problem: null, probeAt: Date.now() + timing.probe })
    const number = typeof shown === 'string' ? shown.replaceAll(/\D/g, '').slice(0, 20) : ''
    await deps.onSession(line.id, { status: 'CONNECTED', number, qrcode: '', retries: 0, lastError: null })
  }

  async function probe(line: Line): Promise<void> {
    line.probeAt = Date.now() + (line.isOpen ? timing.probe : timing.probeDown)
    try {
      const given = await graph.call(line.account, `${line.account.phoneNumberId}?fields=${FIELDS}`)
      if (lines.get(line.id) !== line) return
      const { display_phone_number: shown, quality_rating: quality, throughput } = given
      line.pace.may(isRecord(throughput) && throughput['level'] === 'HIGH' ? 'HIGH' : 'STANDARD')
      const isOther = typeof quality === 'string' && (await store.noteQuality(line.id, quality.slice(0, 20)))
      if (isOther && quality === 'RED')
        await deps.onWarning({ companyId: line.companyId, whatsappId: line.id }, 'quality', deps.now())
      if (!line.isOpen) await opened(line, shown)
      await learnOwner(line)
    } catch (error) {
      if (lines.get(line.id) !== line) return
      // Whether it can send shows when something is sent: a service that is away now may be back by then.
      if (error instanceof GraphError) await fell(line, cloudFailureOf(error.code, error.status))
      else if (!line.isOpen) await fell(line, 'passing')
    }
  }

  return { fell, probe }
}
