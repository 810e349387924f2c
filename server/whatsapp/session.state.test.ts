import { describe, expect, test } from 'bun:test'
import {
  backoffMs,
  endings,
  qrsShown,
  type SessionAction,
  type SessionEvent,
  type SessionState,
  step,
  usualBackoff,
} from './session.state.ts'

const middle = 0.5
const closed = (code: number, more: Partial<SessionEvent & { on: 'closed' }> = {}): SessionEvent => ({
  on: 'closed',
  code,
  linked: true,
  openMs: 0,
  ...more,
})
/** Feeds events one after the other, starting from rest. */
const life = (...events: SessionEvent[]) =>
  events.reduce<{ state: SessionState; statuses: unknown[]; actions: SessionAction[] }>(
    ({ state, statuses, actions }, event) => {
      const next = step(state, event, middle)
      return {
        state: next.state,
        statuses: next.change?.status ? [...statuses, next.change.status] : statuses,
        actions: [...actions, ...next.actions],
      }
    },
    { state: { at: 'idle', problem: null }, statuses: [], actions: [] },
  )
const opened: SessionEvent = { on: 'opened', number: '5511' }
const qr: SessionEvent = { on: 'qr', text: 'x' }

describe('a link', () => {
  test('goes from the QR over the scan and the restart to open', () => {
    const { state, statuses, actions } = life({ on: 'start' }, qr, { on: 'scanned' }, closed(515), opened)
    expect(state.at).toBe('open')
    expect(statuses).toEqual(['OPENING', 'qrcode', 'PAIRING', 'CONNECTED'])
    expect(actions).toEqual([{ do: 'connect' }, { do: 'connect' }])
  })

  test('is given up after the third QR, but not while a code is being typed', () => {
    const unseen = life({ on: 'start' }, ...Array.from({ length: qrsShown + 1 }, () => qr))
    expect(unseen.state).toEqual({ at: 'idle', problem: 'qr_expired' })
    expect(unseen.statuses.at(-1)).toBe('DISCONNECTED')
    const typing = life({ on: 'start' }, qr, { on: 'codeRequested' }, qr, qr, qr, qr)
    expect(typing.state.at).toBe('qr')
  })

  test('that WhatsApp wants a passkey for ends, and nothing is tried again', () => {
    const asked = life({ on: 'start' }, qr, { on: 'passkeyAsked' })
    expect(asked.state).toEqual({ at: 'idle', problem: 'passkey' })
    expect(asked.statuses.at(-1)).toBe('DISCONNECTED')
    expect(asked.actions).toEqual([{ do: 'connect' }, { do: 'disconnect' }])
    // What the link still says is old, and a link that stands has no use for it.
    expect(life({ on: 'start' }, qr, { on: 'passkeyAsked' }, qr, closed(515)).state.at).toBe('idle')
    expect(life({ on: 'start' }, qr, { on: 'scanned' }, opened, { on: 'passkeyAsked' }).state.at).toBe('open')
  })

  test('that times out with a QR on the screen does not loop; one that times out otherwise is tried again', () => {
    expect(life({ on: 'start' }, qr, closed(408, { linked: false })).state).toEqual({
      at: 'idle',
      problem: 'qr_expired',
    })
    expect(life({ on: 'start' }, closed(408)).state).toMatchObject({ at: 'waiting', attempt: 1 })
  })
})

describe('each event in each state', () => {
  type At = SessionState['at']
  const events: { [O in SessionEvent['on']]: SessionEvent & { on: O } } = {
    start: { on: 'start' },
    qr: { on: 'qr', text: 'x' },
    codeRequested: { on: 'codeRequested' },
    scanned: { on: 'scanned' },
    passkeyAsked: { on: 'passkeyAsked' },
    opened: { on: 'opened', number: '5511' },
    closed: { on: 'closed', code: 428, linked: true, openMs: 0 },
    retry: { on: 'retry' },
    stop: { on: 'stop' },
    wipe: { on: 'wipe' },
  }
  const states: { [A in At]: SessionState & { at: A } } = {
    idle: { at: 'idle', problem: 'locked' },
    connecting: { at: 'connecting', attempt: 1, versionRefreshed: false },
    qr: { at: 'qr', shown: 1, byCode: false },
    pairing: { at: 'pairing' },
    open: { at: 'open', attempt: 1 },
    waiting: { at: 'waiting', attempt: 1, versionRefreshed: false },
  }
  const wiped = 'connecting PENDING: disconnect wipe connect'
  const stopped = 'idle DISCONNECTED: disconnect'
  /** The next state, the status that people see, what is done; `-`: nothing of it. */
  const table: Record<At, Record<SessionEvent['on'], string>> = {
    idle: {
      start: 'connecting OPENING: connect',
      qr: '-',
      codeRequested: '-',
      scanned: '-',
      passkeyAsked: '-',
      opened: '-',
      closed: '-',
      retry: '-',
      stop: 'idle DISCONNECTED:',
      wipe: wiped,
    },
    connecting: {
      start: '-',
      qr: 'qr qrcode:',
      codeRequested: '-',
      scanned: 'pairing PAIRING:',
      passkeyAsked: stopped,
      opened: 'open CONNECTED:',
      closed: 'waiting OPENING: wait',
      retry: '-',
      stop: stopped,
      wipe: wiped,
    },
    qr: {
      start: '-',
      qr: 'qr qrcode:',
      codeRequested: 'qr by code:',
      scanned: 'pairing PAIRING:',
      passkeyAsked: stopped,
      opened: 'open CONNECTED:',
      closed: 'waiting OPENING: wait',
      retry: '-',
      stop: stopped,
      wipe: wiped,
    },
    pairing: {
      start: '-',
      qr: '-',
      codeRequested: '-',
      scanned: 'pairing PAIRING:',
      passkeyAsked: stopped,
      opened: 'open CONNECTED:',
      closed: 'waiting OPENING: wait',
      retry: '-',
      stop: stopped,
      wipe: wiped,
    },
    open: {
      start: '-',
      qr: '-',
      codeRequested: '-',
      scanned: 'pairing PAIRING:',
      passkeyAsked: '-',
      opened: 'open CONNECTED:',
      closed: 'waiting OPENING: wait',
      retry: '-',
      stop: stopped,
      wipe: wiped,
    },
    waiting: {
      start: 'connecting OPENING: connect',
      qr: '-',
      codeRequested: '-',
      scanned: 'pairing PAIRING:',
      passkeyAsked: '-',
      opened: 'open CONNECTED:',
      closed: '-',
      retry: 'connecting: connect',
      stop: stopped,
      wipe: wiped,
    },
  }
  test.each(Object.keys(states) as At[])('a session that is %s', (at) => {
    const said = Object.fromEntries(
      Object.entries(events).map(([on, event]) => {
        const { state, change, actions } = step(states[at], event, middle)
        if (state === states[at] && !change && actions.length === 0) return [on, '-']
        const shown = change?.status ?? ('byCode' in state && state.byCode ? 'by code' : '')
        return [on, `${[state.at, shown].filter(Boolean).join(' ')}: ${actions.map((a) => a.do).join(' ')}`.trim()]
      }),
    )
    expect(said).toEqual(table[at])
  })
})

describe('an ending', () => {
  test('follows the table for every code, from an open link', () => {
    const seen = Object.keys(endings).map((code) => {
      const { state, actions } = life({ on: 'start' }, opened, closed(Number(code)))
      return [
        Number(code),
        state.at,
        'problem' in state ? state.problem : null,
        actions
          .slice(1)
          .map((a) => a.do)
          .join(' '),
      ]
    })
    expect(seen).toEqual([
      [400, 'idle', 'certificate', ''],
      [401, 'connecting', null, 'wipe connect'],
      [402, 'idle', 'temporarily_banned', ''],
      [403, 'idle', 'locked', ''],
      [405, 'connecting', null, 'refreshVersion connect'],
      [406, 'idle', 'banned', ''],
      [408, 'waiting', null, 'wait'],
      [411, 'connecting', null, 'wipe connect'],
      [428, 'waiting', null, 'wait'],
      [440, 'idle', 'replaced', ''],
      [500, 'waiting', null, 'wait'],
      [503, 'waiting', null, 'wait'],
      [515, 'connecting', null, 'connect'],
    ])
  })

  test('that asks for a restart is followed at once, and when it asks again and again, ever more slowly', () => {
    const begun = life({ on: 'start' }, opened, closed(515), opened)
    expect(begun.actions.at(-1)).toEqual({ do: 'connect' })
    const again = life({ on: 'start' }, opened, closed(515), opened, closed(515), { on: 'retry' }, closed(515))
    const waits = again.actions.flatMap((action) => (action.do === 'wait' ? [action.ms] : []))
    expect(waits).toHaveLength(2)
    expect(waits[1]!).toBeGreaterThan(waits[0]!)
  })

  test('that nobody described is tried again', () => {
    expect(life({ on: 'start' }, opened, closed(599)).state.at).toBe('waiting')
  })

  test('as outdated asks for the version once', () => {
    const { state, actions } = life({ on: 'start' }, closed(405), closed(405))
    expect(state).toEqual({ at: 'idle', problem: 'outdated' })
    expect(actions.filter((a) => a.do === 'refreshVersion')).toHaveLength(1)
  })

  test('of a stranger who has nothing to forget is not a reason to forget', () => {
    const { state, actions } = life({ on: 'start' }, closed(401, { linked: false }))
    expect(state.at).toBe('waiting')
    expect(actions.some((a) => a.do === 'wipe')).toBe(false)
  })

  test('is nobody’s business once the session rests', () => {
    expect(life({ on: 'start' }, opened, { on: 'stop' }, closed(503), { on: 'retry' }, opened).state.at).toBe('idle')
  })
})

describe('the wait between attempts', () => {
  test('doubles, is spread, and has a ceiling', () => {
    expect([0, 1, 2, 3].map((n) => backoffMs(n, 0))).toEqual([500, 1_000, 2_000, 4_000])
    expect(backoffMs(0, 0.999)).toBeGreaterThan(990)
    expect(backoffMs(40, 0.999)).toBeLessThanOrEqual(usualBackoff.capMs)
  })

  test('grows with each failure, turns the status to TIMEOUT at the fifth, and starts over after a steady link', () => {
    const failing = Array.from({ length: 5 }, () => [closed(428), { on: 'retry' } as const]).flat()
    const { state, statuses, actions } = life({ on: 'start' }, ...failing)
    expect(state).toMatchObject({ at: 'connecting', attempt: 5 })
    expect(statuses.at(-1)).toBe('TIMEOUT')
    const waits = actions.flatMap((a) => (a.do === 'wait' ? [a.ms] : []))
    expect(waits).toEqual([750, 1_500, 3_000, 6_000, 12_000])
    // A link that opens and breaks at once is no success.
    expect(life({ on: 'start' }, ...failing, opened, closed(428, { openMs: 10 })).state).toMatchObject({ attempt: 6 })
    expect(life({ on: 'start' }, ...failing, opened, closed(428, { openMs: 60_000 })).state).toMatchObject({
      attempt: 1,
    })
  })

  test('ends at once when somebody presses start', () => {
    const { state, actions } = life({ on: 'start' }, closed(503), { on: 'start' })
    expect(state).toMatchObject({ at: 'connecting', attempt: 0 })
    expect(actions.at(-1)).toEqual({ do: 'connect' })
  })
})
