import { isDeepStrictEqual } from 'node:util'
import { Crowd, type Most } from '../../schema/crowd.ts'
import type { Principal } from '../../schema/permissions.ts'
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
   * A websocket was opened by somebody whose token was good. Where there are too many, it takes the place of the user's
   * oldest one, or finds none (`Crowd.makeRoom`); the one that goes is closed with 4429.
   * @param version `v` of its address: the tables the browser has; another one is closed with 4409
   * @param lasts whether the session that opened it does; asked at the opening and at every recheck
   */
  open(peer: Peer, who: Principal, version: string | null, lasts?: () => Promise<boolean>): LiveSession
  /** Rights changed: waits go on under the new ones. Ended: the socket is closed with 4403. */
  dropUser(userId: number, reason: 'rights' | 'ended'): Promise<void>
  /**
   * Closes, with 4403, the sockets of those who may not be here any more though nobody said so: sessions and
   * subscriptions end by the clock.
   * @param companyId only of this company
   */
  recheck(companyId?: number): Promise<void>
  /** Another server takes over: each browser is asked to open a socket there, one after the other within `ms`. */
  move(ms: number): void
  count(): number
}

/** More than there are shapes, several times over. */
const mostWaits = 128
const mostFrameChars = 16_384
/** A browser has one socket, however many tabs it has open; each may hold what was not read yet, 16 MB at most. */
const mostSockets: Most = { user: 8, company: 1_000, all: 5_000 }
/** A browser asks again after each answer: twenty shapes, some changes a second. */
const mostFrames = 3_000
const framesMs = 10_000
/** Said to a socket that has to make room, or finds none. */
export const closeCrowded = 4429

/**
 * Carries the held requests of all shapes of a browser over one websocket, because over HTTP/1.1 a browser has six
 * connections for everything. An answer is one frame: a line of JSON `{id, status, headers}`, and the body as the
 * shape service wrote it, never parsed here.
 */
export function createLiveSockets({
  proxy,
  principalOf,
  most = mostSockets,
}: {
  proxy: ShapeProxy
  most?: Most
  /** The user as they are now, or null when they may not be here any more. */
  principalOf(userId: number): Promise<Principal | null>
}): LiveSockets {
  const sessions = new Set<Session>()
  const crowd = new Crowd<Session>(most)
  const dropUser: LiveSockets['dropUser'] = async (userId, reason) => {
    // First who they are now, then the end of the waits: one that begins in between must not begin with the old rights.
    const who = reason === 'rights' ? await principalOf(userId) : null
    for (const session of [...crowd.of(userId)]) {
      if (who) session.asker.who = who
      else session.kick(4403, 'ERR_SESSION_EXPIRED')
    }
    proxy.dropUser(userId, who ? 'rights' : 'ended')
  }
  /** What changed between the reading of the token and the opening was told to nobody, and would never be. */
  const lookAgain = async (session: Session, who: Principal): Promise<void> => {
    if (!(await session.lasts())) return session.kick(4403, 'ERR_SESSION_EXPIRED')
    const now = await principalOf(who.userId)
    if (!isDeepStrictEqual(now, who)) await dropUser(who.userId, 'rights')
  }
  return {
    open: (peer, who, version, lasts = async () => true) => {
      const session = new Session(peer, { who }, proxy, lasts, {
        has: (one) => sessions.has(one),
        left: (one) => {
          sessions.delete(one)
          crowd.delete(one.asker.who, one)
        },
      })
      const inTheWay = crowd.makeRoom(who)
      if (inTheWay === null) {
        session.kick(closeCrowded, 'ERR_TOO_MANY_REQUESTS')
        return session
      }
      for (const oldest of inTheWay) oldest.kick(closeCrowded, 'ERR_TOO_MANY_REQUESTS')
      sessions.add(session)
      crowd.add(who, session)
      if (!proxy.knows(version)) session.kick(4409, 'ERR_CLIENT_OUTDATED')
      else void lookAgain(session, who).catch(() => session.kick(1011, 'ERR_UNAVAILABLE'))
      return session
    },
    dropUser,
    recheck: async (companyId) => {
      const asked = [...sessions].filter(({ asker }) => companyId === undefined || asker.who.companyId === companyId)
      for (const userId of new Set(asked.map(({ asker }) => asker.who.userId))) {
        const here = await principalOf(userId)
        for (const session of [...crowd.of(userId)])
          if (!here || !(await session.lasts())) session.kick(4403, 'ERR_SESSION_EXPIRED')
      }
    },
    move: (ms) => {
      const all = [...sessions]
      for (const [turn, session] of all.entries()) setTimeout(() => session.move(), (turn * ms) / all.length)
    },
    count: () => sessions.size,
  }
}

class Session implements LiveSession {
  private readonly waits = new Map<number, Held>()
  private framesSince = 0
  private frames = 0

  constructor(
    private readonly peer: Peer,
    readonly asker: Asker,
    private readonly proxy: ShapeProxy,
    readonly lasts: () => Promise<boolean>,
    private readonly sessions: { has(session: Session): boolean; left(session: Session): void },
  ) {}

  message(text: string): void {
    if (!this.sessions.has(this)) return
    const now = performance.now()
    if (now - this.framesSince > framesMs) {
      this.framesSince = now
      this.frames = 0
    }
    if (++this.frames > mostFrames) return this.kick(1008, 'ERR_TOO_MANY_REQUESTS')
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
    this.sessions.left(this)
    for (const wait of this.waits.values()) wait.cancel()
    this.waits.clear()
  }

  /** Its waits go on until it has another socket. */
  move(): void {
    if (this.sessions.has(this)) this.peer.send('{"move":true}')
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
