import { hidesNumbers, maskedValue } from '../../schema/contacts/contacts.masking.ts'
import { Crowd, type Most } from '../../schema/crowd.ts'
import { DomainError, statusOf } from '../../schema/errors.ts'
import { can, canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { type TicketStatus, ticketStatuses } from '../../schema/tickets/tickets.table.ts'
import type { Authenticated, Authenticator } from '../auth/authenticator.ts'
import type { Logger } from '../log.ts'
import { type EventName, type Events, type EventTicket, type LiveEvent, mayHear } from './bus.ts'
import { createViewers, type Viewer } from './viewers.ts'

/** Close codes that a client understands. */
export const CLOSE_SESSION_ENDED = 4001
/** The company may not work: the reason says which of the two. */
export const CLOSE_COMPANY_BARRED = 4002
/** Said to who waited for it: the company works again. */
export const CLOSE_WORKS_AGAIN = 4003
const CLOSE_POLICY = 1008
/** Said to a socket that has to make room, or finds none; the same code as on the sync socket. */
export const CLOSE_CROWDED = 4429

/** One socket, as the hub sees it. */
export interface Wire {
  /** Text of a JSON frame `{event, data}`. */
  send(text: string): void
  close(code: number, reason: string): void
}

/** What the frames and events of the hub are about; the queries behind it are handed in. */
export interface HubDeps {
  auth: Authenticator
  events: Events
  log: Logger
  now: () => Date
  /** The ticket a person names by id or uuid, if they may see it. */
  findTicket(
    who: Principal,
    ref: string | number,
  ): Promise<(EventTicket & { contactId: number; whatsappId: number | null }) | undefined>
  /** The row an event is about: what the event carries, and the ticket that decides who gets it. */
  loadEvent(
    name: EventName,
    companyId: number,
    id: string | number,
  ): Promise<{ payload: Record<string, unknown>; ticket?: EventTicket } | undefined>
  /** The people who are here. Called often; writes only what changed. */
  markOnline(userIds: number[]): Promise<void>
  markOffline(userIds: number[]): Promise<void>
  /** Shows the contact that somebody is typing. */
  showTyping(whatsappId: number, contactId: number, state: 'composing' | 'paused'): Promise<void>
  mostSockets?: Most
}

interface Client {
  wire: Wire
  who: Principal
  tokenVersion: number
  /** From where it was opened; undefined where that does not count. */
  address: string | null | undefined
  /** The operator, in the user's name: nobody is to take them for the user. */
  acting: Authenticated['acting']
  /** The company may not work: the socket is there to hear when it may, and for nothing else. */
  waits: boolean
  /** Said `userStatus`: a person, not a program. */
  present: boolean
  chats: Set<number>
  statuses: Set<TicketStatus>
  notification: boolean
  /** Tickets it was told of: only these are ever reported gone. */
  told: Set<number>
  frames: { since: number; count: number }
  gone: boolean
  /** Counts what it said of its looking: a slow answer to an earlier word must not undo a later one. */
  looks: number
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
  /** Whether the user has the app open on a socket of this server. */
  isHere(userId: number): boolean
  /** Sockets that are open. */
  size(): number
  close(): void
}

export interface Connection {
  /** A frame from the other end, parsed or not. Never throws. */
  receive(frame: unknown): Promise<void>
  /** The socket has closed. */
  leave(): void
}

/** A person has one socket for each tab. */
const MOST_SOCKETS: Most = { user: 32, company: 2_000, all: 10_000 }
const MOST_TOLD = 5_000
const MOST_CHATS = 200
const MOST_WAITING = 2_000
const FRAMES_PER_WINDOW = 200
const FRAME_WINDOW_MS = 10_000
const PRESENCE_MS = 60_000
/** A reload is not an absence. */
const LEAVE_GRACE_MS = 20_000
/** Who looks at what is gone through this often, and said again each so many times. */
const VIEWERS_SWEEP_MS = 5_000
const VIEWERS_REPEAT = 6
/** People come, go and type in bursts: what a ticket's room is told of them is told at most this often. */
const VIEWERS_PAUSE_MS = 100

/** What is told of a company that may not work, to those who may hear it: that it may again, and its invoices. */
const toldWhileBarred: ReadonlySet<EventName> = new Set(['company', 'payment'])

/** Events about a ticket, which go only where the ticket may be seen and was asked for. */
const ticketEvents: ReadonlySet<EventName> = new Set(['ticket', 'appMessage', 'typing', 'viewers'])

/** Tells live events to the sockets of this process: to those who joined and may see what they are about. */
export function createEventHub(deps: HubDeps): EventHub {
  const { auth, events, log, now } = deps
  const companies = new Map<number, Set<Client>>()
  const crowd = new Crowd<Client>(deps.mostSockets ?? MOST_SOCKETS)
  const clientsOf = (userId: number) => [...crowd.of(userId)]
  const everyone = () => [...companies.values()].flatMap((set) => [...set])

  // ── out: events to sockets ─────────────────────────────────────────────────────────────────

  const backlog = new Map<number, LiveEvent[]>()

  const stopListening = events.listen((event) => {
    if (event.name === 'auth' && event.audience?.userId !== undefined) return endSessions(event, event.audience.userId)
    if (event.name === 'user' && typeof event.id === 'number') void refresh(event.id)
    const clients = companies.get(event.companyId)
    if (!clients) return
    // Also where another server has let it work again.
    if (toldWhileBarred.has(event.name)) void lookAgain(event.companyId)
    if (event.name === 'viewers') return hearViewers(event)
    // Browsers of our own get their rows by shapes and join nothing: for them no row is loaded.
    if (ticketEvents.has(event.name) && !isAskedFor(clients, event)) return
    const queue = backlog.get(event.companyId)
    if (!queue) {
      backlog.set(event.companyId, [event])
      void drain(event.companyId)
      return
    }
    const repeated =
      event.id !== undefined &&
      queue.some(
        (w) =>
          w.name === event.name &&
          w.id === event.id &&
          w.action === event.action &&
          !w.payload &&
          !event.payload &&
          !event.was,
      )
    if (repeated) return
    if (queue.length < MOST_WAITING) queue.push(event)
    else log.warn({ companyId: event.companyId }, 'events are dropped: sockets are slower than what happens')
  })

  /** Loads what waits a few at a time and delivers it in the order in which it happened. */
  async function drain(companyId: number): Promise<void> {
    const queue = backlog.get(companyId)!
    // The first of a burst waits for its repeats.
    await Promise.resolve()
    while (queue.length > 0) {
      const batch = queue.splice(0, 16)
      const loaded = await Promise.all(batch.map((event) => load(event)))
      for (const [i, event] of batch.entries()) if (loaded[i]) deliver(event, loaded[i].payload, loaded[i].ticket)
    }
    backlog.delete(companyId)
  }

  async function load(
    event: LiveEvent,
  ): Promise<{ payload: Record<string, unknown>; ticket?: EventTicket } | undefined> {
    try {
      if (typeof event.payload === 'object') return { payload: event.payload, ticket: event.audience?.ticket }
      if (event.payload) {
        const payload = await event.payload()
        return payload && { payload, ticket: event.audience?.ticket }
      }
      if (event.id === undefined) return { payload: {}, ticket: event.audience?.ticket }
      const row = await deps.loadEvent(event.name, event.companyId, event.id)
      return row && { payload: row.payload, ticket: row.ticket ?? event.audience?.ticket }
    } catch (error) {
      log.warn({ err: error, event: event.name }, 'an event could not be loaded')
      return undefined
    }
  }

  function deliver(event: LiveEvent, payload: Record<string, unknown>, ticket: EventTicket | undefined): void {
    const name = `company-${event.companyId}-${event.name}`
    let text: string | undefined
    let hidden: string | undefined
    let gone: string | undefined
    for (const client of companies.get(event.companyId) ?? []) {
      const { who } = client
      if (event.audience?.userId !== undefined && event.audience.userId !== who.userId) continue
      if (event.audience?.userIds && !event.audience.userIds.includes(who.userId)) continue
      if (event.audience?.operators && !who.super) continue
      if (event.audience?.overseers && !can(who, 'tickets-manager:showall')) continue
      if (!mayHear(who, event.name)) continue
      if (client.waits && !toldWhileBarred.has(event.name)) continue
      if (ticketEvents.has(event.name)) {
        if (!ticket) continue
        const wanted = event.name === 'viewers' ? client.chats.has(ticket.id) : wants(client, ticket)
        if (!canSeeTicket(who, ticket) || !wanted) {
          // It was moved out of this person's sight: that, and only that, they are told.
          const had = event.was && canSeeTicket(who, event.was) && wants(client, { ...event.was, id: ticket.id })
          if (event.name === 'ticket' && (client.told.delete(ticket.id) || had)) {
            gone ??= frame(name, { action: 'delete', ticketId: ticket.id })
            client.wire.send(gone)
          }
          continue
        }
        if (event.name === 'ticket' && event.action !== 'delete') remember(client.told, ticket.id)
      }
      if (hidesNumbers(who))
        client.wire.send((hidden ??= frame(name, maskedValue({ action: event.action, ...payload }))))
      else client.wire.send((text ??= frame(name, { action: event.action, ...payload })))
    }
  }

  function endSessions(event: LiveEvent, userId: number): void {
    auth.forget(userId)
    const { tokenVersion, only, by } = event.payload as { tokenVersion?: number; only?: number; by?: unknown }
    for (const client of clientsOf(userId)) {
      if (tokenVersion !== undefined && (client.tokenVersion >= tokenVersion || client.acting)) continue
      if (only !== undefined && client.tokenVersion !== only) continue
      // Only another login is news; who logged out knows.
      if (event.action === 'update')
        client.wire.send(
          frame(`company-${event.companyId}-auth`, {
            action: 'update',
            user: { id: userId, companyId: event.companyId },
            ...(by !== undefined && { by }),
          }),
        )
      drop(client, CLOSE_SESSION_ENDED, 'ERR_SESSION_EXPIRED')
    }
  }

  // ── who is here ────────────────────────────────────────────────────────────────────────────

  /** Tells this server's viewers from those of the others. */
  const server = crypto.randomUUID()
  const viewers = createViewers<Client>({
    now: () => now().getTime(),
    announce: ({ companyId, ticket }, list) =>
      events.emit({
        companyId,
        name: 'viewers',
        action: 'update',
        payload: { ticketId: ticket.id, server, viewers: list },
        audience: { ticket },
      }),
  })
  const toTell = new Map<number, { event: LiveEvent; timer: ReturnType<typeof setTimeout> }>()

  /** Viewers changed, here or at another server: this server's part of the room is told all of them, once a burst. */
  function hearViewers(event: LiveEvent): void {
    const said = event.payload as { ticketId: number; server: string; viewers: Viewer[] }
    if (said.server !== server) viewers.hear(said.ticketId, said.server, said.viewers)
    const waiting = toTell.get(said.ticketId)
    if (waiting) {
      waiting.event = event
      return
    }
    const timer = setTimeout(() => {
      const { event: latest } = toTell.get(said.ticketId)!
      toTell.delete(said.ticketId)
      deliver(latest, { ticketId: said.ticketId, viewers: viewers.of(said.ticketId) }, latest.audience?.ticket)
    }, VIEWERS_PAUSE_MS)
    timer.unref?.()
    toTell.set(said.ticketId, { event, timer })
  }

  let sweeps = 0
  const sweeping = setInterval(() => {
    viewers.sweep()
    if (++sweeps % VIEWERS_REPEAT === 0) viewers.repeat()
  }, VIEWERS_SWEEP_MS)
  sweeping.unref?.()

  // ── rights and presence ────────────────────────────────────────────────────────────────────

  async function refresh(userId: number): Promise<void> {
    auth.forget(userId)
    await Promise.all(clientsOf(userId).map(recheck))
  }

  async function refreshCompany(companyId: number): Promise<void> {
    for (const client of [...(companies.get(companyId) ?? [])]) if (!client.gone) await recheck(client)
  }

  /** Of a company whose invoices or whose own row changed: whoever waits for it may be let in. */
  async function lookAgain(companyId: number): Promise<void> {
    for (const client of [...(companies.get(companyId) ?? [])]) {
      if (client.gone || !client.waits) continue
      auth.forget(client.who.userId)
      await recheck(client)
    }
  }

  async function recheck(client: Client): Promise<void> {
    try {
      const { address, waits: toWait } = client
      const now = await auth.again(client.who.userId, client.tokenVersion, { address, toWait })
      client.who = now.who
      if (toWait && !now.barred) drop(client, CLOSE_WORKS_AGAIN, '')
    } catch (error) {
      if (!(error instanceof DomainError) || statusOf(error) >= 500)
        return log.warn({ err: error }, 'rights could not be read again')
      drop(client, statusOf(error) === 402 ? CLOSE_COMPANY_BARRED : CLOSE_SESSION_ENDED, error.code)
    }
  }

  const leaving = new Map<number, ReturnType<typeof setTimeout>>()
  let rechecking = false
  /** One after the other: hundreds at once would stand before every other question to the database. */
  async function recheckAll(clients: Client[]): Promise<void> {
    if (rechecking) return
    rechecking = true
    for (const client of clients) if (!client.gone) await recheck(client)
    rechecking = false
  }
  const presence = setInterval(() => {
    const clients = everyone()
    void recheckAll(clients)
    const ids = [...new Set(clients.filter((client) => client.present).map((client) => client.who.userId))]
    if (ids.length > 0)
      void deps.markOnline(ids).catch((error: unknown) => log.warn({ err: error }, 'presence could not be written'))
  }, PRESENCE_MS)
  presence.unref?.()

  function remove(client: Client): void {
    client.gone = true
    viewers.leave(client)
    if (!crowd.delete(client.who, client)) return
    const set = companies.get(client.who.companyId)!
    set.delete(client)
    if (set.size === 0) companies.delete(client.who.companyId)
    const { userId } = client.who
    if (!client.present || clientsOf(userId).some((other) => other.present)) return
    clearTimeout(leaving.get(userId))
    const timer = setTimeout(() => {
      leaving.delete(userId)
      if (clientsOf(userId).some((other) => other.present)) return
      void deps
        .markOffline([userId])
        .catch((error: unknown) => log.warn({ err: error }, 'absence could not be written'))
    }, LEAVE_GRACE_MS)
    timer.unref?.()
    leaving.set(userId, timer)
  }

  function drop(client: Client, code: number, reason: string): void {
    remove(client)
    client.wire.close(code, reason)
  }

  // ── in: frames from sockets ────────────────────────────────────────────────────────────────

  const ticketOf = async (client: Client, ref: unknown) => {
    if (typeof ref !== 'string' && typeof ref !== 'number')
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'data', message: 'a ticket' }] })
    const ticket = await deps.findTicket(client.who, ref)
    if (!ticket) throw new DomainError('ERR_NO_TICKET_FOUND')
    return ticket
  }

  const handlers: Record<string, (client: Client, data: unknown) => Promise<void> | void> = {
    async joinChatBox(client, data) {
      const ticket = await ticketOf(client, data)
      if (client.chats.size >= MOST_CHATS) client.chats.delete(client.chats.values().next().value!)
      client.chats.add(ticket.id)
    },
    async leaveChatBox(client, data) {
      client.chats.delete((await ticketOf(client, data)).id)
    },
    /** `{ticketId}`: this person has the ticket before them, said again every 30 s; `{ticketId: null}`: no more. */
    async viewing(client, data) {
      const { ticketId } = (data ?? {}) as { ticketId?: unknown }
      const look = ++client.looks
      if (ticketId === null) return viewers.leave(client)
      const { id, status, queueId, userId: owner } = await ticketOf(client, ticketId)
      if (client.gone || client.looks !== look) return
      const { userId, name, companyId } = client.who
      viewers.look(client, { companyId, ticket: { id, status, queueId, userId: owner } }, { userId, name })
    },
    joinNotification(client) {
      client.notification = true
    },
    joinTickets(client, data) {
      const status = ticketStatuses.find((known) => known === data)
      if (!status)
        throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'data', message: ticketStatuses.join(', ') }] })
      client.statuses.add(status)
    },
    async userStatus(client) {
      client.present = true
      clearTimeout(leaving.get(client.who.userId))
      leaving.delete(client.who.userId)
      await deps.markOnline([client.who.userId])
    },
    async typing(client, data) {
      const { ticketId, state } = (data ?? {}) as { ticketId?: unknown; state?: unknown }
      const ticket = await ticketOf(client, ticketId)
      const shown = state === 'paused' ? 'paused' : 'composing'
      const { userId, name, companyId } = client.who
      viewers.typing(client, ticket.id, shown === 'composing')
      events.emit({
        companyId,
        name: 'typing',
        action: shown,
        payload: { ticketId: ticket.id, user: { id: userId, name } },
        audience: { ticket },
      })
      if (ticket.status === 'open' && ticket.userId === userId && ticket.whatsappId !== null)
        await deps.showTyping(ticket.whatsappId, ticket.contactId, shown)
    },
    ping(client) {
      client.wire.send(frame('pong', null))
    },
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

  async function receive(client: Client, raw: unknown): Promise<void> {
    if (client.gone) return
    try {
      const { event, data } = frameOf(raw)
      const handle = Object.hasOwn(handlers, event) ? handlers[event] : undefined
      if (!handle) throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'event', message: 'unknown' }] })
      if (client.waits && event !== 'ping') return
      // That somebody is here, looks and types would be said of the user.
      if (client.acting && shownToOthers.has(event)) return
      await handle(client, data)
    } catch (error) {
      if (!(error instanceof DomainError)) log.warn({ err: error }, 'a frame failed')
      const { code, params } = error instanceof DomainError ? error : new DomainError('INTERNAL_SERVER_ERROR')
      client.wire.send(frame('error', { error: code, ...params }))
    }
  }

  return {
    join(wire, { who, tokenVersion, acting, barred }, address) {
      const client: Client = {
        wire,
        who,
        tokenVersion,
        address,
        acting,
        waits: barred !== null,
        present: false,
        chats: new Set(),
        statuses: new Set(),
        notification: false,
        told: new Set(),
        frames: { since: now().getTime(), count: 0 },
        gone: false,
        looks: 0,
      }
      const inTheWay = crowd.makeRoom(who)
      if (inTheWay === null) {
        client.gone = true
        wire.close(CLOSE_CROWDED, 'ERR_TOO_MANY_REQUESTS')
        return { receive: () => Promise.resolve(), leave: () => undefined }
      }
      for (const oldest of inTheWay) drop(oldest, CLOSE_CROWDED, 'ERR_TOO_MANY_REQUESTS')
      crowd.add(who, client)
      const set = companies.get(who.companyId) ?? new Set()
      companies.set(who.companyId, set.add(client))
      wire.send(frame('ready', null))
      // In order: who joins and then asks has joined.
      let last: Promise<void> = Promise.resolve()
      return {
        receive: (raw) => (admit(client) ? (last = last.then(() => receive(client, raw))) : Promise.resolve()),
        leave: () => remove(client),
      }
    },
    refresh,
    refreshCompany,
    isHere: (userId) => clientsOf(userId).some((client) => client.present),
    size: () => everyone().length,
    close() {
      stopListening()
      clearInterval(presence)
      clearInterval(sweeping)
      for (const { timer } of toTell.values()) clearTimeout(timer)
      for (const timer of leaving.values()) clearTimeout(timer)
      for (const client of everyone()) client.wire.close(1001, 'the server stops')
      companies.clear()
    },
  }
}

const shownToOthers: ReadonlySet<string> = new Set(['userStatus', 'viewing', 'typing'])

/** Whether any socket may want an event about a ticket; the ticket's own queue and status are not known yet. */
function isAskedFor(clients: ReadonlySet<Client>, { name, id, ticketId }: LiveEvent): boolean {
  const ticket = name === 'ticket' && typeof id === 'number' ? id : ticketId
  for (const { notification, statuses, chats, told } of clients) {
    if (notification || statuses.size > 0) return true
    if (ticket === undefined ? chats.size > 0 : chats.has(ticket) || told.has(ticket)) return true
  }
  return false
}
const wants = (client: Client, ticket: EventTicket) =>
  client.notification || client.chats.has(ticket.id) || client.statuses.has(ticket.status)

function remember(told: Set<number>, id: number): void {
  told.delete(id)
  told.add(id)
  if (told.size > MOST_TOLD) told.delete(told.values().next().value!)
}

const frame = (event: string, data: unknown) => JSON.stringify({ event, data })

/** @throws DomainError `ERR_VALIDATION` */
function frameOf(raw: unknown): { event: string; data: unknown } {
  let value = raw
  if (typeof raw === 'string') {
    try {
      value = JSON.parse(raw) as unknown
    } catch {
      value = undefined
    }
  }
  const { event, data } = (value ?? {}) as { event?: unknown; data?: unknown }
  if (typeof event !== 'string')
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: '', message: 'a frame is {"event": …, "data": …}' }] })
  return { event, data }
}
