import { isOurWord } from '../../schema/errors.ts'
import type { ShapeName } from '../shapes.ts'
import { retryDelay } from './outbox.state.ts'

/** Close codes of `/sync`, said by the server. */
export const socketCodes = { unauthorised: 4401, loggedOut: 4403, outdated: 4409, crowded: 4429 } as const

interface Wait {
  shape: ShapeName
  query: string
  resolve(response: Response): void
  reject(error: Error): void
}

/** Longer than the server ever holds a wait: silence beyond this means that the connection is gone. */
const silenceMs = 30_000
/** The server answers a wait at once when it has something newer; after this long it has nothing. */
const quietMs = 1_500
/** A browser itself waits for minutes for a connection on a line that is dead. */
const dialMs = 15_000
/** Another browser of the same user took our place: coming back at once would throw that one out in turn. */
const crowdedMs = 30_000

/**
 * Carries the live requests of all shapes over one websocket, because a browser has six connections for everything.
 * Lost connections reject what waits; the streams ask again, after their own backoff.
 */
export class LiveSocket {
  readonly #waits = new Map<number, Wait>()
  #socket: Promise<WebSocket> | null = null
  #open: WebSocket | null = null
  #nextId = 1
  #heardAt = 0
  #refreshToken = false
  /** Dials that came to nothing, one after the other. */
  #failures = 0
  #endPause = () => {}
  #closed = false
  /** The socket to which we are told to move. */
  #moving: Promise<WebSocket> | null = null
  /** Not dialled before, ms. */
  #notBefore = 0
  #watchdog: ReturnType<typeof setInterval> | undefined

  constructor(
    private readonly deps: {
      /** `ws://…/sync` */
      url: string
      version: string
      /** Where a pass is had for a token. */
      passes: string
      token(refresh: boolean): Promise<string | null>
      fetch(input: string, init?: RequestInit): Promise<Response>
      WebSocket: typeof WebSocket
      /** The server says that this app is too old. */
      outdated(): void
      /** How long a connection may take to come about. */
      dialMs?: number
      /** How long it stays away after it had to make room. */
      crowdedMs?: number
    },
  ) {}

  /** @param quiet called when the wait has begun, and there is nothing to catch up with */
  async request(shape: ShapeName, query: string, signal?: AbortSignal | null, quiet?: () => void): Promise<Response> {
    signal?.throwIfAborted()
    const socket = await orAborted(this.#connect(), signal)
    signal?.throwIfAborted()
    const id = this.#nextId++
    return new Promise<Response>((resolve, reject) => {
      const abort = () => {
        if (!this.#waits.delete(id)) return
        settled()
        if (socket.readyState === 1) socket.send(JSON.stringify({ cancel: id }))
        reject(reasonOf(signal!))
      }
      signal?.addEventListener('abort', abort, { once: true })
      const calm = quiet && setTimeout(quiet, quietMs)
      const settled = () => {
        clearTimeout(calm)
        signal?.removeEventListener('abort', abort)
      }
      this.#waits.set(id, {
        shape,
        query,
        resolve: (response) => (settled(), resolve(response)),
        reject: (error) => (settled(), reject(error)),
      })
      socket.send(JSON.stringify({ id, shape, query }))
    })
  }

  /** Drops the connection; whoever waits asks again over a new one. */
  reconnect(): void {
    this.#open?.close()
    this.#lost(this.#open)
  }

  /**
   * After a sleep of the machine, or when the network is back: a connection that was silent for longer than any wait is a
   * dead one, and one that did not come about is tried at once.
   */
  checkUp(): void {
    this.#failures = 0
    this.#endPause()
    if (this.#open && Date.now() - this.#heardAt > silenceMs) this.reconnect()
  }

  close(): void {
    this.#closed = true
    this.#endPause()
    clearInterval(this.#watchdog)
    this.reconnect()
  }

  #connect(): Promise<WebSocket> {
    this.#socket ??= this.#paused()
      .then(() => this.#dial())
      .then(
        (socket) => {
          this.#failures = 0
          return socket
        },
        (error: unknown) => {
          this.#failures++
          this.#socket = null
          throw error
        },
      )
    return this.#socket
  }

  /**
   * Each stream waits before it asks again, and knows nothing of the others: without a pause of their own they would dial
   * in turn, dozens of times in a second.
   */
  async #paused(): Promise<void> {
    // The first that failed says little: the next may come at once.
    if (this.#failures < 2) return
    const ms = retryDelay(this.#failures - 2, Math.random())
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (this.#closed) throw new TypeError('websocket closed')
  }

  /**
   * The server is about to end, and another one is there: what waits is asked over a new socket before the one before is
   * closed, so that nobody has waited in vain. Where that fails the server closes it, as when it dies.
   */
  async #move(from: WebSocket): Promise<void> {
    if (this.#moving || this.#open !== from) return
    const moving = (this.#moving = this.#dial())
    try {
      const to = await moving
      if (this.#closed) return to.close()
      this.#socket = moving
      for (const [id, { shape, query }] of this.#waits) to.send(JSON.stringify({ id, shape, query }))
      // Nothing that it says from here on concerns anybody.
      from.onclose = null
      from.close()
    } catch {
      if (this.#socket === moving) this.#socket = null
    } finally {
      this.#moving = null
    }
  }

  async #dial(): Promise<WebSocket> {
    if (Date.now() < this.#notBefore) throw new TypeError('too many websockets')
    const pass = await this.#pass()
    const socket = new this.deps.WebSocket(`${this.deps.url}?pass=${encodeURIComponent(pass)}&v=${this.deps.version}`)
    await new Promise<void>((resolve, reject) => {
      const patience = setTimeout(() => {
        socket.onclose = null
        socket.close()
        reject(new TypeError('websocket does not open'))
      }, this.deps.dialMs ?? dialMs)
      socket.onopen = () => {
        clearTimeout(patience)
        resolve()
      }
      socket.onclose = (event) => {
        clearTimeout(patience)
        this.#said(event.code)
        // A refusal before the handshake shows no status here; a stale token is the likeliest.
        this.#refreshToken = true
        reject(new TypeError('websocket refused'))
      }
    })
    this.#open = socket
    this.#heardAt = Date.now()
    socket.onmessage = (event) => this.#receive(String(event.data), socket)
    socket.onclose = (event) => {
      this.#said(event.code)
      this.#lost(socket)
    }
    clearInterval(this.#watchdog)
    this.#watchdog = setInterval(() => {
      if (this.#waits.size > 0 && Date.now() - this.#heardAt > silenceMs) this.reconnect()
    }, 5_000)
    return socket
  }

  /** Stands in the address in place of the token: it is good for a minute and this one connection. */
  async #pass(): Promise<string> {
    const token = await this.deps.token(this.#refreshToken)
    if (token === null) throw new Error('no token')
    this.#refreshToken = false
    const answer = await this.deps.fetch(this.deps.passes, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ for: 'sync' }),
      signal: AbortSignal.timeout(this.deps.dialMs ?? dialMs),
    })
    if (answer.status === 401 || answer.status === 403)
      this.#refreshToken = isOurWord(await answer.json().catch(() => null))
    if (!answer.ok) throw new TypeError('no pass')
    return ((await answer.json()) as { pass: string }).pass
  }

  #said(code: number): void {
    if (code === socketCodes.unauthorised || code === socketCodes.loggedOut) this.#refreshToken = true
    if (code === socketCodes.crowded) this.#notBefore = Date.now() + (this.deps.crowdedMs ?? crowdedMs)
    if (code === socketCodes.outdated) this.deps.outdated()
  }

  #lost(socket: WebSocket | null): void {
    if (!socket || this.#open !== socket) return
    this.#open = null
    // Whoever asks again meanwhile asks over the one to which we move.
    this.#socket = this.#moving
    const waits = [...this.#waits.values()]
    this.#waits.clear()
    for (const wait of waits) wait.reject(new TypeError('websocket closed'))
  }

  /** A frame is a line of JSON about the answer, and the answer's body as it is. */
  #receive(frame: string, socket: WebSocket): void {
    this.#heardAt = Date.now()
    const end = frame.indexOf('\n')
    const head = JSON.parse(end < 0 ? frame : frame.slice(0, end)) as {
      move?: true
      id: number
      status: number
      headers: Record<string, string>
    }
    if (head.move) return void this.#move(socket)
    const wait = this.#waits.get(head.id)
    if (!wait) return
    this.#waits.delete(head.id)
    const body = end < 0 ? '' : frame.slice(end + 1)
    wait.resolve(new Response(head.status === 204 ? null : body, { status: head.status, headers: head.headers }))
  }
}

/** What `work` comes to, unless the signal comes before. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal!))
    signal?.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })
}

const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError')
