import { describe, expect, test } from 'bun:test'
import {
  type Entry,
  isSilent,
  type OutboxEvent,
  reduce,
  replacedBy,
  restored,
  retryAfterMs,
  retryDelay,
  sendable,
  ticketOf,
  verdict,
} from './outbox.state.ts'

let n = 0
const entry = (values: Partial<Entry> = {}): Entry => ({
  id: `e${++n}`,
  name: 'messages.send',
  input: {},
  state: 'queued',
  createdAt: 0,
  attempts: 0,
  error: null,
  ticketId: 1,
  file: null,
  seq: n,
  txid: null,
  tables: null,
  sentAt: null,
  notBefore: 0,
  ...values,
})
const ids = (entries: readonly Entry[]) => entries.map((e) => e.id)
const after = (entries: readonly Entry[], ...events: OutboxEvent[]) => events.reduce(reduce, entries)

describe('the life of a command', () => {
  test('[O2] it is kept in the order of the clicks, whatever order the tabs are heard in', () => {
    const [first, second] = [entry(), entry()]
    expect(ids(after([], { type: 'added', entry: second }, { type: 'added', entry: first }))).toEqual([
      first.id,
      second.id,
    ])
  })
  test('[O2] hearing of it twice keeps it once', () => {
    const one = entry()
    expect(after([one], { type: 'added', entry: one })).toHaveLength(1)
  })
  test('[O4] an answer that nobody understood puts it back, with the attempt counted', () => {
    const one = entry()
    const [now] = after([one], { type: 'sending', id: one.id }, { type: 'unanswered', id: one.id, notBefore: 9 })
    expect(now).toMatchObject({ state: 'queued', attempts: 1, notBefore: 9 })
  })
  test('[C7] a refusal stays with its reason until the user retries', () => {
    const one = entry()
    const error = { code: 'ERR_TICKET_TAKEN' as const, params: {} }
    const failed = after([one], { type: 'sending', id: one.id }, { type: 'refused', id: one.id, error })
    expect(failed[0]).toMatchObject({ state: 'failed', error })
    expect(after(failed, { type: 'retried', id: one.id })[0]).toMatchObject({ state: 'queued', error: null })
  })
  test('[O3] an answer to a command that was discarded meanwhile changes nothing', () => {
    const [kept, one] = [entry(), entry()]
    const entries = after([kept, one], { type: 'sending', id: one.id }, { type: 'gone', id: one.id })
    expect(after(entries, { type: 'accepted', id: one.id, txid: '5', tables: null, now: 1 })).toBe(entries)
  })
  test('[O3] an accepted command is never sent again, nor refused', () => {
    const one = entry()
    const sent = after(
      [one],
      { type: 'sending', id: one.id },
      { type: 'accepted', id: one.id, txid: '5', tables: null, now: 1 },
    )
    expect(
      after(
        sent,
        { type: 'sending', id: one.id },
        { type: 'refused', id: one.id, error: { code: 'ERR_FORBIDDEN', params: {} } },
      ),
    ).toBe(sent)
  })
  test('[O5] after a crash, what was being sent is sent again', () => {
    expect(restored(entry({ state: 'sending' })).state).toBe('queued')
    expect(restored(entry({ state: 'failed' })).state).toBe('failed')
  })
  test('[O5] after a reload nothing waits for a moment of the clock of the worker before', () => {
    const waited = restored(entry({ notBefore: 3_600_000 }))
    expect(sendable([waited], 5, 4, 50)).toEqual({ send: [[waited]], lookAgainAt: null })
  })
})

describe('[O1] each event in each state', () => {
  const events: { [T in OutboxEvent['type']]: (of: Entry) => Extract<OutboxEvent, { type: T }> } = {
    added: (of) => ({ type: 'added', entry: of }),
    sending: ({ id }) => ({ type: 'sending', id }),
    uploaded: ({ id }) => ({ type: 'uploaded', id, part: 0.5 }),
    accepted: ({ id }) => ({ type: 'accepted', id, txid: '5', tables: null, now: 1 }),
    refused: ({ id }) => ({ type: 'refused', id, error: { code: 'ERR_FORBIDDEN', params: {} } }),
    unanswered: ({ id }) => ({ type: 'unanswered', id, notBefore: 9 }),
    retried: ({ id }) => ({ type: 'retried', id }),
    placed: ({ id }) => ({ type: 'placed', id, ticketId: 3 }),
    gone: ({ id }) => ({ type: 'gone', id }),
  }
  /** What is said of the entry afterwards; `-`: nothing has changed. */
  const table: Record<Entry['state'], Record<OutboxEvent['type'], string>> = {
    queued: {
      added: '-',
      sending: 'sending, attempts 2',
      uploaded: '-',
      accepted: '-',
      refused: 'failed, ERR_FORBIDDEN',
      unanswered: '-',
      retried: 'queued, at once',
      placed: 'queued, ticket 3',
      gone: 'forgotten',
    },
    sending: {
      added: '-',
      sending: '-',
      uploaded: 'sending, half of its file',
      accepted: 'sent, txid 5',
      refused: 'failed, ERR_FORBIDDEN',
      unanswered: 'queued, not before 9',
      retried: 'sending, at once',
      placed: 'sending, ticket 3',
      gone: 'forgotten',
    },
    sent: {
      added: '-',
      sending: '-',
      uploaded: '-',
      accepted: '-',
      refused: '-',
      unanswered: '-',
      retried: 'sent, at once',
      placed: 'sent, ticket 3',
      gone: 'forgotten',
    },
    failed: {
      added: '-',
      sending: '-',
      uploaded: '-',
      accepted: '-',
      refused: '-',
      unanswered: '-',
      retried: 'queued, attempts 0, ERR_FORBIDDEN is over, at once',
      placed: 'failed, ticket 3',
      gone: 'forgotten',
    },
  }
  const said = (was: Entry, is: Entry | undefined): string => {
    if (!is) return 'forgotten'
    if (is === was) return '-'
    return [
      is.state,
      ...(is.attempts === was.attempts ? [] : [`attempts ${is.attempts}`]),
      ...(is.txid === was.txid ? [] : [`txid ${is.txid}`]),
      ...(is.error === was.error ? [] : [is.error?.code ?? `${was.error?.code} is over`]),
      ...(is.notBefore === was.notBefore ? [] : [is.notBefore === 0 ? 'at once' : `not before ${is.notBefore}`]),
      ...(is.uploaded === was.uploaded ? [] : ['half of its file']),
      ...(is.ticketId === was.ticketId ? [] : [`ticket ${is.ticketId}`]),
    ].join(', ')
  }
  const states = Object.keys(table) as Entry['state'][]
  test.each(states)('a command that is %s', (state) => {
    const error = state === 'failed' ? { code: 'ERR_FORBIDDEN' as const, params: {} } : null
    const was = entry({ state, attempts: 1, notBefore: 7, ticketId: null, error })
    const found = Object.fromEntries(
      Object.entries(events).map(([type, event]) => [type, said(was, after([was], event(was))[0])]),
    )
    expect(found).toEqual(table[state])
  })
  test('a command that is not there is only added', () => {
    const [kept, other] = [[entry()], entry()]
    for (const event of Object.values(events))
      expect(after(kept, event(other)).length).toBe(event(other).type === 'added' ? 2 : 1)
  })
  test('[C6] what was accepted is kept until its rows have come', () => {
    const sent = entry({ state: 'sent' })
    expect(after([sent], events.retried(sent), events.unanswered(sent), events.refused(sent))[0]!.state).toBe('sent')
  })
})

describe('what is sent next', () => {
  const requests = (entries: readonly Entry[], { now = 0, free = 4, together = 1 } = {}) =>
    sendable(entries, now, free, together).send.map(ids)

  test('[C3] commands of one ticket go one at a time, in order; other tickets do not wait', () => {
    const [a1, a2, b1] = [entry(), entry(), entry({ ticketId: 2 })]
    expect(requests([a1, a2, b1])).toEqual([[a1.id], [b1.id]])
    expect(requests([{ ...a1, state: 'sending' }, a2, b1])).toEqual([[b1.id]])
    expect(requests([{ ...a1, state: 'sent' }, a2])).toEqual([[a2.id]])
  })
  test('[C3] a refused command does not hold up those behind it', () => {
    const [a1, a2] = [entry({ state: 'failed' }), entry()]
    expect(requests([a1, a2])).toEqual([[a2.id]])
  })
  test('[C3] one that waits for another attempt holds up its own ticket, and says when to look again', () => {
    const [a1, a2, b1] = [entry({ notBefore: 50 }), entry(), entry({ ticketId: 2 })]
    expect(sendable([a1, a2, b1], 0, 4, 50)).toEqual({ send: [[b1]], lookAgainAt: 50 })
    expect(requests([a1, a2], { now: 50, together: 50 })).toEqual([[a1.id, a2.id]])
  })
  test('[O7] no more requests than allowed are on their way at once', () => {
    const entries = [1, 2, 3, 4, 5].map((ticketId) => entry({ ticketId }))
    expect(requests(entries, { free: 2 })).toHaveLength(2)
    expect(requests(entries, { free: 0, together: 50 })).toEqual([])
  })
  test('[C9] what waits goes together, in the order of the clicks, as much as a request may have', () => {
    const [a1, b1, a2, c1, b2] = [1, 2, 1, 3, 2].map((ticketId) => entry({ ticketId })) as [
      Entry,
      Entry,
      Entry,
      Entry,
      Entry,
    ]
    expect(requests([a1, b1, a2, c1, b2], { together: 50 })).toEqual([[a1.id, b1.id, a2.id, c1.id, b2.id]])
    // What is left of a ticket whose commands are on their way waits; another ticket is another request.
    expect(requests([a1, b1, a2, c1, b2], { together: 3 })).toEqual([[a1.id, b1.id, a2.id], [c1.id]])
    expect(requests([{ ...a1, state: 'sending' }, b1, a2, c1, b2], { together: 50 })).toEqual([[b1.id, c1.id, b2.id]])
  })
  test('[C9] a file goes alone, behind what comes before it in its ticket and before what comes after it', () => {
    const file = { name: 'a.png', mimetype: 'image/png', size: 1 }
    const [a1, a2, a3, b1] = [entry(), entry({ file }), entry(), entry({ ticketId: 2, file })]
    expect(requests([a1, a2, a3, b1], { together: 50 })).toEqual([[a1.id], [b1.id]])
    expect(requests([a2, a3, b1], { together: 50 })).toEqual([[a2.id], [b1.id]])
  })
  test('[C9] what is long is not too much for a request, however many wait', () => {
    const entries = Array.from({ length: 10 }, (_, i) => entry({ ticketId: i, input: { body: 'a'.repeat(65_000) } }))
    const [first, ...more] = requests(entries, { together: 50 })
    expect(first!.length).toBe(6)
    expect(more.flat().length).toBe(4)
  })
  test('[C3] an edit of a message that itself still waits goes behind it', () => {
    const sending = entry({ input: { id: 'm1' }, ticketId: 9 })
    expect(ticketOf({ messageId: 'm1', body: 'x' }, [sending])).toBe(9)
    expect(ticketOf({ messageId: 'm2', body: 'x' }, [sending])).toBeNull()
    expect(ticketOf({ ticketId: 3 }, [])).toBe(3)
  })
  test('[O4] the wait between attempts stays short', () => {
    expect(retryDelay(1, 1)).toBeLessThanOrEqual(500)
    expect(retryDelay(50, 1)).toBeLessThanOrEqual(2_000)
    expect(retryDelay(50, 0)).toBeGreaterThanOrEqual(1_000)
  })
})

test.each([
  [200, { txid: '12', result: {} }, 'accepted'],
  [200, '<html>welcome to the hotel</html>', 'unanswered'],
  [404, null, 'unanswered'],
  [404, { error: 'NOT_OURS' }, 'unanswered'],
  [404, { error: 'ERR_NO_TICKET_FOUND' }, 'refused'],
  [409, { error: 'ERR_TICKET_TAKEN' }, 'refused'],
  // Of a server that is newer than these scripts: asked again, it would say the same.
  [409, { error: 'ERR_OF_NEXT_YEAR' }, 'refused'],
  [403, { error: 'forbidden by the proxy' }, 'unanswered'],
  [401, null, 'unanswered'],
  [401, { message: 'login to the network' }, 'unanswered'],
  [403, { error: 'ERR_NO_PERMISSION' }, 'refused'],
  [403, { error: 'ERR_TOKEN_EXPIRED' }, 'unauthorised'],
  [401, { error: 'ERR_SESSION_EXPIRED' }, 'unauthorised'],
  [429, { error: 'ERR_TOO_MANY_REQUESTS' }, 'unanswered'],
  [503, { error: 'ERR_UNAVAILABLE' }, 'unanswered'],
  [507, { error: 'ERR_STORAGE_FULL' }, 'unanswered'],
] as const)('[C4] an answer %i with %j: %s', (status, body, kind) => {
  expect(verdict(status, body).kind).toBe(kind)
})

test.each([
  [null, 0],
  ['2', 2_000],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 4_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['86400', 60_000],
  ['soon', 0],
])('[O4] a server that says Retry-After: %s is left alone for %i ms', (header, ms) => {
  expect(retryAfterMs(header, 1_000)).toBe(ms)
  expect(verdict(429, { error: 'ERR_TOO_MANY_REQUESTS' }, ms)).toEqual({ kind: 'unanswered', waitMs: ms })
})

test('a refusal carries what the server says besides the code', () => {
  expect(verdict(409, { error: 'ERR_TICKET_TAKEN', ticketId: 4 })).toEqual({
    kind: 'refused',
    error: { code: 'ERR_TICKET_TAKEN', params: { ticketId: 4 } },
  })
})

test('[C1] marks of reading are nobody’s to wait for, and keep their place among the clicks of their ticket', () => {
  const accept = entry({ name: 'tickets.accept', ticketId: 1 })
  const read = entry({ name: 'tickets.read', ticketId: 1 })
  const later = entry({ name: 'tickets.read', ticketId: 1 })
  expect([accept, read].map(isSilent)).toEqual([false, true])
  expect(replacedBy(later, [accept, read])).toEqual([])
  expect(sendable([accept, read], 0, 4, 1).send).toEqual([[accept]])
})

describe('drafts, which nobody waits for', () => {
  const draft = (values: Partial<Entry> = {}) => entry({ name: 'drafts.set', ...values })

  test('[O6] the next draft of a ticket takes the place of one that waits, of no other', () => {
    const [sending, waiting] = [draft({ state: 'sending' }), draft()]
    const [elsewhere, message] = [draft({ ticketId: 2 }), entry()]
    expect(ids(replacedBy(draft(), [sending, waiting, elsewhere, message]))).toEqual([waiting.id])
    expect(replacedBy(entry(), [message, waiting])).toEqual([])
  })
  test('[O6] a draft does not hold up the message behind it, and drafts keep their order', () => {
    const entries = [draft({ state: 'sending' }), draft(), entry()]
    expect(sendable(entries, 0, 4, 50).send.map(ids)).toEqual([[entries[2]!.id]])
  })
})

test('how much of a file has left is told in steps, and forgotten when it must be sent again', () => {
  const file = { name: 'a.pdf', mimetype: 'application/pdf', size: 10 }
  let all: readonly Entry[] = [entry({ id: 'a', file })]
  const told = (event: OutboxEvent) => (all = reduce(all, event))[0]!.uploaded
  expect(told({ type: 'uploaded', id: 'a', part: 0.5 })).toBeUndefined()
  told({ type: 'sending', id: 'a' })
  expect(told({ type: 'uploaded', id: 'a', part: 0.52 })).toBe(0.5)
  const before = all
  expect(told({ type: 'uploaded', id: 'a', part: 0.53 })).toBe(0.5)
  expect(all).toBe(before)
  expect(told({ type: 'unanswered', id: 'a', notBefore: 0 })).toBeUndefined()
})
