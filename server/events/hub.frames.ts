import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { ticketStatuses } from '../../schema/tickets/tickets.table.ts'
import type { Logger } from '../log.ts'
import type { Events, EventTicket } from './bus.ts'
import { type Client, frame } from './hub.clients.ts'
import type { createViewers } from './viewers.ts'

const MOST_CHATS = 200

export interface FrameDeps {
  events: Pick<Events, 'emit'>
  log: Logger
  viewers: ReturnType<typeof createViewers<Client>>
  /** A person says that they are here. */
  arrive(client: Client): Promise<void>
  /** The ticket a person names by id or uuid, if they may see it. */
  findTicket(
    who: Principal,
    ref: string | number,
  ): Promise<(EventTicket & { contactId: number; whatsappId: number | null }) | undefined>
  /** Shows the contact that somebody is typing. */
  showTyping(whatsappId: number, contactId: number, state: 'composing' | 'paused'): Promise<void>
}

/** In: what sockets say. @returns how a frame is taken, parsed or not; it never throws */
export function createFrames({ events, log, viewers, arrive, findTicket, showTyping }: FrameDeps) {
  const ticketOf = async (client: Client, ref: unknown) => {
    if (typeof ref !== 'string' && typeof ref !== 'number')
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'data', message: 'a ticket' }] })
    const ticket = await findTicket(client.who, ref)
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
    userStatus(client) {
      return arrive(client)
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
        await showTyping(ticket.whatsappId, ticket.contactId, shown)
    },
    ping(client) {
      client.wire.send(frame('pong', null))
    },
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

  return receive
}

/** Would be said of the user. */
const shownToOthers: ReadonlySet<string> = new Set(['userStatus', 'viewing', 'typing'])

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
