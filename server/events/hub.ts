import type { Most } from '../../schema/crowd.ts'
import type { Authenticated, Authenticator } from '../auth/authenticator.ts'
import type { Between } from '../between.ts'
import type { Logger } from '../log.ts'
import type { Events, LiveEvent } from './bus.ts'
import { type Client, Clients, CLOSE_CROWDED, CLOSE_POLICY, frame, newClient, type Wire } from './hub.clients.ts'
import { createDelivery, type DeliveryDeps, emittedWhileBarred } from './hub.delivery.ts'
import { createFrames, type FrameDeps } from './hub.frames.ts'
import { createPresence, type PresenceDeps } from './hub.presence.ts'
import { createRights } from './hub.rights.ts'
import { createRooms } from './hub.rooms.ts'

/** What the frames and events of the hub are about; the queries behind it are handed in. */
export interface HubDeps
  extends Pick<DeliveryDeps, 'loadEvent'>,
    Pick<FrameDeps, 'findTicket' | 'showTyping'>,
    Pick<PresenceDeps, 'markOnline' | 'markOffline'> {
  auth: Authenticator
  events: Events
  log: Logger
  now: () => Date
  mostSockets?: Most
  /** The other servers; unset where there are none. */
  between?: Between
}

export interface EventHub {
  /**
   * Takes a socket whose owner is known. Where there are too many, it takes the place of the user's oldest one, or finds
   * none (`Crowd.makeRoom`); the one that goes is closed with 4429.
   */
  join(wire: Wire, authenticated: Authenticated, address?: string | null): Connection
  /** Reads the user's rights again and closes what they no longer allow. */
  refresh(userId: number): Promise<void>
  /** The same for everybody of a company: what holds for all of them has changed. */
  refreshCompany(companyId: number): Promise<void>
  /** Whether the user has the app open on a socket of any server. */
  isHere(userId: number): boolean
  /** Sockets that are open. */
  size(): number
  /** Another server takes over: each browser is asked to open a socket there, one after the other within `ms`. */
  move(ms: number): void
  close(): void
}

export interface Connection {
  /** A frame from the other end, parsed or not. Never throws. */
  receive(frame: unknown): Promise<void>
  /** The socket has closed. */
  leave(): void
}

const FRAMES_PER_WINDOW = 200
const FRAME_WINDOW_MS = 10_000

/** Tells live events to the sockets of this process: to those who joined and may see what they are about. */
export function createEventHub(deps: HubDeps): EventHub {
  const { auth, events, log, now } = deps
  const clients = new Clients(deps.mostSockets)
  const { put, deliver } = createDelivery({ clients, log, loadEvent: deps.loadEvent })
  const rooms = createRooms({
    events,
    now,
    told: (event, payload) => deliver(event, { ...payload }, event.audience?.ticket),
  })
  const rights = createRights({ auth, clients, log, drop })
  const presence = createPresence({
    ...{ clients, log, markOnline: deps.markOnline, markOffline: deps.markOffline },
    ...(deps.between && { between: deps.between }),
    eachMinute: (all) => void rights.recheckAll(all),
  })
  const receive = createFrames({
    ...{ events, log, viewers: rooms.viewers, arrive: presence.arrive },
    ...{ findTicket: deps.findTicket, showTyping: deps.showTyping },
  })

  function hear(event: LiveEvent): void {
    const { name, companyId, id } = event
    if (name === 'auth' && event.audience?.userId !== undefined) return rights.endSessions(event, event.audience.userId)
    if (name === 'user' && typeof id === 'number') void rights.refresh(id)
    if (!clients.of(companyId)) return
    // Also where another server has let it work again.
    if (emittedWhileBarred.has(name)) void rights.lookAgain(companyId)
    if (name === 'viewers') rooms.hear(event)
    else put(event)
  }
  const stopListening = events.listen(hear)

  function remove(client: Client): void {
    client.gone = true
    rooms.viewers.leave(client)
    if (clients.delete(client) && client.present) presence.left(client.who.userId)
  }

  function drop(client: Client, code: number, reason: string): void {
    remove(client)
    client.wire.close(code, reason)
  }

  /** Whether the client may send one more frame now; who sends too many is shown out. */
  function admit(client: Client): boolean {
    if (client.gone) return false
    const time = now().getTime()
    if (time - client.frames.since > FRAME_WINDOW_MS) client.frames = { since: time, count: 0 }
    if (++client.frames.count <= FRAMES_PER_WINDOW) return true
    drop(client, CLOSE_POLICY, 'ERR_TOO_MANY_REQUESTS')
    return false
  }

  function join(wire: Wire, authenticated: Authenticated, address?: string | null): Connection {
    const client = newClient(wire, authenticated, address, now())
    const inTheWay = clients.makeRoom(client.who)
    if (inTheWay === null) {
      client.gone = true
      wire.close(CLOSE_CROWDED, 'ERR_TOO_MANY_REQUESTS')
      return { receive: () => Promise.resolve(), leave: () => undefined }
    }
    for (const oldest of inTheWay) drop(oldest, CLOSE_CROWDED, 'ERR_TOO_MANY_REQUESTS')
    clients.add(client)
    wire.send(frame('ready', null))
    // In order: who joins and then asks has joined.
    let last: Promise<void> = Promise.resolve()
    return {
      receive: (raw) => (admit(client) ? (last = last.then(() => receive(client, raw))) : Promise.resolve()),
      leave: () => remove(client),
    }
  }

  return {
    join,
    refresh: rights.refresh,
    refreshCompany: rights.refreshCompany,
    isHere: presence.isHere,
    size: () => clients.all().length,
    move(ms) {
      const all = clients.all()
      for (const [turn, client] of all.entries())
        setTimeout(() => client.gone || client.wire.send(frame('move', null)), (turn * ms) / all.length)
    },
    close() {
      stopListening()
      presence.close()
      rooms.close()
      for (const client of clients.all()) client.wire.close(1001, 'the server stops')
      clients.clear()
    },
  }
}
