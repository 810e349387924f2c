import { isSameSecret, type ShapeServer } from './shape-server.ts'

/** A frame from the other end: asks, gives up, or says that something was committed. */
type Frame = { id: number; query: string } | { id: number; health: true } | { cancel: number } | { nudge: true }

/** Snapshots that wait to be sent, bytes. */
const mostUnsent = 512 * 2 ** 20

export interface Link {
  port: number
  stop(): Promise<void>
}

/**
 * Lends a shape server to other processes of this machine: one websocket carries all questions of a process, however many
 * browsers it has. An answer is one frame, a line of JSON `{id, status, headers}` and the body.
 * @param secret whoever dials must bear it
 * @param port 0 takes a free one
 */
export function serveLink(
  shapeServer: ShapeServer,
  { secret, port = 0 }: { secret: string; port?: number | undefined },
): Link {
  const server = Bun.serve<{ held: Map<number, () => void> }>({
    hostname: '127.0.0.1',
    port,
    fetch(request, server) {
      const isOurs = isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${secret}`)
      if (isOurs && server.upgrade(request, { data: { held: new Map() } })) return undefined
      return new Response(null, { status: isOurs ? 400 : 401 })
    },
    websocket: {
      maxPayloadLength: 65_536,
      backpressureLimit: mostUnsent,
      closeOnBackpressureLimit: true,
      idleTimeout: 120,
      sendPings: true,
      message(socket, text) {
        const frame = JSON.parse(String(text)) as Frame
        if ('nudge' in frame) return shapeServer.nudge()
        const { held } = socket.data
        if ('cancel' in frame) {
          held.get(frame.cancel)?.()
          held.delete(frame.cancel)
          return
        }
        const { id } = frame
        const answer = (status: number, headers: Readonly<Record<string, string>>, body: string) => {
          if (held.delete(id)) socket.send(`${JSON.stringify({ id, status, headers })}\n${body}`)
        }
        held.set(id, () => undefined)
        if ('health' in frame) {
          void shapeServer
            .fetch(new Request('http://shapes/v1/health'))
            .then(async (response) => answer(response.status, {}, await response.text()))
          return
        }
        const wait = shapeServer.hold(new URLSearchParams(frame.query), ({ status, headers, body }) => {
          if (typeof body === 'string') return answer(status, headers, body)
          body.text().then(
            (text) => answer(status, headers, text),
            () => answer(503, { 'retry-after': '1' }, ''),
          )
        })
        held.set(id, () => wait.cancel())
      },
      close(socket) {
        for (const cancel of socket.data.held.values()) cancel()
        socket.data.held.clear()
      },
    },
  })
  return { port: server.port!, stop: () => server.stop(true) }
}
