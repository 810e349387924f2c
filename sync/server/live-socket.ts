import { isDeepStrictEqual } from 'node:util'
import type { Principal } from '../../schema/permissions.ts'
import { shapesVersion } from '../shapes.ts'
import type { Answer, Asker, Held, ShapeProxy } from './shape-proxy.ts'

/** The other end of one websocket. */
export interface Peer {
  send(text: string): void
  close(code: number, reason: string): void
}

/** One browser: what its websocket's events are handed to. */
export interface LiveSession {
  /** A text frame: `{id, shape, query}` asks, `{cancel: id}` gives up. */
  message(text: string): void
  closed(): void
}

export interface LiveSockets {
  /**
   * A websocket was opened by somebody whose token was good.
   * @param version `v` of its address: the tables the browser has; another one is closed with 4409
   */
  open(peer: Peer, who: Principal, version: string | null): LiveSession
  /** Rights changed: waits go on under the new ones. Ended: the socket is closed with 4403. */
  dropUser(userId: number, reason: 'rights' | 'ended'): Promise<void>
  /** Closes, with 4403, the sockets of those who may not be here any more though nobody said so: a subscription ends by the clock. */
  recheck(): Promise<void>
  count(): number
}

/** More than there are shapes, several times over. */
const mostWaits = 128
const mostFrameChars = 16_384

/**
 * Carries the held requests of all shapes of a browser over one websocket, because over HTTP/1.1 a browser has six
 * connections for everything. An answer is one frame: a line of JSON `{id, status, headers}`, and the body as the
 * shape service wrote it, never parsed here.
 */
export function createLiveSockets({
  proxy,
  principalOf,
}: {
  proxy: ShapeProxy
  /** The user as they are now, or null when they may not be here any more. */
  principalOf(userId: number): Promise<Principal | null>
}): LiveSockets {
  const sessions = new Set<Session>()
  const dropUser: LiveSockets['dropUser'] = async (userId, reason) => {
    // First who they are now, then the end of the waits: one that begins in between must not begin with the old rights.
    const who = reason === 'rights' ? await principalOf(userId) : null
    for (const session of [...sessions]) {
      if (session.asker.who.userId !== userId) continue
      if (who) session.asker.who = who
      else session.kick(4403, 'ERR_SESSION_EXPIRED')
    }
    proxy.dropUser(userId, who ? 'rights' : 'ended')
  }
  /** What changed between the reading of the token and the opening was told to nobody, and would never be. */
  const lookAgain = async (who: Principal): Promise<void> => {
    const now = await principalOf(who.userId)
    if (!isDeepStrictEqual(now, who)) await dropUser(who.userId, 'rights')
  }
  return {
    open: (peer, who, version) => {
      const session = new Session(peer, { who }, proxy, sessions)
      sessions.add(session)
      if (version !== null && version !== shapesVersion) session.kick(4409, 'ERR_CLIENT_OUTDATED')
      else void lookAgain(who).catch(() => session.kick(1011, 'ERR_UNAVAILABLE'))
      return session
    },
    dropUser,
    recheck: async () => {
      for (const userId of new Set([...sessions].map(({ asker }) => asker.who.userId))) {
        if (await principalOf(userId)) continue
        for (const session of [...sessions])
          if (session.asker.who.userId === userId) session.kick(4403, 'ERR_SESSION_EXPIRED')
      }
    },
    count: () => sessions.size,
  }
}

class Session implements LiveSession {
  private readonly waits = new Map<number, Held>()

  constructor(
    private readonly peer: Peer,
    readonly asker: Asker,
    private readonly proxy: ShapeProxy,
    private readonly sessions: Set<Session>,
  ) {}

  message(text: string): void {
    if (!this.sessions.has(this)) return
    const frame = parse(text)
    if (!frame) return this.kick(1008, 'ERR_VALIDATION')
    if ('cancel' in frame) {
      this.waits.get(frame.cancel)?.cancel()
      this.waits.delete(frame.cancel)
      return
    }
    const { id, shape, query } = frame
    if (this.waits.has(id) || this.waits.size >= mostWaits) return this.kick(1008, 'ERR_TOO_MANY_REQUESTS')
    this.waits.set(
      id,
      this.proxy.ask(this.asker, shape, query, (answer) => this.answer(id, answer)),
    )
  }

  closed(): void {
    this.sessions.delete(this)
    for (const wait of this.waits.values()) wait.cancel()
    this.waits.clear()
  }

  kick(code: number, reason: string): void {
    this.closed()
    this.peer.close(code, reason)
  }

  private answer(id: number, answer: Answer): void {
    if (typeof answer.body === 'string') {
      this.waits.delete(id)
      this.peer.send(`{"id":${id}${restOf(answer)}`)
      return
    }
    // While it is read it can still be given up.
    const reading: Held = { cancel: () => undefined }
    this.waits.set(id, reading)
    new Response(answer.body).text().then(
      (body) => {
        if (this.waits.get(id) === reading) this.answer(id, { ...answer, body })
      },
      () => this.kick(1011, 'ERR_UNAVAILABLE'),
    )
  }
}

let latest: { answer: Answer; text: string } | undefined

/** A frame but for its id. Those who waited together are told the same, one after the other: it is written once. */
function restOf(answer: Answer): string {
  if (latest?.answer !== answer) {
    const { status, headers, body } = answer
    latest = { answer, text: `,"status":${status},"headers":${JSON.stringify(headers)}}\n${String(body)}` }
  }
  return latest.text
}

type Frame = { id: number; shape: string; query: string } | { cancel: number }

function parse(text: string): Frame | null {
  if (text.length > mostFrameChars) return null
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null
    if (typeof value?.['cancel'] === 'number') return { cancel: value['cancel'] }
    const { id, shape, query } = value ?? {}
    return typeof id === 'number' && typeof shape === 'string' && typeof query === 'string'
      ? { id, shape, query }
      : null
  } catch {
    return null
  }
}
