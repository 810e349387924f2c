import type { Events, LiveEvent } from './bus.ts'
import type { Client } from './hub.clients.ts'
import { createViewers, type Viewer } from './viewers.ts'

/** Who looks at what is gone through this often, and said again each so many times. */
const VIEWERS_SWEEP_MS = 5_000
const VIEWERS_REPEAT = 6
/** People come, go and type in bursts: what a ticket's room is told of them is told at most this often. */
const VIEWERS_PAUSE_MS = 100

/**
 * Who has which ticket before them, here and at the other servers.
 * @param told how the sockets of a ticket's room hear it, all viewers at once
 */
export function createRooms({
  events,
  now,
  told,
}: {
  events: Pick<Events, 'emit'>
  now: () => Date
  told: (event: LiveEvent, payload: { ticketId: number; viewers: Viewer[] }) => void
}) {
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
  const due = new Map<number, { event: LiveEvent; timer: ReturnType<typeof setTimeout> }>()

  /** Viewers changed, here or at another server: this server's part of the room is told all of them, once a burst. */
  function receive(event: LiveEvent): void {
    const said = event.payload as { ticketId: number; server: string; viewers: Viewer[] }
    if (said.server !== server) viewers.hear(said.ticketId, said.server, said.viewers)
    const waiting = due.get(said.ticketId)
    if (waiting) {
      waiting.event = event
      return
    }
    const timer = setTimeout(() => {
      const { event: latest } = due.get(said.ticketId)!
      due.delete(said.ticketId)
      told(latest, { ticketId: said.ticketId, viewers: viewers.of(said.ticketId) })
    }, VIEWERS_PAUSE_MS)
    timer.unref?.()
    due.set(said.ticketId, { event, timer })
  }

  let sweeps = 0
  const sweeping = setInterval(() => {
    viewers.sweep()
    if (++sweeps % VIEWERS_REPEAT === 0) viewers.repeat()
  }, VIEWERS_SWEEP_MS)
  sweeping.unref?.()

  return {
    viewers,
    hear: receive,
    close() {
      clearInterval(sweeping)
      for (const { timer } of due.values()) clearTimeout(timer)
    },
  }
}
