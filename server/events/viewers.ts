import type { EventTicket } from './bus.ts'

/** Somebody who has a ticket before them. */
export interface Viewer {
  userId: number
  name: string
  typing: boolean
}

export interface ViewedTicket {
  companyId: number
  ticket: EventTicket
}

interface Presence {
  userId: number
  name: string
  seenAt: number
  /** 0 while they are not writing. */
  typedAt: number
}

/** A browser says every 30 s that it still looks; this much silence, and it is taken to be gone. */
const SILENT_MS = 75_000
/** Browsers repeat "typing" every few seconds; silence ends it. */
const TYPING_MS = 8_000
/** What one of the other servers said, unless it says it again. */
const HEARSAY_MS = 90_000

/**
 * Who looks at which ticket, as the sockets of this server and the other servers say. Holds no timers: `sweep` is
 * called now and then. A socket looks at one ticket at a time.
 *
 * @param announce told that the viewers of a ticket at this server changed, or that somebody new wants to know them
 */
export function createViewers<Socket extends object>({
  now,
  announce,
}: {
  now: () => number
  announce: (viewed: ViewedTicket, viewers: Viewer[]) => void
}) {
  const here = new Map<number, ViewedTicket & { sockets: Map<Socket, Presence>; said: string }>()
  const elsewhere = new Map<number, Map<string, { viewers: Viewer[]; at: number }>>()
  const ticketOf = new Map<Socket, number>()

  /** One line for each person, however many windows they have. */
  function listed(presences: Iterable<Presence>): Viewer[] {
    const byUser = new Map<number, Viewer>()
    for (const { userId, name, typedAt } of presences) {
      const typing = typedAt > 0 || (byUser.get(userId)?.typing ?? false)
      byUser.set(userId, { userId, name, typing })
    }
    return [...byUser.values()].sort((a, b) => a.userId - b.userId)
  }

  function publish(ticketId: number, always = false): void {
    const room = here.get(ticketId)
    if (!room) return
    const viewers = listed(room.sockets.values())
    const said = JSON.stringify(viewers)
    if (room.sockets.size === 0) here.delete(ticketId)
    if (said === room.said && !always) return
    room.said = said
    announce({ companyId: room.companyId, ticket: room.ticket }, viewers)
  }

  function leave(socket: Socket): void {
    const ticketId = ticketOf.get(socket)
    ticketOf.delete(socket)
    if (ticketId === undefined || !here.get(ticketId)?.sockets.delete(socket)) return
    publish(ticketId)
  }

  return {
    leave,

    /** The socket looks at a ticket, or still does. */
    look(socket: Socket, viewed: ViewedTicket, who: { userId: number; name: string }): void {
      const { id } = viewed.ticket
      if (ticketOf.get(socket) !== id) leave(socket)
      const room = here.get(id) ?? { ...viewed, sockets: new Map<Socket, Presence>(), said: '' }
      room.ticket = viewed.ticket
      here.set(id, room)
      const known = room.sockets.get(socket)
      room.sockets.set(socket, { ...who, seenAt: now(), typedAt: known?.typedAt ?? 0 })
      ticketOf.set(socket, id)
      publish(id, !known)
    },

    typing(socket: Socket, ticketId: number, composing: boolean): void {
      const presence = here.get(ticketId)?.sockets.get(socket)
      if (!presence) return
      presence.typedAt = composing ? now() : 0
      presence.seenAt = now()
      publish(ticketId)
    },

    /** Another server tells of its viewers. */
    hear(ticketId: number, server: string, viewers: Viewer[]): void {
      const others = elsewhere.get(ticketId) ?? new Map<string, { viewers: Viewer[]; at: number }>()
      if (viewers.length > 0) others.set(server, { viewers, at: now() })
      else others.delete(server)
      if (others.size > 0) elsewhere.set(ticketId, others)
      else elsewhere.delete(ticketId)
    },

    /** Everybody who looks at a ticket, at any server. */
    of(ticketId: number): Viewer[] {
      const presences = [...(here.get(ticketId)?.sockets.values() ?? [])]
      const others = [...(elsewhere.get(ticketId)?.values() ?? [])].flatMap(({ viewers }) => viewers)
      return listed([
        ...presences,
        ...others.map(({ userId, name, typing }) => ({ userId, name, seenAt: 0, typedAt: typing ? 1 : 0 })),
      ])
    },

    /** Forgets who has gone silent. */
    sweep(): void {
      const time = now()
      for (const [ticketId, { sockets }] of here) {
        for (const [socket, presence] of sockets) {
          if (time - presence.typedAt > TYPING_MS) presence.typedAt = 0
          if (time - presence.seenAt <= SILENT_MS) continue
          sockets.delete(socket)
          ticketOf.delete(socket)
        }
        publish(ticketId)
      }
      for (const [ticketId, others] of elsewhere) {
        for (const [server, { at }] of others) if (time - at > HEARSAY_MS) others.delete(server)
        if (others.size === 0) elsewhere.delete(ticketId)
      }
    },

    /** Says everything again, for servers that began later. */
    repeat(): void {
      for (const ticketId of [...here.keys()]) publish(ticketId, true)
    },
  }
}
