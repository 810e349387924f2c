import { api } from './api.ts'
import { backoffMs } from '../base/backoff.ts'
import { setSocketOpen } from './connection-state.ts'
import { silenceMs, watchHeartbeat } from '../base/heartbeat.ts'
import { session } from './session-store.ts'
import { refreshUser } from './session.tsx'
import type { Session } from './session-store.ts'

/** What is not a row: QR codes, presence, typing, forced logout. Frames both ways are `{event, data}`. */
type Listener = (data: unknown) => void

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
const connectListeners = new Set<(first: boolean) => void>()

let socket: WebSocket | null = null
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

/** Called at each connection, with `false` after an interruption: the time to fetch what may have been missed. */
export function onConnect(listener: (first: boolean) => void): () => void {
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
  const closing = socket
  socket = null
  closing?.close(1000)
  setSocketOpen(false)
}

function connectNow(): void {
  if (!wanted || socket) return
  attempt = 0
  clearTimeout(retryTimer)
  void connect()
}

async function connect(): Promise<void> {
  const mine = wanted
  if (!mine || socket) return
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
    if (wanted === mine) retry()
    return
  }
  if (wanted !== mine || socket) return

  const address = new URL('/events', location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.searchParams.set('pass', pass)
  const opened = new WebSocket(address)
  socket = opened
  opened.addEventListener('open', () => {
    if (socket !== opened) return
    attempt = 0
    setSocketOpen(true)
    const ping = () => emitEvent('userStatus', {})
    ping()
    pingTimer = setInterval(ping, statusPingMs)
    pulse = watchHeartbeat({ everyMs: silenceMs, ask: () => emitEvent('ping'), gone: () => lost(opened, 0) })
    for (const listener of connectListeners) listener(!connectedBefore)
    connectedBefore = true
  })
  opened.addEventListener('message', (message) => {
    if (socket !== opened) return
    pulse?.heard()
    receive(message.data)
  })
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

function receive(text: unknown): void {
  if (typeof text !== 'string') return
  let frame: { event?: unknown; data?: unknown }
  try {
    frame = JSON.parse(text) as typeof frame
  } catch {
    return
  }
  if (typeof frame?.event !== 'string') return
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
