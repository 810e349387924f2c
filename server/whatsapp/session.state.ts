/**
 * The life of a session as data: no socket, no clock, no chance of its own. `sessions.ts` feeds it what happened
 * and does what it answers.
 */
import type { SessionChange, SessionProblem } from '../../schema/whatsapps/whatsapps.session.ts'

export type SessionState =
  | { at: 'idle'; problem: SessionProblem | null }
  | { at: 'connecting'; attempt: number; versionRefreshed: boolean }
  | { at: 'qr'; shown: number; byCode: boolean }
  | { at: 'pairing' }
  | { at: 'open'; attempt: number }
  | { at: 'waiting'; attempt: number; versionRefreshed: boolean }

export type SessionEvent =
  | { on: 'start' }
  | { on: 'qr'; text: string }
  /** The owner prefers typing a code on the phone; the QRs run on unseen meanwhile. */
  | { on: 'codeRequested' }
  | { on: 'scanned' }
  /** WhatsApp asks the phone for a passkey, which we cannot hand over. */
  | { on: 'passkeyAsked' }
  | { on: 'opened'; number: string }
  /** `linked`: the device has credentials. `openMs`: how long the link had been open; 0 when it never was. */
  | { on: 'closed'; code: number; linked: boolean; openMs: number }
  | { on: 'retry' }
  | { on: 'stop' }
  | { on: 'wipe' }

export type SessionAction =
  | { do: 'connect' }
  | { do: 'disconnect' }
  | { do: 'wipe' }
  | { do: 'refreshVersion' }
  /** Come back with `retry` after so many milliseconds. */
  | { do: 'wait'; ms: number }

export interface Step {
  state: SessionState
  change: SessionChange | null
  actions: SessionAction[]
}

export interface Backoff {
  baseMs: number
  capMs: number
}

export const usualBackoff: Backoff = { baseMs: 1_000, capMs: 60_000 }

/** A person scans within three QRs (60, 20 and 20 seconds) or asks again. */
export const qrsShown = 3
const steadyAfterMs = 30_000
const retriesUntilTimeout = 5

type Ending = 'restart' | 'retry' | 'relink' | 'refresh' | 'stop'

/** What to do about a close, by WhatsApp's code. A code not listed is retried. */
export const endings: Record<number, { then: Ending; problem?: SessionProblem; slower?: number }> = {
  515: { then: 'restart' },
  428: { then: 'retry' },
  408: { then: 'retry' },
  500: { then: 'retry' },
  503: { then: 'retry', slower: 2 },
  440: { then: 'stop', problem: 'replaced' },
  401: { then: 'relink', problem: 'logged_out' },
  411: { then: 'relink', problem: 'relink' },
  402: { then: 'stop', problem: 'temporarily_banned' },
  403: { then: 'stop', problem: 'locked' },
  406: { then: 'stop', problem: 'banned' },
  405: { then: 'refresh', problem: 'outdated' },
  // The server could not prove that it is WhatsApp: somebody sits in between.
  400: { then: 'stop', problem: 'certificate' },
}

/** Milliseconds to wait before attempt number `attempt`; `chance` is in [0, 1) and spreads a crowd. */
export function backoffMs(attempt: number, chance: number, backoff: Backoff = usualBackoff, slower = 1): number {
  const ceiling = Math.min(backoff.capMs * slower, backoff.baseMs * slower * 2 ** Math.min(attempt, 16))
  return Math.round(ceiling * (0.5 + chance / 2))
}

const connecting: SessionState = { at: 'connecting', attempt: 0, versionRefreshed: false }
const idle = (problem: SessionProblem | null): SessionState => ({ at: 'idle', problem })

type At = SessionState['at']
type On = SessionEvent['on']
type StateAt<A extends At> = Extract<SessionState, { at: A }>
type EventOn<O extends On> = Extract<SessionEvent, { on: O }>
/** `chance` is in [0, 1). */
interface Circumstances {
  chance: number
  backoff: Backoff
}
type Rule<A extends At, O extends On> = (state: StateAt<A>, event: EventOn<O>, now: Circumstances) => Step

const stay = (state: SessionState): Step => ({ state, change: null, actions: [] })

const begin = (): Step => ({
  state: connecting,
  change: { status: 'OPENING', qrcode: '', retries: 0, lastError: null },
  actions: [{ do: 'connect' }],
})

const stop = (): Step => ({
  state: idle(null),
  change: { status: 'DISCONNECTED', qrcode: '', lastError: null },
  actions: [{ do: 'disconnect' }],
})

const wipe = (): Step => ({
  state: connecting,
  change: { status: 'PENDING', qrcode: '', number: '', retries: 0, lastError: null },
  actions: [{ do: 'disconnect' }, { do: 'wipe' }, { do: 'connect' }],
})

const scanned = (): Step => ({ state: { at: 'pairing' }, change: { status: 'PAIRING', qrcode: '' }, actions: [] })

/** Another code would be asked the same: it ends here, until somebody begins anew. */
const passkeyAsked = (): Step => ({
  state: idle('passkey'),
  change: { status: 'DISCONNECTED', qrcode: '', lastError: 'passkey' },
  actions: [{ do: 'disconnect' }],
})

const opened = (state: SessionState, { number }: EventOn<'opened'>): Step => ({
  state: { at: 'open', attempt: 'attempt' in state ? state.attempt : 0 },
  change: { status: 'CONNECTED', qrcode: '', number, retries: 0, lastError: null },
  actions: [],
})

const showQr = (shown: number, byCode: boolean, { text }: EventOn<'qr'>): Step => ({
  state: { at: 'qr', shown, byCode },
  change: { status: 'qrcode', qrcode: text },
  actions: [],
})

/** What happens next, for each state and event. Whoever adds one of either says it for all of the others. */
const rules: { [A in At]: { [O in On]: Rule<A, O> } } = {
  idle: {
    start: begin,
    qr: stay,
    codeRequested: stay,
    scanned: stay,
    passkeyAsked: stay,
    opened: stay,
    closed: stay,
    retry: stay,
    // There is no link to end; a problem is forgotten.
    stop: () => ({ ...stop(), actions: [] }),
    wipe,
  },
  connecting: {
    start: stay,
    qr: (_, event) => showQr(1, false, event),
    codeRequested: stay,
    scanned,
    passkeyAsked,
    opened,
    closed,
    retry: stay,
    stop,
    wipe,
  },
  qr: {
    start: stay,
    qr: ({ shown, byCode }, event) =>
      shown < qrsShown || byCode ? showQr(shown + 1, byCode, event) : { ...expired, actions: [{ do: 'disconnect' }] },
    codeRequested: (state) => stay({ ...state, byCode: true }),
    scanned,
    passkeyAsked,
    opened,
    // 408 is a dead link or the last unscanned QR: only the state tells them apart, and the second must not loop.
    closed: (state, event, now) => (event.code === 408 ? { ...expired, actions: [] } : closed(state, event, now)),
    retry: stay,
    stop,
    wipe,
  },
  pairing: {
    start: stay,
    qr: stay,
    codeRequested: stay,
    scanned,
    passkeyAsked,
    opened,
    closed,
    retry: stay,
    stop,
    wipe,
  },
  open: {
    start: stay,
    qr: stay,
    codeRequested: stay,
    scanned,
    passkeyAsked: stay,
    opened,
    closed,
    retry: stay,
    stop,
    wipe,
  },
  waiting: {
    start: begin,
    qr: stay,
    codeRequested: stay,
    scanned,
    passkeyAsked: stay,
    opened,
    closed: stay,
    retry: (state) => ({ state: { ...state, at: 'connecting' }, change: null, actions: [{ do: 'connect' }] }),
    stop,
    wipe,
  },
}

/** The only place that decides what a session does next. */
export function step(state: SessionState, event: SessionEvent, chance: number, backoff: Backoff = usualBackoff): Step {
  // That the rule is the state's and the event's own is what the type of the table says.
  const rule = rules[state.at][event.on] as (state: SessionState, event: SessionEvent, now: Circumstances) => Step
  return rule(state, event, { chance, backoff })
}

const expired: Omit<Step, 'actions'> = {
  state: idle('qr_expired'),
  change: { status: 'DISCONNECTED', qrcode: '', lastError: 'qr_expired' },
}

/** The link ended, and the code says what to do about it. */
function closed(
  state: StateAt<'connecting' | 'qr' | 'pairing' | 'open'>,
  event: EventOn<'closed'>,
  { chance, backoff }: Circumstances,
): Step {
  const ending = endings[event.code] ?? { then: 'retry' as const }
  const attempt = 'attempt' in state && event.openMs < steadyAfterMs ? state.attempt : 0
  const versionRefreshed = state.at === 'connecting' && state.versionRefreshed

  switch (ending.then) {
    case 'restart':
      // Once: a service that only ever says so must not be asked without a pause.
      if (attempt > 0) break
      return { state: { at: 'connecting', attempt: 1, versionRefreshed }, change: null, actions: [{ do: 'connect' }] }
    case 'stop':
      return {
        state: idle(ending.problem ?? null),
        change: { status: 'DISCONNECTED', qrcode: '', lastError: ending.problem ?? null },
        actions: [],
      }
    case 'relink':
      // Without credentials there is nothing to wipe: refusing a stranger is a trouble of the service.
      if (!event.linked) break
      return {
        state: connecting,
        change: { status: 'PENDING', qrcode: '', number: '', retries: 0, lastError: ending.problem ?? null },
        actions: [{ do: 'wipe' }, { do: 'connect' }],
      }
    case 'refresh':
      if (versionRefreshed) {
        return {
          state: idle('outdated'),
          change: { status: 'DISCONNECTED', qrcode: '', lastError: 'outdated' },
          actions: [],
        }
      }
      return {
        state: { at: 'connecting', attempt, versionRefreshed: true },
        change: null,
        actions: [{ do: 'refreshVersion' }, { do: 'connect' }],
      }
  }
  const retries = attempt + 1
  return {
    state: { at: 'waiting', attempt: retries, versionRefreshed: false },
    change: {
      status: retries >= retriesUntilTimeout ? 'TIMEOUT' : 'OPENING',
      qrcode: '',
      retries,
      lastError: ending.problem ?? `code_${event.code}`,
    },
    actions: [{ do: 'wait', ms: backoffMs(attempt, chance, backoff, ending.slower) }],
  }
}
