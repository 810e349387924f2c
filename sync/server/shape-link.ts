/** The other end of the link of a shape server that runs in another process (`sync/shape-server/link.ts`). */
export interface ShapeLink {
  /** As HTTP is asked: `/v1/health`, and `/v1/shape` with its query. Rejects while the other end is away. */
  fetch(request: Request): Promise<Response>
  /** Something was committed. */
  nudge(): void
  close(): void
}

interface Asked {
  resolve(response: Response): void
  reject(error: Error): void
}

/** The other end is on this machine: it is there at once, or not at all. */
const dialMs = 5_000

class LinkLost extends Error {
  readonly code = 'LINK_LOST'
}

/** Dials when something is asked and nothing is open; what waits when the line ends is told so, and asks again. */
export function createShapeLink({ url, secret }: { url: string; secret: string }): ShapeLink {
  const asked = new Map<number, Asked>()
  let nextId = 1
  let isClosed = false
  let open: WebSocket | undefined
  let dialling: Promise<WebSocket> | undefined

  function lost(socket: WebSocket): void {
    if (open !== socket) return
    open = undefined
    dialling = undefined
    const all = [...asked.values()]
    asked.clear()
    for (const { reject } of all) reject(new LinkLost('the shape server hung up'))
  }

  function receive(text: string): void {
    const end = text.indexOf('\n')
    const { id, status, headers } = JSON.parse(text.slice(0, end)) as {
      id: number
      status: number
      headers: Record<string, string>
    }
    const one = asked.get(id)
    if (!asked.delete(id)) return
    const isEmpty = status === 204 || status === 304
    one?.resolve(new Response(isEmpty ? null : text.slice(end + 1), { status, headers }))
  }

  function dial(): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      // Bun's own takes headers, which those of browsers do not.
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${secret}` } } as unknown as string)
      const patience = setTimeout(() => socket.close(), dialMs)
      socket.onopen = () => {
        clearTimeout(patience)
        if (isClosed) return socket.close()
        open = socket
        resolve(socket)
      }
      socket.onmessage = ({ data }) => receive(String(data))
      socket.onclose = () => {
        clearTimeout(patience)
        reject(new LinkLost('the shape server does not answer'))
        lost(socket)
      }
    })
  }

  function line(): Promise<WebSocket> {
    if (isClosed) return Promise.reject(new LinkLost('closed'))
    dialling ??= dial().catch((error: unknown) => {
      dialling = undefined
      throw error
    })
    return dialling
  }

  return {
    async fetch(request) {
      const socket = open ?? (await line())
      const { signal } = request
      signal.throwIfAborted()
      const id = nextId++
      const at = new URL(request.url)
      return new Promise<Response>((resolve, reject) => {
        const abort = () => {
          if (!asked.delete(id)) return
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ cancel: id }))
          reject(new DOMException('aborted', 'AbortError'))
        }
        signal.addEventListener('abort', abort, { once: true })
        const settled = () => signal.removeEventListener('abort', abort)
        asked.set(id, {
          resolve: (response) => (settled(), resolve(response)),
          reject: (error) => (settled(), reject(error)),
        })
        if (socket.readyState !== WebSocket.OPEN) {
          asked.delete(id)
          settled()
          return reject(new LinkLost('the shape server hung up'))
        }
        const isHealth = at.pathname === '/v1/health'
        socket.send(JSON.stringify(isHealth ? { id, health: true } : { id, query: at.search.slice(1) }))
      })
    },
    nudge() {
      if (open?.readyState === WebSocket.OPEN) open.send('{"nudge":true}')
    },
    close() {
      isClosed = true
      open?.close()
    },
  }
}
