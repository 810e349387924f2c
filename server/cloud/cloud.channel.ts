import type { Logger } from 'pino'
import type postgres from 'postgres'
import type { Bsuid } from '../../schema/contacts/contacts.aliases.ts'
import { DomainError } from '../../schema/errors.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import type { NumberFailure } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { offersOf, officialApis } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { TemplateNotice } from '../../schema/templates/templates.service.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { byItself } from '../actor.ts'
import type { Alive } from '../leases/alive.ts'
import type { AnyChannel } from '../channels/channel.port.ts'
import type { Outside } from '../outside/outside.ts'
import type { Sealer } from '../seal.ts'
import { createCloudFiler } from './cloud.filed.ts'
import type { AccountNews } from './from-cloud.accounts.ts'
import { createCloudFiles } from './cloud.files.ts'
import { createCloudInbox } from './cloud.inbox.ts'
import type { Line } from './cloud.line.ts'
import { keepLines } from './cloud.lines.ts'
import { createCloudOutbox } from './cloud.outbox.ts'
import { createSaid } from './cloud.said.ts'
import { createCloudStore } from './cloud.store.ts'
import { createCloudTemplates } from './cloud.templates.ts'
import { keepTroubles } from './cloud.troubles.ts'
import { createGraph } from './graph.ts'

export interface CloudDeps {
  sql: postgres.Sql
  sealer: Sealer
  /** Names this server, also after it starts again. */
  serverId: string
  /** Where the service is, without version and without a slash at its end. */
  base: string
  /** What files are fetched through, from wherever the service says they are. */
  outside: Pick<Outside, 'fetch'>
  /** Gives a file of our media store to `work`, by a path on disk that is good until its promise has settled. */
  localMedia<T>(mediaPath: string, work: (file: string) => Promise<T>): Promise<T>
  /** The product takes events, and takes the same ones again. */
  receive(events: InboundEvent[]): Promise<void>
  onSession(whatsappId: number, change: SessionChange): Promise<void>
  /** Templates of these connections have changed; may be told again. */
  onTemplates(connections: readonly CloudConnection[], notices: readonly TemplateNotice[]): Promise<void>
  /** People stop marketing, or want it again; may be told again. */
  onPreferences(told: readonly CloudPreference[]): Promise<void>
  /** The service refuses what the next message would meet, too; may be told again. */
  onRefused(connection: CloudConnection, refusal: CloudRefusal): Promise<void>
  /** The service tells whose an account is, which could not be read before; may be told again. */
  onOwner(owned: { companyId: number; accountId: string; portfolioId: string }): Promise<void>
  /** The number sends, and something of it wants a person; may be told again, with the same time. */
  onWarning(connection: CloudConnection, warning: CloudWarning, at: Date): Promise<void>
  /** Pieces of a phone's history wait to be filed, in this order; may be told again. */
  onHistory(connection: CloudConnection, pieces: readonly string[]): Promise<void>
  now(): Date
  log: Logger
  /** Tells other servers that this process lives; unset where there are no others. */
  alive?: (lost: () => void) => Alive
  timing?: Partial<CloudTiming>
}

/** A connection and whose it is. */
export interface CloudConnection {
  companyId: number
  whatsappId: number
}

/** What the service refuses of more than one message: of all that a number sends, or of what goes by a template. */
export type CloudRefusal = { failure: NumberFailure } | { failure: 'template'; template: string }

/** Its quality is low, and it will be limited; or people do not see the name that was asked for. */
export type CloudWarning = 'quality' | 'name_refused'

/** Whether somebody wants marketing, by the service. */
export interface CloudPreference extends CloudConnection {
  /** Digits; null where they hide their number. */
  number: string | null
  /** Their id in the portfolio, where that is told. */
  bsuid: Bsuid | null
  wants: boolean
  at: Date
}

/** Milliseconds. */
export interface CloudTiming {
  /** Between two looks at a number that is well, and at one that is not. */
  probe: number
  probeDown: number
  /** How often it is looked which number is due. */
  tick: number
  /** Where nobody rings, webhooks that wait are looked for so often. */
  poll: number
  /**
   * So long a state of an unanswered message is awaited by a server that is there to hear it, before one more try, and so
   * often it is looked for.
   */
  await: number
  look: number
  lease: number
}

export const usualCloudTiming: CloudTiming = {
  ...{ probe: 600_000, probeDown: 30_000, tick: 1_000, poll: 2_000, await: 120_000, look: 5_000, lease: 30_000 },
}

/** WhatsApp's official API (Cloud API), as features know wires, and the webhook by which it is heard. */
export function createCloud(deps: CloudDeps) {
  const timing = { ...usualCloudTiming, ...deps.timing }
  const log = deps.log.child({ of: 'cloud' })
  const store = createCloudStore(deps.sql, deps.sealer, deps.serverId)
  const graph = createGraph({ base: deps.base })
  const keeper = keepLines({ ...deps, timing, log, store, graph })
  const { lines } = keeper
  const { outside, localMedia, receive, now } = deps
  /** @param key a number, or the id of who hides theirs */
  const stopped = async ({ id: whatsappId, companyId, account }: Line, key: string) => {
    const isNumber = /^\d+$/.test(key)
    const bsuid = isNumber ? null : { portfolio: account.portfolio, id: key, parent: null }
    const who = { companyId, whatsappId, number: isNumber ? key : null, bsuid }
    await deps.onPreferences([{ ...who, wants: false, at: now() }])
  }
  const troubles = keepTroubles({ ...deps, store })
  const said = createSaid({ fell: keeper.fell, stopped, refusedBy: troubles.tell, lookMs: timing.look, log })
  const files = createCloudFiles({ store, graph, outside, localMedia, said })
  const outbox = createCloudOutbox({
    ...{ store, graph, files, said, now, log, receive, refusedBy: troubles.tell },
    ...{ awaitMs: timing.await, lookMs: timing.look, since: now() },
  })
  const came = (id: number) => {
    const line = lines.get(id)
    if (line) line.lastInAt = now()
  }
  const onNews = async (connection: CloudConnection, news: AccountNews, at: Date) => {
    const { whatsappId } = connection
    const refused = (failure: 'account_limited' | 'withdrawn') =>
      troubles.tell(connection, { failure, code: undefined, template: null, isMany: false })
    if (news === 'limited') return refused('account_limited')
    if (news === 'withdrawn') await refused('withdrawn')
    if (news === 'reinstated') await troubles.lifted(whatsappId)
    if (news === 'name_refused') await deps.onWarning(connection, 'name_refused', at)
    // How it is now is the service's to say.
    keeper.lookSoon(whatsappId)
  }
  const inbox = createCloudInbox({
    ...{
      store,
      log,
      pollMs: timing.poll,
      file: createCloudFiler({
        store,
        receive,
        came,
        onTemplates: deps.onTemplates,
        onPreferences: deps.onPreferences,
        onHistory: deps.onHistory,
        refusedBy: troubles.tell,
        delivers: troubles.over,
        onNews,
      }),
    },
  })
  /** @throws ERR_WAPP_NOT_INITIALIZED while the number cannot be spoken over */
  const open = (id: number): Line => {
    const line = lines.get(id)
    if (!line?.isOpen) throw new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId: id })
    return line
  }
  const channel = {
    providers: officialApis,
    offers: offersOf(officialApis[0]),
    resume: () => keeper.keep(),
    start: (id) => byItself(() => keeper.start(id)),
    restart: (id) => byItself(() => keeper.start(id)),
    logout: (id) => keeper.end(id, { status: 'DISCONNECTED', qrcode: '', lastError: null }),
    forget: (id) => keeper.end(id),
    async stop() {
      await keeper.stop()
      await inbox.stop()
    },
    speaksFor: (id) => lines.has(id),
    openIds: () => [...lines.values()].flatMap(({ id, isOpen }) => (isOpen ? [id] : [])),
    send: async (message) => outbox.send(open(message.whatsappId), message),
    react: async (target, emoji) => outbox.react(open(target.whatsappId), target, emoji),
    async markRead(targets) {
      const [first] = targets
      if (first) await outbox.markRead(open(first.whatsappId), targets)
    },
    presence: async (id, chat, state) => outbox.presence(open(id), chat, state),
    fetchMedia: async (id, wid, sink) => outbox.fetchMedia(open(id), wid, sink),
    ...createCloudTemplates({ store, graph, localMedia }),
    health(id) {
      const line = lines.get(id)
      if (!line) return null
      const { isOpen, lastInAt, lastOutAt, reconnects, unanswered, problem } = line
      const state = isOpen ? 'open' : 'waiting'
      return { state, lastInAt, lastOutAt, reconnects, waitingAcks: unanswered.size, lastError: problem }
    },
  } satisfies AnyChannel
  /** What waits of the histories of phones. */
  const history = { piece: store.pieceOf, filed: store.filedPiece }
  return { channel, inbox, history }
}
