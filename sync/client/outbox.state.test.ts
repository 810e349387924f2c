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
  test('it is kept in the order of the clicks, whatever order the tabs are heard in', () => {
    const [first, second] = [entry(), entry()]
    expect(ids(after([], { type: 'added', entry: second }, { type: 'added', entry: first }))).toEqual([
      first.id,
      second.id,
    ])
  })
  test('hearing of it twice keeps it once', () => {
    const one = entry()
    expect(after([one], { type: 'added', entry: one })).toHaveLength(1)
  })
  test('an answer that nobody understood puts it back, with the attempt counted', () => {
    const one = entry()
    const [now] = after([one], { type: 'sending', id: one.id }, { type: 'unanswered', id: one.id, notBefore: 9 })
    expect(now).toMatchObject({ state: 'queued', attempts: 1, notBefore: 9 })
  })
  test('a refusal stays with its reason until the user retries', () => {
    const one = entry()
    const error = { code: 'ERR_TICKET_TAKEN' as const, params: {} }
    const failed = after([one], { type: 'sending', id: one.id }, { type: 'refused', id: one.id, error })
    expect(failed[0]).toMatchObject({ state: 'failed', error })
    expect(after(failed, { type: 'retried', id: one.id })[0]).toMatchObject({ state: 'queued', error: null })
  })
  test('an answer to a command that was discarded meanwhile changes nothing', () => {
    const [kept, one] = [entry(), entry()]
    const entries = after([kept, one], { type: 'sending', id: one.id }, { type: 'gone', id: one.id })
    expect(after(entries, { type: 'accepted', id: one.id, txid: '5', tables: null, now: 1 })).toBe(entries)
  })
  test('an accepted command is never sent again, nor refused', () => {
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
  test('after a crash, what was being sent is sent again', () => {
    expect(restored(entry({ state: 'sending' })).state).toBe('queued')
    expect(restored(entry({ state: 'failed' })).state).toBe('failed')
  })
  test('after a reload nothing waits for a moment of the clock of the worker before', () => {
    const waited = restored(entry({ notBefore: 3_600_000 }))
    expect(sendable([waited], 5, 4)).toEqual({ send: [waited], lookAgainAt: null })
  })
})

describe('what is sent next', () => {
  test('commands of one ticket go one at a time, in order; other tickets do not wait', () => {
    const [a1, a2, b1] = [entry(), entry(), entry({ ticketId: 2 })]
    expect(ids(sendable([a1, a2, b1], 0, 4).send)).toEqual([a1.id, b1.id])
    expect(ids(sendable([{ ...a1, state: 'sending' }, a2, b1], 0, 4).send)).toEqual([b1.id])
    expect(ids(sendable([{ ...a1, state: 'sent' }, a2], 0, 4).send)).toEqual([a2.id])
  })
  test('a refused command does not hold up those behind it', () => {
    const [a1, a2] = [entry({ state: 'failed' }), entry()]
    expect(ids(sendable([a1, a2], 0, 4).send)).toEqual([a2.id])
  })
  test('one that waits for another attempt holds up its own ticket, and says when to look again', () => {
    const [a1, a2, b1] = [entry({ notBefore: 50 }), entry(), entry({ ticketId: 2 })]
    expect(sendable([a1, a2, b1], 0, 4)).toEqual({ send: [b1], lookAgainAt: 50 })
    expect(ids(sendable([a1, a2], 50, 4).send)).toEqual([a1.id])
  })
  test('no more than allowed are on their way at once', () => {
    const entries = [1, 2, 3, 4, 5].map((ticketId) => entry({ ticketId }))
    expect(sendable(entries, 0, 2).send).toHaveLength(2)
  })
  test('an edit of a message that itself still waits goes behind it', () => {
    const sending = entry({ input: { id: 'm1' }, ticketId: 9 })
    expect(ticketOf({ messageId: 'm1', body: 'x' }, [sending])).toBe(9)
    expect(ticketOf({ messageId: 'm2', body: 'x' }, [sending])).toBeNull()
    expect(ticketOf({ ticketId: 3 }, [])).toBe(3)
  })
  test('the wait between attempts stays short', () => {
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
  [403, { error: 'ERR_NO_PERMISSION' }, 'refused'],
  [403, { error: 'ERR_TOKEN_EXPIRED' }, 'unauthorised'],
  [401, { error: 'ERR_SESSION_EXPIRED' }, 'unauthorised'],
  [429, { error: 'ERR_TOO_MANY_REQUESTS' }, 'unanswered'],
  [503, { error: 'ERR_UNAVAILABLE' }, 'unanswered'],
  [507, { error: 'ERR_STORAGE_FULL' }, 'unanswered'],
] as const)('an answer %i with %j: %s', (status, body, kind) => {
  expect(verdict(status, body).kind).toBe(kind)
})

test.each([
  [null, 0],
  ['2', 2_000],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 4_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['86400', 60_000],
  ['soon', 0],
])('a server that says Retry-After: %s is left alone for %i ms', (header, ms) => {
  expect(retryAfterMs(header, 1_000)).toBe(ms)
  expect(verdict(429, { error: 'ERR_TOO_MANY_REQUESTS' }, ms)).toEqual({ kind: 'unanswered', waitMs: ms })
})

test('a refusal carries what the server says besides the code', () => {
  expect(verdict(409, { error: 'ERR_TICKET_TAKEN', ticketId: 4 })).toEqual({
    kind: 'refused',
    error: { code: 'ERR_TICKET_TAKEN', params: { ticketId: 4 } },
  })
})

test('marks of reading are nobody’s to wait for, and keep their place among the clicks of their ticket', () => {
  const accept = entry({ name: 'tickets.accept', ticketId: 1 })
  const read = entry({ name: 'tickets.read', ticketId: 1 })
  const later = entry({ name: 'tickets.read', ticketId: 1 })
  expect([accept, read].map(isSilent)).toEqual([false, true])
  expect(replacedBy(later, [accept, read])).toEqual([])
  expect(sendable([accept, read], 0, 4).send).toEqual([accept])
})

describe('drafts, which nobody waits for', () => {
  const draft = (values: Partial<Entry> = {}) => entry({ name: 'drafts.set', ...values })

  test('the next draft of a ticket takes the place of one that waits, of no other', () => {
    const [sending, waiting] = [draft({ state: 'sending' }), draft()]
    const [elsewhere, message] = [draft({ ticketId: 2 }), entry()]
    expect(ids(replacedBy(draft(), [sending, waiting, elsewhere, message]))).toEqual([waiting.id])
    expect(replacedBy(entry(), [message, waiting])).toEqual([])
  })
  test('a draft does not hold up the message behind it, and drafts keep their order', () => {
    const entries = [draft({ state: 'sending' }), draft(), entry()]
    expect(ids(sendable(entries, 0, 4).send)).toEqual([entries[2]!.id])
  })
})
