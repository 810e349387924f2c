/**
 * All linked devices of this process. The only way from the product to WhatsApp and back: everything it needs is
 * handed in, and it imports no feature.
 */
import type { Logger } from 'pino'
import type postgres from 'postgres'
import { DomainError } from '../../schema/errors.ts'
import type { ChatAddress, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { linkedDevices } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { byItself } from '../actor.ts'
import type { Outside } from '../outside/outside.ts'
import type { Alive } from '../leases/alive.ts'
import { callThrough, surviveBaileys, trustLoopback } from './baileys.ts'
import { createLanes } from './lanes.ts'
import { KeptLeases } from '../leases/kept-leases.ts'
import { createLease, type Lease } from '../leases/lease.ts'
import {
  type Health,
  type SessionContext,
  type Timing,
  type TypingEvent,
  type WhatsappTarget,
  usualTiming,
} from './session.device.ts'
import { Session } from './session.ts'
import { createStore } from './store.ts'

export type { Health, TypingEvent } from './session.device.ts'

export interface WhatsappDeps {
  sql: postgres.Sql
  /** 32 bytes; what the store keeps is sealed with it. */
  encryptionKey: Buffer
  /** Names this process; two processes with one name would both believe they hold a lease. */
  serverId: string
  /** Both null for WhatsApp itself; a simulated service on this machine brings its address and its root key. */
  waSocket: { url: string | null; certKey: Buffer | null }
  /** What files and pictures are fetched through; unset admits nothing but what is public. */
  outside?: Outside
  /** Gives a file of our media store to `work`, by a path on disk that is good until its promise has settled. */
  localMedia<T>(mediaPath: string, work: (file: string) => Promise<T>): Promise<T>
  /**
   * The product takes events: called after they are durable, and again with the same ones after a crash. Events of
   * one chat come in order, those of different chats at the same time; what waits together comes together.
   */
  receive(events: InboundEvent[]): Promise<void>
  onSession(whatsappId: number, change: SessionChange): Promise<void>
  onTyping(event: TypingEvent): void
  /** Whether the company wants group messages (`CheckMsgIsGroup` is off). Asked for each, so keep it quick. */
  acceptsGroups(companyId: number): boolean | Promise<boolean>
  log: Logger
  /** For tests, which cannot wait for minutes. */
  timing?: Partial<Timing>
  leaseMs?: number
  /**
   * Tells other servers that this process lives, so that they take over at once when it does not; unset where there are
   * no others.
   * @param lost they may take it for dead
   */
  alive?: (lost: () => void) => Alive
}

export type Whatsapp = ReturnType<typeof createWhatsapp>

const staggerMs = 200
/** Those that another server left begin within so long, however many they are: people wait. */
const takeoverMs = 2_000
const pruneEveryMs = 6 * 3_600_000

/** All connections that this process speaks for. The whole interface of this folder. */
export function createWhatsapp(deps: WhatsappDeps) {
  const { url, certKey } = deps.waSocket
  if (url && certKey) trustLoopback(url, certKey)
  if (deps.outside) callThrough(deps.outside)
  const log = deps.log.child({ of: 'whatsapp' })
  surviveBaileys((reason) => log.warn({ err: reason }, 'Baileys left an error to nobody'))
  // Who has no others beside it needs no fence.
  const store = createStore(deps.sql, deps.encryptionKey, log, deps.alive && deps.serverId)
  const lanes = createLanes({
    receive: deps.receive,
    prepare: async (event) => (await sessions.get(event.whatsappId)?.questions.prepared(event)) ?? event,
    settled: (ids) => store.commit({ settled: ids }),
    parked: (delivery, attempts, error) =>
      delivery.journalId ? store.park(delivery.journalId, attempts, error) : Promise.resolve(),
    log,
  })
  const context: SessionContext = {
    wsUrl: url,
    store,
    lanes,
    timing: { ...usualTiming, ...deps.timing },
    localMedia: deps.localMedia,
    onSession: deps.onSession,
    onTyping: deps.onTyping,
    acceptsGroups: deps.acceptsGroups,
    log,
  }
  const lease = createLease(deps.sql, deps.serverId, linkedDevices, deps.leaseMs)
  const kept = keepSessions(deps, { lease, context, log })
  const sessions: ReadonlyMap<number, Session> = kept.held
  const pruner = setInterval(
    () => void store.prune().catch((error) => log.warn({ err: error }, 'old messages stay')),
    pruneEveryMs,
  )
  pruner.unref()

  return {
    /** Takes up every wanted connection that no other process runs, one after the other. */
    resume: (): Promise<void> => kept.look(),
    ...linkCalls(kept),
    ...sessionCalls(sessions),
    /** The connection is being deleted: WhatsApp is told, and nothing of it stays here. */
    async forget(id: number): Promise<void> {
      await sessions.get(id)?.logout()
      kept.drop(id)
      await store.wipe(id)
      await lease.release([id])
    },
    /** Which of our messages were handed over here: until they are confirmed, each next link sends them again. */
    held: (id: number, wids: readonly string[]): Promise<ReadonlySet<string>> => store.held(id, wids),
    /** Closes the links, lets what was heard reach the product, and leaves the rest in the journal. */
    async stop(): Promise<void> {
      if (kept.isStopped) return
      clearInterval(pruner)
      await kept.stop()
      await Promise.all([...sessions.values()].map((running) => running.suspend()))
      await lanes.drain(10_000)
      await kept.close()
    },
  }
}

/** The sessions of the connections that this process holds. */
function keepSessions(
  deps: WhatsappDeps,
  { lease, context, log }: { lease: Lease; context: SessionContext; log: Logger },
): KeptLeases<Session> {
  const kept = new KeptLeases<Session>({
    ...{ sql: deps.sql, lease, log, alive: deps.alive, tickMs: 1_000 },
    adopt: ({ id, companyId }, known) => known ?? new Session(id, companyId, context),
    // Not awaited: hundreds of starts must not keep the leases from being renewed.
    found: (fresh) => {
      const gapMs = deps.alive ? Math.min(staggerMs, takeoverMs / fresh.length) : staggerMs
      for (const [turn, session] of fresh.entries()) setTimeout(start, turn * gapMs, session)
    },
    lost: (session) => session.suspend(),
    tick: (session, now) => session.tick(now),
  })
  const start = (session: Session) => {
    if (kept.isStopped || kept.held.get(session.id) !== session) return
    session
      .dispatch({ on: 'start' })
      .catch((error) => log.error({ err: error, whatsappId: session.id }, 'a connection did not start'))
  }
  return kept
}

/** What is asked of a connection's link, which this process takes for it where nobody else has it. */
function linkCalls(kept: KeptLeases<Session>) {
  /**
   * Who asks for a link is not who acts whenever something is heard over it.
   * @throws ERR_UNAVAILABLE when another process speaks for it, ERR_NO_WAPP_FOUND when it is not there.
   */
  const linking = <T>(id: number, work: (claimed: Session) => Promise<T>): Promise<T> =>
    byItself(async () => work(await kept.claim(id)))
  return {
    start: (id: number): Promise<void> => linking(id, (claimed) => claimed.dispatch({ on: 'start' })),
    /** Forgets the device, if there is one, and asks for a scan. */
    newQr: (id: number): Promise<void> => linking(id, (claimed) => claimed.relink()),
    logout: (id: number): Promise<void> => linking(id, (claimed) => claimed.logout()),
    /** Ends and begins the link again, with the credentials it has. */
    restart: (id: number): Promise<void> =>
      linking(id, async (claimed) => {
        if (claimed.at !== 'idle') await claimed.dispatch({ on: 'stop' })
        await claimed.dispatch({ on: 'start' })
      }),
    /** @returns the eight characters to type on the phone. @throws ERR_WAPP_NOT_INITIALIZED when the service does not answer. */
    requestPairingCode: (id: number, phone: string): Promise<string> =>
      linking(id, (claimed) => claimed.requestPairingCode(phone)),
  }
}

/** What goes over the links that are there. All throw ERR_WAPP_NOT_INITIALIZED for a connection that this process does not run. */
function sessionCalls(sessions: ReadonlyMap<number, Session>) {
  function session(id: number): Session {
    const found = sessions.get(id)
    if (!found) throw new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId: id })
    return found
  }
  return {
    speaksFor: (id: number): boolean => sessions.has(id),
    /** The connections whose link is up in this process: only for these can it send. */
    openIds: (): number[] => [...sessions].flatMap(([id, { at }]) => (at === 'open' ? [id] : [])),
    /** @throws ERR_WAPP_NOT_INITIALIZED while the link is down; whatever else fails may be tried again with the same `wid`. */
    send: async (message: OutgoingMessage): Promise<{ sentAt: Date }> =>
      session(message.whatsappId).outbox.send(message),
    /** Asks about people who are written to next. @throws ERR_WAPP_NOT_INITIALIZED while the link is down */
    ahead: async (id: number, people: readonly ChatAddress[]): Promise<void> => session(id).outbox.ahead(people),
    edit: async (id: number, target: WhatsappTarget, body: string): Promise<void> =>
      session(id).outbox.edit(target, body),
    revoke: async (id: number, target: WhatsappTarget): Promise<void> => session(id).outbox.revoke(target),
    /** An empty emoji takes the reaction back. */
    react: async (id: number, target: WhatsappTarget, emoji: string): Promise<void> =>
      session(id).outbox.react(target, emoji),
    markRead: async (id: number, targets: WhatsappTarget[]): Promise<void> => session(id).outbox.markRead(targets),
    presence: async (id: number, chat: ChatAddress, state: 'composing' | 'paused'): Promise<void> =>
      session(id).outbox.presence(chat, state),
    rejectCall: async (id: number, callId: string): Promise<void> => session(id).inbox.rejectCall(callId),
    fetchMedia: async (id: number, wid: string, sink: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) =>
      session(id).questions.fetchMedia(wid, sink),
    checkNumber: async (id: number, number: string) => session(id).questions.checkNumber(number),
    profilePicture: async (id: number, address: ChatAddress) => session(id).questions.profilePicture(address),
    /** Null for a connection that this process does not run. */
    health: (id: number): Health | null => sessions.get(id)?.health() ?? null,
  }
}
