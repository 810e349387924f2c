import { describe, expect, test } from 'bun:test'
import { TAKEN_BACK } from '../../schema/messages/messages.own.ts'
import type { OutboxEntry } from '../../sync/client/replica.types.ts'
import { isSignedBy, signed, splitSignature } from '../kit/signature.ts'
import { readMessage, type EventRow, type MessageRow } from './messages.rows.ts'
import {
  ackMark,
  byDay,
  countReactions,
  fillsWindow,
  intoBlocks,
  mergeMessages,
  oldestKnown,
  rowOfSend,
  threadEntries,
  waitsFor,
  type SendInput,
} from './messages.thread.ts'

const noon = new Date(2026, 5, 10, 12).getTime()
const message = (id: string, minutes: number, more: Partial<MessageRow> = {}): MessageRow => ({
  ...readMessage({ id, ticketId: 7, body: id }),
  createdAt: noon + minutes * 60_000,
  ...more,
})
const send = (id: string, body = id): SendInput => ({ id, ticketId: 7, body })
const entry = (input: SendInput, state: OutboxEntry['state'], more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: `entry-${input.id}`,
  name: 'messages.send',
  input,
  state,
  createdAt: noon,
  attempts: 0,
  error: null,
  ticketId: input.ticketId,
  file: null,
  ...more,
})
const sources = { rows: [], older: [], outbox: [], justSent: [], ticketId: 7, userId: 3 }
const ids = (list: { row: MessageRow }[]) => list.map(({ row }) => row.id)

describe('the first frame of a conversation', () => {
  const shown = (rows: MessageRow[], height: number) =>
    fillsWindow(
      rows.map((row) => ({ row, delivery: null })),
      height,
    ).map(({ row }) => row.id)
  const short = Array.from({ length: 50 }, (_, n) => message(`m${n}`, n))

  test('draws as many short messages as the window can hold, the newest', () => {
    expect(shown(short, 660)).toEqual(short.slice(-20).map(({ id }) => id))
    expect(shown(short, 1320)).toHaveLength(40)
    expect(shown(short.slice(0, 3), 660)).toEqual(['m0', 'm1', 'm2'])
    expect(shown([], 660)).toEqual([])
  })
  test('needs fewer of long ones; what a file carries as its text is not seen', () => {
    const long = short.map((row) => ({ ...row, body: 'palavra '.repeat(50) }))
    expect(shown(long, 660)).toHaveLength(7)
    // Folded, whatever its length.
    expect(
      shown(
        short.map((row) => ({ ...row, body: 'x'.repeat(60_000) })),
        660,
      ),
    ).toHaveLength(3)
    expect(
      shown(
        long.map((row) => ({ ...row, mediaType: 'vcard' as const })),
        660,
      ),
    ).toHaveLength(20)
  })
})

describe('one conversation out of replica, server and outbox', () => {
  test('a message that is in several places is shown once, as the replica has it', () => {
    const merged = mergeMessages({
      ...sources,
      rows: [message('b', 1, { ack: 3 })],
      older: [message('a', 0), message('b', 1, { ack: 1 })],
      outbox: [entry(send('b'), 'sent')],
      justSent: [{ input: send('b'), createdAt: noon }],
    })
    expect(ids(merged)).toEqual(['a', 'b'])
    expect(merged[1]).toEqual({ row: message('b', 1, { ack: 3 }), delivery: null })
  })
  test('what was just written is there before the outbox knows it', () => {
    const merged = mergeMessages({ ...sources, justSent: [{ input: send('x', 'oi'), createdAt: noon }] })
    expect(merged[0]).toMatchObject({
      row: { id: 'x', body: 'oi', fromMe: true, authorId: 3 },
      delivery: { state: 'queued', entryId: null },
    })
  })
  test('what waits comes after what the server has placed, whatever this machine’s clock says', () => {
    const merged = mergeMessages({
      ...sources,
      rows: [message('waits-1', -20), message('placed', 1), message('theirs', 2)],
      outbox: [entry(send('waits-1'), 'sending')],
      justSent: [{ input: send('waits-2'), createdAt: noon - 19 * 60_000 }],
    })
    expect(ids(merged)).toEqual(['placed', 'theirs', 'waits-1', 'waits-2'])
  })
  test('older ones are asked for from a message that the server knows', () => {
    const waiting = [{ input: send('x'), createdAt: noon }]
    const of = (rows: MessageRow[]) => oldestKnown(mergeMessages({ ...sources, rows, justSent: waiting }))?.id
    expect(of([])).toBeUndefined()
    expect(of([message('b', 1), message('c', 2)])).toBe('b')
  })
  test('a refused message stays, with the reason', () => {
    const error = { code: 'ERR_TICKET_NOT_OPEN' as const, params: {} }
    const merged = mergeMessages({ ...sources, outbox: [entry(send('x'), 'failed', { error })] })
    expect(merged[0]?.delivery).toEqual({ state: 'failed', entryId: 'entry-x', error })
  })
  test('what waits for another ticket is not shown here', () => {
    const other = { ...send('x'), ticketId: 8 }
    expect(
      mergeMessages({ ...sources, outbox: [entry(other, 'queued')], justSent: [{ input: other, createdAt: noon }] }),
    ).toEqual([])
  })
  test('messages stand in the order of their time, those of one moment by id', () => {
    expect(ids(mergeMessages({ ...sources, rows: [message('c', 2), message('b', 1), message('a', 1)] }))).toEqual([
      'a',
      'b',
      'c',
    ])
  })
  test('reactions are not messages', () => {
    expect(mergeMessages({ ...sources, rows: [message('r', 1, { mediaType: 'reactionMessage' })] })).toEqual([])
  })
  test('a file is shown by its name and kind while it waits', () => {
    const file = { path: null, name: 'nota.pdf', mimetype: 'application/pdf', size: 9, voice: false }
    expect(rowOfSend({ ...send('x', ''), file }, noon, 3)).toMatchObject({
      body: 'nota.pdf',
      mediaType: 'application',
      mediaState: 'pending',
    })
  })
})

describe('how it is drawn', () => {
  test('where messages are missing it says so, and nobody speaks on across the hole', () => {
    const entries = threadEntries(
      [message('far', 0), message('here', 1)].map((row) => ({ row, delivery: null })),
      [],
      null,
      'far',
    )
    expect(
      entries.map((entry) => (entry.kind === 'message' ? [entry.key, entry.first, entry.last] : entry.kind)),
    ).toEqual(['day', ['far', true, true], 'gap', ['here', true, true]])
  })
  const drawn = (rows: MessageRow[], events: EventRow[] = [], unread: { from: string; count: number } | null = null) =>
    threadEntries(
      rows.map((row) => ({ row, delivery: null })),
      events,
      unread,
    ).map((e) =>
      e.kind === 'message'
        ? `${e.key}${e.first ? ' first' : ''}${e.last ? ' last' : ''}`
        : e.kind === 'day'
          ? 'day'
          : e.key,
    )
  const event = (id: string, minutes: number): EventRow => ({
    id,
    kind: 'accepted',
    userId: 3,
    data: {},
    createdAt: noon + minutes * 60_000,
  })

  test('messages of one person within five minutes form a group', () => {
    expect(drawn([message('a', 0), message('b', 4), message('c', 10)])).toEqual([
      'day',
      'a first',
      'b last',
      'c first last',
    ])
  })
  test('another author begins another group', () => {
    expect(
      drawn([
        message('a', 0),
        message('b', 1, { fromMe: true, authorId: 3 }),
        message('c', 1, { fromMe: true, authorId: 4 }),
      ]),
    ).toEqual(['day', 'a first last', 'b first last', 'c first last'])
  })
  test('a new day has its line', () => {
    expect(drawn([message('a', 0), message('b', 24 * 60)])).toEqual(['day', 'a first last', 'day', 'b first last'])
  })
  test('events stand at their moment and break a group; those before the oldest message are not shown yet', () => {
    expect(drawn([message('a', 0), message('b', 2)], [event('old', -5), event('e', 1), event('end', 9)])).toEqual([
      'day',
      'a first last',
      'e',
      'b first last',
      'end',
    ])
  })
  test('where nothing is older, what happened before the oldest message is shown', () => {
    const messages = [{ row: message('a', 0), delivery: null }]
    const entries = threadEntries(messages, [event('began', -5)], null, null, true)
    expect(entries.map(({ key }) => key).filter((key) => !key.startsWith('day'))).toEqual(['began', 'a'])
  })
  test('a message that opens a service stands behind its opening, one that chooses or rates before what it did', () => {
    const at = (id: string, kind: EventRow['kind'], minutes: number) => ({ ...event(id, minutes), kind })
    expect(
      drawn(
        [message('a', 0), message('4', 1), message('5', 9)],
        [at('said', 'chosen', 0), at('opened', 'created', 0), at('chosen', 'chosen', 1), at('rated', 'rated', 9)],
      ),
    ).toEqual(['day', 'opened', 'a first last', 'said', '4 first last', 'chosen', '5 first last', 'rated'])
  })
  test('a ticket without messages still shows what happened to it', () => {
    expect(drawn([], [event('e', 1)])).toEqual(['day', 'e'])
  })
  test('a line stands before the first unread message', () => {
    expect(drawn([message('a', 0), message('b', 1)], [], { from: 'b', count: 1 })).toEqual([
      'day',
      'a first last',
      'unread',
      'b first last',
    ])
  })
})

test('ticks: 0 clock or failed, 1 and 2 one, 3 two, 4 and 5 blue', () => {
  const row = { isDeleted: false, authorId: 7 }
  const mark = (ack: number, ackError: string | null = null) => ackMark({ ...row, ack, ackError }, null)
  expect([0, 1, 2, 3, 4, 5].map((ack) => mark(ack))).toEqual(['clock', 'sent', 'sent', 'delivered', 'read', 'read'])
  expect(mark(0, '463')).toBe('failed')
  // Deleted before it left: nobody refused it.
  expect(mark(0, TAKEN_BACK)).toBeNull()
  // What the machine was about to say when the conversation went on says that it was not sent, and has no tick.
  expect(ackMark({ isDeleted: true, authorId: null, ack: 1, ackError: null }, null)).toBeNull()
  expect(ackMark({ ...row, ack: 1, ackError: null }, { state: 'sending', entryId: 'e', error: null })).toBe('clock')
  expect(ackMark({ ...row, ack: 1, ackError: null }, { state: 'failed', entryId: 'e', error: null })).toBe('failed')
})
test('reactions are counted, and ours is known', () => {
  expect(
    countReactions([
      { emoji: '❤️', by: '1' },
      { emoji: '👍', by: 'me' },
      { emoji: '👍', by: '2' },
    ]),
  ).toEqual([
    { emoji: '👍', count: 2, mine: true },
    { emoji: '❤️', count: 1, mine: false },
  ])
})
test('the signature is put before a text, never before nothing, and an edit takes it off again', () => {
  expect(signed('oi', 'Ana', true)).toBe('*Ana*:\noi')
  expect(signed('oi', 'Ana', false)).toBe('oi')
  expect(signed(' ', 'Ana', true)).toBe(' ')
  expect(splitSignature('*Ana*:\noi')).toEqual({ signature: '*Ana*:\n', text: 'oi' })
  expect(splitSignature('oi')).toEqual({ signature: '', text: 'oi' })
  expect(isSignedBy(signed('oi', 'Ana', true), 'Ana')).toBe(true)
  expect(isSignedBy(signed('oi', 'Ana Ribeiro', true), 'Ana')).toBe(false)
})

describe('what a message waits for', () => {
  const up = { online: true, connected: true }
  const own = (more: Partial<MessageRow> = {}) => ({
    row: message('a', 0, { fromMe: true, ack: 1, ...more }),
    delivery: null,
  })
  const queued = { ...own(), delivery: { state: 'queued' as const, entryId: 'e', error: null } }

  test('nothing, where everything is up or it has gone', () => {
    expect([own(), queued].map((each) => waitsFor(each, up))).toEqual([null, null])
    expect(waitsFor(own({ ack: 2 }), { ...up, connected: false })).toBeNull()
    expect(waitsFor({ row: message('b', 0), delivery: null }, { online: false, connected: false })).toBeNull()
  })
  test('the network, while it is still on this machine', () => {
    expect(waitsFor(queued, { online: false, connected: false })).toBe('network')
  })
  test('the connection, once the server has it; what failed waits for nobody', () => {
    expect(waitsFor(own(), { online: true, connected: false })).toBe('connection')
    expect(waitsFor(own({ ack: 0, ackError: '463' }), { online: true, connected: false })).toBeNull()
  })
})

describe('a conversation in blocks that are drawn together', () => {
  const blocks = (messages: MessageRow[], before: ReturnType<typeof intoBlocks> | null = null) =>
    intoBlocks(
      byDay(
        threadEntries(
          messages.map((row) => ({ row, delivery: null })),
          [],
          null,
        ),
      ),
      before,
    )
  const hundred = Array.from({ length: 100 }, (_, i) => message(`m${i}`, i * 10))
  const flat = ({ days }: ReturnType<typeof intoBlocks>) => days.flatMap((day) => day.blocks)
  const keys = (days: ReturnType<typeof intoBlocks>) => flat(days).flatMap((block) => block.entries.map((e) => e.key))

  test('every message is in one of them, in order', () => {
    expect(keys(blocks(hundred))).toEqual(hundred.map(({ id }) => id))
  })
  test('a new message changes the last block and leaves all others what they are', () => {
    const before = blocks(hundred.slice(0, 60))
    const after = blocks(hundred.slice(0, 61), before)
    expect(keys(after)).toEqual(hundred.slice(0, 61).map(({ id }) => id))
    const [old, now] = [flat(before), flat(after)]
    const last = old.length - 1
    old.slice(0, last).forEach((block, i) => expect(now[i]).toBe(block))
    expect(now[last]?.id).toBe(old[last]!.id)
  })
  test('older messages come in front without moving any other to another block', () => {
    const before = blocks(hundred.slice(50))
    const after = blocks(hundred, before)
    expect(keys(after)).toEqual(hundred.map(({ id }) => id))
    for (const { id } of hundred.slice(50)) expect(after.blockOf.get(id)).toBe(before.blockOf.get(id)!)
  })
  test('no block is there twice when messages change places', () => {
    const before = blocks(hundred.slice(0, 60))
    const moved = [...hundred.slice(0, 5), hundred[50]!, ...hundred.slice(5, 50), ...hundred.slice(51, 60)]
    const after = blocks(moved, before)
    expect(keys(after)).toEqual(moved.map(({ id }) => id))
    const ids = flat(after).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
  test('a block in which nothing changed but one tick is new, its other entries are not', () => {
    const before = blocks(hundred.slice(0, 10))
    const ticked = hundred.slice(0, 10).map((row) => (row.id === 'm4' ? { ...row, ack: 3 } : row))
    const [old, now] = [flat(before)[0]!, flat(blocks(ticked, before))[0]!]
    expect(now).not.toBe(old)
    expect(now.entries.map((entry, i) => entry === old.entries[i])).toEqual(ticked.map(({ id }) => id !== 'm4'))
  })
})
