import { describe, expect, test } from 'bun:test'
import type { OutboxEntry } from '../../sync/client/replica.types.ts'
import { seenOf, newsSince } from './chats.news.ts'
import type { ChatMessageRow } from './chats.rows.ts'
import { chatEntries, knownMessages } from './chats.thread.ts'

const noon = new Date(2026, 10, 20, 12).getTime()
const minute = 60_000
const said = (id: string, senderId: number, createdAt: number): ChatMessageRow => ({
  id,
  chatId: 1,
  senderId,
  message: id,
  createdAt,
})
const waits = (id: string, state: OutboxEntry['state'], more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: `entry-${id}`,
  name: 'chats.send',
  input: { id, chatId: 1, message: id },
  state,
  createdAt: noon,
  attempts: 0,
  error: null,
  ticketId: null,
  file: null,
  ...more,
})

describe('what is known of a chat', () => {
  const [a, b, c, d] = [said('a', 1, 1), said('b', 1, 2), said('c', 1, 2), said('d', 1, 3)] as const
  test('keeps what a new message pushes out of the window, so that no gap opens before older ones', () => {
    expect(knownMessages([c, d], [a, b, c])).toEqual([a, b, c, d])
  })
  test('loses what the window no longer has', () => {
    expect(knownMessages([b, d], [a, b, c])).toEqual([a, b, d])
  })
  test('takes the window’s word for a message that came with another time', () => {
    expect(knownMessages([b, { ...d, createdAt: 9 }], [a, d])).toEqual([a, b, { ...d, createdAt: 9 }])
  })
})

describe('a conversation', () => {
  test('groups what one person says within minutes, under a line for each day', () => {
    const entries = chatEntries(
      [
        said('a', 1, noon),
        said('b', 1, noon + minute),
        said('c', 2, noon + 2 * minute),
        said('d', 2, noon + 86_400_000),
      ],
      [],
      1,
      9,
    )
    expect(entries.map(({ row, day, first, last }) => [row.id, day !== null, first, last])).toEqual([
      ['a', true, true, false],
      ['b', false, false, true],
      ['c', false, true, true],
      ['d', true, true, true],
    ])
  })
  test('ends with what waits, in its order, and keeps what was refused; other chats’ stays there', () => {
    const entries = chatEntries(
      [said('theirs', 1, noon + minute), said('second', 9, noon - minute), said('sent', 9, noon)],
      [
        waits('first', 'failed', { error: { code: 'ERR_FORBIDDEN', params: {} } }),
        waits('second', 'queued'),
        waits('sent', 'sent'),
        waits('elsewhere', 'queued', { input: { id: 'elsewhere', chatId: 2, message: '' } }),
      ],
      1,
      9,
    )
    expect(entries.map(({ row, delivery }) => [row.id, delivery?.state ?? null])).toEqual([
      ['theirs', null],
      ['first', 'failed'],
      ['second', 'queued'],
      ['sent', null],
    ])
  })
})

describe('the bell', () => {
  const chat = (id: number, unreads: number) => ({ id, uuid: `u${id}`, unreads })
  const before = seenOf([chat(1, 2), chat(2, 0)])
  test('rings for more unread messages and for another chat with some, not for what was there or was read', () => {
    expect(newsSince(before, [chat(1, 2), chat(2, 1), chat(3, 1)], null).map(({ id }) => id)).toEqual([2, 3])
    expect(newsSince(before, [chat(1, 0)], null)).toEqual([])
  })
  test('is silent for the chat in sight', () => {
    expect(newsSince(before, [chat(2, 1)], 'u2')).toEqual([])
  })
})
