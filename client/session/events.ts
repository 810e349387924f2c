import { api } from './api.ts'
import { backoffMs } from '../base/backoff.ts'
import { setSocketOpen } from './connection-state.ts'
import { silenceMs, watchHeartbeat } from '../base/heartbeat.ts'
import { session } from './session-store.ts'
import { refreshUser } from './session.tsx'
import type { Session } from './session-store.ts'

/** What is not a row: QR codes, presence, typing, forced logout. Frames both ways are `{event, data}`. */
type Listener = (data: unknown) => void
type ConnectListener = (first: boolean, moved: boolean) => void

const statusPingMs = 300_000
/** How long a pass may be waited for; without one there is no socket. */
const passMs = 15_000
/** The server's close codes for a session that has ended, a company that may not work, and one that works again. */
const sessionCloseCodes: readonly number[] = [4001, 4002, 4003]
const worksAgainCode = 4003
/** Another tab or browser of this user took our place: coming back at once would throw that one out in turn. */
const crowdedCloseCode = 4429
const crowdedMs = 30_000

const listeners = new Map<string, Set<Listener>>()
const connectListeners = new Set<ConnectListener>()

/** After a move the socket before is heard for so long: what it was about to say is not lost. */
const overlapMs = 1_000

let socket: WebSocket | null = null
/** While we move from one server to another: the socket before, and what each of the two has said more than the other. */
let moving: { from: WebSocket; more: Map<string, number> } | null = null
let wanted: Session | null = null
let attempt = 0
let connectedBefore = false
let retryTimer: ReturnType<typeof setTimeout> | undefined
let pingTimer: ReturnType<typeof setInterval> | undefined
let pulse: ReturnType<typeof watchHeartbeat> | undefined

/** Told here when the company may work again: what waits for that asks anew. */
export const worksAgain = 'works-again'

/** Hears an event by its full name. Answers how to stop. */
export function onEvent(event: string, listener: Listener): () => void {
  const set = listeners.get(event) ?? new Set()
  listeners.set(event, set)
  set.add(listener)
  return () => {
    set.delete(listener)
    if (set.size === 0) listeners.delete(event)
  }
}

/** Hears `company-{id}-{name}` of the logged-in user's company, whoever that is when the event comes. */
export function onCompanyEvent(name: string, listener: Listener): () => void {
  return onEvent(`company-*-${name}`, listener)
}

/**
 * Called at each connection, with `false` after an interruption: the time to fetch what may have been missed. `moved`: from
 * one server to another, and nothing was missed; but the other knows nothing yet of what was said to the first.
 */
export function onConnect(listener: ConnectListener): () => void {
  connectListeners.add(listener)
  return () => connectListeners.delete(listener)
}

/** Sends an event if the socket is open. Answers whether it was: events are not kept, rows are what the outbox is for. */
export function emitEvent(event: string, data: unknown = {}): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false
  socket.send(JSON.stringify({ event, data }))
  return true
}

/** Connects, and stays connected until {@link stopEvents}. */
export function startEvents(forSession: Session): void {
  if (wanted?.id === forSession.id) return
  stopEvents()
  wanted = forSession
  connectedBefore = false
  attempt = 0
  window.addEventListener('online', connectNow)
  void connect()
}

export function stopEvents(): void {
  wanted = null
  window.removeEventListener('online', connectNow)
  clearTimeout(retryTimer)
  clearInterval(pingTimer)
  pulse?.stop()
  const closing = [socket, moving?.from]
  socket = null
  moving = null
  for (const one of closing) one?.close(1000)
  setSocketOpen(false)
}

function connectNow(): void {
  if (!wanted || socket) return
  attempt = 0
  clearTimeout(retryTimer)
  void connect()
}

async function connect(): Promise<void> {
  if (wanted && !socket) await dial(wanted)
}

/** The server is about to end, and another one is there: a socket is opened to that one before this one is closed. */
async function move(from: WebSocket): Promise<void> {
  if (moving || !wanted) return
  const mine = { from, more: new Map<string, number>() }
  moving = mine
  await dial(wanted, from)
  // It did not come about: the server closes this one, and then we connect as ever.
  if (socket === from && moving === mine) moving = null
}

/** @param from what it takes the place of */
async function dial(mine: Session, from: WebSocket | null = null): Promise<void> {
  const current = session.latest()
  if (!current || current.id !== mine.id) return
  let pass: string
  try {
    // Stands in the address in place of the token: it is good for a minute and this one connection.
    ;({ pass } = await api.post<{ pass: string }>(
      '/auth/passes',
      { for: 'events' },
      { signal: AbortSignal.timeout(passMs) },
    ))
  } catch {
    // An ended session stops everything by itself; without a network there is a next attempt.
    if (wanted === mine && !from) retry()
    return
  }
  if (wanted !== mine || socket !== from) return

  const address = new URL('/events', location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.searchParams.set('pass', pass)
  const opened = new WebSocket(address)
  if (from) {
    await new Promise((settled) => {
      opened.addEventListener('open', settled, { once: true })
      opened.addEventListener('close', settled, { once: true })
    })
    if (opened.readyState !== WebSocket.OPEN) return
    // The server before was quicker to end.
    if (socket !== from) return opened.close(1000)
    clearInterval(pingTimer)
    pulse?.stop()
    setTimeout(() => {
      moving = null
      from.close(1000)
    }, overlapMs)
  }
  socket = opened
  const begin = () => {
    if (socket !== opened) return
    attempt = 0
    setSocketOpen(true)
    const ping = () => emitEvent('userStatus', {})
    ping()
    pingTimer = setInterval(ping, statusPingMs)
    pulse = watchHeartbeat({ everyMs: silenceMs, ask: () => emitEvent('ping'), gone: () => lost(opened, 0) })
    for (const listener of connectListeners) listener(from !== null || !connectedBefore, from !== null)
    connectedBefore = true
  }
  opened.addEventListener('message', (message) => {
    if (socket !== opened && moving?.from !== opened) return
    pulse?.received()
    if (!isRepeated(opened, message.data)) receive(message.data, opened)
  })
  if (from) begin()
  else opened.addEventListener('open', begin)
  opened.addEventListener('close', (closed) => lost(opened, closed.code))
}

/** @param code the server's; 0 where the line died in silence: closing it takes a browser as long as dialling */
function lost(closed: WebSocket, code: number): void {
  if (socket !== closed) return
  socket = null
  clearInterval(pingTimer)
  pulse?.stop()
  setSocketOpen(false)
  closed.close()
  // A call learns the reason, and ends the session where that is the reason.
  if (code === worksAgainCode) dispatch(worksAgain, null)
  if (sessionCloseCodes.includes(code))
    void refreshUser()
      .catch(() => undefined)
      .finally(() => retry())
  else retry(code === crowdedCloseCode ? crowdedMs : 0)
}

function retry(leastMs = 0): void {
  if (!wanted) return
  clearTimeout(retryTimer)
  retryTimer = setTimeout(() => void connect(), Math.max(leastMs, backoffMs(attempt++, Math.random())))
}

/** While two servers tell us of the same, whether the other socket has told us this already. */
function isRepeated(by: WebSocket, text: unknown): boolean {
  if (!moving || typeof text !== 'string') return false
  const step = by === moving.from ? 1 : -1
  const more = moving.more.get(text) ?? 0
  moving.more.set(text, more + step)
  return more * step < 0
}

function receive(text: unknown, by: WebSocket): void {
  if (typeof text !== 'string') return
  let frame: { event?: unknown; data?: unknown }
  try {
    frame = JSON.parse(text) as typeof frame
  } catch {
    return
  }
  if (typeof frame?.event !== 'string') return
  if (frame.event === 'move') return void move(by)
  dispatch(frame.event, frame.data)
  const company = wanted ? `company-${wanted.user.companyId}-` : null
  if (company && frame.event.startsWith(company)) dispatch(`company-*-${frame.event.slice(company.length)}`, frame.data)
}

function dispatch(event: string, data: unknown): void {
  for (const listener of [...(listeners.get(event) ?? [])]) {
    try {
      listener(data)
    } catch (error) {
      // One listener's defect must not keep the event from the others; the browser still reports it.
      reportError(error)
    }
  }
}
