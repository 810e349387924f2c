import { hidesNumbers, maskedValue } from '../../schema/contacts/contacts.masking.ts'
import { can, canSeeTicket } from '../../schema/permissions.ts'
import type { Logger } from '../log.ts'
import { type EventName, type EventTicket, type LiveEvent, mayReceive } from './bus.ts'
import { type Client, type Clients, frame, remember, wants } from './hub.clients.ts'

const MOST_WAITING = 2_000

/** What is told of a company that may not work, to those who may hear it: that it may again, and its invoices. */
export const emittedWhileBarred: ReadonlySet<EventName> = new Set(['company', 'payment'])

/** Events about a ticket, which go only where the ticket may be seen and was asked for. */
const ticketEvents: ReadonlySet<EventName> = new Set(['ticket', 'appMessage', 'typing', 'viewers'])

/** The row an event is about: what the event carries, and the ticket that decides who gets it. */
export interface Loaded {
  payload: Record<string, unknown>
  ticket?: EventTicket | undefined
}

export interface DeliveryDeps {
  clients: Clients
  log: Logger
  loadEvent(name: EventName, companyId: number, id: string | number): Promise<Loaded | undefined>
}

/** Out: events to the sockets of this process that may hear them, in the order in which they happened. */
export function createDelivery({ clients, log, loadEvent }: DeliveryDeps) {
  const backlog = new Map<number, LiveEvent[]>()

  /** The event waits for its turn, unless nobody here wants it, or it says once more what waits already. */
  function put(event: LiveEvent): void {
    const here = clients.of(event.companyId)
    // Browsers of our own get their rows by shapes and join nothing: for them no row is loaded.
    if (!here || (ticketEvents.has(event.name) && !isAskedFor(here, event))) return
    const queue = backlog.get(event.companyId)
    if (!queue) {
      backlog.set(event.companyId, [event])
      void drain(event.companyId)
      return
    }
    if (queue.some((waiting) => isRepeated(waiting, event))) return
    if (queue.length < MOST_WAITING) queue.push(event)
    else log.warn({ companyId: event.companyId }, 'events are dropped: sockets are slower than what happens')
  }

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

  async function load(event: LiveEvent): Promise<Loaded | undefined> {
    try {
      if (typeof event.payload === 'object') return { payload: event.payload, ticket: event.audience?.ticket }
      if (event.payload) {
        const payload = await event.payload()
        return payload && { payload, ticket: event.audience?.ticket }
      }
      if (event.id === undefined) return { payload: {}, ticket: event.audience?.ticket }
      const row = await loadEvent(event.name, event.companyId, event.id)
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
    for (const client of clients.of(event.companyId) ?? []) {
      const { who } = client
      if (event.audience?.userId !== undefined && event.audience.userId !== who.userId) continue
      if (event.audience?.userIds && !event.audience.userIds.includes(who.userId)) continue
      if (event.audience?.operators && !who.super) continue
      if (event.audience?.overseers && !can(who, 'tickets-manager:showall')) continue
      if (!mayReceive(who, event.name)) continue
      if (client.waits && !emittedWhileBarred.has(event.name)) continue
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
        if (event.name === 'ticket' && event.action !== 'delete') remember(client, ticket.id)
      } else if (event.audience?.ticket && !canSeeTicket(who, event.audience.ticket)) continue
      if (hidesNumbers(who))
        client.wire.send((hidden ??= frame(name, maskedValue({ action: event.action, ...payload }))))
      else client.wire.send((text ??= frame(name, { action: event.action, ...payload })))
    }
  }

  return { put, deliver }
}

const isRepeated = (waiting: LiveEvent, event: LiveEvent) =>
  event.id !== undefined &&
  waiting.name === event.name &&
  waiting.id === event.id &&
  waiting.action === event.action &&
  !waiting.payload &&
  !event.payload &&
  !event.was

/** Whether any socket may want an event about a ticket; the ticket's own queue and status are not known yet. */
function isAskedFor(clients: ReadonlySet<Client>, { name, id, ticketId }: LiveEvent): boolean {
  const ticket = name === 'ticket' && typeof id === 'number' ? id : ticketId
  for (const { notification, statuses, chats, told } of clients) {
    if (notification || statuses.size > 0) return true
    if (ticket === undefined ? chats.size > 0 : chats.has(ticket) || told.has(ticket)) return true
  }
  return false
}
