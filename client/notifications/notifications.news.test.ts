import { expect, test } from 'bun:test'
import { seenOf, newsSince } from './notifications.news.ts'

const ticket = (
  uuid: string,
  lastMessageAt: number,
  more: { unreadMessages?: number; lastMessageFromMe?: boolean } = {},
) => ({
  uuid,
  lastMessageAt,
  unreadMessages: 1,
  lastMessageFromMe: false,
  ...more,
})
const before = seenOf([ticket('a', 10), ticket('b', 20)])

test('what was there already is no news', () => {
  expect(newsSince(before, [ticket('a', 10), ticket('b', 20)], null)).toEqual([])
})
test('a later message and another ticket are news', () => {
  expect(newsSince(before, [ticket('a', 11), ticket('b', 20), ticket('c', 5)], null).map(({ uuid }) => uuid)).toEqual([
    'a',
    'c',
  ])
})
test('the conversation in sight does not ring', () => {
  expect(newsSince(before, [ticket('a', 11)], 'a')).toEqual([])
})
test('an answer of ours does not ring', () => {
  expect(newsSince(before, [ticket('a', 11, { lastMessageFromMe: true })], null)).toEqual([])
})
